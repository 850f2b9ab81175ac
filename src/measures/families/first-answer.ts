import type { TopicView } from '../../core/judging/judge.js';
import { meanOfShares } from '../define.js';
import type { MeasureDef } from '../measure.js';
import { choiceParam, depthOf, depthParam, numberParam, optionalNumber, relParam } from '../measure.js';
import { expectedAtFirst, forEachTie, isCut } from '../tied.js';
import { bindCwl, cwlParams } from './cwl.js';

/** The rank of the first document at or above the level within the depth; 0 if there is none. */
export function firstRank({ codes, start, numRetrieved }: TopicView, level: number, depth: number): number {
  const end = Math.min(depth, numRetrieved);
  for (let i = 0; i < end; i++) if (codes[start + i] >= level) return i + 1;
  return 0;
}

/** RR: how soon the first relevant document comes, as the reciprocal of its rank. */
export const reciprocalRank: MeasureDef = {
  name: 'RR',
  aliases: ['MRR', 'ReciprocalRank'],
  params: { cutoff: depthParam, rel: relParam, precision: choiceParam('double', 'float32'), ...cwlParams },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const cutoff = depthOf(params);
    if (params.cwl !== undefined) {
      return bindCwl(params, passes.gains({ gain: 'binary', level }), () => (_, gain) => (gain > 0 ? 0 : 1));
    }
    const round = params.precision === 'float32' ? Math.fround : undefined;
    return (topic) => {
      const rank = firstRank(topic, level, cutoff);
      if (rank === 0) return 0;
      return round === undefined ? 1 / rank : round(1 / rank);
    };
  },
  expected: (params) => {
    if (params.cwl !== undefined || params.precision === 'float32') return undefined;
    const level = numberParam(params, 'rel');
    const cutoff = depthOf(params);
    return (topic) => expectedAtFirst(topic, level, cutoff, (rank) => 1 / rank, 0);
  },
};

/** FirstRel: how soon the first relevant document comes, as its rank; lower is better. */
export const firstRelevant: MeasureDef = {
  name: 'FirstRel',
  aliases: ['FirstRelevantRank'],
  params: { cutoff: depthParam, rel: relParam },
  at: 'cutoff',
  aggregate: 'mean',
  range: [1, Infinity],
  direction: 'lower',
  bind(params) {
    const level = numberParam(params, 'rel');
    const cutoff = depthOf(params);
    return (topic) => firstRank(topic, level, cutoff) || Math.min(cutoff, topic.numRetrieved) + 1;
  },
  expected: (params) => {
    const level = numberParam(params, 'rel');
    const cutoff = depthOf(params);
    return (topic) => expectedAtFirst(topic, level, cutoff, (rank) => rank, Math.min(cutoff, topic.numRetrieved) + 1);
  },
};

/** ESL: how much is read in vain until enough relevant documents are found, averaged over the orders of equal scores. */
export const expectedSearchLength: MeasureDef = {
  name: 'ESL',
  aliases: ['ExpectedSearchLength'],
  params: {
    wanted: { type: 'integer', default: 1, min: 1 },
    rel: relParam,
    missing: { type: 'integer', default: undefined, min: 0 },
  },
  at: 'wanted',
  aggregate: 'mean',
  range: [0, Infinity],
  direction: 'lower',
  ties: 'expected',
  bind(params) {
    const wanted = numberParam(params, 'wanted');
    const level = numberParam(params, 'rel');
    const missing = optionalNumber(params, 'missing');
    return ({ codes, start, numRetrieved }) => {
      let found = 0;
      for (let i = 0; i < numRetrieved; i++) {
        if (codes[start + i] >= level && ++found === wanted) return i + 1 - wanted;
      }
      return missing ?? numRetrieved - found;
    };
  },
  expected: (params) => {
    const wanted = numberParam(params, 'wanted');
    const level = numberParam(params, 'rel');
    const missing = optionalNumber(params, 'missing');
    return (topic) => (isCut(topic) ? undefined : searchLength(topic, level, wanted, missing));
  },
};

/** Cooper's formula: with s documents still wanted from a tie of r relevant and i others, i s / (r + 1) others are met. */
function searchLength(topic: TopicView, level: number, wanted: number, missing: number | undefined): number {
  let found = 0;
  let others = 0;
  let length: number | undefined;
  forEachTie(topic, level, (_, size, hits) => {
    if (found + hits >= wanted) {
      length = others + ((size - hits) * (wanted - found)) / (hits + 1);
      return true;
    }
    found += hits;
    others += size - hits;
    return false;
  });
  return length ?? missing ?? others;
}
