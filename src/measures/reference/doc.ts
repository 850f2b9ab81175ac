import type { Citation } from '../measure.js';

/** What is to be said about a measure. The words stand apart from the records, so that a program which only computes does not
 *  carry them. */
export interface MeasureDoc {
  /** The name in words. */
  readonly title: string;
  /** What it is, what it is for, and what it does in awkward cases. */
  readonly help: string;
  /** The formula in one line. */
  readonly formula?: string;
  /** Where tools differ, and how to get the number of each. */
  readonly tools?: string;
  readonly cite?: readonly Citation[];
  /** What its parameters mean, where that is not what they mean everywhere. */
  readonly params?: Readonly<Record<string, string>>;
  /** Worked by hand; a test computes each. */
  readonly examples: readonly MeasureExample[];
}

/** A ranking so small that its value can be worked out on paper. */
export interface MeasureExample {
  readonly measure: string;
  /** The ranking, best document first; documents of equal score stand in brackets: `a (b c) d`. */
  readonly run: string;
  /** The judgements, `a:2 b:0`; by group or subtopic where there are several. */
  readonly qrels: string | Readonly<Record<string, string>>;
  /** The documents that the reader knows, `a e`. */
  readonly known?: string;
  /** How many relevant documents the reader expects. */
  readonly expected?: number;
  /** The calculation, as arithmetic. */
  readonly worked: string;
  /** Its result, to four decimals. */
  readonly value: number;
  /** What else is to be seen here. */
  readonly note?: string;
}

/** What the reference says about the measures of one file, by their names. */
export type FamilyDocs = Readonly<Record<string, MeasureDoc>>;
