import { InputError } from '../core/problem.js';
import { compareBytes } from '../core/text.js';
import { requireDistinct } from './alignment.js';
import { apCorrelation } from './ap-correlation.js';
import { requireWhole, type Values } from './checks.js';
import { pearsonCorrelation, rootMeanSquareError, spearmanCorrelation } from './correlation.js';
import { kendallTau } from './kendall-tau.js';
import { overlapAt, rankWithTies } from './overlap.js';
import { type RankBiasedOverlap, rankBiasedOverlap } from './rank-biased-overlap.js';

/** How closely the lists of two systems are compared. */
export interface AgreementOptions {
  /** Persistence of rank-biased overlap, 0.9 by default. */
  readonly p?: number | undefined;
  /** What ties mean for rank-biased overlap, *a* by default. */
  readonly ties?: 'w' | 'a' | 'b' | undefined;
  /** How deep the overlap looks, 10 by default. */
  readonly cutoff?: number | undefined;
}

/** How far two scorings of the same things agree. A coefficient that is not defined, because all values of one side are equal or
 *  because it knows no ties, is null. */
export interface ScoreAgreement {
  readonly items: number;
  readonly tauA: number;
  readonly tauB: number | null;
  /** Without ties; the first scores are the truth. */
  readonly tauAp: number | null;
  readonly tauApA: number | null;
  readonly tauApB: number | null;
  readonly spearman: number | null;
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
    items: items.length,
    tauA: kendallTau({ ...values, variant: 'a' }).tau,
    tauB: ifDefined(() => kendallTau(values).tau),
    tauAp: ifDefined(() => apCorrelation(ap).tau),
    tauApA: ifDefined(() => apCorrelation({ ...ap, ties: 'a' }).tau),
    tauApB: ifDefined(() => apCorrelation({ ...ap, ties: 'b' }).tau),
    spearman: ifDefined(() => spearmanCorrelation(values)),
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

/** How far two systems agree on the documents of one topic. */
export interface ListAgreement {
  readonly topic: string;
  readonly rbo: RankBiasedOverlap;
  readonly overlap: number;
  /** Documents that both retrieved. */
  readonly shared: number;
  /** Kendall's tau-b of the documents that both retrieved; null if there are fewer than two, or all have equal scores. */
  readonly tauB: number | null;
}

/** How far two systems agree on what they retrieve, topic by topic and on average. */
export interface ListsAgreement {
  readonly topics: readonly ListAgreement[];
  /** Means over topics; that of tau over the topics that have one. */
  readonly mean: { readonly rbo: Omit<RankBiasedOverlap, 'method'>; readonly overlap: number; readonly tauB: number | null };
  /** Topics that have a value of tau. */
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
  const { p = 0.9, ties = 'a', cutoff = 10 } = options;
  const topics: ListAgreement[] = [];
  for (const [topic, one] of first) {
    const other = second.get(topic);
    if (other === undefined) continue;
    const scoreOf = new Map(other.ids.map((id, i) => [id, other.scores[i]]));
    const shared = one.ids.flatMap((id, i) => (scoreOf.has(id) ? [[one.scores[i], scoreOf.get(id)!] as const] : []));
    topics.push({
      topic,
      rbo: rankBiasedOverlap({ first: rankWithTies(one.ids, one.scores), second: rankWithTies(other.ids, other.scores), p, ties }),
      overlap: overlapAt({ first: inOrder(one.ids, one.scores), second: inOrder(other.ids, other.scores), cutoff }),
      shared: shared.length,
      tauB: ifDefined(() => kendallTau({ first: shared.map(([a]) => a), second: shared.map(([, b]) => b) }).tau),
    });
  }
  if (topics.length === 0) {
    throw new InputError({ message: 'the two runs have no topic in common', wayOut: 'compare runs over the same topics' });
  }
  const mean = (of: (topic: ListAgreement) => number): number => topics.reduce((sum, topic) => sum + of(topic), 0) / topics.length;
  const taus = topics.flatMap(({ tauB }) => (tauB === null ? [] : [tauB]));
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
      tauB: taus.length === 0 ? null : taus.reduce((sum, tau) => sum + tau, 0) / taus.length,
    },
    topicsWithTau: taus.length,
    onlyFirst: [...first.keys()].filter((topic) => !second.has(topic)),
    onlySecond: [...second.keys()].filter((topic) => !first.has(topic)),
  };
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
