import { SharedParts, wordsForParts } from '../../core/shared-parts.js';
import { estimatedMilliseconds, joinResults, resultSize, runTask, runUnits, type StatsSteps, type StatsTask } from '../../stats/tasks.js';
import { numThreads } from './threads.js';

/** How many threads may work, and from how much work on. */
export interface ThreadOptions {
  /** How many threads may work; all cores by default. */
  readonly threads?: number | undefined;
  /** With less work than this, in estimated milliseconds, one thread does it alone: starting another takes as long. */
  readonly alone?: number | undefined;
}

/** Starting a thread and loading the statistics there takes some 100 ms; below a few times that nothing is gained. */
const ALONE_BELOW = 400;
/** Parts of a task per thread, so that one that is late has a small part left. */
const PARTS_PER_THREAD = 4;

/** Carries out a computation whose steps are lists of independent tasks, each list shared among threads. */
export async function inThreads<T>(steps: StatsSteps<T>, how: ThreadOptions): Promise<T> {
  for (let step = steps.next(); ; ) {
    if (step.done === true) return step.value;
    step = steps.next(await runTasks(step.value, how));
  }
}

/** A part of a task, and where its result goes. */
interface TaskPart {
  readonly task: number;
  readonly from: number;
  readonly to: number;
  readonly result: Float64Array;
}

/** What every thread knows. */
export interface SharedWork {
  readonly tasks: readonly StatsTask[];
  readonly parts: readonly TaskPart[];
  /** Which parts are taken, and how many are done. */
  readonly control: Int32Array;
}

/** Does tasks, on several threads if that pays. */
export async function runTasks(tasks: readonly StatsTask[], { threads, alone = ALONE_BELOW }: ThreadOptions = {}): Promise<Float64Array[]> {
  const size = numThreads(threads);
  const work = tasks.reduce((sum, task) => sum + estimatedMilliseconds(task), 0);
  if (size < 2 || work < alone) return tasks.map(runTask);
  const shared = shareWork(tasks, size * PARTS_PER_THREAD);
  const { createTeam } = await import('./team.js');
  const team = createTeam(size);
  const module = new URL('./resample-worker.js', import.meta.url);
  try {
    const others = team.run(module, shared);
    // a failure elsewhere shows when the others are awaited
    others.catch(() => undefined);
    takeParts(shared);
    await others;
  } finally {
    await team.close();
  }
  return tasks.map((task, t) => {
    const results = shared.parts.filter((part) => part.task === t).map(({ result }) => result);
    return Float64Array.from(joinResults(task, results));
  });
}

/** Cuts every task into parts, with room for their results that all threads share. */
export function shareWork(tasks: readonly StatsTask[], numParts: number): SharedWork {
  const parts: TaskPart[] = [];
  for (const [t, task] of tasks.entries()) {
    const count = Math.max(1, Math.min(numParts, task.units));
    for (let p = 0; p < count; p++) {
      const from = Math.floor((task.units * p) / count);
      const to = Math.floor((task.units * (p + 1)) / count);
      parts.push({ task: t, from, to, result: new Float64Array(new SharedArrayBuffer(8 * resultSize(task, from, to))) });
    }
  }
  const control = wordsForParts();
  new SharedParts(control).offer(parts.length);
  return { tasks, parts, control };
}

/** Takes parts until none is left. */
export function takeParts({ tasks, parts, control }: SharedWork): void {
  const shares = new SharedParts(control);
  shares.takeEach((number) => {
    const { task, from, to, result } = parts[number];
    runUnits(tasks[task], from, to, result);
    shares.advance(1);
  });
}
