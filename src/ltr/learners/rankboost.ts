import { InputError } from '../../core/problem.js';
import { PairWeights } from '../boosting/pair-weights.js';
import type { Learner, LearnerOption, Model, TrainingRequest, TreeScorer } from '../ranker.js';
import { finishedModel } from '../training/finished-model.js';
import { Pause } from '../training/pause.js';
import { cellsOf, NO_PAIRS, queriesWithPairs, requireTeaching, type TrainingCells } from '../training/training-cells.js';
import { watchOf } from '../training/watch.js';

/** Defaults are RankLib's. On the validation parts of MQ2008 and OHSUMED (benchmarks/ltr-defaults.mjs) they are worth 0.5031 and 0.4290 by
 *  nDCG@10; more thresholds, both directions and more rounds are worth no more. */
const options: Readonly<Record<string, LearnerOption>> = {
  rounds: { type: 'integer', default: 300, min: 1, max: 100_000, help: 'rounds of boosting at most', ranklib: '-round' },
  thresholds: {
    type: 'integer',
    default: 10,
    min: -1,
    max: 65_535,
    help: 'candidate thresholds per feature, spread evenly between its least and greatest value; -1 for every value it takes',
    ranklib: '-tc',
  },
  directions: {
    type: 'choice',
    default: 'up',
    choices: ['up', 'both'],
    help: 'whether only documents above a threshold may be put first (up), or those below it too (both)',
  },
  patience: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 100_000,
    help: 'ends after this many rounds without a better value on the validation data; 0 for never',
  },
};

/** RankBoost: boosting of stumps, of which each puts the documents above a threshold before the others. */
export const rankboost: Learner = {
  name: 'rankboost',
  aliases: [],
  title: 'RankBoost',
  help: 'Boosts decision stumps over pairs of documents; the objective chooses the best round on the validation data.',
  citation: {
    text: 'Freund, Iyer, Schapire and Singer, An efficient boosting algorithm for combining preferences, JMLR 4, 2003',
    doi: '10.5555/945365.964285',
  },
  ranklib: 2,
  options,
  objectives: 'own',
  train,
};

/** One weak ranker: 1 for documents whose feature is above the threshold, 0 for the others. */
interface Stump {
  readonly feature: number;
  readonly threshold: number;
  readonly alpha: number;
}

async function train(request: TrainingRequest): Promise<Model> {
  const { rounds, thresholds, patience } = request.options as Record<'rounds' | 'thresholds' | 'patience', number>;
  const both = request.options.directions === 'both';
  const data = cellsOf(request.train);
  const validation = request.validation && cellsOf(request.validation);
  requireTeaching(queriesWithPairs(data), NO_PAIRS);
  const watched = request.validation && watchOf(request.metric ?? request.objective, request.validation, request.rules);
  const validationScores = new Float64Array(validation?.numRows ?? 0);
  const pause = new Pause();
  const binned = binFeatures(data, thresholds);
  const pairWeights = new PairWeights(data.labels, data.queryOffsets);
  const stumps: Stump[] = [];
  let best: { iteration: number; validation: number } | undefined;
  while (stumps.length < rounds && request.signal?.aborted !== true) {
    const { loss, values } = pairWeights.compute();
    const found = bestCut(binned, values, both);
    // r = 1 would be a stump that errs nowhere, with an infinite coefficient
    const r = Math.max(-1 + 1e-10, Math.min(1 - 1e-10, found.r));
    if (r === 0) break;
    const alpha = 0.5 * Math.log((1 + r) / (1 - r));
    stumps.push({ feature: found.feature, threshold: found.threshold, alpha });
    pairWeights.raise(binned[found.at].bins, found.bin, alpha);

    const round = stumps.length;
    let onValidation: number | undefined;
    if (validation !== undefined && watched !== undefined) {
      addStump(validation, found.feature, found.threshold, alpha, validationScores);
      onValidation = watched(validationScores);
      if (best === undefined || onValidation > best.validation) best = { iteration: round, validation: onValidation };
    }
    request.onIteration?.({ iteration: round, of: rounds, training: loss, validation: onValidation });
    if (patience > 0 && best !== undefined && round - best.iteration >= patience) break;
    await pause.ifDue();
  }
  const scorer = stumpsAsTrees(stumps.slice(0, best?.iteration ?? stumps.length));
  return finishedModel('rankboost', request, data, scorer, { objective: 'exponential loss of pairs', iterations: stumps.length, best });
}

/** A feature in steps: bin b of a document says that its value is above exactly the first b thresholds (ascending). */
interface BinnedFeature {
  readonly feature: number;
  readonly thresholds: Float64Array;
  readonly bins: Uint16Array;
  /** For finding the best cut, one sum per bin. */
  readonly sums: Float64Array;
}

