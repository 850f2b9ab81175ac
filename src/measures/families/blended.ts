import type { TopicView } from '../../core/judging/judge.js';
import { InputError } from '../../core/problem.js';
import { meanOfShares } from '../define.js';
import type { GainPass } from '../gain-pass.js';
import type { MeasureDef, Params } from '../measure.js';
import { betaParam, choiceParam, depthOf, depthParam, fractionParam, numberParam, paramText } from '../measure.js';
import type { Passes } from '../passes.js';
import { expectedAtFirst, forEachTie } from '../tied.js';
import { gainParams, gainRule } from './cumulated-gain.js';

/** Sakai's measures. Each is a mean of the blended ratio, which is precision mixed with cumulated gain:
 *  (hits(i) + beta cg(i)) / (i + beta ideal cg(i)), at the ranks where its readers stop. */

const isEmpty: Required<MeasureDef>['isEmpty'] = (params, passes) => {
  const gains = passes.gains(gainRule(params));
  return () => gains.numIdeal === 0;
};

/** The sums of the ideal gains down to each rank, kept at their end below the last. */
function idealSum({ ideal, numIdeal }: GainPass): (rank: number) => number {
  let reached = 0;
  let sum = 0;
  return (rank) => {
    while (reached < rank && reached < numIdeal) sum += ideal[reached++];
    return sum;
  };
}

/** Visits the ranks with a gain, from the top, with the blended ratio and the number of such ranks so far; the walk ends when
 *  `visit` answers true. */
function forEachBlended(
  gains: GainPass,
  depth: number,
  beta: number,
  visit: (ratio: number, hits: number, rankIndex: number) => boolean | undefined,
): void {
  const { ranked } = gains;
  const idealTo = idealSum(gains);
  let hits = 0;
  let gained = 0;
  for (let i = 0; i < depth; i++) {
    if (!(ranked[i] > 0)) continue;
    hits++;
    gained += ranked[i];
    if (visit((hits + beta * gained) / (i + 1 + beta * idealTo(i + 1)), hits, i)) return;
  }
}

/** True if a document has a gain exactly if its grade is positive, which closed forms build on. */
function gainsFollowGrades(params: Params): boolean {
  return params.gains === undefined && (params.gain === 'linear' || params.gain === 'exp');
}

/** Q: average precision for grades, by blending the count of hits with the gain they bring. */
export const qMeasure: MeasureDef = {
  name: 'Q',
  aliases: ['Q-measure', 'QMeasure'],
  params: { cutoff: depthParam, beta: betaParam, ...gainParams },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const gains = passes.gains(gainRule(params));
    const beta = numberParam(params, 'beta');
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => {
      let sum = 0;
      forEachBlended(gains, Math.min(cutoff, numRetrieved), beta, (ratio) => {
        sum += ratio;
        return false;
      });
      return gains.numIdeal > 0 ? sum / Math.min(gains.numIdeal, cutoff) : 0;
    };
  },
  expected: (params, passes) => (gainsFollowGrades(params) ? expectedQ(params, passes) : undefined),
  isEmpty,
};

/** As for average precision, with m + beta G in the place of m: G is the gain of a tie of t documents, m of them relevant. */
function expectedQ(params: Params, passes: Passes): (topic: TopicView) => number {
  const gains = passes.gains(gainRule(params));
  const beta = numberParam(params, 'beta');
  const cutoff = depthOf(params);
  return (topic) => {
    const depth = Math.min(cutoff, topic.numRetrieved);
    const idealTo = idealSum(gains);
    let before = 0;
    let sum = 0;
    forEachTie(topic, Number.MIN_VALUE, (from, size, hits) => {
      const own = hits + beta * gains.ranked[from] * size;
      const others = size > 1 ? (hits - 1) / (size - 1) : 0;
      for (let i = from; i < Math.min(from + size, depth); i++) {
        sum += (hits * before + own * (1 + (i - from) * others)) / size / (i + 1 + beta * idealTo(i + 1));
      }
      before += own;
      return from + size >= depth;
    });
    return gains.numIdeal > 0 ? sum / Math.min(gains.numIdeal, cutoff) : 0;
  };
}

