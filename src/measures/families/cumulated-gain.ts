import { log2OfInteger, logTable } from '../../core/numbers/logarithm.js';
import type { GainTable, ParamSpec } from '../../core/params.js';
import { shortParam } from '../cutoff.js';
import { meanOfShares } from '../define.js';
import { type DiscountRule, log2Discount } from '../discounted-pass.js';
import type { GainPass, GainRule } from '../gain-pass.js';
import type { MeasureDef, Params } from '../measure.js';
import { choiceParam, depthOf, depthParam, numberParam, relParam } from '../measure.js';
import { isCut } from '../tied.js';

/** The parameters of every measure that is built on gains. */
export const gainParams: Readonly<Record<string, ParamSpec>> = {
  gain: choiceParam('linear', 'exp', 'exp-floor', 'table'),
  gains: { type: 'gains', default: undefined },
  ideal_order: choiceParam('exact', 'whole'),
};
/** The lowest grade that gains anything. */
const levelParam: Readonly<Record<'level', ParamSpec>> = { level: { type: 'number', default: undefined } };
const idealParam: ParamSpec = choiceParam('judged', 'list');
const discountParams: Readonly<Record<string, ParamSpec>> = {
  discount: choiceParam('log2', 'jk', 'ln', 'rank', 'none'),
  base: { type: 'number', default: 2, min: 1.0001 },
  term: choiceParam('divide', 'ratio', 'inverse', 'product'),
};
const unbounded = { aggregate: 'mean', range: [0, Infinity] } as const;

/** How grades become gains, read from the parameters that all measures of this family share. */
export function gainRule(params: Params): GainRule {
  return {
    gain: params.gain as GainRule['gain'],
    table: params.gains as GainTable | undefined,
    idealOrder: params.ideal_order as 'exact' | 'whole',
    ideal: (params.ideal ?? 'judged') as 'judged' | 'list',
    from: params.level as number | undefined,
  };
}

/** How gains are discounted by rank, read from the parameters that all measures of this family share. */
export function discountRule(params: Params): DiscountRule {
  return {
    discount: params.discount as DiscountRule['discount'],
    base: numberParam(params, 'base'),
    term: params.term as DiscountRule['term'],
  };
}

/** Nothing to be found is nothing with a gain. */
const withoutGain: Required<MeasureDef>['isEmpty'] = (params, passes) => {
  const gains = passes.gains(gainRule(params));
  return () => gains.numIdeal === 0;
};

/** CG: the gains down to a cutoff added up, without regard to their order. */
export const cumulatedGain: MeasureDef = {
  name: 'CG',
  params: { cutoff: depthParam, ...gainParams },
  at: 'cutoff',
  ...unbounded,
  direction: 'higher',
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), { ...log2Discount, discount: 'none' });
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => discounted.sums[Math.min(cutoff, numRetrieved)];
  },
  expected: 'linear',
  isEmpty: withoutGain,
};

/** DCG: the gains added up, each discounted by its rank. Only runs over the same topics can be compared by it. */
export const dcg: MeasureDef = {
  name: 'DCG',
  params: { cutoff: depthParam, ...gainParams, ...levelParam, ...discountParams },
  at: 'cutoff',
  ...unbounded,
  direction: 'higher',
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), discountRule(params));
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => discounted.sums[Math.min(cutoff, numRetrieved)];
  },
  expected: 'linear',
  isEmpty: withoutGain,
};

/** IDCG: what a perfect ranking of the judged documents would have; a property of the topic, not of the run. */
export const idealDcg: MeasureDef = {
  name: 'IDCG',
  params: { cutoff: depthParam, ...gainParams, ideal: idealParam, ...discountParams },
  at: 'cutoff',
  ...unbounded,
  direction: 'neither',
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), discountRule(params));
    const cutoff = depthOf(params);
    return () => discounted.idealSums[Math.min(cutoff, discounted.gains.numIdeal)];
  },
  expected: 'set',
  isEmpty: withoutGain,
};

/** nDCG: DCG relative to that of a perfect ranking, the usual measure for grades. */
export const ndcg: MeasureDef = {
  name: 'nDCG',
  aliases: ['NDCG', 'MSnDCG'],
  params: { cutoff: depthParam, ...gainParams, ...levelParam, ideal: idealParam, ...discountParams, short: shortParam },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), discountRule(params));
    const { gains } = discounted;
    const cutoff = depthOf(params);
    const needsAll = params.short === 'zero' && cutoff < Infinity;
    return ({ numRetrieved }) => {
      if (needsAll && numRetrieved < cutoff) return 0;
      const ideal = discounted.idealSums[Math.min(cutoff, gains.numIdeal)];
      return ideal > 0 ? discounted.sums[Math.min(cutoff, numRetrieved)] / ideal : 0;
    };
  },
  expected: (params, passes) => exceptCutLists(params, ndcg.bind?.(params, passes)),
  isEmpty: withoutGain,
};

/** An ideal ranking of the documents retrieved is the same for all orders, unless the order decides what is retrieved. */
function exceptCutLists(
  params: Params,
  compute: ReturnType<Required<MeasureDef>['bind']> | undefined,
): ReturnType<Exclude<MeasureDef['expected'], string | undefined>> {
  return compute && ((topic) => (params.ideal === 'list' && isCut(topic) ? undefined : compute(topic)));
}

