import { InputError } from '../../core/problem.js';
import { averagePrecision } from '../../measures/families/average-precision.js';
import { gap, thresholdsOf } from '../../measures/families/graded.js';
import { numberParam } from '../../measures/measure.js';
import { Passes } from '../../measures/passes.js';
import { maxRel } from '../../measures/scale.js';
import type { QueryLoss } from '../nets/train-net.js';
import type { DiscountedGains, Objective } from '../objectives/objective.js';
import type { TrainingCells } from '../training/training-cells.js';
import { RankDistribution, WinProbabilities } from './rank-distribution.js';

/** Names of the measures that have a smooth form. */
export const softNames: readonly string[] = ['nDCG', 'DCG', 'AP', 'GAP'];

/** The negative of a measure's smooth form, with its exact gradient: nDCG and DCG as expected values over the distributions of
 *  ranks, AP and GAP through the probabilities of pairs. */
export function softLoss(data: TrainingCells, objective: Objective, sigma: number): QueryLoss {
  const { measure } = objective;
  const { labels, queryOffsets } = data;
  const prepared = objective.prepare(labels, queryOffsets);
  const about = {
    teaches: prepared.teaches,
    whyNot: `${measure.text} is the same for every order of every query`,
    objective: measure.text,
  };
  const chances = new WinProbabilities(sigma);
  if (prepared.discounted !== undefined) {
    return { ...about, compute: softGain(prepared.discounted, queryOffsets, chances) };
  }
  if ((measure.def === averagePrecision || measure.def === gap) && measure.params.cutoff === undefined) {
    const credits = measure.def === gap ? gradedCredits(objective, labels) : binaryCredits(labels, numberParam(measure.params, 'rel'));
    return { ...about, compute: softGradedPrecision(credits, queryOffsets, chances) };
  }
  throw new InputError({
    message: `${measure.text} has no smooth form`,
    wayOut: `take one of ${softNames.join(', ')}, AP and GAP without a cutoff`,
  });
}

/** -Σ gain(j) E[weight of the rank of j] / norm. */
function softGain({ gains, weights, norms }: DiscountedGains, queryOffsets: Uint32Array, chances: WinProbabilities): QueryLoss['compute'] {
  const distribution = new RankDistribution();
  let deepest = weights.length;
  while (deepest > 0 && weights[deepest - 1] === 0) deepest--;
  return (q, scores, byScore) => {
    const start = queryOffsets[q];
    const end = queryOffsets[q + 1];
    const depth = Math.min(deepest, end - start);
    byScore.fill(0, start, end);
    chances.update(scores, start, end);
    let sum = 0;
    for (let j = 0; j < end - start; j++) {
      const gain = gains[start + j];
      if (gain === 0) continue;
      chances.against(j);
      const probability = distribution.compute(chances, j, depth);
      let expected = 0;
      for (let r = 0; r < depth; r++) expected += weights[r] * probability[r];
      sum += gain * expected;
      distribution.addGradient(chances, j, depth, weights, -gain / norms[q], byScore, start);
    }
    return -sum / norms[q];
  };
}

/** G of each row's label: the share of users to whom the document is relevant. The credit of two documents together is the
 *  smaller of theirs. */
function gradedCredits({ measure }: Objective, labels: Float64Array): Float64Array {
  const passes = new Passes({ highestGrade: labels.reduce((highest, label) => Math.max(highest, label), 0) });
  const { grades, shares } = thresholdsOf(measure.params, () => maxRel(measure.params, passes), labels);
  return labels.map((label) => shares.reduce((sum, share, j) => (label >= grades[j] ? sum + share : sum), 0));
}

function binaryCredits(labels: Float64Array, rel: number): Float64Array {
  return labels.map((label) => (label >= rel ? 1 : 0));
}

/** -Σ PC(n) / Σ G over documents n of positive credit, where
 *  PC(n) = (G(n) + Σ π(m before n) min(G(m), G(n))) / (1 + Σ π(m before n)), the sums over all other documents m.
 *  Robertson, Kanoulas and Yilmaz, Extending average precision to graded relevance judgments, SIGIR 2010, doi:10.1145/1835449.1835550. */
function softGradedPrecision(credits: Float64Array, queryOffsets: Uint32Array, chances: WinProbabilities): QueryLoss['compute'] {
  return (q, scores, byScore) => {
    const start = queryOffsets[q];
    const end = queryOffsets[q + 1];
    const n = end - start;
    byScore.fill(0, start, end);
    chances.update(scores, start, end);
    let total = 0;
    for (let row = start; row < end; row++) total += credits[row];
    let sum = 0;
    for (let j = 0; j < n; j++) {
      const credit = credits[start + j];
      if (credit === 0) continue;
      chances.against(j);
      const { beats, slopes } = chances;
      let above = credit;
      let below = 1;
      for (let m = 0; m < n; m++) {
        if (m === j) continue;
        above += beats[m] * Math.min(credits[start + m], credit);
        below += beats[m];
      }
      const precision = above / below;
      sum += precision;
      let ownChange = 0;
      for (let m = 0; m < n; m++) {
        if (m === j) continue;
        const change = (-slopes[m] * (Math.min(credits[start + m], credit) - precision)) / (below * total);
        byScore[start + m] += change;
        ownChange -= change;
      }
      byScore[start + j] += ownChange;
    }
    return -sum / total;
  };
}
