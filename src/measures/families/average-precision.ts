import type { TopicView } from '../../core/judging/judge.js';
import { logTable } from '../../core/numbers/logarithm.js';
import type { ParamSpec } from '../../core/params.js';
import { meanOfShares } from '../define.js';
import type { MeasureDef } from '../measure.js';
import { choiceParam, depthOf, depthParam, numberParam, optionalNumber, relParam } from '../measure.js';
import { expectedAmongOthers, forEachTie, isCut } from '../tied.js';
import { bindCwl, type Continuation, cwlParams } from './cwl.js';

/** AP: precision at each relevant document, averaged over all relevant documents, so that one which was not found costs as much
 *  as it can. */
export const averagePrecision: MeasureDef = {
  name: 'AP',
  aliases: ['MAP', 'AveragePrecision'],
  params: { cutoff: depthParam, rel: relParam, denominator: choiceParam('R', 'min', 'list', 'list-min', 'found'), ...cwlParams },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const cutoff = optionalNumber(params, 'cutoff');
    if (params.cwl !== undefined) {
      const gains = passes.gains({ gain: 'binary', level });
      return bindCwl(params, gains, () => untilLastRelevant(gains.ranked, Math.min(gains.numRetrieved, numberParam(params, 'depth'))));
    }
    const relevance = passes.relevance(level);
    const precision = passes.precision(level);
    if (params.denominator !== 'R') {
      const depth = depthOf(params);
      return ({ numRetrieved }) => {
        const { hits, numRelevant } = relevance;
        const seen = Math.min(depth, numRetrieved);
        const inList = hits[numRetrieved];
        const divisors = { min: Math.min(numRelevant, depth), list: inList, 'list-min': Math.min(inList, depth), found: hits[seen] };
        const divisor = divisors[params.denominator as keyof typeof divisors];
        return divisor > 0 ? precision.sums[seen] / divisor : 0;
      };
    }
    if (cutoff === undefined) {
      return ({ numRetrieved }) => (relevance.hits[numRetrieved] > 0 ? precision.sums[numRetrieved] / relevance.numRelevant : 0);
    }
    return ({ numRetrieved }) => (relevance.numRelevant === 0 ? 0 : precision.sums[Math.min(cutoff, numRetrieved)] / relevance.numRelevant);
  },
  expected: (params, passes) => {
    if (params.cwl !== undefined || (params.denominator === 'found' && params.cutoff !== undefined)) return undefined;
    const compute = averagePrecision.bind?.(params, passes);
    const inList = params.denominator !== 'R' && params.denominator !== 'min';
    return compute && ((topic) => (inList && isCut(topic) ? undefined : compute(topic)));
  },
  isEmpty(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    // where the list is all there is, what it lacks cannot be found
    const isOfList = params.denominator === 'list' || params.denominator === 'list-min';
    return ({ numRetrieved }) => (isOfList ? relevance.hits[numRetrieved] : relevance.numRelevant) === 0;
  },
};

/** The reader behind average precision: one who looks for a relevant document drawn from those of the ranking, each
 *  weighted by one over its rank. */
function untilLastRelevant(gains: Float64Array, count: number): Continuation {
  const below = new Float64Array(count + 2);
  for (let i = count; i > 0; i--) below[i] = below[i + 1] + gains[i - 1] / i;
  return (rank) => (rank < count && below[rank + 1] > 0 ? below[rank + 1] / below[rank] : 0);
}

const roundingParam: ParamSpec = choiceParam('exact', 'up', 'nearest');

/** The number of relevant documents that reach a recall level. A level so high that a C integer cannot hold the number
 *  counts as none, because that is what the conversion leaves there. */
function documentsAtRecall(level: number, numRelevant: number, rounding: string): number {
  const exact = level * numRelevant;
  const rounded = rounding === 'up' ? Math.trunc(exact + 0.9) : rounding === 'nearest' ? roundHalfAway(exact) : leastWhole(exact);
  return Math.abs(rounded) < 2 ** 63 ? rounded : 0;
}