/** MeanNDCG: nDCG averaged over all cutoffs, so that no single one has to be chosen. */
export const meanNdcg: MeasureDef = {
  name: 'MeanNDCG',
  params: { cutoff: depthParam, ...gainParams, ideal: idealParam, ...discountParams },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), discountRule(params));
    const { gains } = discounted;
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => {
      const depth = Math.min(cutoff, numRetrieved);
      if (depth === 0 || gains.numIdeal === 0) return 0;
      let sum = 0;
      for (let k = 1; k <= depth; k++) sum += discounted.sums[k] / discounted.idealSums[Math.min(k, gains.numIdeal)];
      return sum / depth;
    };
  },
  expected: (params, passes) => exceptCutLists(params, meanNdcg.bind?.(params, passes)),
  isEmpty: withoutGain,
};

/** Gain of the ideal ranking at rank index i: positive, or the first that is not, or undefined beyond that. */
function idealAt(gains: GainPass, i: number): number | undefined {
  if (i < gains.numIdeal) return gains.ideal[i];
  return i === gains.numIdeal ? gains.afterIdeal : undefined;
}

/** nDCGRel: nDCG averaged over the relevant documents, as AP averages precision. */
export const ndcgRel: MeasureDef = {
  name: 'nDCGRel',
  params: gainParams,
  ...meanOfShares,
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), log2Discount);
    return () => {
      const { factors } = discounted;
      const { ranked, numRetrieved, ideal, numIdeal } = discounted.gains;
      let dcgSoFar = 0;
      let idealSoFar = 0;
      let sum = 0;
      let numFound = 0;
      for (let i = 0; i < numRetrieved; i++) {
        if (ranked[i] !== 0) dcgSoFar += ranked[i] / factors[i];
        if (i < numIdeal) idealSoFar += ideal[i] / factors[i];
        if (ranked[i] > 0) {
          sum += dcgSoFar / idealSoFar;
          numFound++;
        }
      }
      for (let i = numRetrieved; i < numIdeal; i++) idealSoFar += ideal[i] / factors[i];
      sum += ((numIdeal - numFound) * dcgSoFar) / idealSoFar;
      return sum > 0 ? sum / numIdeal : 0;
    };
  },
  isEmpty: withoutGain,
};

/** RnDCG: nDCG where the ideal ranking goes over to the next lower gain, as R-precision looks where relevant documents could
 *  end. */
export const rNdcg: MeasureDef = {
  name: 'RnDCG',
  params: { rel: relParam, ...gainParams },
  ...meanOfShares,
  undefinedValue: 0,
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const discounted = passes.discounted(gainRule(params), log2Discount);
    const { gains } = discounted;
    return () => {
      if (relevance.numRelevant === 0) return 0;
      const { factors } = discounted;
      const { ranked, numRetrieved } = gains;
      let dcgSoFar = 0;
      let idealSoFar = 0;
      let sum = 0;
      let numSteps = 0;
      let previous = gains.top;
      const closeStep = (): void => {
        if (!(idealSoFar > 0)) return;
        sum += dcgSoFar / idealSoFar;
        numSteps++;
      };
      let i = 0;
      for (let ideal = idealAt(gains, 0); i < numRetrieved && ideal !== undefined; ideal = idealAt(gains, ++i)) {
        if (ideal !== previous) {
          closeStep();
          previous = ideal;
        }
        if (ranked[i] !== 0) dcgSoFar += ranked[i] / factors[i];
        if (ideal > 0) idealSoFar += ideal / factors[i];
      }
      if (i < numRetrieved) {
        for (; i < numRetrieved; i++) if (ranked[i] !== 0) dcgSoFar += ranked[i] / factors[i];
        closeStep();
      } else {
        for (let ideal = idealAt(gains, i); ideal !== undefined; ideal = idealAt(gains, ++i)) {
          if (ideal !== previous) {
            closeStep();
            previous = ideal;
          }
          if (ideal > 0) idealSoFar += ideal / factors[i];
        }
      }
      return sum / numSteps;
    };
  },
  expected: 'linear',
  isEmpty: withoutGain,
};

/** G: gain divided by the logarithm of what it cost to read, relative to the ideal. */
export const gMeasure: MeasureDef = {
  name: 'G',
  params: gainParams,
  ...meanOfShares,
  bind(params, passes) {
    const gains = passes.gains(gainRule(params));
    return () => {
      const { ranked, numRetrieved, ideal, numIdeal } = gains;
      const logs = logTable(2 * numRetrieved + 2, 2);
      let gained = 0;
      let cost = 0;
      let sum = 0;
      for (let i = 0; i < numRetrieved; i++) {
        const gain = ranked[i];
        gained += gain;
        const best = idealAt(gains, i);
        cost += best === undefined ? 1 : Math.max(best, 1);
        if (gain !== 0) sum += gain / log2Of(2 + cost - gained, logs);
      }
      let idealGain = 0;
      for (let i = 0; i < numIdeal; i++) idealGain += ideal[i];
      return idealGain > 0 ? sum / idealGain : 0;
    };
  },
  isEmpty: withoutGain,
};

function log2Of(x: number, logs: Float64Array): number {
  if (!(Number.isInteger(x) && x > 0 && x < 2 ** 53)) return Math.log2(x);
  return x < logs.length ? logs[x] : log2OfInteger(x);
}
