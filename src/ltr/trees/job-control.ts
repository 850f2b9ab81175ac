import { SHARED_PARTS_WORDS, SharedParts } from '../../core/shared-parts.js';
import { nameWords, type SharedWords } from '../../core/shared-words.js';

/** What threads can be asked to do together. */
export const JOB = { end: 0, bin: 1, gradients: 2, pack: 3, histograms: 4, partition: 5, scores: 6, edges: 7 } as const;

const runnerNames = ['epoch', 'job', 'active', 'open'] as const;
const partitionNames = ['buffer', 'start', 'count', 'numLeft', 'column'] as const;
const leafNames = ['buffer', 'start', 'count', 'histogram', 'looks', 'isLimited'] as const;
const splitNames = ['subtracts', 'groupsPerPart'] as const;

const ARGUMENTS = runnerNames.length + SHARED_PARTS_WORDS;
/** How many whole numbers the threads share. */
export const CONTROL_WORDS: number = ARGUMENTS + 2 * leafNames.length + splitNames.length;

/** What is known of a leaf whose splits are looked for: its gradient, hessian and documents, the gain to exceed, the bounds of
 *  its value, the value itself, and where drawn splits are drawn from. */
export const LEAF_NUMBER = { gradient: 0, hessian: 1, count: 2, leastGain: 3, lower: 4, upper: 5, value: 6, seed: 7 } as const;
const LEAF_NUMBERS = Object.keys(LEAF_NUMBER).length;
const SCALES = 2;
/** How many floating-point numbers the threads share. */
export const CONTROL_NUMBERS: number = SCALES + 2 * LEAF_NUMBERS;

/** The words by which threads agree on what is done, by name. Only one job is done at a time, so that all jobs have their arguments
 *  in the same place. */
export class JobControl {
  /** How many jobs there have been; the job at hand; how many threads are at it; whether more may join. */
  readonly runner: SharedWords<(typeof runnerNames)[number]>;
  readonly parts: SharedParts;
  /** Packing gradients: how many rows there are. */
  readonly pack: SharedWords<'numRows'>;
  /** Putting cells into bins: whether they are those of the validation data. */
  readonly bin: SharedWords<'isValidation'>;
  /** Where the leaf is, how many of its rows go left, and by which column. */
  readonly partition: SharedWords<(typeof partitionNames)[number]>;
  /** Where each leaf is, its histogram (-1: there is no such leaf), whether to look for splits of it, and whether it may be split by some
   *  of the features of its tree only. */
  readonly leaves: readonly SharedWords<(typeof leafNames)[number]>[];
  /** Whether the second leaf's histogram is its parent's until now; how many groups of features a part has. */
  readonly splits: SharedWords<(typeof splitNames)[number]>;
  /** Gradient and hessian: what they are multiplied by when they are packed, and what a unit of a packed one is afterwards. */
  readonly scales: Float64Array;
  /** For each leaf the numbers of LEAF_NUMBER. */
  readonly leafNumbers: readonly Float64Array[];

  constructor(words: Int32Array, numbers: Float64Array) {
    this.runner = nameWords(words, runnerNames);
    this.parts = new SharedParts(words.subarray(runnerNames.length, ARGUMENTS));
    this.pack = nameWords(words, ['numRows'], ARGUMENTS);
    this.bin = nameWords(words, ['isValidation'], ARGUMENTS);
    this.partition = nameWords(words, partitionNames, ARGUMENTS);
    this.leaves = [0, 1].map((leaf) => nameWords(words, leafNames, ARGUMENTS + leaf * leafNames.length));
    this.splits = nameWords(words, splitNames, ARGUMENTS + 2 * leafNames.length);
    this.scales = numbers.subarray(0, SCALES);
    this.leafNumbers = [0, 1].map((leaf) => numbers.subarray(SCALES + leaf * LEAF_NUMBERS, SCALES + (leaf + 1) * LEAF_NUMBERS));
  }
}
