import { InputError } from '../core/problem.js';
import { compareBytes } from '../core/text.js';
import { requireDistinct } from './alignment.js';
import { requireOneOf, requireWhole, type Values } from './checks.js';
import { apCorrelation } from './correlation/ap-correlation.js';
import { pearsonCorrelation, rootMeanSquareError, spearmanCorrelation } from './correlation/correlation.js';
import { kendallTau } from './correlation/kendall-tau.js';
import { overlapAt, rankWithTies } from './correlation/overlap.js';
import { type RankBiasedOverlap, rankBiasedOverlap } from './correlation/rank-biased-overlap.js';

/** How closely the lists of two systems are compared. */
export interface AgreementOptions {
  /** Persistence of rank-biased overlap, 0.9 by default. */
  readonly p?: number | undefined;
  /** What ties mean for rank-biased overlap, *a* by default. */
  readonly ties?: 'w' | 'a' | 'b' | undefined;
  /** How deep the overlap looks, 10 by default. */
  readonly cutoff?: number | undefined;
  /** What becomes of documents that only one of two lists has, in coefficients of rank correlation: they are left out (*shared*, the
   *  default), or stand behind the end of the other list, all of them tied (*last*). */
  readonly unlisted?: 'shared' | 'last' | undefined;
}

/** Coefficients of rank correlation. One that is not defined, because all values of one side are equal or because it knows no ties,
 *  is null. */
export interface RankCoefficients {
  readonly spearman: number | null;
  readonly tauA: number | null;
  readonly tauB: number | null;
  /** Stuart's. */
  readonly tauC: number | null;
  /** Without ties; the first scores are the truth. */
  readonly tauAp: number | null;
}

function rankCoefficients(first: Values, second: Values): RankCoefficients {
  const values = { first, second };
  return {
    spearman: ifDefined(() => spearmanCorrelation(values)),
    tauA: ifDefined(() => kendallTau({ ...values, variant: 'a' }).tau),
    tauB: ifDefined(() => kendallTau(values).tau),
    tauC: ifDefined(() => kendallTau({ ...values, variant: 'c' }).tau),
    tauAp: ifDefined(() => apCorrelation({ truth: first, estimate: second }).tau),
  };
}

/** How far two scorings of the same things agree. A coefficient that is not defined, because all values of one side are equal or
 *  because it knows no ties, is null. */
export interface ScoreAgreement extends RankCoefficients {
  readonly items: number;
  readonly tauA: number;
  readonly tauApA: number | null;
  readonly tauApB: number | null;
  readonly pearson: number | null;
  readonly rmse: number;
  readonly rbo: RankBiasedOverlap;
  readonly overlap: number;
}

/** Two scorings of the same things, systems for instance: `items[i]` has `first[i]` and `second[i]`. */
export function scoreAgreement(items: readonly string[], first: Values, second: Values, options: AgreementOptions = {}): ScoreAgreement {
  requireDistinct('item', items);
  const { p = 0.9, ties = 'a', cutoff = 10 } = options;
  requireWhole('cutoff', cutoff, 1);
  const values = { first, second };
  const ap = { truth: first, estimate: second };
  return {
    ...rankCoefficients(first, second),
    items: items.length,
    // fewer than two things are refused
    tauA: kendallTau({ ...values, variant: 'a' }).tau,
    tauApA: ifDefined(() => apCorrelation({ ...ap, ties: 'a' }).tau),
    tauApB: ifDefined(() => apCorrelation({ ...ap, ties: 'b' }).tau),
    pearson: ifDefined(() => pearsonCorrelation(values)),
    rmse: rootMeanSquareError(values),
    rbo: rankBiasedOverlap({ first: rankWithTies(items, first), second: rankWithTies(items, second), p, ties }),
    overlap: overlapAt({ first: inOrder(items, first), second: inOrder(items, second), cutoff: Math.min(cutoff, items.length) }),
  };
}

/** What one system retrieved for one topic. */
export interface ResultList {
  readonly ids: readonly string[];
  readonly scores: Values;
}

/** How far two systems agree on the documents of one topic. The coefficients are those of the documents that both retrieved, or of all
 *  by the rule *last*; they are null if there are fewer than two. */
