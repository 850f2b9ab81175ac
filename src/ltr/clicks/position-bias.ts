import { InputError } from '../../core/problem.js';

/** One document that was shown. */
export interface Impression {
  readonly query: string;
  readonly doc: string;
  /** From 1. */
  readonly rank: number;
  readonly clicked: boolean;
}

/** The chance that each rank is looked at, relative to the first. */
export interface EstimatedPropensities {
  readonly propensities: Float64Array;
  readonly rounds: number;
  /** The chance that a document is clicked when it is looked at at the first rank; undefined for a pair that was never shown. */
  attraction(query: string, doc: string): number | undefined;
}

/** Expectation maximisation of the position-based model: a click is a look at the rank times the attraction of the document for the query
 *  (Wang et al. 2018, doi:10.1145/3159652.3159732, with a number for each pair in the place of a regression). Pairs have to be shown at
 *  several ranks, or nothing tells the two apart. */
export function estimatePropensities(
  impressions: Iterable<Impression>,
  { rounds = 200, tolerance = 1e-8 }: { readonly rounds?: number; readonly tolerance?: number } = {},
): EstimatedPropensities {
  const pairs = new Map<string, number>();
  const pairOf: number[] = [];
  const rankOf: number[] = [];
  const clicked: boolean[] = [];
  let deepest = 0;
  for (const { query, doc, rank, clicked: click } of impressions) {
    const key = pairKey(query, doc);
    const pair = pairs.get(key) ?? pairs.size;
    pairs.set(key, pair);
    pairOf.push(pair);
    rankOf.push(rank - 1);
    clicked.push(click);
    deepest = Math.max(deepest, rank);
  }
  if (!clicked.includes(true)) throw new InputError({ message: 'the log holds no click', wayOut: 'give one with impressions and clicks' });
  let looks = new Float64Array(deepest).fill(0.5);
  let attracts = new Float64Array(pairs.size).fill(0.5);
  let round = 0;
  for (let change = Number.POSITIVE_INFINITY; round < rounds && change > tolerance; round++) {
    const lookSums = new Float64Array(deepest);
    const lookCounts = new Float64Array(deepest);
    const attractSums = new Float64Array(pairs.size);
    const attractCounts = new Float64Array(pairs.size);
    for (let i = 0; i < clicked.length; i++) {
      const [k, pair] = [rankOf[i], pairOf[i]];
      const [p, r] = [looks[k], attracts[pair]];
      const missed = Math.max(1 - p * r, Number.EPSILON);
      lookSums[k] += clicked[i] ? 1 : (p * (1 - r)) / missed;
      attractSums[pair] += clicked[i] ? 1 : (r * (1 - p)) / missed;
      lookCounts[k]++;
      attractCounts[pair]++;
    }
    const next = lookSums.map((sum, k) => (lookCounts[k] > 0 ? sum / lookCounts[k] : 0));
    change = next.reduce((most, value, k) => Math.max(most, Math.abs(value - looks[k])), 0);
    looks = next;
    attracts = attractSums.map((sum, pair) => sum / attractCounts[pair]);
  }
  // a factor common to all ranks cannot be told from attraction
  const [first] = looks;
  const attracted = attracts;
  return {
    propensities: looks.map((value) => (first > 0 ? value / first : value)),
    rounds: round,
    attraction(query, doc) {
      const pair = pairs.get(pairKey(query, doc));
      return pair === undefined ? undefined : attracted[pair] * (first > 0 ? first : 1);
    },
  };
}

function pairKey(query: string, doc: string): string {
  return `${query}\u0000${doc}`;
}

/** Intervention harvesting: documents that different rankers showed at two ranks tell how the chances of the ranks compare, by their click
 *  rates alone (Agarwal et al. 2019, doi:10.1145/3289600.3291017). Each rank is compared with the first through the documents that were
 *  shown at both; NaN where there are none. */
export function harvestPropensities(impressions: Iterable<Impression>): Float64Array {
  const seen = new Map<string, Map<number, { shown: number; clicks: number }>>();
  let deepest = 0;
  for (const { query, doc, rank, clicked } of impressions) {
    const key = pairKey(query, doc);
    const ranks = seen.get(key) ?? new Map<number, { shown: number; clicks: number }>();
    seen.set(key, ranks);
    const at = ranks.get(rank) ?? { shown: 0, clicks: 0 };
    ranks.set(rank, at);
    at.shown++;
    if (clicked) at.clicks++;
    deepest = Math.max(deepest, rank);
  }
  const own = new Float64Array(deepest);
  const first = new Float64Array(deepest);
  for (const ranks of seen.values()) {
    const top = ranks.get(1);
    if (top === undefined) continue;
    for (const [rank, { shown, clicks }] of ranks) {
      // each impression counts by the inverse of how often the document was shown there, so that both rates are of the same documents
      own[rank - 1] += clicks / shown;
      first[rank - 1] += top.clicks / top.shown;
    }
  }
  return own.map((sum, k) => (first[k] > 0 ? sum / first[k] : Number.NaN));
}
