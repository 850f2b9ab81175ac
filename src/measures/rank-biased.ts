import type { Citation, MeasureDef, ParamSpec } from './measure.js';
import { depthParam, type GainTable, numberParam, optionalNumber, relParam } from './measure.js';
import { isUnjudged } from './passes.js';

const moffat: Citation = {
  text: 'Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 27(1), 2008',
  doi: '10.1145/1416950.1416952',
};

function persistence(): ParamSpec {
  return { type: 'real', default: 0.8, min: 0, help: 'probability that the reader goes on to the next document' };
}

export const rbp: MeasureDef = {
  name: 'RBP',
  title: 'Rank-biased precision',
  help: `The rate at which a reader gains relevant documents who goes on from each rank to the next with probability p. Documents without a
    judgement gain nothing; RBPResidual says how much they might. With gain='range' a document gains its grade, shifted and scaled to lie
    between 0 and 1 where the topic's grades do not.`,
  formula: '(1 - p) sum over ranks i of gain(i) p^(i - 1)',
  cite: [moffat],
  params: {
    p: persistence(),
    cutoff: depthParam(),
    rel: relParam(),
    gain: {
      type: 'choice',
      default: 'binary',
      choices: ['binary', 'range'],
      help: 'what a document gains: 1 if it is relevant (*binary*), or its grade brought into the range from 0 to 1 (*range*)',
    },
    gains: { type: 'gains', default: undefined, help: 'with *range*: what single grades are worth, {1:0.5,2:1}' },
    idealOrder: { type: 'choice', default: 'exact', choices: ['exact', 'whole'], help: 'how gains of the table are sorted' },
  },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const p = numberParam(params, 'p');
    const level = numberParam(params, 'rel');
    const cutoff = optionalNumber(params, 'cutoff') ?? Infinity;
    if (params.gain === 'binary') {
      return ({ codes, start, numRetrieved }) => {
        const depth = Math.min(cutoff, numRetrieved);
        let weight = 1;
        let sum = 0;
        for (let i = 0; i < depth; i++) {
          if (codes[start + i] >= level) sum += weight;
          weight *= p;
        }
        return (1 - p) * sum;
      };
    }
    const gains = passes.gains({
      gain: 'linear',
      table: params.gains as GainTable | undefined,
      idealOrder: params.idealOrder as 'exact' | 'whole',
      scaled: true,
    });
    return ({ numRetrieved }) => {
      const { ranked } = gains;
      const depth = Math.min(cutoff, numRetrieved);
      let weight = 1;
      let sum = 0;
      for (let i = 0; i < depth; i++) {
        if (ranked[i] !== 0) sum += ranked[i] * weight;
        weight *= p;
      }
      return (1 - p) * sum;
    };
  },
};

export const rbpResidual: MeasureDef = {
  name: 'RBPResidual',
  title: 'Residual of rank-biased precision',
  help: `What the value of RBP could still gain if every unjudged document, and everything below the end of the ranking, were relevant. A
    ranking without unjudged documents has 0.`,
  formula: 'p^n + (1 - p) sum over unjudged ranks i of p^(i - 1)',
  cite: [moffat],
  params: { p: persistence() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'lower',
  bind(params) {
    const p = numberParam(params, 'p');
    return ({ codes, start, numRetrieved }) => {
      let weight = 1;
      let sum = 0;
      let anyUnjudged = false;
      for (let i = 0; i < numRetrieved; i++) {
        if (isUnjudged(codes[start + i])) {
          anyUnjudged = true;
          sum += weight;
        }
        weight *= p;
      }
      return anyUnjudged ? weight + (1 - p) * sum : 0;
    };
  },
};
