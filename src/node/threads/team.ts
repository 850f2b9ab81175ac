import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { InputError, type Problem } from '../../core/problem.js';
import { systemReason } from '../terminal.js';
import { affordableThreads, numThreads } from './threads.js';

/** Threads that call functions of modules on memory that all share. */
export interface WorkerTeam {
  /** Threads in all, the caller's among them. */
  readonly size: number;
  /** Calls the exported function `work(data, number)` of a module once in every other thread, numbered from 1. The promise is
   *  kept with what they have returned when all have, and broken when one has failed. A thread that the system could not start
   *  takes no part. Buffers of shared memory in `data` are shared, everything else is copied. */
  run(module: URL, data: unknown): Promise<readonly unknown[]>;
  /** Lets the other threads load a module that `run` will name, while the caller is busy with something else. */
  prepare(module: URL): void;
  /** Resolves when every other thread runs, or is known not to. */
  started(): Promise<void>;
  /** Throws if a thread has died. Unlike the promise of `run` this can be asked by a caller that waits without giving way to
   *  events, once all threads have started. */
  check(): void;
  close(): Promise<void>;
}

/** A module that a thread will need. */
export interface TeamPreparation {
  readonly prepare: string;
}

/** What a thread is asked to do. */
export interface TeamTask {
  readonly module: string;
  readonly data: unknown;
  readonly number: number;
}

/** What it answers. */
export interface TeamAnswer {
  /** Why the module could not be loaded: nothing was done. */
  readonly unloaded?: SystemFailure | undefined;
  /** What was wrong with the input. */
  readonly problems?: readonly Problem[] | undefined;
  /** What the operating system answered. */
  readonly failure?: SystemFailure | undefined;
  readonly error?: unknown;
  readonly result?: unknown;
}

/** Plain data: neither the class of an error nor its code survives the way from thread to thread. */
export interface SystemFailure {
  readonly code: string | undefined;
  readonly syscall: string | undefined;
  readonly message: string;
}

/** Starts threads besides the caller's, none for a team of one; fewer where the system does not let so many files be open.
 *  @param size  threads in all; all cores by default */
export function createTeam(size?: number): WorkerTeam {
  const helpers = Array.from(
    { length: affordableThreads(numThreads(size) - 1) },
    (_, i) => waitingThread(i + 1) ?? new HelpingThread(i + 1),
  );
  let isClosed = false;
  return {
    size: helpers.length + 1,
    async run(module, data) {
      const answers = await Promise.all(helpers.map((helper) => helper.run(module, data)));
      return answers.filter((answer) => answer !== undefined).map(({ result }) => result);
    },
    prepare(module) {
      for (const helper of helpers) helper.prepare(module);
    },
    async started() {
      await Promise.all(helpers.map((helper) => helper.started()));
    },
    check() {
      for (const helper of helpers) helper.check();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await Promise.all(helpers.filter((helper) => !letWait(helper)).map((helper) => helper.close()));
    },
  };
}

/** Threads whose team is closed, by their numbers; undefined where a thread ends with its team. */
let waiting: Map<number, HelpingThread> | undefined;

/** From now on the threads of a team that is closed wait for the next one, with the code that they have loaded. For a program that does one
 *  thing after another: starting a thread takes longer than much of what it is asked for. As many wait as the largest team had. */
export function keepThreads(): void {
  waiting ??= new Map();
}

function waitingThread(number: number): HelpingThread | undefined {
  const helper = waiting?.get(number);
  waiting?.delete(number);
  return helper?.isIdle === true ? helper : undefined;
}

/** False if the thread has to end. */
function letWait(helper: HelpingThread): boolean {
  if (waiting === undefined || !helper.isIdle || waiting.has(helper.number)) return false;
  waiting.set(helper.number, helper);
  return true;
}

/** What the system says when it has no means left for another thread, which is then done without. */
const startFailures: readonly (string | undefined)[] = ['ERR_WORKER_INIT_FAILED', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];

interface Outcome {
  readonly result: unknown;
}

/** The options of Node for a thread: those of the program, as usual. Of a program whose text was given as an argument or on standard
 *  input they say how to read that text, which Node refuses for the file that a thread begins with. */
function optionsOfThreads(): string[] | undefined {
  return process.execArgv.some((word) => word.startsWith('--input-type')) ? [] : undefined;
}

