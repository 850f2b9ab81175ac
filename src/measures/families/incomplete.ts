import type { TopicView } from '../../core/judging/judge.js';
import { meanOfShares } from '../define.js';
import type { MeasureDef } from '../measure.js';
import { choiceParam, numberParam, relParam } from '../measure.js';
import { expectedAmongOthers, isCut } from '../tied.js';

/** Bpref: how rarely a document judged not relevant stands above a relevant one; unjudged documents play no part. */
export const bpref: MeasureDef = {
  name: 'Bpref',
  aliases: ['BPref'],
  params: { rel: relParam, division: choiceParam('guarded', 'plain') },
  ...meanOfShares,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    const isPlain = params.division === 'plain';
    return ({ codes, start, numRetrieved }) => {
      const { numRelevant, numNonRelevant } = relevance;
      let nonRelevantAbove = 0;
      let sum = 0;
      for (let i = 0; i < numRetrieved; i++) {
        const code = codes[start + i];
        if (code < 0) continue;
        if (code < level) nonRelevantAbove++;
        else if (nonRelevantAbove > 0 || isPlain)
          sum += 1 - Math.min(nonRelevantAbove, numRelevant) / Math.min(numNonRelevant, numRelevant);
        else sum += 1;
      }
      return numRelevant > 0 || isPlain ? sum / numRelevant : sum;
    };
  },
  expected: (params, passes) => {
    if (params.division === 'plain') return undefined;
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    return (topic) => (isCut(topic) ? undefined : expectedBpref(topic, level, relevance.numRelevant, relevance.numNonRelevant));
  },
};

/** A relevant document of a tie stands at each place among the tie's non-relevant ones equally often. */
function expectedBpref({ codes, start, ties }: TopicView, level: number, numRelevant: number, numNonRelevant: number): number {
  if (ties === undefined) return Number.NaN;
  let above = 0;
  let sum = 0;
  for (let g = 0; g < ties.count; g++) {
    let relevant = 0;
    let others = 0;
    for (let i = start + ties.starts[g]; i < start + ties.starts[g + 1]; i++) {
      if (codes[i] >= level && codes[i] >= 0) relevant++;
      else if (codes[i] >= 0) others++;
    }
    const before = above;
    sum += expectedAmongOthers(relevant, others, (within) =>
      before + within > 0 ? 1 - Math.min(before + within, numRelevant) / Math.min(numNonRelevant, numRelevant) : 1,
    );
    above += others;
  }
  return numRelevant > 0 ? sum / numRelevant : sum;
}

/** infAP: an estimate of average precision where only a random sample of the pool was judged. */
export const inferredAp: MeasureDef = {
  name: 'infAP',
  params: { rel: relParam },
  ...meanOfShares,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const relevance = passes.relevance(level);
    const smoothing = 0.00001;
    return ({ codes, start, numRetrieved }) => {
      let nonRelevant = 0;
      let relevant = 0;
      let pooled = 0;
      let sum = 0;
      for (let above = 0; above < numRetrieved; above++) {
        const code = codes[start + above];
        if (code === -1) continue;
        if (code < 0) pooled++;
        else if (code < level) nonRelevant++;
        else {
          relevant++;
          if (above === 0) sum += 1;
          else {
            const rank = above + 1;
            const relevantAbove = relevant - 1;
            const inPool = relevantAbove + nonRelevant + pooled;
            sum +=
              1 / rank + (above / rank) * (inPool / above) * ((relevantAbove + smoothing) / (relevantAbove + nonRelevant + 2 * smoothing));
          }
        }
      }
      return relevance.numRelevant > 0 ? sum / relevance.numRelevant : sum;
    };
  },
};
