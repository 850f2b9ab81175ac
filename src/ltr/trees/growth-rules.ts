import { closest } from '../../core/closest.js';
import type { FeatureColumns } from '../../core/feature-matrix.js';
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { TrainingSet } from '../ranker.js';
import { MAX_BINS } from './bin-edges.js';
import type { TreeValues } from './options.js';
import type { TreeTrainingPlan } from './tree-training.js';

/** The options of a tree learner as the rules by which single trees grow. */
export function growthRules(
  options: TreeValues,
  minHessian: number,
  { features }: TrainingSet,
  byDocuments = false,
): TreeTrainingPlan['growth'] {
  const { leaves, depth, minDocs, minGain, l1, l2, maxStep, smoothing, monotone, extraTrees, nodeFeatureSample } = options;
  const isBound = monotone.some((direction) => direction !== 0);
  const categorical = columnsNamed(options.categorical, 'categorical', features);
  const bound = categorical.find((column) => (monotone[column] ?? 0) !== 0);
  if (bound !== undefined) {
    throw new InputError({
      message: `feature ${nameOf(features, bound)} has categories, which scores cannot rise or fall with`,
      wayOut: 'leave it out of monotone or of categorical',
    });
  }
  if (smoothing > 0 && byDocuments) {
    throw new InputError({
      message: 'the values of leaves can be drawn to those of the leaves they came from only where splits go by second derivatives',
      wayOut: 'leave out smoothing, or splitBy=documents',
    });
  }
  if (options.extraTrees && options.bins >= MAX_BINS) {
    throw new InputError({
      message: `splits are drawn from at most ${MAX_BINS - 1} bins, not from ${options.bins}`,
      wayOut: 'leave out bins, or extraTrees',
    });
  }
  const isCategory = new Uint8Array(features.numFeatures); // fits: flags
  for (const column of categorical) isCategory[column] = 1;
  return {
    maxLeaves: leaves,
    maxDepth: depth === 0 ? limits.treeDepth : depth,
    // a leaf of one document would follow the other side entirely
    minDocs: smoothing > 0 ? Math.max(2, minDocs) : minDocs,
    minGain,
    byDocuments,
    l1,
    l2,
    maxStep,
    smoothing,
    extraTrees,
    countsByHessian: options.growth === 'lightgbm',
    dropsUselessFeatures: options.growth === 'lightgbm',
    nodeFeatureSample,
    interactions: interactionsOf(options.interactions, features),
    // a leaf without curvature has no Newton step
    minHessian: Math.max(minHessian, Number.MIN_VALUE),
    // fits: signs: -1, 0 or 1
    monotone: isBound ? Int8Array.from({ length: features.numFeatures }, (_, f) => Math.sign(monotone[f] ?? 0)) : undefined,
    categorical: categorical.length === 0 ? undefined : { isCategory, rules: categoryRules(options) },
  };
}

function categoryRules(options: TreeValues): NonNullable<TreeTrainingPlan['growth']['categorical']>['rules'] {
  const { oneHotBins, categorySmoothing, categoryL2, maxCategories, minCategoryDocs } = options;
  return { oneHotBins, smoothing: categorySmoothing, l2: categoryL2, maxSet: maxCategories, minGroup: minCategoryDocs };
}

/** The options that say how values are put into bins. */
export function binningOf(
  { bins, growth, minBinDocs, categorical }: TreeValues,
  { features }: TrainingSet,
): Pick<TreeTrainingPlan, 'bins' | 'binning' | 'categorical'> {
  return {
    bins,
    binning: { rule: growth === 'lightgbm' ? 'lightgbm' : 'even', minDocs: minBinDocs },
    categorical: columnsNamed(categorical, 'categorical', features),
  };
}

function interactionsOf(text: string, features: FeatureColumns): readonly ReadonlySet<number>[] | undefined {
  if (text.trim() === '') return undefined;
  return text.split(';').map((group) => new Set(columnsNamed(group, 'interactions', features)));
}

/** The columns that a list of names or ids is of. */
function columnsNamed(text: string, option: string, features: FeatureColumns): number[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== '').map((word) => columnNamed(word, option, features)))];
}

/** The column that a name or an id is of.
 *  @throws An `InputError` if there is none; `option` says who asks. */
export function columnNamed(word: string, option: string, { names = [], numFeatures, firstFeature }: FeatureColumns): number {
  const named = names.indexOf(word);
  if (named >= 0) return named;
  const column = /^\d+$/.test(word) ? Number(word) - firstFeature : -1;
  if (column >= 0 && column < numFeatures) return column;
  const close = closest(word, names);
  throw new InputError({
    message: `${option}: there is no feature ${word}`,
    wayOut: close === undefined ? `ids go from ${firstFeature} to ${firstFeature + numFeatures - 1}` : `did you mean ${close}?`,
  });
}

function nameOf({ names, firstFeature }: FeatureColumns, column: number): string {
  return names?.[column] ?? String(firstFeature + column);
}
