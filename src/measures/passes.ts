import { scratchFor } from '../core/growing-arrays.js';
import type { TopicView } from '../core/judging/judge.js';
import { DiscountedPass, type DiscountRule, discountKey } from './discounted-pass.js';
import { GainPass, type GainRule, gainKey, isUnjudged } from './gain-pass.js';

/** What is known of the whole collection of judgements before the first topic is looked at. */
export interface CollectionFacts {
  /** The highest grade that any document was given. */
  readonly highestGrade?: number | undefined;
}

/** One walk over a topic whose result several measures read. */
export interface Pass {
  update(topic: TopicView): void;
}

/** The walks that the chosen measures need, each done once per topic however many measures read it: all cutoffs of P, R,
 *  Success share one prefix count, all cutoffs of nDCG one prefix sum. */
export class Passes {
  readonly facts: CollectionFacts;
  private readonly byKey: Map<string, Pass> = new Map();
  private readonly inOrder: Pass[] = [];

  constructor(facts: CollectionFacts = {}) {
    this.facts = facts;
  }

  /** Brings every pass up to date with this topic. */
  update(topic: TopicView): void {
    for (const pass of this.inOrder) pass.update(topic);
  }

  /** Prefix counts of relevant documents. */
  relevance(level: number): RelevancePass {
    return this.shared(`relevance ${level}`, () => this.newRelevance(level));
  }

  /** Prefix sums of precision at relevant documents. */
  precision(level: number): PrecisionPass {
    const relevance = this.relevance(level);
    return this.shared(`precision ${level}`, () => this.newPrecision(relevance));
  }

  /** What users find who hold documents from different grades up to be relevant.
   *  @param key The same for the same thresholds. */
  sharedRelevance(key: string, thresholdsIn: (topic: TopicView) => LevelShares): SharedRelevancePass {
    return this.shared(`shared relevance ${key}`, () => {
      const relevance = this.newRelevance(1);
      return new SharedRelevancePass(thresholdsIn, relevance, this.newPrecision(relevance));
    });
  }

  protected newRelevance(level: number): RelevancePass {
    return new RelevancePass(level);
  }

  protected newPrecision(relevance: RelevancePass): PrecisionPass {
    return new PrecisionPass(relevance);
  }

  /** Best precision from each relevant document downwards. */
  interpolated(level: number): InterpolatedPass {
    const relevance = this.relevance(level);
    return this.shared(`interpolated ${level}`, () => new InterpolatedPass(relevance));
  }

  /** What each ranked document and each document of the ideal ranking is worth. */
  gains(rule: GainRule): GainPass {
    return this.shared(`gains ${gainKey(rule)}`, () => new GainPass(rule));
  }

  /** Prefix counts of documents that nobody judged, down to a depth. */
  unjudged(depth: number = Infinity): UnjudgedPass {
    return this.shared(`unjudged ${depth}`, () => new UnjudgedPass(depth));
  }

  /** Prefix sums of discounted gain, of the ranking and of the ideal one. */
  discounted(rule: GainRule, discount: DiscountRule): DiscountedPass {
    const gains = this.gains(rule);
    return this.shared(`discounted ${gainKey(rule)} ${discountKey(discount)}`, () => new DiscountedPass(gains, discount));
  }

  protected shared<T extends Pass>(key: string, make: () => T): T {
    const known = this.byKey.get(key);
    if (known !== undefined) return known as T;
    const pass = make();
    this.byKey.set(key, pass);
    this.inOrder.push(pass);
    return pass;
  }
}

/** Counts of what is at or above a grade. */
export class RelevancePass implements Pass {
  level: number;
  /** Relevant documents of the topic, retrieved or not. */
  numRelevant = 0;
  /** Judged documents of the topic that are not relevant. */
  numNonRelevant = 0;
  /** Ranked documents that were judged relevant. */
  numRelevantRetrieved = 0;
  /** hits[k] is the number of documents at or above the level among the first k. */
  hits: Uint32Array | Float64Array = new Uint32Array(1025); // fits: entries

  constructor(level: number) {
    this.level = level;
  }

  update(topic: TopicView): void {
    const { codes, start, numRetrieved, judged, judgedStart, numJudged } = topic;
    const { level } = this;

    // judged grades stand highest first
    let numRelevant = 0;
    const floor = Math.max(level, 0);
    while (numRelevant < numJudged && judged[judgedStart + numRelevant] >= floor) numRelevant++;
    this.numRelevant = numRelevant;
    this.numNonRelevant = level > 0 ? numJudged - numRelevant : 0;

    this.hits = scratchFor(this.hits, numRetrieved + 1);
    const { hits } = this;
    let hitsSoFar = 0;
    for (let i = 0; i < numRetrieved; i++) {
      if (codes[start + i] >= level) hitsSoFar++;
      hits[i + 1] = hitsSoFar;
    }
    if (level >= 0) {
      this.numRelevantRetrieved = hitsSoFar;
      return;
    }
    // below zero the level reaches documents without a judgement, which are hits but not relevant
    let numRelevantRetrieved = 0;
    for (let i = 0; i < numRetrieved; i++) if (codes[start + i] >= 0) numRelevantRetrieved++;
    this.numRelevantRetrieved = numRelevantRetrieved;
  }
}