/** The least whole number that is not below a product, whose rounding may have put it a little above one. */
export function leastWhole(product: number): number {
  return Math.ceil(product - 1e-9);
}

/** `Math.round` goes towards positive infinity on ties, and adding a half first is wrong just below a tie. */
function roundHalfAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

/** IPrec: one point of the recall-precision graph, the best precision at this recall or a higher one. */
export const interpolatedPrecision: MeasureDef = {
  name: 'IPrec',
  params: { recall: { type: 'number', default: undefined, required: true, min: 0, max: 1 }, rel: relParam, rounding: roundingParam },
  at: 'recall',
  ...meanOfShares,
  undefinedValue: 0,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const recall = numberParam(params, 'recall');
    const rounding = String(params.rounding);
    const relevance = passes.relevance(level);
    const interpolated = passes.interpolated(level);
    return () => {
      const wanted = documentsAtRecall(recall, relevance.numRelevant, rounding);
      if (wanted > relevance.numRelevantRetrieved) return 0;
      return interpolated.best[Math.max(0, wanted)];
    };
  },
};

/** IAP: the recall-precision graph as one number, the mean of its points; at eleven levels the classic 11-point average. */
export const interpolatedAverage: MeasureDef = {
  name: 'IAP',
  aliases: ['11ptAvg'],
  params: {
    levels: { type: 'numbers', default: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1], min: 0, max: 1 },
    rel: relParam,
    rounding: roundingParam,
  },
  ...meanOfShares,
  undefinedValue: 0,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const levels = params.levels as readonly number[];
    const rounding = String(params.rounding);
    const relevance = passes.relevance(level);
    const interpolated = passes.interpolated(level);
    return () => {
      // levels are taken from the last to the first; one that is out of order waits until the walk is over
      const { numRelevant, numRelevantRetrieved } = relevance;
      const wanted = (at: number): number => documentsAtRecall(levels[at], numRelevant, rounding);
      let next = levels.length - 1;
      while (next >= 0 && wanted(next) > numRelevantRetrieved) next--;
      let sum = 0;
      for (let hits = numRelevantRetrieved; hits > 0; hits--) {
        while (next >= 0 && wanted(next) === hits) {
          sum += interpolated.best[hits];
          next--;
        }
      }
      for (; next >= 0; next--) sum += interpolated.best[0];
      return sum / levels.length;
    };
  },
};

/** YAAP: average precision as log-odds, for statistics that assume values near a normal distribution. */
export const yaap: MeasureDef = {
  name: 'YAAP',
  params: { rel: relParam },
  aggregate: 'mean',
  range: [-Infinity, Infinity],
  direction: 'higher',
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    const precision = passes.precision(level);
    return ({ numRetrieved }) => {
      const sum = precision.sums[numRetrieved];
      return Math.log((1 + sum) / (1 + relevance.numRelevant - sum));
    };
  },
};

/** BinG: rewards relevant documents by how little there was to read in vain before them. */
export const binG: MeasureDef = {
  name: 'BinG',
  params: { rel: relParam },
  ...meanOfShares,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    return ({ codes, start, numRetrieved }) => {
      const logs = logTable(numRetrieved + 2, 2);
      let hits = 0;
      let sum = 0;
      for (let i = 0; i < numRetrieved; i++) {
        if (codes[start + i] < level) continue;
        hits++;
        sum += 1 / logs[2 + (i + 1) - hits];
      }
      return hits > 0 ? sum / relevance.numRelevant : 0;
    };
  },
  expected: (params, passes) => {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    return (topic) => (isCut(topic) ? undefined : expectedBinG(topic, level, relevance.numRelevant));
  },
};

function expectedBinG(topic: TopicView, level: number, numRelevant: number): number {
  const logs = logTable(topic.numRetrieved + 2, 2);
  let othersAbove = 0;
  let sum = 0;
  forEachTie(topic, level, (_, size, hits) => {
    const others = size - hits;
    const from = 2 + othersAbove;
    sum += expectedAmongOthers(hits, others, (above) => 1 / logs[from + above]);
    othersAbove += others;
    return false;
  });
  return sum > 0 ? sum / numRelevant : 0;
}