/** OMeasure: reciprocal rank for grades, by the blended ratio at the first relevant document. */
export const oMeasure: MeasureDef = {
  name: 'OMeasure',
  aliases: ['O-measure'],
  params: { beta: betaParam, ...gainParams },
  ...meanOfShares,
  bind(params, passes) {
    const gains = passes.gains(gainRule(params));
    const beta = numberParam(params, 'beta');
    return ({ numRetrieved }) => {
      let value = 0;
      forEachBlended(gains, numRetrieved, beta, (ratio) => {
        value = ratio;
        return true;
      });
      return value;
    };
  },
  expected: (params, passes) => {
    if (!gainsFollowGrades(params)) return undefined;
    const gains = passes.gains(gainRule(params));
    const beta = numberParam(params, 'beta');
    return (topic) => {
      const idealTo = idealSum(gains);
      const { codes, start } = topic;
      const valueAt = (rank: number, from: number, size: number): number => {
        let hits = 0;
        for (let i = from; i < from + size; i++) if (codes[start + i] > 0) hits++;
        return (1 + (beta * gains.ranked[from] * size) / hits) / (rank + beta * idealTo(rank));
      };
      return expectedAtFirst(topic, Number.MIN_VALUE, Infinity, valueAt, 0);
    };
  },
  isEmpty,
};

/** The highest gain of the ranking. */
function highestGain({ ranked, numRetrieved }: GainPass): number {
  let highest = 0;
  for (let i = 0; i < numRetrieved; i++) if (ranked[i] > highest) highest = ranked[i];
  return highest;
}

/** PMeasure: for readers who stop at the best document there is, by the blended ratio at its rank. */
export const pMeasure: MeasureDef = {
  name: 'PMeasure',
  aliases: ['P-measure'],
  params: { beta: betaParam, ...gainParams },
  ...meanOfShares,
  bind(params, passes) {
    const gains = passes.gains(gainRule(params));
    const beta = numberParam(params, 'beta');
    return ({ numRetrieved }) => {
      const highest = highestGain(gains);
      let value = 0;
      forEachBlended(gains, numRetrieved, beta, (ratio, _, i) => {
        if (gains.ranked[i] < highest) return false;
        value = ratio;
        return true;
      });
      return value;
    };
  },
  isEmpty,
};

/** PPlus: as PMeasure, averaged over the relevant documents on the way to the best one. */
export const pPlus: MeasureDef = {
  name: 'PPlus',
  aliases: ['P+', 'P-plus', 'PPlusMeasure'],
  params: { beta: betaParam, ...gainParams },
  ...meanOfShares,
  bind(params, passes) {
    const gains = passes.gains(gainRule(params));
    const beta = numberParam(params, 'beta');
    return ({ numRetrieved }) => {
      const highest = highestGain(gains);
      let sum = 0;
      let stops = 0;
      forEachBlended(gains, numRetrieved, beta, (ratio, hits, i) => {
        sum += ratio;
        stops = hits;
        return gains.ranked[i] === highest;
      });
      return stops > 0 ? sum / stops : 0;
    };
  },
  isEmpty,
};

/** NCU: the blended ratio averaged over a given distribution of ranks where readers stop. */
export const ncu: MeasureDef = {
  name: 'NCU',
  params: {
    stop: choiceParam('uniform', 'graded', 'rank-biased'),
    stops: { type: 'numbers', default: undefined, min: 0 },
    gamma: fractionParam(0.8),
    cutoff: depthParam,
    beta: betaParam,
    ...gainParams,
  },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const gains = passes.gains(gainRule(params));
    const beta = numberParam(params, 'beta');
    const cutoff = depthOf(params);
    const gamma = numberParam(params, 'gamma');
    const weightOf = stopWeight(params);
    return ({ codes, start, numRetrieved, judged, judgedStart, numJudged }) => {
      const { numIdeal } = gains;
      if (numIdeal === 0) return 0;
      // how much all stops weigh that there could be
      let all = params.stop === 'uniform' ? Math.min(numIdeal, cutoff) : 0;
      if (params.stop === 'graded') for (let i = 0; i < numJudged; i++) all += weightOf(judged[judgedStart + i]);
      if (params.stop === 'rank-biased') for (let i = 0, weight = 1; i < numIdeal; i++, weight *= gamma) all += weight;
      let sum = 0;
      let weight = 1;
      forEachBlended(gains, Math.min(cutoff, numRetrieved), beta, (ratio, _, i) => {
        sum += ratio * (params.stop === 'graded' ? weightOf(codes[start + i]) : weight);
        if (params.stop === 'rank-biased') weight *= gamma;
        return false;
      });
      return all > 0 ? sum / all : 0;
    };
  },
  isEmpty,
};

/** How likely readers are to stop at a document, by its grade: what `stops` says of grades 1, 2 …, otherwise the grade. */
function stopWeight(params: Params): (grade: number) => number {
  const stops = params.stops as readonly number[] | undefined;
  if (stops === undefined) return (grade) => Math.max(0, grade);
  return (grade) => {
    if (!(grade > 0)) return 0;
    const weight = Number.isInteger(grade) ? stops[grade - 1] : undefined;
    if (weight !== undefined) return weight;
    throw new InputError({
      message: `stops=${paramText(stops)} says nothing about grade ${grade}`,
      wayOut: `it counts whole grades from 1 to ${stops.length}; leave it out to weigh by the grades themselves`,
    });
  };
}
