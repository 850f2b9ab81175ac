/** Successive halving: many candidates on few queries, few candidates on all (Jamieson and Talwalkar 2016). */
import { seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import { foldsOf } from '../../ltr/folds.js';
import type { Candidate } from './search-space.js';
import type { TrialJob, TrialResult, Trials } from './trials.js';

/** What remains for the next step, and by what factor queries grow: one third, and three times. */
const FACTOR = 3;
/** Training on fewer queries says nothing of training on all. */
const LEAST_QUERIES = 15;

/** The shares of the training queries that candidates are trained on, step by step; the last is 1. */
export function sharesOf(numCandidates: number, numQueries: number): number[] {
  const shares = [1];
  while (FACTOR ** shares.length < numCandidates && (shares[0] / FACTOR) * numQueries >= LEAST_QUERIES) shares.unshift(shares[0] / FACTOR);
  return shares;
}

/** Which candidates go on: the best third, and of each learner the best, so that every learner has an answer in the end.
 *  @param scores Of each candidate that is still in, by its number. */
export function promoted(scores: ReadonlyMap<number, number>, candidates: readonly Candidate[]): number[] {
  const ranked = rankedBy(scores);
  const kept = new Set(ranked.slice(0, Math.ceil(ranked.length / FACTOR)));
  for (const one of bestOfEach(ranked, candidates).values()) kept.add(one);
  return [...kept].sort((a, b) => a - b);
}

/** Higher scores first, of equal ones what was drawn first. */
function rankedBy(scores: ReadonlyMap<number, number>): number[] {
  return [...scores.keys()].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a - b);
}

function bestOfEach(ranked: readonly number[], candidates: readonly Candidate[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const c of ranked) if (!best.has(candidates[c].learner)) best.set(candidates[c].learner, c);
  return best;
}

/** What a search chose on some queries. */
export interface SearchChoice {
  /** The candidate with the best score, by its number. */
  readonly best: number;
  /** The best of each learner. */
  readonly ofLearner: ReadonlyMap<string, number>;
  /** The mean over inner folds by which each candidate of the last step was judged, by its number: a selection score. */
  readonly scores: ReadonlyMap<number, number>;
}

/** Chooses among candidates on these queries and no others: each is trained on all inner folds but one and tested on that one.
 *  @param name Tells this search from others of the same work.
 *  @returns undefined if the work was ended before its time. */
export async function chooseOn(
  name: string,
  queries: Uint32Array,
  candidates: readonly Candidate[],
  numInner: number,
  seed: number,
  trials: Trials,
): Promise<SearchChoice | undefined> {
  const inner = foldsOf(queries.length, numInner, seed).map(({ train, test }) => {
    // in an order of their own, so that the few queries of one step are among those of the next
    shuffleInPlace(seededRandom(seed), train);
    return { train: train.map((q) => queries[q]), test: test.map((q) => queries[q]) };
  });
  const fewest = Math.min(...inner.map(({ train }) => train.length));
  let alive = candidates.map((_, c) => c);
  let scores = new Map<number, number>();
  for (const share of sharesOf(candidates.length, fewest)) {
    if (scores.size > 0) alive = promoted(scores, candidates);
    const jobs = alive.flatMap((c) =>
      inner.map(({ train, test }, f): TrialJob => {
        const some = train.slice(0, Math.ceil(share * train.length)).sort();
        return { ...candidates[c], key: `${name}/${share.toFixed(4)}/${c}/${f}`, train: some, test };
      }),
    );
    const results = await trials.run(jobs);
    if (results === undefined) return undefined;
    scores = new Map(alive.map((c, i) => [c, meanOf(results.slice(i * numInner, (i + 1) * numInner))]));
  }
  const ranked = rankedBy(scores);
  return { best: ranked[0], ofLearner: bestOfEach(ranked, candidates), scores };
}

function meanOf(results: readonly TrialResult[]): number {
  return results.reduce((sum, { mean }) => sum + mean, 0) / results.length;
}