/** Another thread of the team. */
class HelpingThread {
  readonly number: number;
  private readonly worker: Worker | undefined;
  /** Undefined while the thread lives; then why it has died, or 'absent' if it never lived. */
  private end: Error | 'absent' | undefined;
  private isClosing = false;
  /** Settles the task at hand. */
  private settle: ((answer: TeamAnswer | undefined) => void) | undefined;

  constructor(number: number) {
    this.number = number;
    const program = new URL('./team-worker.js', import.meta.url);
    let worker: Worker;
    try {
      worker = new Worker(program, { execArgv: optionsOfThreads() });
    } catch (error) {
      if (!startFailures.includes((error as NodeJS.ErrnoException).code)) throw error;
      this.end = 'absent';
      return;
    }
    this.worker = worker;
    // a team without work does not keep the program from ending
    worker.unref();
    worker.on('message', (answer: TeamAnswer) => this.settle?.(answer));
    worker.on('error', (error) => this.finish(endOf(error, program)));
    worker.on('exit', (status) => this.finish(ended(`with status ${status}`)));
  }

  /** Whether the thread lives and has nothing to do. */
  get isIdle(): boolean {
    return this.worker !== undefined && this.end === undefined && this.settle === undefined;
  }

  /** Undefined if this thread has not been able to take part. */
  async run(module: URL, data: unknown): Promise<Outcome | undefined> {
    const { worker } = this;
    if (worker === undefined || this.end === 'absent') return undefined;
    if (this.end !== undefined) throw this.end;
    const task: TeamTask = { module: module.href, data, number: this.number };
    const answer = await new Promise<TeamAnswer | undefined>((resolve) => {
      this.settle = resolve;
      worker.ref();
      worker.postMessage(task);
    });
    this.settle = undefined;
    // the end of a thread that is being closed is waited for, and an answer may still come before it
    if (!this.isClosing) worker.unref();
    if (answer === undefined) return this.run(module, data);
    if (answer.unloaded !== undefined) {
      const reason = endOf(answer.unloaded, module);
      if (reason === 'absent') return undefined;
      throw reason;
    }
    if (answer.problems !== undefined) throw new InputError(answer.problems);
    if (answer.failure !== undefined) throw Object.assign(new Error(answer.failure.message), answer.failure);
    if (answer.error !== undefined) throw answer.error;
    return { result: answer.result };
  }

  prepare(module: URL): void {
    if (this.end === undefined) this.worker?.postMessage({ prepare: module.href } satisfies TeamPreparation);
  }

  /** Waits until the thread has begun to take events: from then on `check` knows whether it lives. */
  async started(): Promise<void> {
    while (this.end === undefined && this.worker?.performance.eventLoopUtilization().active === 0) await setTimeout(1);
  }

  check(): void {
    if (this.end instanceof Error) throw this.end;
    // Node has no name for this: the time that a thread has been idle is -1 once it has ended, if it was asked for before
    if (this.worker !== undefined && this.worker.performance.eventLoopUtilization().idle < 0) throw ended('suddenly');
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.worker?.terminate();
  }

  private finish(end: Error | 'absent'): void {
    this.end ??= end;
    this.settle?.(undefined);
  }
}

/** What an error means that a thread could not survive, or could not begin with. */
function endOf(error: unknown, program: URL): Error | 'absent' {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const path = program.protocol === 'file:' ? fileURLToPath(program) : program.href;
  if (startFailures.includes(code)) return 'absent';
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new InputError({
      message: 'a thread ran out of memory before its work was done',
      wayOut: 'let Node take more, as with NODE_OPTIONS=--max-old-space-size=8192, or use fewer threads',
    });
  }
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND' || code === 'ENOENT') {
    return new InputError({
      source: path,
      message: 'this part of Gradus is missing, and without it no further thread can be started',
      wayOut: 'install Gradus again, or use one thread',
    });
  }
  if (syscall !== undefined) return new InputError({ source: path, message: `cannot be read: ${systemReason(error)}` });
  return error instanceof Error ? error : new Error(message);
}

function ended(how: string): InputError {
  return new InputError({
    message: `a thread ended ${how} before its work was done`,
    wayOut: 'try again, with fewer threads if it happens again',
  });
}