/** Counts of what nobody judged. */
export class UnjudgedPass implements Pass {
  /** counts[k] is the number of documents without a judgement among the first k. */
  counts: Uint32Array | Float64Array = new Uint32Array(1025); // fits: entries
  private readonly depth: number;

  constructor(depth: number) {
    this.depth = depth;
  }

  update({ codes, start, numRetrieved }: TopicView): void {
    this.counts = scratchFor(this.counts, numRetrieved + 1);
    const { counts } = this;
    const end = Math.min(numRetrieved, this.depth);
    let soFar = 0;
    for (let i = 0; i < end; i++) {
      if (isUnjudged(codes[start + i])) soFar++;
      counts[i + 1] = soFar;
    }
  }
}

/** The sums behind average precision. */
export class PrecisionPass implements Pass {
  protected readonly relevance: RelevancePass;
  /** sums[k] is the sum of precisions at the relevant documents among the first k. */
  sums: Float64Array = new Float64Array(1025);

  constructor(relevance: RelevancePass) {
    this.relevance = relevance;
  }

  update(topic: TopicView): void {
    const { codes, start, numRetrieved } = topic;
    const { level } = this.relevance;
    this.sums = scratchFor(this.sums, numRetrieved + 1);
    const { sums } = this;
    let hitsSoFar = 0;
    let sum = 0;
    for (let i = 0; i < numRetrieved; i++) {
      if (codes[start + i] >= level) {
        hitsSoFar++;
        sum += hitsSoFar / (i + 1);
      }
      sums[i + 1] = sum;
    }
  }
}

/** Levels from which on documents are relevant, and the share of users for whom each is the level. */
export interface LevelShares {
  readonly grades: readonly number[];
  readonly shares: readonly number[];
}

/** The sums of what users find, each weighted by the share of its users. The levels are those that matter to the topic, one after the
 *  other in the same space. */
export class SharedRelevancePass implements Pass {
  /** The relevant documents of the topic, retrieved or not. */
  possible = 0;
  /** hits[k] is the sum of the relevant documents among the first k. */
  hits: Float64Array = new Float64Array(1025);
  /** precisionSums[k] is the sum of precisions at the relevant documents among the first k. */
  precisionSums: Float64Array = new Float64Array(1025);
  private readonly thresholdsIn: (topic: TopicView) => LevelShares;
  private readonly relevance: RelevancePass;
  private readonly precision: PrecisionPass;

  constructor(thresholdsIn: (topic: TopicView) => LevelShares, relevance: RelevancePass, precision: PrecisionPass) {
    this.thresholdsIn = thresholdsIn;
    this.relevance = relevance;
    this.precision = precision;
  }

  update(topic: TopicView): void {
    const { relevance, precision } = this;
    const end = topic.numRetrieved + 1;
    this.hits = scratchFor(this.hits, end).fill(0, 0, end);
    this.precisionSums = scratchFor(this.precisionSums, end).fill(0, 0, end);
    this.possible = 0;
    const { hits, precisionSums } = this;
    const { grades, shares } = this.thresholdsIn(topic);
    for (let j = 0; j < grades.length; j++) {
      if (!(shares[j] > 0)) continue;
      relevance.level = grades[j];
      relevance.update(topic);
      precision.update(topic);
      this.possible += shares[j] * relevance.numRelevant;
      for (let k = 1; k < end; k++) {
        hits[k] += shares[j] * relevance.hits[k];
        precisionSums[k] += shares[j] * precision.sums[k];
      }
    }
  }
}

/** The stairs of the interpolated recall-precision curve. */
export class InterpolatedPass implements Pass {
  private readonly relevance: RelevancePass;
  /** best[h] is the highest precision at or below the rank of the h-th relevant document; best[0] is the highest of all.
   *  An empty ranking has no precision: best[0] is NaN then. */
  best: Float64Array = new Float64Array(1025);

  constructor(relevance: RelevancePass) {
    this.relevance = relevance;
  }

  update(topic: TopicView): void {
    const { codes, start, numRetrieved } = topic;
    const { level, numRelevantRetrieved } = this.relevance;
    this.best = scratchFor(this.best, numRelevantRetrieved + 1);
    const { best } = this;
    let highest = numRelevantRetrieved / numRetrieved;
    let hitsLeft = numRelevantRetrieved;
    for (let i = numRetrieved - 1; i >= 0 && hitsLeft > 0; i--) {
      const precision = hitsLeft / (i + 1);
      if (precision > highest) highest = precision;
      if (codes[start + i] >= level) best[hitsLeft--] = highest;
    }
    best[0] = highest;
  }
}
