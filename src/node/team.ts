import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Threads that call functions of modules on memory that all share. */
export interface WorkerTeam {
  /** Threads in all, the caller's among them. */
  readonly size: number;
  /** Calls the exported function `work(data, number)` of a module once in every other thread, numbered from 1. The promise is
   *  kept with what they have returned when all have, and broken when one has failed. Buffers of shared memory in `data` are
   *  shared, everything else is copied. */
  run(module: URL, data: unknown): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** What a thread is asked to do. */
export interface TeamTask {
  readonly module: string;
  readonly data: unknown;
  readonly number: number;
}

/** What it answers. */
export interface TeamAnswer {
  readonly error: unknown;
  readonly result: unknown;
}

/** Starts threads besides the caller's; none for a team of one.
 *  @param size  threads in all; all cores if not given */
export function createTeam(size: number = availableParallelism()): WorkerTeam {
  const workers = Array.from({ length: Math.max(0, Math.floor(size) - 1) }, () => new Worker(new URL('./team-worker.js', import.meta.url)));
  // a team without work does not keep the program from ending
  for (const worker of workers) worker.unref();
  return {
    size: workers.length + 1,
    async run(module, data) {
      return await Promise.all(workers.map((worker, i) => ask(worker, { module: module.href, data, number: i + 1 })));
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function ask(worker: Worker, task: TeamTask): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (error: unknown, result?: unknown): void => {
      worker.off('message', answered);
      worker.off('error', failed);
      worker.off('exit', ended);
      worker.unref();
      if (error === undefined) resolve(result);
      else reject(error);
    };
    const answered = ({ error, result }: TeamAnswer): void => settle(error, result);
    const failed = (error: unknown): void => settle(error);
    const ended = (): void => settle(new Error('a thread ended before its work was done'));
    worker.on('message', answered);
    worker.on('error', failed);
    worker.on('exit', ended);
    worker.ref();
    worker.postMessage(task);
  });
}
