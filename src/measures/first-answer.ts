import type { MeasureDef } from './measure.js';
import { depthParam, numberParam, optionalNumber, relParam } from './measure.js';

export const reciprocalRank: MeasureDef = {
  name: 'RR',
  aliases: ['MRR', 'ReciprocalRank'],
  title: 'Reciprocal rank',
  help: `1 divided by the rank of the first relevant document; 0 if there is none, or none among the first k. Averaged over topics it is
    called MRR.`,
  formula: '1 / (rank of the first relevant document)',
  cite: [{ text: 'Voorhees, The TREC-8 question answering track report, TREC 1999' }],
  params: { cutoff: depthParam(), rel: relParam() },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params) {
    const level = numberParam(params, 'rel');
    const cutoff = optionalNumber(params, 'cutoff') ?? Infinity;
    return ({ codes, start, numRetrieved }) => {
      const depth = Math.min(cutoff, numRetrieved);
      for (let i = 0; i < depth; i++) if (codes[start + i] >= level) return 1 / (i + 1);
      return 0;
    };
  },
};
