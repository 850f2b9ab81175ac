import { type Random, seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { betaDraw } from '../random-variates.js';
import { compareTexts } from './lists.js';

/** Ways to choose the next document to judge. */
export const JUDGING_ORDERS = ['rank', 'move-to-front', 'bandit', 'thompson', 'rbp-a', 'rbp-b', 'rbp-c'] as const;
/** *rank*: rank 1 of every run, then rank 2, and so on. *move-to-front*: stay with a run while it brings relevant documents (Cormack, Palmer
 *  and Clarke, doi:10.1145/290941.291009). *bandit*: the run with the largest share of relevant documents so far (Losada, Parapar and
 *  Barreiro, doi:10.1145/2851613.2851692); *thompson*: a run drawn by that share. *rbp-a*, *-b*, *-c*: the document with the largest weight
 *  in rank-biased precision over all runs (after Moffat, Webber and Zobel, doi:10.1145/1277741.1277806), where *b* weighs runs by how much
 *  of them is unknown and *c* by how good they may be as well. */
export type JudgingOrderName = (typeof JUDGING_ORDERS)[number];

/** How documents are chosen. */
export interface JudgingOrderOptions {
  readonly order: JudgingOrderName;
  /** Of the bandits: 1 (the default) never forgets, 0 knows the last judgement only. */
  readonly memory?: number | undefined;
  /** Persistence of rank-biased precision; 0.8 by default. */
  readonly persistence?: number | undefined;
  /** 1 by default. */
  readonly seed?: number | undefined;
}

/** Chooses documents of one topic, one after another, and learns what became of each. */
export interface JudgingOrder {
  /** The next document to judge; undefined when all are. */
  next(): string | undefined;
  /** Whether the document that `next` gave is relevant. */
  tell(relevant: boolean): void;
}

/** Starts choosing documents of one topic.
 *  @param lists The documents of each run, the best first. Ties between runs go to the first.
 *  @param judged Documents that are judged already, with whether they are relevant; they are passed over. */
export function judgingOrder(
  lists: readonly (readonly string[])[],
  options: JudgingOrderOptions,
  judged: ReadonlyMap<string, boolean> = new Map(),
): JudgingOrder {
  const { order, memory = 1, persistence = 0.8, seed = 1 } = options;
  if (!(memory >= 0 && memory <= 1))
    throw new InputError({ message: `a memory of ${memory} has no meaning`, wayOut: 'choose it from 0 to 1' });
  if (!(persistence > 0 && persistence < 1)) {
    throw new InputError({ message: `a persistence of ${persistence} has no meaning`, wayOut: 'choose it between 0 and 1' });
  }
  if (order === 'rank') return new RankByRank(lists, judged);
  if (order === 'move-to-front') return new MoveToFront(lists, judged);
  if (order === 'bandit') return new Bandit(lists, judged, memory, undefined);
  if (order === 'thompson') return new Bandit(lists, judged, memory, seededRandom(seed));
  return new RankBiasedWeights(lists, judged, persistence, order);
}

class RankByRank implements JudgingOrder {
  private readonly seen: Set<string>;
  private readonly lists: readonly (readonly string[])[];
  private readonly deepest: number;
  private rank = 0;
  private run = 0;

  constructor(lists: readonly (readonly string[])[], judged: ReadonlyMap<string, boolean>) {
    this.lists = lists;
    this.seen = new Set(judged.keys());
    this.deepest = lists.reduce((most, list) => Math.max(most, list.length), 0);
  }

  next(): string | undefined {
    for (; this.rank < this.deepest; this.rank++, this.run = 0) {
      for (; this.run < this.lists.length; this.run++) {
        const doc = this.lists[this.run][this.rank];
        if (doc === undefined || this.seen.has(doc)) continue;
        this.seen.add(doc);
        return doc;
      }
    }
    return undefined;
  }

  tell(): void {}
}

/** Goes through lists from the top, past what was judged. */
class Cursors {
  private readonly lists: readonly (readonly string[])[];
  private readonly places: Uint32Array;
  private readonly seen: Set<string>;

  constructor(lists: readonly (readonly string[])[], judged: ReadonlyMap<string, boolean>) {
    this.lists = lists;
    this.places = new Uint32Array(lists.length); // fits: entries
    this.seen = new Set(judged.keys());
  }

  get size(): number {
    return this.lists.length;
  }

  /** The next document of a run that was not judged, without taking it. */
  peek(run: number): string | undefined {
    const list = this.lists[run];
    let place = this.places[run];
    while (place < list.length && this.seen.has(list[place])) place++;
    this.places[run] = place;
    return list[place];
  }

  take(doc: string): void {
    this.seen.add(doc);
  }
}

class MoveToFront implements JudgingOrder {
  private readonly cursors: Cursors;
  private readonly priorities: Int32Array;
  private current = -1;

  constructor(lists: readonly (readonly string[])[], judged: ReadonlyMap<string, boolean>) {
    this.cursors = new Cursors(lists, judged);
    this.priorities = new Int32Array(lists.length); // fits: numbers of entries, negated
  }

  next(): string | undefined {
    if (this.current >= 0) {
      const doc = this.cursors.peek(this.current);
      if (doc !== undefined) return this.taken(doc);
      this.current = -1;
    }
    let best: string | undefined;
    for (let run = 0; run < this.cursors.size; run++) {
      if (this.current >= 0 && this.priorities[run] <= this.priorities[this.current]) continue;
      const doc = this.cursors.peek(run);
      if (doc === undefined) continue;
      this.current = run;
      best = doc;
    }
    return best === undefined ? undefined : this.taken(best);
  }

  tell(relevant: boolean): void {
    if (relevant || this.current < 0) return;
    this.priorities[this.current]--;
    this.current = -1;
  }

  private taken(doc: string): string {
    this.cursors.take(doc);
    return doc;
  }
}

class Bandit implements JudgingOrder {
  private readonly cursors: Cursors;
  private readonly hits: Float64Array;
  private readonly misses: Float64Array;
  private readonly memory: number;
  private readonly random: Random | undefined;
  private played = -1;

  constructor(lists: readonly (readonly string[])[], judged: ReadonlyMap<string, boolean>, memory: number, random: Random | undefined) {
    this.cursors = new Cursors(lists, judged);
    this.hits = new Float64Array(lists.length).fill(1);
    this.misses = new Float64Array(lists.length).fill(1);
    this.memory = memory;
    this.random = random;
  }

  next(): string | undefined {
    let best: string | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (let run = 0; run < this.cursors.size; run++) {
      const doc = this.cursors.peek(run);
      if (doc === undefined) continue;
      const [a, b] = [this.hits[run], this.misses[run]];
      const value = this.random === undefined ? a / (a + b) : betaDraw(this.random, a, b);
      if (value <= most) continue;
      most = value;
      best = doc;
      this.played = run;
    }
    if (best !== undefined) this.cursors.take(best);
    return best;
  }

  tell(relevant: boolean): void {
    if (this.played < 0) return;
    this.hits[this.played] = 1 + this.memory * (this.hits[this.played] - 1) + (relevant ? 1 : 0);
    this.misses[this.played] = 1 + this.memory * (this.misses[this.played] - 1) + (relevant ? 0 : 1);
  }
}

class RankBiasedWeights implements JudgingOrder {
  private readonly docs: string[];
  private readonly placeOf: Map<string, number>;
  /** For each run, its documents by number; the weight of a rank is the same for all runs. */
  private readonly lists: Uint32Array[];
  private readonly rankWeights: Float64Array;
  private readonly kind: 'rbp-a' | 'rbp-b' | 'rbp-c';
  /** Of each run: the weight of its ranks that nobody judged, the tail included, and that of its relevant ones. */
  private readonly residuals: Float64Array;
  private readonly bases: Float64Array;
  private readonly open: Uint8Array;
  private current = -1;

  constructor(lists: readonly (readonly string[])[], judged: ReadonlyMap<string, boolean>, p: number, kind: 'rbp-a' | 'rbp-b' | 'rbp-c') {
    this.kind = kind;
    // in the order of ids, so that of equal weights the smaller id comes first
    this.docs = [...new Set(lists.flat())].sort(compareTexts);
    this.placeOf = new Map(this.docs.map((doc, d) => [doc, d]));
    this.lists = lists.map((list) => Uint32Array.from(list, (doc) => this.placeOf.get(doc) ?? 0)); // fits: entries
    const deepest = lists.reduce((most, list) => Math.max(most, list.length), 0);
    this.rankWeights = Float64Array.from({ length: deepest }, (_, i) => (1 - p) * p ** i);
    this.residuals = new Float64Array(lists.length).fill(1);
    this.bases = new Float64Array(lists.length);
    this.open = new Uint8Array(this.docs.length).fill(1); // fits: flags
    for (const [doc, relevant] of judged) {
      const d = this.placeOf.get(doc);
      if (d !== undefined) this.settle(d, relevant);
    }
  }

  next(): string | undefined {
    const weights = this.weights();
    let best = -1;
    for (let d = 0; d < weights.length; d++) {
      if (this.open[d] === 1 && (best < 0 || weights[d] > weights[best] + 1e-12 * weights[best])) best = d;
    }
    this.current = best;
    if (best < 0) return undefined;
    this.open[best] = 0;
    return this.docs[best];
  }

  tell(relevant: boolean): void {
    if (this.current >= 0) this.settle(this.current, relevant);
  }

  private cached: Float64Array | undefined;

  private weights(): Float64Array {
    if (this.cached !== undefined && this.kind === 'rbp-a') return this.cached;
    const weights = new Float64Array(this.docs.length);
    for (const [run, list] of this.lists.entries()) {
      const residual = this.residuals[run];
      const factor = this.kind === 'rbp-a' ? 1 : this.kind === 'rbp-b' ? residual : residual * (this.bases[run] + residual / 2) ** 3;
      for (let i = 0; i < list.length; i++) weights[list[i]] += this.rankWeights[i] * factor;
    }
    this.cached = weights;
    return weights;
  }

  private settle(doc: number, relevant: boolean): void {
    this.open[doc] = 0;
    for (const [run, list] of this.lists.entries()) {
      const at = list.indexOf(doc);
      if (at < 0) continue;
      this.residuals[run] -= this.rankWeights[at];
      if (relevant) this.bases[run] += this.rankWeights[at];
    }
  }
}

/** Judges documents in an order until the budget is spent or nothing is left.
 *  @param isRelevant What a judge would say. */
export function replayOrder(
  lists: readonly (readonly string[])[],
  options: JudgingOrderOptions,
  isRelevant: (doc: string) => boolean,
  budget: number = Number.POSITIVE_INFINITY,
): { readonly doc: string; readonly relevant: boolean }[] {
  const chooser = judgingOrder(lists, options);
  const judged: { doc: string; relevant: boolean }[] = [];
  while (judged.length < budget) {
    const doc = chooser.next();
    if (doc === undefined) break;
    const relevant = isRelevant(doc);
    judged.push({ doc, relevant });
    chooser.tell(relevant);
  }
  return judged;
}
