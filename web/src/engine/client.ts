/** The page's side of the worker. Stopping a computation means ending the worker that does it: what was read is read again by the
 *  next one, from the files that the page still has. */
import type { Problem } from 'gradus';
import { connect, type Remote } from './calls.js';
import type { Answer, FileReading, FileSummary } from './protocol.js';
import type { Engine } from './worker.js';

/** Thrown for what the worker could not do; carries what to tell. */
export class EngineProblem extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join('; '));
    this.problems = problems;
  }
}

/** Thrown into whatever was waiting when somebody pressed Stop. */
export class Stopped extends Error {}

/** A worker that nobody has asked anything yet. */
export function newWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}

interface KnownFile {
  readonly file: File;
  readonly reading: FileReading;
}

export class EngineClient {
  private worker: Worker | undefined;
  private remote: Remote<Engine> | undefined;
  private readonly known: Map<number, KnownFile> = new Map();
  private readonly names: Map<number, string> = new Map();
  /** What somebody chose of several files. */
  private judgements: number | undefined;
  private stopWaiting: Set<() => void> = new Set();
  /** Settled when a new worker has read again what its predecessor knew. */
  private ready: Promise<unknown> = Promise.resolve();

  /** Waits for an answer, or for somebody to press Stop. */
  async ask<T>(question: (engine: Remote<Engine>) => Promise<Answer<T>>): Promise<T> {
    const engine = this.engine();
    const result = await this.unlessStopped(this.ready.then(() => question(engine)));
    if ('problems' in result) throw new EngineProblem(result.problems);
    return result.ok;
  }

  async add(id: number, file: File, reading: FileReading, onProgress: (done: number, total: number) => void): Promise<FileSummary> {
    const summary = await this.ask((engine) => engine.add(id, file, reading, onProgress));
    this.known.set(id, { file, reading });
    return summary;
  }

  async remove(id: number): Promise<void> {
    this.known.delete(id);
    this.names.delete(id);
    if (this.judgements === id) this.judgements = undefined;
    await this.engine().remove(id);
  }

  /** Calls the system of a file otherwise; undefined takes that back. */
  async rename(id: number, name: string | undefined): Promise<void> {
    if (name === undefined) this.names.delete(id);
    else this.names.set(id, name);
    await this.engine().rename(id, name);
  }

  async chooseJudgements(id: number): Promise<void> {
    this.judgements = id;
    await this.engine().chooseJudgements(id);
  }

  async catalogue(): Promise<Awaited<ReturnType<Engine['catalogue']>>> {
    return await this.engine().catalogue(document.baseURI);
  }

  /** Ends whatever is going on. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.remote = undefined;
    for (const reject of this.stopWaiting) reject();
    this.stopWaiting.clear();
    const again = this.engine();
    const judgements = this.judgements;
    this.ready = (async () => {
      for (const [id, { file, reading }] of this.known) await again.add(id, file, reading);
      for (const [id, name] of this.names) await again.rename(id, name);
      if (judgements !== undefined) await again.chooseJudgements(judgements);
    })();
  }

  private engine(): Remote<Engine> {
    if (this.remote === undefined) {
      this.worker = newWorker();
      this.remote = connect<Engine>(this.worker);
    }
    return this.remote;
  }

  private unlessStopped<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stopped = (): void => reject(new Stopped('stopped'));
      this.stopWaiting.add(stopped);
      promise.then(resolve, reject).finally(() => this.stopWaiting.delete(stopped));
    });
  }
}

/** What to tell about an error, whatever it is. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof EngineProblem) return error.problems;
  return [{ message: error instanceof Error ? error.message : String(error) }];
}
