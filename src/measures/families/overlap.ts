import type { TopicView } from '../../core/judging/judge.js';
import { meanOfShares } from '../define.js';
import type { MeasureDef } from '../measure.js';
import { choiceParam, fractionParam, numberParam } from '../measure.js';

/** Compat: how similar the ranking is to an ideal one, by rank-biased overlap. */
export const compat: MeasureDef = {
  name: 'Compat',
  aliases: ['Compatibility'],
  params: { p: fractionParam(0.95), normalize: { type: 'boolean', default: true }, ideal_by: choiceParam('rank', 'score') },
  ...meanOfShares,
  bind(params) {
    const p = numberParam(params, 'p');
    return (topic) => {
      const { entered, numIdeal, depth } = overlapWithIdeal(topic);
      if (numIdeal === 0) return 0;
      let weight = 1;
      let overlap = 0;
      let sum = 0;
      let best = 0;
      for (let rank = 1; rank <= depth; rank++) {
        overlap += entered[rank];
        sum += (weight * overlap) / rank;
        best += params.normalize === true ? (weight * Math.min(rank, numIdeal)) / rank : weight;
        weight *= p;
      }
      return sum / best;
    };
  },
};

/** At which depth each retrieved document of positive grade is in both the ranking and the ideal one. The ideal ranking goes by
 *  grade; among equal grades it follows the ranking, and has the documents that were not retrieved last, unless the topic says where
 *  its documents stand. */
function overlapWithIdeal(topic: TopicView): { entered: Uint32Array; numIdeal: number; depth: number } {
  const { codes, start, numRetrieved, judged, judgedStart, numJudged, idealPlaces } = topic;
  // the grades, highest first, and the place in the ideal ranking of the next document of each
  const grades: number[] = [];
  const next: number[] = [];
  let numIdeal = 0;
  while (numIdeal < numJudged && judged[judgedStart + numIdeal] > 0) {
    const grade = judged[judgedStart + numIdeal++];
    if (grade === grades[grades.length - 1]) continue;
    grades.push(grade);
    next.push(numIdeal);
  }
  const depth = Math.max(numRetrieved, numIdeal);
  const entered = new Uint32Array(depth + 1); // fits: entries
  for (let i = 0; i < numRetrieved; i++) {
    if (!(codes[start + i] > 0)) continue;
    const place = idealPlaces === undefined ? next[grades.indexOf(codes[start + i])]++ : idealPlaces[i];
    entered[Math.max(i + 1, place)]++;
  }
  return { entered, numIdeal, depth };
}