/** Every feature that has two values or more, cut at its candidate thresholds. */
function binFeatures(data: TrainingCells, numThresholds: number): BinnedFeature[] {
  const { numRows, numFeatures, cells } = data;
  const binned: BinnedFeature[] = [];
  const column = new Float64Array(numRows);
  for (let feature = 0; feature < numFeatures; feature++) {
    for (let row = 0; row < numRows; row++) column[row] = cells[row * numFeatures + feature];
    const thresholds = thresholdsOf(column.slice().sort(), numThresholds);
    if (thresholds.length === 0) continue;
    const bins = new Uint16Array(numRows); // fits: at most 65,535 thresholds: `thresholds` has that limit, and so has `thresholdsOf`
    for (let row = 0; row < numRows; row++) bins[row] = numBelow(thresholds, column[row]);
    binned.push({ feature, thresholds, bins, sums: new Float64Array(thresholds.length + 1) });
  }
  return binned;
}

/** The values at which to cut: every value but the greatest, if those are few enough or all are wanted, or evenly spaced
 *  ones from the least value on. */
function thresholdsOf(ascending: Float64Array, wanted: number): Float64Array {
  const distinct = ascending.filter((value, i) => i === 0 || value !== ascending[i - 1]);
  const least = distinct[0];
  const greatest = distinct[distinct.length - 1];
  if (wanted < 0 || distinct.length - 1 <= wanted) {
    if (distinct.length - 1 > 65_535) {
      throw new InputError({
        message: `a feature takes ${distinct.length} different values, and at most 65536 can each be a threshold`,
        wayOut: 'take a number of thresholds, such as thresholds=256',
      });
    }
    return distinct.subarray(0, distinct.length - 1);
  }
  return Float64Array.from({ length: wanted }, (_, i) => least + ((greatest - least) * i) / wanted);
}

/** How many of the ascending thresholds are below the value. */
function numBelow(thresholds: Float64Array, value: number): number {
  let low = 0;
  let high = thresholds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (thresholds[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The cut with the largest r, the sum of the pairWeights above it, or the largest |r|; the first of equal ones. */
function bestCut(
  binned: readonly BinnedFeature[],
  pairWeights: Float64Array,
  both: boolean,
): { readonly at: number; readonly bin: number; readonly feature: number; readonly threshold: number; readonly r: number } {
  let bestAt = 0;
  let bestBin = 1;
  let bestR = 0;
  for (let at = 0; at < binned.length; at++) {
    const { bins, sums } = binned[at];
    sums.fill(0);
    for (let row = 0; row < bins.length; row++) sums[bins[row]] += pairWeights[row];
    let r = 0;
    for (let bin = sums.length - 1; bin > 0; bin--) {
      r += sums[bin];
      if ((both ? Math.abs(r) : r) > Math.abs(bestR)) {
        bestR = r;
        bestAt = at;
        bestBin = bin;
      }
    }
  }
  const found = binned[bestAt];
  return { at: bestAt, bin: bestBin, feature: found?.feature ?? 0, threshold: found?.thresholds[bestBin - 1] ?? 0, r: bestR };
}

function addStump(data: TrainingCells, feature: number, threshold: number, alpha: number, scores: Float64Array): void {
  const { cells, numFeatures } = data;
  for (let row = 0, i = feature; row < scores.length; row++, i += numFeatures) if (cells[i] > threshold) scores[row] += alpha;
}

/** Each stump as a tree of three nodes whose right leaf is worth 1. */
function stumpsAsTrees(stumps: readonly Stump[]): TreeScorer {
  const numTrees = stumps.length;
  const scorer = {
    kind: 'trees' as const,
    base: 0,
    nodeOffsets: Uint32Array.from({ length: numTrees + 1 }, (_, t) => 3 * t), // fits: nodes
    treeWeights: Float64Array.from(stumps, ({ alpha }) => alpha),
    feature: new Int32Array(3 * numTrees).fill(-1), // fits: features, at most limits.features, or -1
    threshold: new Float64Array(3 * numTrees),
    left: new Uint32Array(3 * numTrees), // fits: nodes
    right: new Uint32Array(3 * numTrees), // fits: nodes
    missingLeft: new Uint8Array(3 * numTrees), // fits: flags
    value: new Float64Array(3 * numTrees),
  };
  stumps.forEach(({ feature, threshold }, t) => {
    const root = 3 * t;
    scorer.feature[root] = feature;
    scorer.threshold[root] = threshold;
    scorer.left[root] = root + 1;
    scorer.right[root] = root + 2;
    // a missing feature counts as 0
    scorer.missingLeft[root] = 0 <= threshold ? 1 : 0;
    scorer.value[root + 2] = 1;
  });
  return scorer;
}
