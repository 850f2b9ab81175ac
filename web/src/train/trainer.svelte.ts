/** A training, in a worker of its own, so that the rest of the page goes on. */
import { connect, type Remote } from '../engine/calls.js';
import { newWorker } from '../engine/client.js';
import type { Answer } from '../engine/protocol.js';
import type { LearnerChoice, TrainingAnswer, TrainingAsked, TrainingStep } from '../engine/training.js';
import type { Engine } from '../engine/worker.js';

/** A model that was trained before, for the table of all. */
export interface EarlierModel {
  readonly name: string;
  readonly measure: string;
  readonly validation: number;
  readonly test: number;
}

/** How often the curve is drawn while it grows, in milliseconds. */
const PACE = 100;

export class Trainer {
  learners: readonly LearnerChoice[] = $state.raw([]);
  steps: readonly TrainingStep[] = $state.raw([]);
  answer: TrainingAnswer | undefined = $state.raw();
  earlier: readonly EarlierModel[] = $state.raw([]);
  problem: string = $state('');
  what: string = $state('');
  private readonly engine: Remote<Engine>;
  private readonly worker: Worker;

  constructor() {
    this.worker = newWorker();
    this.engine = connect<Engine>(this.worker);
    void this.engine.learners().then((found) => {
      this.learners = resultOf(found);
    });
  }

  get isTraining(): boolean {
    return this.what !== '';
  }

  async train(asked: TrainingAsked, name: string): Promise<void> {
    this.problem = '';
    this.what = 'reading';
    this.steps = [];
    this.answer = undefined;
    let steps: TrainingStep[] = [];
    let drawn = 0;
    const onStep = (step: TrainingStep): void => {
      if (step.iteration === 1) steps = [];
      steps.push(step);
      this.what = step.iteration === step.of ? 'judging on the test queries' : `iteration ${step.iteration} of ${step.of}`;
      if (performance.now() - drawn < PACE) return;
      drawn = performance.now();
      this.steps = [...steps];
    };
    try {
      const answer = resultOf(
        await this.engine.train(asked, onStep, (_done, _total, what) => {
          if (steps.length === 0) this.what = what;
        }),
      );
      this.answer = answer;
      this.earlier = [
        {
          name: `${name}${answer.isStopped ? ', stopped' : ''}`,
          measure: answer.measure,
          validation: answer.validation,
          test: answer.test,
        },
        ...this.earlier.filter((one) => one.name !== name),
      ];
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.what = '';
    }
  }

  /** Ends the training; what was found so far is kept and judged. */
  stop(): void {
    this.what = 'stopping';
    void this.engine.stopTraining();
  }

  close(): void {
    this.worker.terminate();
  }
}

function resultOf<T>(answer: Answer<T>): T {
  if ('ok' in answer) return answer.ok;
  throw new Error(answer.problems.map(({ message, wayOut }) => (wayOut === undefined ? message : `${message}; ${wayOut}`)).join('. '));
}
