import { lambdaRankGradients } from '../losses/pair-losses.js';
import {
  discountAt,
  gainsOf,
  haveDifferentLabels,
  idealSum,
  logistic,
  orderByScore,
  type QueryObjective,
  ranksOf,
  softPlus,
} from '../losses/query-objective.js';

/** How unbiased LambdaMART estimates what positions do. */
export interface UnbiasedOptions {
  /** Positions whose bias is estimated, and ranks that pairs must reach. */
  readonly positions?: number | undefined;
  /** Biases are damped by the power 1 / (1 + norm). */
  readonly norm?: number | undefined;
  /** Pairs with distant scores count less, and queries with many pairs are scaled down. */
  readonly normalise?: boolean | undefined;
  /** *published*: ln(1 + e^-margin); *xgboost*: what XGBoost adds up, which grows with the margin. */
  readonly cost?: 'published' | 'xgboost' | undefined;
}

/** The biases of positions from the first on: how much likelier a click there is seen (`clicked`), and how much likelier it is missed
 *  (`skipped`), both 1 for the first. */
export interface PositionBias {
  readonly clicked: Float64Array;
  readonly skipped: Float64Array;
}

/** Chances below this are no divisors. */
const LEAST = 1e-16;

/** LambdaMART on clicks whose position bias is estimated along with the ranker (Hu et al. 2019, doi:10.1145/3308558.3313447), by the rules of
 *  XGBoost's `lambdarank_unbiased`. Labels are clicks, and documents stand in the order in which they were shown. */
export function unbiasedLambdaMart({
  positions = 32,
  norm = 1,
  normalise = true,
  cost = 'published',
}: UnbiasedOptions = {}): QueryObjective & { bias(): PositionBias } {
  let clicked = new Float64Array(positions).fill(1);
  let skipped = new Float64Array(positions).fill(1);
  const clickedCost = new Float64Array(positions);
  const skippedCost = new Float64Array(positions);
  return {
    name: 'unbiased LambdaMART',
    teaches: haveDifferentLabels,
    bias: () => ({ clicked: clicked.slice(), skipped: skipped.slice() }),
    gradients(scores, { labels }) {
      const count = scores.length;
      const gains = gainsOf(labels);
      const ideal = idealSum(gains, positions);
      const order = orderByScore(scores);
      const gradient = new Float64Array(count);
      const hessian = new Float64Array(count);
      let size = 0;
      if (!(ideal > 0)) return { gradient, hessian };
      const near = normalise && scores[order[0]] !== scores[order[count - 1]];
      for (let a = 0; a < Math.min(positions, count); a++) {
        for (let b = a + 1; b < count; b++) {
          if (labels[order[a]] === labels[order[b]]) continue;
          const [high, low] = labels[order[a]] > labels[order[b]] ? [order[a], order[b]] : [order[b], order[a]];
          const margin = scores[high] - scores[low];
          let weight = Math.abs((gains[high] - gains[low]) * (discountAt(a + 1) - discountAt(b + 1))) / ideal;
          if (near) weight /= Math.abs(margin) + 0.01;
          const right = logistic(margin);
          const tracked = high < positions && low < positions;
          let slope = (right - 1) * weight;
          let bend = 2 * Math.max(right * (1 - right), LEAST) * weight;
          if (tracked) {
            const loss = weight * (cost === 'xgboost' ? softPlus(margin) : softPlus(-margin));
            clickedCost[high] += loss / skipped[low];
            skippedCost[low] += loss / clicked[high];
            if (clicked[high] >= LEAST && skipped[low] >= LEAST) {
              slope /= clicked[high] * skipped[low];
              bend /= clicked[high] * skipped[low];
            }
          }
          gradient[high] += slope;
          gradient[low] -= slope;
          hessian[high] += bend;
          hessian[low] += bend;
          size -= 2 * slope;
        }
      }
      const factor = normalise && size > 0 ? Math.log2(1 + size) / size : 1;
      return { gradient: gradient.map((value) => factor * value), hessian: hessian.map((value) => factor * value) };
    },
    endIteration() {
      const damped = (costs: Float64Array, before: Float64Array): Float64Array<ArrayBuffer> =>
        costs[0] > 0 ? Float64Array.from(costs, (sum) => (sum / costs[0]) ** (1 / (1 + norm))) : Float64Array.from(before);
      clicked = damped(clickedCost, clicked);
      skipped = damped(skippedCost, skipped);
      clickedCost.fill(0);
      skippedCost.fill(0);
    },
  };
}

