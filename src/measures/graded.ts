import { InputError } from '../core/problem.js';
import type { MeasureDef, ParamSpec, Params } from './measure.js';
import { cutoffParam, depthOf, depthParam, numberParam, paramText } from './measure.js';
import type { Passes, PrecisionPass, RelevancePass } from './passes.js';
import { maxRel, maxRelParam } from './scale.js';

/** Robertson, Kanoulas and Yilmaz's users: each holds the documents from some grade up to be relevant, and `g` says how many
 *  users have their threshold at which grade. */

const thresholdParams: Readonly<Record<string, ParamSpec>> = {
  g: { type: 'reals', default: undefined, min: 0 },
  clicks: { type: 'reals', default: undefined, min: 0 },
  thresholds: { type: 'reals', default: undefined },
  max_rel: maxRelParam,
};

/** The grades at which users have their threshold, and the share of users at each. */
export interface Thresholds {
  readonly grades: readonly number[];
  readonly shares: readonly number[];
}

/** Reads g by hand, in proportion to click counts, or as equal shares. */
export function thresholdsOf(params: Params, highestGrade: () => number): Thresholds {
  const given = (params.g ?? params.clicks) as readonly number[] | undefined;
  const named = params.thresholds as readonly number[] | undefined;
  const count = given?.length ?? named?.length ?? Math.floor(highestGrade());
  if (count < 1) {
    throw new InputError({
      message: `thresholds are counted from grade 1 up, and the highest grade is ${highestGrade()}`,
      wayOut: 'name the grades, as in GAP(thresholds=[0.5,1])',
    });
  }
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

/** The passes of each threshold that some users have. */
function thresholdPasses(params: Params, passes: Passes): { share: number; grade: number; relevance: RelevancePass }[] {
  const { grades, shares } = thresholdsOf(params, () => maxRel(params, passes));
  return grades.flatMap((grade, j) => (shares[j] > 0 ? [{ share: shares[j], grade, relevance: passes.relevance(grade) }] : []));
}

export const gap: MeasureDef = {
  name: 'GAP',
  aliases: ['GradedAveragePrecision'],
  params: { cutoff: depthParam, ...thresholdParams },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const thresholds = thresholdPasses(params, passes);
    const precisions: PrecisionPass[] = thresholds.map(({ grade }) => passes.precision(grade));
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => {
      const depth = Math.min(cutoff, numRetrieved);
      let sum = 0;
      let possible = 0;
      for (const [j, { share, relevance }] of thresholds.entries()) {
        sum += share * precisions[j].sums[depth];
        possible += share * relevance.numRelevant;
      }
      return possible > 0 ? sum / possible : 0;
    };
  },
  expected: 'linear',
};

export const gradedRecall: MeasureDef = {
  name: 'GradedR',
  params: { cutoff: cutoffParam, ...thresholdParams },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const thresholds = thresholdPasses(params, passes);
    const cutoff = numberParam(params, 'cutoff');
    return ({ numRetrieved }) => {
      let sum = 0;
      let possible = 0;
      for (const { share, relevance } of thresholds) {
        sum += share * relevance.hits[Math.min(cutoff, numRetrieved)];
        possible += share * relevance.numRelevant;
      }
      return possible > 0 ? sum / possible : 0;
    };
  },
  expected: 'linear',
};

export const gradedPrecision: MeasureDef = {
  name: 'GradedP',
  params: { rank: cutoffParam, ...thresholdParams },
  at: 'rank',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const thresholds = thresholdPasses(params, passes);
    const rank = numberParam(params, 'rank');
    return ({ codes, start, numRetrieved }) => {
      if (rank > numRetrieved) return 0;
      const pivot = codes[start + rank - 1];
      let sum = 0;
      let satisfied = 0;
      for (const { share, grade, relevance } of thresholds) {
        if (pivot < grade) break;
        sum += share * relevance.hits[rank];
        satisfied += share;
      }
      return satisfied > 0 ? sum / satisfied / rank : 0;
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
