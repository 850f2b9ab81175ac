import type { TreeKernel } from './kernel.js';

/** Added and taken away again, it leaves the nearest whole number. */
const ROUND = 6755399441055744;
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** 1/10!, 1/9!, … 1/0! */
const TERMS = [
  2.755731922398589e-7, 0.0000027557319223985893, 0.0000248015873015873, 0.0001984126984126984, 0.001388888888888889, 0.008333333333333333,
  0.041666666666666664, 0.16666666666666666, 0.5, 1, 1,
];
const LOWEST = -700;
const POWERS: Float64Array = Float64Array.from({ length: 1024 }, (_, k) => 2 ** -k);

/** e^x for x <= 0 to about 12 digits (x below -700 counts as -700), in the same operations everywhere: `Math.exp` is left to
 *  each engine. */
export function exponential(x: number): number {
  let raised = LOWEST;
  if (x > LOWEST) raised = x;
  const k = raised * Math.LOG2E + ROUND - ROUND;
  const rest = raised - k * LN2_HIGH - k * LN2_LOW;
  let sum = TERMS[0];
  for (let term = 1; term < TERMS.length; term++) sum = sum * rest + TERMS[term];
  return sum * POWERS[-k];
}

type PairKernel = Pick<TreeKernel, 'sortByScore' | 'arrangeByGain' | 'addPairGradients' | 'spreadByOrder' | 'gatherByOrder'>;

/** The part of the kernel that looks at pairs of documents. */
export function createPairKernel(words: Uint32Array, reals: Float64Array): PairKernel {
  return {
    sortByScore(scores, order, keys, _spareOrder, _spareKeys, count) {
      const ranks = words.subarray(order >>> 2, (order >>> 2) + count);
      const score = (doc: number): number => reals[(scores >>> 3) + doc];
      ranks.set(Array.from(ranks).sort((a, b) => score(b) - score(a) || a - b));
      for (let i = 0; i < count; i++) reals[(keys >>> 3) + i] = score(ranks[i]);
    },
    arrangeByGain(order, byGain, count, level, ranks, places, placed) {
      const rankOf = words.subarray(ranks >>> 2, (ranks >>> 2) + count);
      for (let rank = 0; rank < count; rank++) rankOf[words[(order >>> 2) + rank]] = rank;
      const ranked = words.subarray(order >>> 2, (order >>> 2) + level);
      const others = words.subarray(byGain >>> 2, (byGain >>> 2) + count).filter((doc) => rankOf[doc] >= level);
      [...ranked, ...others].forEach((doc, place) => {
        words[(places >>> 2) + place] = doc;
        words[(placed >>> 2) + place] = rankOf[doc];
      });
    },
    addPairGradients(count, level, keys, gains, weights, gradients, curvatures, factors, scale, sigma, nearness, slope) {
      const [k, g, w, p, c] = [keys >>> 3, gains >>> 3, weights >>> 3, gradients >>> 3, curvatures >>> 3];
      reals.fill(0, p, p + count + 1);
      reals.fill(0, c, c + count + 1);
      reals[k + count] = reals[k + count - 1];
      reals[w + count] = 0;
      // two of everything: pairs are added by turns, as the two lanes of the WebAssembly do
      const size = [0, 0];
      for (let upper = 0; upper < level; upper++) {
        const factor = scale * reals[(factors >>> 3) + upper] * sigma;
        reals[g + count] = reals[g + upper];
        const ownGradient = [0, 0];
        const curvature = [0, 0];
        let equals = level;
        while (equals < count && reals[g + equals] > reals[g + upper]) equals++;
        let others = equals;
        while (others < count && reals[g + others] === reals[g + upper]) others++;
        // documents of equal gain are left out, but for one that makes the number before them even
        const before = equals + (others > equals ? (equals - upper - 1) & 1 : 0);
        for (let lower = upper + 1, lane = 0; lower < count + lane; lower++, lane = 1 - lane) {
          if (lower >= before && lower < others && lane === 0) lower = others;
          if (lower >= count + lane) break;
          const distance = reals[k + upper] - reals[k + lower];
          const loss = (reals[g + upper] - reals[g + lower]) * (reals[w + upper] - reals[w + lower]);
          const odds = exponential(-sigma * distance);
          const whole = 1 + odds;
          const share = (Math.abs(loss) * factor) / ((nearness + slope * distance) * (whole * whole));
          const bend = share * odds * sigma;
          const force = loss > 0 ? share * whole * odds : -(share * whole);
          ownGradient[lane] -= force;
          curvature[lane] += bend;
          size[lane] += Math.abs(force);
          reals[p + lower] += force;
          reals[c + lower] += bend;
        }
        reals[p + upper] += ownGradient[0] + ownGradient[1];
        reals[c + upper] += curvature[0] + curvature[1];
      }
      return size[0] + size[1];
    },
    spreadByOrder(order, count, ranked, factor, target) {
      for (let i = 0; i < count; i++) reals[(target >>> 3) + words[(order >>> 2) + i]] = reals[(ranked >>> 3) + i] * factor;
    },
    gatherByOrder(order, count, values, target) {
      for (let i = 0; i < count; i++) reals[(target >>> 3) + i] = reals[(values >>> 3) + words[(order >>> 2) + i]];
    },
  };
}