export interface ListAgreement extends RankCoefficients {
  readonly topic: string;
  readonly rbo: RankBiasedOverlap;
  readonly overlap: number;
  /** Documents that both retrieved. */
  readonly shared: number;
  /** Documents that only the first, and that only the second retrieved. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
}

/** How far two systems agree on what they retrieve, topic by topic and on average. */
export interface ListsAgreement {
  readonly topics: readonly ListAgreement[];
  /** Means over topics; that of a coefficient over the topics that have one. */
  readonly mean: { readonly rbo: Omit<RankBiasedOverlap, 'method'>; readonly overlap: number } & RankCoefficients;
  /** Topics that have a value of tau-b. */
  readonly topicsWithTau: number;
  /** Topics that only one of the two answers; they are in no mean. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
}

/** How far two systems retrieve the same documents in the same order, topic by topic. */
export function listsAgreement(
  first: ReadonlyMap<string, ResultList>,
  second: ReadonlyMap<string, ResultList>,
  options: AgreementOptions = {},
): ListsAgreement {
  const { p = 0.9, ties = 'a', cutoff = 10, unlisted = 'shared' } = options;
  requireOneOf('rule for documents of one list', unlisted, ['shared', 'last']);
  const topics: ListAgreement[] = [];
  for (const [topic, one] of first) {
    const other = second.get(topic);
    if (other === undefined) continue;
    const { pairs, shared } = pairedScores(one, other, unlisted);
    topics.push({
      topic,
      ...rankCoefficients(
        pairs.map(([a]) => a),
        pairs.map(([, b]) => b),
      ),
      rbo: rankBiasedOverlap({ first: rankWithTies(one.ids, one.scores), second: rankWithTies(other.ids, other.scores), p, ties }),
      overlap: overlapAt({ first: inOrder(one.ids, one.scores), second: inOrder(other.ids, other.scores), cutoff }),
      shared,
      onlyFirst: one.ids.length - shared,
      onlySecond: other.ids.length - shared,
    });
  }
  if (topics.length === 0) {
    throw new InputError({ message: 'the two runs have no topic in common', wayOut: 'compare runs over the same topics' });
  }
  const mean = (of: (topic: ListAgreement) => number): number => topics.reduce((sum, topic) => sum + of(topic), 0) / topics.length;
  const meanOf = (of: (topic: ListAgreement) => number | null): number | null => {
    const values = topics.flatMap((topic) => of(topic) ?? []);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return {
    topics,
    mean: {
      rbo: {
        ext: mean(({ rbo }) => rbo.ext),
        min: mean(({ rbo }) => rbo.min),
        max: mean(({ rbo }) => rbo.max),
        res: mean(({ rbo }) => rbo.res),
      },
      overlap: mean(({ overlap }) => overlap),
      spearman: meanOf(({ spearman }) => spearman),
      tauA: meanOf(({ tauA }) => tauA),
      tauB: meanOf(({ tauB }) => tauB),
      tauC: meanOf(({ tauC }) => tauC),
      tauAp: meanOf(({ tauAp }) => tauAp),
    },
    topicsWithTau: topics.filter(({ tauB }) => tauB !== null).length,
    onlyFirst: [...first.keys()].filter((topic) => !second.has(topic)),
    onlySecond: [...second.keys()].filter((topic) => !first.has(topic)),
  };
}

/** The scores that both lists give a document; by the rule *last*, what a list does not have comes after all that it has. */
function pairedScores(
  one: ResultList,
  other: ResultList,
  unlisted: 'shared' | 'last',
): { readonly pairs: readonly (readonly [first: number, second: number])[]; readonly shared: number } {
  const scoreOf = new Map(other.ids.map((id, i) => [id, other.scores[i]]));
  const pairs: (readonly [number, number])[] = [];
  let shared = 0;
  for (const [i, id] of one.ids.entries()) {
    const score = scoreOf.get(id);
    if (score !== undefined) shared++;
    else if (unlisted === 'shared') continue;
    pairs.push([one.scores[i], score ?? Number.NEGATIVE_INFINITY]);
    scoreOf.delete(id);
  }
  if (unlisted === 'last') for (const score of scoreOf.values()) pairs.push([Number.NEGATIVE_INFINITY, score]);
  return { pairs: unlisted === 'last' ? asRanks(pairs) : pairs, shared };
}

/** Scores as how many are below, so that what a list does not have is a number too. */
function asRanks(pairs: readonly (readonly [number, number])[]): [number, number][] {
  const below = (values: readonly number[]): ReadonlyMap<number, number> => {
    const sorted = values.toSorted((a, b) => a - b);
    return new Map(sorted.map((value, i) => [value, i]));
  };
  const first = below(pairs.map(([a]) => a));
  const second = below(pairs.map(([, b]) => b));
  return pairs.map(([a, b]) => [first.get(a) ?? 0, second.get(b) ?? 0]);
}

/** Ids from the best down; equal scores by the bytes of the ids, descending, as everywhere else. */
function inOrder(ids: readonly string[], scores: Values): string[] {
  const encoder = new TextEncoder();
  const keys = ids.map((id) => encoder.encode(id));
  const order = ids.map((_, i) => i);
  order.sort((a, b) => scores[b] - scores[a] || compareBytes(keys[b], 0, keys[b].length, keys[a], 0, keys[a].length));
  return order.map((i) => ids[i]);
}

/** The value, or null where the coefficient is not defined for this input. */
function ifDefined(compute: () => number): number | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
