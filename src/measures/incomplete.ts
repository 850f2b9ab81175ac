import type { MeasureDef } from './measure.js';
import { numberParam, relParam } from './measure.js';

export const bpref: MeasureDef = {
  name: 'Bpref',
  aliases: ['BPref'],
  title: 'Binary preference',
  help: `How rarely a document judged not relevant stands above a relevant one. Only judged documents take part, so unjudged ones
    neither help nor harm. Of the R relevant documents each loses the share of the first R non-relevant ones above it. A topic without
    relevant documents has 0.`,
  formula: '(1/R) sum over relevant retrieved of 1 - min(non-relevant above, R) / min(N, R)',
  cite: [{ text: 'Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004', doi: '10.1145/1008992.1009000' }],
  params: { rel: relParam() },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    return ({ codes, start, numRetrieved }) => {
      const { numRelevant, numNonRelevant } = relevance;
      let nonRelevantAbove = 0;
      let sum = 0;
      for (let i = 0; i < numRetrieved; i++) {
        const code = codes[start + i];
        if (code < 0) continue;
        if (code < level) nonRelevantAbove++;
        else if (nonRelevantAbove > 0) sum += 1 - Math.min(nonRelevantAbove, numRelevant) / Math.min(numNonRelevant, numRelevant);
        else sum += 1;
      }
      return numRelevant > 0 ? sum / numRelevant : sum;
    };
  },
};
