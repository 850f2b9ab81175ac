import type { MeasureDef } from './measure.js';
import { cutoffParam, numberParam, relParam } from './measure.js';
import { isUnjudged } from './passes.js';

export const precision: MeasureDef = {
  name: 'P',
  aliases: ['Precision'],
  title: 'Precision',
  help: `The share of the first k documents that is relevant. A ranking shorter than k is taken as if documents that are not
    relevant followed, so the divisor is always k.`,
  formula: 'hits(k) / k',
  params: { cutoff: cutoffParam(), rel: relParam() },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    return (topic) => relevance.hits[Math.min(cutoff, topic.numRetrieved)] / cutoff;
  },
};

export const recall: MeasureDef = {
  name: 'R',
  aliases: ['Recall'],
  title: 'Recall',
  help: `The share of the topic's relevant documents that is among the first k. Some papers call Success@k "recall@k"; this is
    not that. A topic without relevant documents has recall 0.`,
  formula: 'hits(k) / R',
  params: { cutoff: cutoffParam(), rel: relParam() },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    return (topic) => (relevance.numRelevant === 0 ? 0 : relevance.hits[Math.min(cutoff, topic.numRetrieved)] / relevance.numRelevant);
  },
};

export const fMeasure: MeasureDef = {
  name: 'F',
  title: 'F measure at a cutoff',
  help: `The weighted harmonic mean of P@k and R@k. Beta above 1 favours recall, below 1 precision. No relevant document among the first
    k gives 0.`,
  formula: '(1 + beta^2) P R / (beta^2 P + R)',
  cite: [{ text: 'van Rijsbergen, Information Retrieval, 2nd edition, 1979' }],
  params: {
    beta: { type: 'real', default: 1, min: 0, help: 'how many times more recall counts than precision' },
    cutoff: cutoffParam(),
    rel: relParam(),
  },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    const weight = numberParam(params, 'beta') ** 2;
    return (topic) => {
      const hits = relevance.hits[Math.min(cutoff, topic.numRetrieved)];
      if (hits === 0) return 0;
      const precision = hits / cutoff;
      const recall = hits / relevance.numRelevant;
      return ((weight + 1) * precision * recall) / (weight * precision + recall);
    };
  },
};

export const relativePrecision: MeasureDef = {
  name: 'RelP',
  title: 'Relative precision',
  help: `Precision at k divided by the best precision that was possible there: with only 3 relevant documents nothing reaches
    P@10 above 0.3, and RelP@10 is 1 for a ranking that has all three. A topic without relevant documents has 0.`,
  formula: 'hits(k) / min(k, R)',
  params: { cutoff: cutoffParam(), rel: relParam() },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    return (topic) =>
      relevance.numRelevant === 0 ? 0 : relevance.hits[Math.min(cutoff, topic.numRetrieved)] / Math.min(cutoff, relevance.numRelevant);
  },
};

export const success: MeasureDef = {
  name: 'Success',
  aliases: ['Hit'],
  title: 'Success',
  help: '1 if at least one of the first k documents is relevant, otherwise 0. Averaged over topics it is the hit rate.',
  formula: '1 if hits(k) > 0, else 0',
  params: { cutoff: cutoffParam(), rel: relParam() },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    return (topic) => (relevance.hits[Math.min(cutoff, topic.numRetrieved)] > 0 ? 1 : 0);
  },
};

export const unjudged: MeasureDef = {
  name: 'Unjudged',
  title: 'Share of unjudged documents',
  help: `How many of the first k documents nobody judged, divided by k. A high value says that the judgements do not fit this run
    and that its other values may be too low. Places beyond the end of a short ranking do not count as unjudged.`,
  formula: 'unjudged among the first k / k',
  params: { cutoff: cutoffParam() },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'lower',
  bind(params) {
    const cutoff = numberParam(params, 'cutoff');
    return ({ codes, start, numRetrieved }) => {
      const end = start + Math.min(cutoff, numRetrieved);
      let count = 0;
      for (let i = start; i < end; i++) if (isUnjudged(codes[i])) count++;
      return count / cutoff;
    };
  },
};

export const judgedAt: MeasureDef = {
  name: 'Judged',
  title: 'Share of judged documents',
  help: `How many of the first k documents have a judgement, divided by the number of documents there are among the first k. A ranking
    without documents has 0.`,
  formula: 'judged among the first k / min(k, n)',
  params: { cutoff: cutoffParam() },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params) {
    const cutoff = numberParam(params, 'cutoff');
    return ({ codes, start, numRetrieved }) => {
      const depth = Math.min(cutoff, numRetrieved);
      let count = 0;
      for (let i = start; i < start + depth; i++) if (!isUnjudged(codes[i])) count++;
      return depth === 0 ? 0 : count / depth;
    };
  },
};

export const rPrecision: MeasureDef = {
  name: 'Rprec',
  aliases: ['RPrec', 'R-Precision'],
  title: 'R-precision',
  help: `Precision after as many documents as the topic has relevant ones. At that rank precision and recall are equal. A topic without
    relevant documents has 0.`,
  formula: 'hits(R) / R',
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return (topic) => {
      const depth = Math.min(topic.numRetrieved, relevance.numRelevant);
      return depth === 0 ? 0 : relevance.hits[depth] / relevance.numRelevant;
    };
  },
};

export const rPrecisionMultiple: MeasureDef = {
  name: 'RprecMult',
  title: 'Precision at a multiple of R',
  help: `Precision after x times as many documents as the topic has relevant ones; the number of documents is rounded up from a tenth on.
    RprecMult@1 is R-precision.`,
  formula: 'hits(k) / k with k = trunc(x R + 0.9)',
  params: { multiple: { type: 'real', default: undefined, required: true, help: 'how many times R documents count' }, rel: relParam() },
  at: 'multiple',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const multiple = numberParam(params, 'multiple');
    return (topic) => {
      const { hits, numRelevant, numRelevantRetrieved } = relevance;
      const depth = Math.trunc(multiple * numRelevant + 0.9);
      if (!(depth >= 1)) return 0;
      if (depth > topic.numRetrieved) return numRelevantRetrieved / depth;
      // below level 0 there are more hits than relevant documents; those at the end of the ranking are taken off first
      return Math.max(0, numRelevantRetrieved - hits[topic.numRetrieved] + hits[depth]) / depth;
    };
  },
};
