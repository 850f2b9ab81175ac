import type { LearnerOption } from '../ranker.js';

/** Options of learners that grow trees; `treeOptions` says what each one means. */
export interface TreeValues {
  readonly leaves: number;
  readonly depth: number;
  readonly minDocs: number;
  readonly minGain: number;
  readonly l2: number;
  readonly bins: number;
  readonly featureSample: number;
  readonly monotone: readonly number[];
}

/** Further options of learners that add tree to tree. */
export interface BoostingValues {
  readonly trees: number;
  readonly rate: number;
  readonly minHessian: number;
  readonly rowSample: number;
  readonly sampleBy: string;
  readonly patience: number;
  readonly dropRate: number;
}

/** Options of every learner that grows trees. */
export const treeOptions: Readonly<Record<keyof TreeValues, LearnerOption>> = {
  leaves: { type: 'integer', default: 31, min: 2, max: 65_536, help: 'leaves of a tree at most', ranklib: '-leaf' },
  depth: { type: 'integer', default: 0, min: 0, max: 1000, help: 'splits between the root and a leaf at most; 0: as many as there are' },
  minDocs: { type: 'integer', default: 20, min: 1, max: 1e9, help: 'documents that a leaf must hold', ranklib: '-mls' },
  minGain: { type: 'number', default: 0, min: 0, help: 'gain that a split must exceed' },
  l2: { type: 'number', default: 0, min: 0, help: 'penalty on the squares of leaf values' },
  bins: { type: 'integer', default: 255, min: 2, max: 255, help: 'bins for the values of a feature at most', ranklib: '-tc' },
  featureSample: { type: 'number', default: 1, min: 0, max: 1, help: 'share of the features that each tree may use, drawn anew' },
  monotone: {
    type: 'numbers',
    default: [],
    min: -1,
    max: 1,
    help: 'for each feature 1 if scores must not fall as it grows, -1 if they must not rise, 0 if they are free; features beyond the list are free',
  },
};

/** Options of learners that add tree to tree. */
export const boostingOptions: Readonly<Record<keyof BoostingValues, LearnerOption>> = {
  trees: { type: 'integer', default: 100, min: 1, max: 1e6, help: 'trees at most', ranklib: '-tree' },
  rate: { type: 'number', default: 0.1, min: 1e-6, max: 1, help: 'share of each step that is taken', ranklib: '-shrinkage' },
  minHessian: { type: 'number', default: 0.001, min: 0, help: 'sum of second derivatives that a leaf must hold' },
  rowSample: {
    type: 'number',
    default: 1,
    min: 0,
    max: 1,
    help: 'share of the documents or queries that each tree is grown on, drawn anew',
  },
  sampleBy: { type: 'choice', default: 'query', choices: ['query', 'document'], help: 'what rowSample draws' },
  patience: {
    type: 'integer',
    default: 100,
    min: 0,
    max: 1e6,
    help: 'training ends after so many trees without a better validation value; 0: never',
    ranklib: '-estop',
  },
  dropRate: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    help: 'share of the trees that are left out while the next one is grown (DART); 0: none',
  },
};
