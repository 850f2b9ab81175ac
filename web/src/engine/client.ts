/** The page's side of the worker. Stopping a computation means ending the worker that does it: what was read is read again by the
 *  next one, from the files that the page still has. */
import type { Problem } from 'gradus';
import { connect, type Remote } from './calls.js';
import type { Answer, FileKind, FileSummary } from './protocol.js';
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

interface KnownFile {
  readonly file: File;
  readonly as: FileKind | undefined;
  readonly lenient: boolean;
}

export class EngineClient {
  private worker: Worker | undefined;
  private remote: Remote<Engine> | undefined;
  private readonly known: Map<number, KnownFile> = new Map();
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

  async add(
    id: number,
    file: File,
    as: FileKind | undefined,
    lenient: boolean,
    onProgress: (done: number, total: number) => void,
  ): Promise<FileSummary> {
    const summary = await this.ask((engine) => engine.add(id, file, as, lenient, onProgress));
    this.known.set(id, { file, as, lenient });
    if (summary.kind === 'judgements' || summary.kind === 'features') this.judgements = id;
    return summary;
  }

  async remove(id: number): Promise<void> {
    this.known.delete(id);
    await this.engine().remove(id);
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
      for (const [id, { file, as, lenient }] of this.known) await again.add(id, file, as, lenient);
      if (judgements !== undefined) await again.chooseJudgements(judgements);
    })();
  }

  private engine(): Remote<Engine> {
    if (this.remote === undefined) {
      this.worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
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
