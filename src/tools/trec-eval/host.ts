import type { JudgingRules } from '../../core/judging/judge.js';
import type { Qrels } from '../../core/qrels.js';
import type { Measure } from '../../measures/measure.js';
import type { PlanOptions } from '../../measures/plan.js';

/** What trec_eval needs from the world around it. Everything else is computed here, so that a test or a browser can be
 *  the world as well as a terminal. */
export interface TrecEvalHost {
  /** The content of a file. Undefined if it is missing, empty, not readable, or not a plain file: the tool treats all of
   *  these alike. */
  read(path: string): Uint8Array | undefined;
  readStdin(): Uint8Array;
  /** Takes some bytes of standard output. The array is used again once the promise is kept. */
  writeOut(bytes: Uint8Array): void | Promise<void>;
  writeErr(bytes: Uint8Array): void | Promise<void>;
  /** Called before anything is read: gets ready what `evaluateFast` will need for this results file, such as threads. */
  prepareFast?(resultsPath: string): Promise<FastMeans | undefined>;
  /** A faster way from a results file to the values of each topic, for ordinary files. It must not write anything. It
   *  answers undefined whenever the file is not ordinary, and then the file is read again in full. */
  evaluateFast?(request: FastRequest, means?: FastMeans): FastResult | undefined | Promise<FastResult | undefined>;
}

/** What a host has got ready; only the host knows what it is. */
export interface FastMeans {
  /** Called when it is needed no longer, whether it was used or not. */
  close(): Promise<void>;
}

/** An evaluation that a host may do in its own way, with threads or without holding the run in memory. */
export interface FastRequest {
  /** Judgements of the kind `qrels`, each topic with at least one grade from 0 up and no document twice. Documents are
   *  numbered line by line, so one that several topics judged has several numbers, and none can be looked up by its text. */
  readonly qrels: Qrels;
  readonly resultsPath: string;
  /** What to compute, all from rankings, none by group. Parameters may be out of their declared ranges. */
  readonly measures: readonly Measure[];
  readonly rules: JudgingRules;
  readonly options: PlanOptions;
  /** Whether a line of the results file whose first character is `#` is a comment. */
  readonly comments: boolean;
}

/** What a host gives back: the values of topics, not yet summed up. */
export interface FastResult {
  /** Numbers (in the qrels) of the topics that were evaluated, in ascending byte order of their ids. */
  readonly topics: Uint32Array;
  /** 1 for each of these topics that the results file answers; 0 where a rule for missing topics stood in. */
  readonly answered: Uint8Array;
  /** The value of topic t and measure m at t * measures.length + m. */
  readonly values: Float64Array;
  /** The sixth field of the last record of the results file. */
  readonly runTag: Uint8Array;
}
