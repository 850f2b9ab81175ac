/** A question to the worker that one card of a view asks: how far it is, what it gave, and what stood in its way. */
import type { Remote } from '../engine/calls.js';
import { EngineProblem, Stopped } from '../engine/client.js';
import type { Answer, Progress } from '../engine/protocol.js';
import type { Engine } from '../engine/worker.js';
import type { AppState } from '../state.svelte.js';

export class Asking<T> {
  answer: T | undefined = $state.raw();
  problem: string = $state('');
  work: { readonly what: string; readonly share: number | undefined } | undefined = $state.raw();
  private readonly app: () => AppState;
  private request = 0;

  constructor(app: () => AppState) {
    this.app = app;
  }

  /** Asks, and forgets what was asked before. */
  async ask(what: string, question: (engine: Remote<Engine>, onProgress: Progress) => Promise<Answer<T>>): Promise<void> {
    const request = ++this.request;
    this.work = { what, share: undefined };
    const onProgress: Progress = (done, total, words) => {
      if (request === this.request && this.work !== undefined) this.work = { what: words, share: total === 0 ? undefined : done / total };
    };
    try {
      const answer = await this.app().engine.ask((engine) => question(engine, onProgress));
      if (request !== this.request) return;
      this.answer = answer;
      this.problem = '';
    } catch (error) {
      if (request !== this.request) return;
      if (error instanceof Stopped) this.problem = 'Stopped.';
      else if (error instanceof EngineProblem)
        this.problem = error.problems.map(({ message, wayOut }) => (wayOut === undefined ? message : `${message}; ${wayOut}`)).join('. ');
      else throw error;
      this.answer = undefined;
    } finally {
      if (request === this.request) this.work = undefined;
    }
  }

  stop(): void {
    this.app().stop();
  }
}
