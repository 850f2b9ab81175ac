import type { TopicView } from '../../core/judging/judge.js';
import type { ParamSpec } from '../../core/params.js';
import { InputError } from '../../core/problem.js';
import { meanOfShares } from '../define.js';
import type { MeasureDef, Params } from '../measure.js';
import { cutoffParam, depthOf, depthParam, numberParam, paramText } from '../measure.js';
import type { Passes, SharedRelevancePass } from '../passes.js';
import { maxRel, maxRelParam } from '../scale.js';

/** Robertson, Kanoulas and Yilmaz's users: each holds the documents from some grade up to be relevant, and `g` says how many
 *  users have their threshold at which grade. */

const thresholdParams: Readonly<Record<string, ParamSpec>> = {
  g: { type: 'numbers', default: undefined, min: 0 },
  clicks: { type: 'numbers', default: undefined, min: 0 },
  thresholds: { type: 'numbers', default: undefined },
  max_rel: maxRelParam,
};

/** The grades at which users have their threshold, and the share of users at each. */
export interface Thresholds {
  readonly grades: readonly number[];
  readonly shares: readonly number[];
}

/** Where users have their thresholds: at grades that are named, or at every whole grade up to one, in equal shares. */
type Users = Thresholds | { readonly evenUpTo: number };

/** Reads g by hand, in proportion to click counts, or as equal shares. */
function usersOf(params: Params, highestGrade: () => number): Users {
  const given = (params.g ?? params.clicks) as readonly number[] | undefined;
  const named = params.thresholds as readonly number[] | undefined;
  const count = given?.length ?? named?.length ?? Math.floor(highestGrade());
  if (count < 1) {
    throw new InputError({
      message: `thresholds are counted from grade 1 up, and the highest grade is ${highestGrade()}`,
      wayOut: 'name the grades, as in GAP(thresholds=[0.5,1])',
    });
  }
  if (given === undefined && named === undefined) return { evenUpTo: count };
  const grades = named ?? Array.from({ length: count }, (_, j) => j + 1);
  if (grades.length !== count || grades.some((grade, j) => !(grade > (j === 0 ? 0 : grades[j - 1])))) {
    throw new InputError({ message: `thresholds must be ${count} grades above 0, ascending, found ${paramText(grades)}` });
  }
  const weights = given ?? grades.map(() => 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (params.g !== undefined && Math.abs(total - 1) > 1e-9) {
    throw new InputError({
      message: `the shares of users in g must add up to 1, found ${paramText(weights)}`,
      wayOut: 'clicks takes any counts',
    });
  }
  if (!(total > 0)) throw new InputError({ message: `clicks must count something, found ${paramText(weights)}` });
  return { grades, shares: weights.map((weight) => weight / total) };
}

/** The thresholds that matter to documents of these grades. Users whose thresholds lie between two grades that occur find the same
 *  documents relevant and are counted together, so that the work does not grow with the highest grade. */
function thresholdsAmong(users: Users, occurring: ArrayLike<number>): Thresholds {
  if (!('evenUpTo' in users)) return users;
  const { evenUpTo } = users;
  const reached = new Set<number>();
  let last = 0;
  for (let i = 0; i < occurring.length; i++) {
    const threshold = Math.min(Math.floor(occurring[i]), evenUpTo);
    if (threshold >= 1 && threshold !== last) reached.add(threshold);
    last = threshold;
  }
  const grades = [...reached].sort((a, b) => a - b);
  return { grades, shares: grades.map((grade, j) => (grade - (j === 0 ? 0 : grades[j - 1])) / evenUpTo) };
}

/** The thresholds that the parameters of a measure give to its users.
 *  @param occurring The grades that documents have, in any order. Thresholds that nothing tells apart are given as one, and those above
 *    every document are left out, unless the parameters name them. */
export function thresholdsOf(params: Params, highestGrade: () => number, occurring: ArrayLike<number>): Thresholds {
  return thresholdsAmong(usersOf(params, highestGrade), occurring);
}

/** The thresholds of a topic's judgements; known as soon as the topic is. */
function thresholdsIn(params: Params, passes: Passes): (topic: TopicView) => Thresholds {
  const users = usersOf(params, () => maxRel(params, passes));
  return ({ judged, judgedStart, numJudged }) => thresholdsAmong(users, judged.subarray(judgedStart, judgedStart + numJudged));
}

/** What all users together find, however many measures ask. */
function sharedBy(params: Params, passes: Passes): SharedRelevancePass {
  const { g, clicks, thresholds, max_rel } = params;
  return passes.sharedRelevance(JSON.stringify([g, clicks, thresholds, max_rel]), thresholdsIn(params, passes));
}

/** GAP: average precision over readers who draw the line between relevant and not at different grades. */
export const gap: MeasureDef = {
  name: 'GAP',
  aliases: ['GradedAveragePrecision'],
  params: { cutoff: depthParam, ...thresholdParams },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const found = sharedBy(params, passes);
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => (found.possible > 0 ? found.precisionSums[Math.min(cutoff, numRetrieved)] / found.possible : 0);
  },
  expected: 'linear',
};

