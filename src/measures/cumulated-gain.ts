import { log2OfInteger } from '../core/logarithm.js';
import type { Citation, MeasureDef, ParamSpec, Params } from './measure.js';
import { depthParam, type GainTable, numberParam, optionalNumber, relParam } from './measure.js';
import type { GainPass, GainRule } from './passes.js';

const jarvelin: Citation = {
  text: 'Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002',
  doi: '10.1145/582415.582418',
};
const burges: Citation = { text: 'Burges et al., Learning to rank using gradient descent, ICML 2005', doi: '10.1145/1102351.1102363' };

/** The parameters of every measure that is built on gains. */
const gainParams: Readonly<Record<string, ParamSpec>> = {
  gain: {
    type: 'choice',
    default: 'linear',
    choices: ['linear', 'exp'],
    help: 'what a grade is worth: the grade itself (*linear*) or 2 to its power less 1 (*exp*)',
  },
  gains: {
    type: 'gains',
    default: undefined,
    help: 'what single grades are worth, in place of the rule: {1:1,2:3}; -1 and -2 stand for unjudged documents',
  },
  idealOrder: {
    type: 'choice',
    default: 'exact',
    choices: ['exact', 'whole'],
    help: 'how the ideal ranking sorts gains: properly, or by the whole part of their differences (*whole*)',
  },
};

function gainRule(params: Params): GainRule {
  return {
    gain: params.gain as GainRule['gain'],
    table: params.gains as GainTable | undefined,
    idealOrder: params.idealOrder as 'exact' | 'whole',
  };
}

export const dcg: MeasureDef = {
  name: 'DCG',
  title: 'Discounted cumulated gain',
  help: `The gains of the ranked documents added up, each divided by the logarithm of its rank plus one. It has no upper bound: compare it
    only between runs on the same topics.`,
  formula: 'sum over ranks i of gain(i) / log2(i + 1)',
  cite: [jarvelin, burges],
  params: { cutoff: depthParam(), ...gainParams },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, Infinity],
  direction: 'higher',
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), 'log2');
    const cutoff = optionalNumber(params, 'cutoff') ?? Infinity;
    return ({ numRetrieved }) => discounted.sums[Math.min(cutoff, numRetrieved)];
  },
};

export const idealDcg: MeasureDef = {
  name: 'IDCG',
  title: 'Ideal discounted cumulated gain',
  help: `The discounted cumulated gain of the best possible ranking of all judged documents of the topic. It says nothing about the run; it
    is what nDCG divides by.`,
  formula: 'DCG of the judged documents in order of gain',
  cite: [jarvelin],
  params: { cutoff: depthParam(), ...gainParams },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, Infinity],
  direction: 'neither',
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), 'log2');
    const cutoff = optionalNumber(params, 'cutoff') ?? Infinity;
    return () => discounted.idealSums[Math.min(cutoff, discounted.gains.numIdeal)];
  },
};

export const ndcg: MeasureDef = {
  name: 'nDCG',
  aliases: ['NDCG'],
  title: 'Normalised discounted cumulated gain',
  help: `The discounted cumulated gain of the ranking divided by that of the best possible ranking of all judged documents, both cut at k. It
    is 1 for a perfect ranking and 0 for a topic without a document of positive gain. Unjudged documents gain nothing.`,
  formula: 'DCG@k / IDCG@k',
  cite: [jarvelin, burges],
  params: { cutoff: depthParam(), ...gainParams },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), 'log2');
    const { gains } = discounted;
    const cutoff = optionalNumber(params, 'cutoff') ?? Infinity;
    return ({ numRetrieved }) => {
      const ideal = discounted.idealSums[Math.min(cutoff, gains.numIdeal)];
      return ideal > 0 ? discounted.sums[Math.min(cutoff, numRetrieved)] / ideal : 0;
    };
  },
};

/** Gain of the ideal ranking at rank index i: positive, or the first that is not, or undefined beyond that. */
function idealAt(gains: GainPass, i: number): number | undefined {
  if (i < gains.numIdeal) return gains.ideal[i];
  return i === gains.numIdeal ? gains.afterIdeal : undefined;
}

