import { define, linear, ofHits } from '../define.js';
import type { MeasureDef } from '../measure.js';
import { cutoffParam, depthOf, depthParam, numberParam, relParam } from '../measure.js';

const counted = { aggregate: 'sum', range: [0, Infinity], direction: 'neither' } as const;

/** NumQ: how many topics the other values are averaged over. */
export const numQ: MeasureDef = linear('NumQ', {}, () => () => 1, counted);
/** NumRet: how many documents the judging rules left in the ranking. */
export const numRet: MeasureDef = linear('NumRet', {}, () => (topic) => topic.numRetrieved, counted);
/** NumRel: how many relevant documents there were to find. */
export const numRel: MeasureDef = ofHits('NumRel', { rel: relParam }, (relevance) => () => relevance.numRelevant, counted);

/** NumRelRet: how many relevant documents were found, in the whole ranking or down to a cutoff. */
export const numRelRet: MeasureDef = ofHits(
  'NumRelRet',
  { cutoff: depthParam, rel: relParam },
  (relevance, cutoff) =>
    ({ numRetrieved }) =>
      cutoff === Infinity ? relevance.numRelevantRetrieved : relevance.hits[Math.min(cutoff, numRetrieved)],
  { ...counted, direction: 'higher' },
);

/** NumNonRelJudgedRet: how many documents were retrieved that a judge called not relevant; unjudged ones do not count. */
export const numNonRelJudgedRet: MeasureDef = ofHits(
  'NumNonRelJudgedRet',
  { rel: relParam },
  (relevance, _, __, passes) => {
    const unjudged = passes.unjudged();
    return ({ numRetrieved }) => numRetrieved - unjudged.counts[numRetrieved] - relevance.numRelevantRetrieved;
  },
  { ...counted, direction: 'lower' },
);

/** What `Grade` says of a rank below the end of the ranking. */
export const NO_DOCUMENT: number = -3;

/** Grade: what stands at one rank, for looking into a ranking. */
export const gradeAt: MeasureDef = define(
  'Grade',
  { rank: cutoffParam },
  {
    at: 'rank',
    range: [NO_DOCUMENT, Infinity],
    direction: 'neither',
    bind(params) {
      const rank = numberParam(params, 'rank');
      return ({ codes, start, numRetrieved }) => (rank <= numRetrieved ? codes[start + rank - 1] : NO_DOCUMENT);
    },
  },
);

/** Best: the highest grade down to a cutoff, whatever the rank it stands at. */
export const best: MeasureDef = define(
  'Best',
  { cutoff: depthParam },
  {
    aliases: ['BEST'],
    range: [0, Infinity],
    bind(params) {
      const cutoff = depthOf(params);
      return ({ codes, start, numRetrieved }) => {
        let highest = 0;
        for (let i = start; i < start + Math.min(cutoff, numRetrieved); i++) if (codes[i] > highest) highest = codes[i];
        return highest;
      };
    },
  },
);
