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
  readonly l1: number;
  readonly maxStep: number;
  readonly smoothing: number;
  readonly extraTrees: boolean;
  readonly nodeFeatureSample: number;
  readonly interactions: string;
  readonly growth: string;
  readonly minBinDocs: number;
  readonly categorical: string;
  readonly oneHotBins: number;
  readonly categorySmoothing: number;
  readonly categoryL2: number;
  readonly maxCategories: number;
  readonly minCategoryDocs: number;
}

/** Further options of learners that add tree to tree. */
export interface BoostingValues {
  readonly trees: number;
  readonly rate: number;
  readonly minHessian: number;
  readonly rowSample: number;
  readonly sampleBy: string;
  readonly topSample: number;
  readonly otherSample: number;
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
  bins: {
    type: 'integer',
    default: 255,
    min: 2,
    max: 65_535,
    help: 'bins for the values of a feature at most; above 255 each further 254 cost as much as another feature',
    ranklib: '-tc',
  },
  featureSample: { type: 'number', default: 1, min: 0, max: 1, help: 'share of the features that each tree may use, drawn anew' },
  monotone: {
    type: 'numbers',
    default: [],
    min: -1,
    max: 1,
    help: 'for each feature 1 if scores must not fall as it grows, -1 if they must not rise, 0 if they are free; features beyond the list are free',
  },
  l1: { type: 'number', default: 0, min: 0, help: 'penalty on the sizes of leaf values' },
  maxStep: { type: 'number', default: 0, min: 0, help: 'size of a leaf value at most, before the rate; 0: any' },
  smoothing: {
    type: 'number',
    default: 0,
    min: 0,
    help: 'documents of a leaf by which its value is half its own and half that of the leaf it came from; 0: all its own',
  },
  extraTrees: { type: 'boolean', default: false, help: 'try one split by each feature only, drawn at random' },
  nodeFeatureSample: {
    type: 'number',
    default: 1,
    min: 0,
    max: 1,
    help: 'share of the features of its tree that each leaf may be split by, drawn anew',
  },
  interactions: {
    type: 'text',
    default: '',
    help: 'which features may meet on a way from the root to a leaf: names or ids separated by commas, sets by semicolons, such as 1,2;3,4,5; others are not used',
  },
  growth: {
    type: 'choice',
    default: 'gradus',
    choices: ['gradus', 'lightgbm'],
    help: 'lightgbm: trees as LightGBM grows them, where 0 has a bin of its own, second derivatives tell how many documents a side has, and a feature that cannot split a leaf is not tried on the leaves below it',
  },
  minBinDocs: {
    type: 'integer',
    default: 3,
    min: 1,
    max: 1e9,
    help: 'documents of a category that has a bin of its own, from the third on, and of every bin with growth=lightgbm',
  },
  categorical: {
    type: 'text',
    default: '',
    help: 'features whose values are categories, which are whole numbers from 0 on: names or ids separated by commas',
  },
  oneHotBins: {
    type: 'integer',
    default: 4,
    min: 1,
    max: 256,
    help: 'with so many categories at most, missing ones among them, a split sets one apart; with more it divides them into two sets',
  },
  categorySmoothing: {
    type: 'number',
    default: 10,
    min: 0,
    help: 'documents that a category must have in a leaf to be put into a set; also added to second derivatives when categories are ordered',
  },
  categoryL2: { type: 'number', default: 10, min: 0, help: 'penalty on the squares of leaf values under a set of categories, besides l2' },
  maxCategories: { type: 'integer', default: 32, min: 1, max: 256, help: 'categories of a set at most' },
  minCategoryDocs: {
    type: 'integer',
    default: 100,
    min: 1,
    max: 1e9,
    help: 'documents that each next set of categories must have more than the one tried before, and leave outside',
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
  sampleBy: {
    type: 'choice',
    default: 'query',
    choices: ['query', 'document', 'gradient'],
    help: 'what rowSample draws; gradient: documents with large gradients are kept and some of the others drawn instead (GOSS)',
  },
  topSample: { type: 'number', default: 0.2, min: 0, max: 1, help: 'share of the documents with the largest gradients that GOSS keeps' },
  otherSample: {
    type: 'number',
    default: 0.1,
    min: 0,
    max: 1,
    help: 'share of the documents that GOSS draws from the others, which then count for all of them',
  },
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