export const ndcgRel: MeasureDef = {
  name: 'nDCGRel',
  title: 'nDCG averaged over relevant documents',
  help: `nDCG taken at the rank of every document with a gain and averaged over all of them, as average precision averages precision. A
    relevant document that was not retrieved contributes the value at the end of the ranking.`,
  formula: '(1/r) sum over ranks with gain of DCG(i) / IDCG(i)',
  cite: [jarvelin],
  params: { ...gainParams },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const discounted = passes.discounted(gainRule(params), 'log2');
    return () => {
      const { logs } = discounted;
      const { ranked, numRetrieved, ideal, numIdeal } = discounted.gains;
      let dcgSoFar = 0;
      let idealSoFar = 0;
      let sum = 0;
      let numFound = 0;
      for (let i = 0; i < numRetrieved; i++) {
        const discount = logs[i + 2];
        if (ranked[i] !== 0) dcgSoFar += ranked[i] / discount;
        if (i < numIdeal) idealSoFar += ideal[i] / discount;
        if (ranked[i] > 0) {
          sum += dcgSoFar / idealSoFar;
          numFound++;
        }
      }
      for (let i = numRetrieved; i < numIdeal; i++) idealSoFar += ideal[i] / logs[i + 2];
      sum += ((numIdeal - numFound) * dcgSoFar) / idealSoFar;
      return sum > 0 ? sum / numIdeal : 0;
    };
  },
};

export const rNdcg: MeasureDef = {
  name: 'RnDCG',
  title: 'nDCG averaged over the steps of the ideal ranking',
  help: `nDCG taken at each rank where the ideal ranking goes over to the next lower gain, and averaged, as R-precision looks at the rank
    where the relevant documents could end. A topic without relevant documents has 0.`,
  cite: [jarvelin],
  params: { rel: relParam(), ...gainParams },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  undefinedValue: 0,
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const discounted = passes.discounted(gainRule(params), 'log2');
    const { gains } = discounted;
    return () => {
      if (relevance.numRelevant === 0) return 0;
      const { logs } = discounted;
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
        const discount = logs[i + 2];
        if (ranked[i] !== 0) dcgSoFar += ranked[i] / discount;
        if (ideal > 0) idealSoFar += ideal / discount;
      }
      if (i < numRetrieved) {
        for (; i < numRetrieved; i++) if (ranked[i] !== 0) dcgSoFar += ranked[i] / logs[i + 2];
        closeStep();
      } else {
        for (let ideal = idealAt(gains, i); ideal !== undefined; ideal = idealAt(gains, ++i)) {
          if (ideal !== previous) {
            closeStep();
            previous = ideal;
          }
          if (ideal > 0) idealSoFar += ideal / logs[i + 2];
        }
      }
      return sum / numSteps;
    };
  },
};

export const gMeasure: MeasureDef = {
  name: 'G',
  title: 'Normalised gain over cost',
  help: `Each document's gain is divided by the logarithm of what was read in vain before it: the ranks so far, at the ideal price, less
    the gain so far. Normalised by the sum of all gains of the topic.`,
  params: { ...gainParams },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const gains = passes.gains(gainRule(params));
    return () => {
      const { ranked, numRetrieved, ideal, numIdeal } = gains;
      let gained = 0;
      let cost = 0;
      let sum = 0;
      for (let i = 0; i < numRetrieved; i++) {
        const gain = ranked[i];
        gained += gain;
        const best = idealAt(gains, i);
        cost += best === undefined ? 1 : Math.max(best, 1);
        if (gain !== 0) sum += gain / log2Of(2 + cost - gained);
      }
      let idealGain = 0;
      for (let i = 0; i < numIdeal; i++) idealGain += ideal[i];
      return idealGain > 0 ? sum / idealGain : 0;
    };
  },
};

function log2Of(x: number): number {
  return Number.isInteger(x) && x > 0 && x < 2 ** 53 ? log2OfInteger(x) : Math.log2(x);
}
