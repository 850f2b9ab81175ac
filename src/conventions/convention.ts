import type { JudgingRules } from '../core/judge.js';
import type { Params } from '../measures/measure.js';
import type { PlanOptions } from '../measures/plan.js';

/** A tool's way of judging and scoring, as data. It computes nothing itself. */
export interface Convention {
  /** `trec_eval@9.0.8` */
  readonly name: string;
  /** Other spellings of the same. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** What is special about it, for people who have to choose. */
  readonly help: string;
  readonly rules: Partial<JudgingRules>;
  /** What becomes of a topic the run does not answer when all judged topics are asked for. */
  readonly missingTopicsOfAll: 'empty' | 'placeholder';
  readonly planOptions?: PlanOptions;
  /** Parameters that measures have under this convention unless they are written out, by the name of the parameter. */
  readonly measureParams?: Params;
}
