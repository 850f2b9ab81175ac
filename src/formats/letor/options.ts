import type { ReadOptions } from '../reader.js';

/** How a feature file is read. */
export interface LetorOptions extends Pick<ReadOptions, 'source' | 'lenient' | 'maxProblems'> {
  /** What to keep of the features. *auto* (the default) chooses the layout that needs less memory; *false* skips them
   *  unread, several times as fast, for those who only need labels and queries. */
  readonly features?: 'auto' | 'dense' | 'sparse' | false | undefined;
  /** *single* keeps features as 32-bit floats, half the memory; RankLib computes with those. Otherwise *double*. */
  readonly precision?: 'double' | 'single' | undefined;
  /** What a dense layout has where a line gives no value: 0 unless said otherwise. */
  readonly missing?: number | undefined;
  /** The smallest feature id, 1 unless said otherwise. Id 0 in a file that should count from 1 is refused. */
  readonly firstFeature?: 0 | 1 | undefined;
  /** How many features there are, where that is known from elsewhere; otherwise the largest id decides. */
  readonly numFeatures?: number | undefined;
  readonly featureNames?: readonly string[] | undefined;
  /** Whether feature values may be `nan` or `inf` (true), or `nan` only (*nan*); they are refused otherwise. */
  readonly nonFinite?: boolean | 'nan' | undefined;
  /** Whether to keep what follows `#`: true unless said otherwise. */
  readonly comments?: boolean | undefined;
  /** What happens when a query's lines do not stand together. *group* (the default) brings them together; *split* begins
   *  a new list wherever the id changes, as RankLib does; *refuse* takes it for an error. */
  readonly scattered?: 'group' | 'split' | 'refuse' | undefined;
  /** How many rows each query has, for files without query ids. The queries are then called 1, 2, 3 … */
  readonly groupSizes?: ArrayLike<number> | undefined;
  /** A stricter grammar: says what is wrong with bytes[start..end), one line without its LF, or undefined. It sees every
   *  line, blank ones and comments too. */
  readonly checkLine?: ((bytes: Uint8Array, start: number, end: number) => string | undefined) | undefined;
  /** Another reading of labels; NaN refuses one. Otherwise any finite decimal number is a label. */
  readonly readLabel?: ((bytes: Uint8Array, start: number, end: number) => number) | undefined;
  /** Whether an input without a single row is a matrix without rows; otherwise it is refused. */
  readonly allowEmpty?: boolean | undefined;
  /** The size of the whole input, if known: memory is then taken once. */
  readonly expectedBytes?: number | undefined;
}
