import type { MeasureDef } from './measure.js';
import { numberParam, relParam } from './measure.js';

export const setPrecision: MeasureDef = {
  name: 'SetP',
  title: 'Precision of the retrieved set',
  help: 'The share of all retrieved documents that is relevant, however long the ranking is. Nothing retrieved gives 0.',
  formula: 'relevant retrieved / n',
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return ({ numRetrieved }) => (numRetrieved > 0 ? relevance.numRelevantRetrieved / numRetrieved : 0);
  },
};

export const setRecall: MeasureDef = {
  name: 'SetR',
  title: 'Recall of the retrieved set',
  help: 'The share of the relevant documents that was retrieved at all. A topic without relevant documents has 0.',
  formula: 'relevant retrieved / R',
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return () => (relevance.numRelevant > 0 ? relevance.numRelevantRetrieved / relevance.numRelevant : 0);
  },
};

export const setRelativePrecision: MeasureDef = {
  name: 'SetRelP',
  title: 'Relative precision of the retrieved set',
  help: 'Precision of the retrieved set divided by the best that a set of its size could have had.',
  formula: 'relevant retrieved / min(n, R)',
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return ({ numRetrieved }) => {
      const possible = Math.min(numRetrieved, relevance.numRelevant);
      return possible > 0 ? relevance.numRelevantRetrieved / possible : 0;
    };
  },
};

export const setAveragePrecision: MeasureDef = {
  name: 'SetAP',
  title: 'Unranked average precision',
  help: 'Precision of the retrieved set times its recall: average precision for a set without order.',
  formula: '(relevant retrieved)^2 / (n R)',
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return ({ numRetrieved }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      if (numRetrieved === 0 || numRelevant === 0) return 0;
      return (numRelevantRetrieved * numRelevantRetrieved) / (numRetrieved * numRelevant);
    };
  },
};

export const setF: MeasureDef = {
  name: 'SetF',
  title: 'F measure of the retrieved set',
  help: `The weighted harmonic mean of precision and recall of the retrieved set. Beta above 1 favours recall, below 1 precision; what
    enters the formula is its square, which may be given directly as weight. Nothing relevant retrieved gives 0.`,
  formula: '(1 + beta^2) P R / (beta^2 P + R)',
  cite: [{ text: 'van Rijsbergen, Information Retrieval, 2nd edition, 1979' }],
  params: {
    beta: { type: 'real', default: 1, min: 0, help: 'how many times more recall counts than precision' },
    weight: { type: 'real', default: undefined, help: 'the square of beta, in its place' },
    rel: relParam(),
  },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const beta = numberParam(params, 'beta');
    const weight = (params.weight as number | undefined) ?? beta * beta;
    return ({ numRetrieved }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      if (numRelevantRetrieved === 0) return 0;
      const precision = numRelevantRetrieved / numRetrieved;
      const recall = numRelevantRetrieved / numRelevant;
      return ((weight + 1) * precision * recall) / (weight * precision + recall);
    };
  },
};

export const utility: MeasureDef = {
  name: 'Utility',
  title: 'Utility of the retrieved set',
  help: `A sum of the four cells of the table retrieved / relevant, each with a coefficient: relevant retrieved, not relevant retrieved,
    relevant missed, not relevant and left alone. The last cell needs the size of the collection.`,
  formula: 'a (rel. ret.) + b (nonrel. ret.) + c (rel. not ret.) + d (nonrel. not ret.)',
  params: {
    coefficients: { type: 'reals', default: [1, -1, 0, 0], help: 'what each document of the four cells is worth' },
    collection: { type: 'integer', default: 0, help: 'number of documents in the collection' },
    rel: relParam(),
  },
  aggregate: 'mean',
  range: [-Infinity, Infinity],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const [a, b, c, d] = params.coefficients as readonly number[];
    const collection = numberParam(params, 'collection');
    return ({ numRetrieved }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      return (
        a * numRelevantRetrieved +
        b * (numRetrieved - numRelevantRetrieved) +
        c * (numRelevant - numRelevantRetrieved) +
        d * (collection + numRelevantRetrieved - numRetrieved - numRelevant)
      );
    };
  },
};