/** LambdaRank on clicks with a score for each position, which is learnt beside the ranker and is no part of it, as with LightGBM's
 *  `position`. Documents stand in the order in which they were shown. */
export function positionBiasedLambdaRank({
  positions,
  rate = 0.1,
  penalty = 0,
  truncation,
  normalise,
}: {
  /** How many positions have a bias of their own; those below share the last. */
  readonly positions: number;
  readonly rate?: number | undefined;
  readonly penalty?: number | undefined;
  readonly truncation?: number | undefined;
  readonly normalise?: boolean | undefined;
}): QueryObjective & { bias(): Float64Array } {
  const inner = lambdaRankGradients({ truncation, normalise });
  const bias = new Float64Array(positions);
  const slopes = new Float64Array(positions);
  const bends = new Float64Array(positions);
  const counts = new Float64Array(positions);
  return {
    name: 'LambdaRank with position bias',
    bias: () => bias.slice(),
    gradients(scores, query) {
      const place = (i: number): number => Math.min(i, positions - 1);
      const found = inner.gradients(
        scores.map((score, i) => score + bias[place(i)]),
        query,
      );
      for (let i = 0; i < scores.length; i++) {
        slopes[place(i)] -= found.gradient[i];
        bends[place(i)] -= found.hessian[i];
        counts[place(i)]++;
      }
      return found;
    },
    endIteration() {
      for (let k = 0; k < positions; k++) {
        const first = slopes[k] - bias[k] * penalty * counts[k];
        const second = bends[k] - penalty * counts[k];
        bias[k] += (rate * first) / (Math.abs(second) + 0.001);
      }
      slopes.fill(0);
      bends.fill(0);
      counts.fill(0);
    },
  };
}

/** LambdaRank on clicks of which the chance of being looked at is known: pairs count by the inverse of that of their clicked document
 *  (Joachims, Swaminathan and Schnabel 2017, doi:10.1145/3018661.3018699). Documents stand in the order in which they were shown.
 *  @param propensities  for ranks 1, 2, …; the last number is for all ranks below
 *  @param clip          chances below this count as this */
export function propensityWeightedLambdaRank(propensities: ArrayLike<number>, clip = 0.01): QueryObjective {
  return {
    name: 'propensity-weighted LambdaRank',
    teaches: haveDifferentLabels,
    gradients(scores, { labels }) {
      const count = scores.length;
      const gains = gainsOf(labels);
      const ideal = idealSum(gains);
      const ranks = ranksOf(orderByScore(scores));
      const gradient = new Float64Array(count);
      const hessian = new Float64Array(count);
      if (!(ideal > 0)) return { gradient, hessian };
      for (let high = 0; high < count; high++) {
        const weight = 1 / Math.max(clip, propensities[Math.min(high, propensities.length - 1)]);
        for (let low = 0; low < count; low++) {
          if (!(labels[high] > labels[low])) continue;
          const change = ((gains[high] - gains[low]) * Math.abs(discountAt(ranks[high]) - discountAt(ranks[low]))) / ideal;
          const wrong = logistic(scores[low] - scores[high]);
          const slope = weight * change * wrong;
          gradient[high] -= slope;
          gradient[low] += slope;
          hessian[high] += slope * (1 - wrong);
          hessian[low] += slope * (1 - wrong);
        }
      }
      return { gradient, hessian };
    },
  };
}