/** GradedR: recall over readers who draw the line between relevant and not at different grades. */
export const gradedRecall: MeasureDef = {
  name: 'GradedR',
  params: { cutoff: cutoffParam, ...thresholdParams },
  at: 'cutoff',
  ...meanOfShares,
  bind(params, passes) {
    const found = sharedBy(params, passes);
    const cutoff = numberParam(params, 'cutoff');
    return ({ numRetrieved }) => (found.possible > 0 ? found.hits[Math.min(cutoff, numRetrieved)] / found.possible : 0);
  },
  expected: 'linear',
};

/** GradedP: precision over readers who draw the line between relevant and not at different grades. */
export const gradedPrecision: MeasureDef = {
  name: 'GradedP',
  params: { rank: cutoffParam, ...thresholdParams },
  at: 'rank',
  ...meanOfShares,
  bind(params, passes) {
    const thresholdsOfTopic = thresholdsIn(params, passes);
    const rank = numberParam(params, 'rank');
    return (topic) => {
      const { codes, start, numRetrieved } = topic;
      if (rank > numRetrieved) return 0;
      const pivot = codes[start + rank - 1];
      const { grades, shares } = thresholdsOfTopic(topic);
      let sum = 0;
      let satisfied = 0;
      for (let j = 0; j < grades.length && grades[j] <= pivot; j++) {
        let hits = 0;
        for (let i = 0; i < rank; i++) if (codes[start + i] >= grades[j]) hits++;
        sum += shares[j] * hits;
        satisfied += shares[j];
      }
      return satisfied > 0 ? sum / satisfied / rank : 0;
    };
  },
};

/** Rounding must not keep a document from reaching a recall level. */
const RECALL_TOLERANCE = 1e-9;

/** GradedIPrec: one point of the graded recall-precision graph, the best graded precision at this graded recall or a higher one. */
export const gradedInterpolated: MeasureDef = {
  name: 'GradedIPrec',
  params: { recall: { type: 'number', default: undefined, required: true, min: 0, max: 1 }, ...thresholdParams },
  at: 'recall',
  ...meanOfShares,
  bind(params, passes) {
    const found = sharedBy(params, passes);
    const recall = numberParam(params, 'recall') - RECALL_TOLERANCE;
    return ({ numRetrieved }) => {
      const { hits, precisionSums, possible } = found;
      let best = 0;
      for (let k = numRetrieved; k > 0 && hits[k] >= recall * possible; k--) {
        const satisfied = hits[k] - hits[k - 1];
        if (satisfied > 0) best = Math.max(best, (precisionSums[k] - precisionSums[k - 1]) / satisfied);
      }
      return Math.min(1, best);
    };
  },
};

/** One point of the graded recall-precision curve, at the rank of a document that some users find relevant. */
export interface GradedPoint {
  readonly rank: number;
  readonly recall: number;
  readonly precision: number;
}

/** The graded recall-precision curve of a ranking: its grades in rank order, and the grades of all judged documents. The sum
 *  of precision times recall step over its points is GAP. */
export function gradedCurve(ranked: ArrayLike<number>, judged: ArrayLike<number>, { grades, shares }: Thresholds): GradedPoint[] {
  const shareUpTo = (grade: number): number => shares.reduce((sum, share, j) => (grades[j] <= grade ? sum + share : sum), 0);
  let possible = 0;
  for (let i = 0; i < judged.length; i++) possible += shareUpTo(judged[i]);
  const hits = new Float64Array(grades.length);
  const points: GradedPoint[] = [];
  let found = 0;
  for (let i = 0; i < ranked.length; i++) {
    const satisfied = shareUpTo(ranked[i]);
    if (satisfied === 0) continue;
    found += satisfied;
    let precise = 0;
    for (let j = 0; j < grades.length && grades[j] <= ranked[i]; j++) precise += shares[j] * ++hits[j];
    points.push({ rank: i + 1, recall: found / possible, precision: precise / satisfied / (i + 1) });
  }
  return points;
}
