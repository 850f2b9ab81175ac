import { type TopicView, UNJUDGED } from '../core/judge.js';
import { logTable } from '../core/logarithm.js';
import { mergeSort } from '../core/order.js';
import type { GainTable } from './measure.js';

/** One walk over a topic whose result several measures read. */
interface Pass {
  update(topic: TopicView): void;
}

/** The walks that the chosen measures need, each done once per topic however many measures read it: all cutoffs of P, R,
 *  Success share one prefix count, all cutoffs of nDCG one prefix sum. */
export class Passes {
  private readonly byKey: Map<string, Pass> = new Map();
  private readonly inOrder: Pass[] = [];

  /** Brings every pass up to date with this topic. */
  update(topic: TopicView): void {
    for (const pass of this.inOrder) pass.update(topic);
  }

  /** Prefix counts of relevant documents. */
  relevance(level: number): RelevancePass {
    return this.shared(`relevance ${level}`, () => new RelevancePass(level));
  }

  /** Prefix sums of precision at relevant documents. */
  precision(level: number): PrecisionPass {
    const relevance = this.relevance(level);
    return this.shared(`precision ${level}`, () => new PrecisionPass(relevance));
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

  /** Prefix sums of discounted gain, of the ranking and of the ideal one. */
  discounted(rule: GainRule, discount: DiscountRule): DiscountedPass {
    const gains = this.gains(rule);
    return this.shared(`discounted ${gainKey(rule)} ${discount}`, () => new DiscountedPass(gains, discount));
  }

  private shared<T extends Pass>(key: string, make: () => T): T {
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
  readonly level: number;
  /** Relevant documents of the topic, retrieved or not. */
  numRelevant = 0;
  /** Judged documents of the topic that are not relevant. */
  numNonRelevant = 0;
  /** Ranked documents that were judged relevant. */
  numRelevantRetrieved = 0;
  /** hits[k] is the number of documents at or above the level among the first k. */
  hits: Uint32Array = new Uint32Array(1025);

  constructor(level: number) {
    this.level = level;
  }

  update(topic: TopicView): void {
    const { codes, start, numRetrieved, judged, judgedStart, numJudged } = topic;
    const { level } = this;

    // judged grades stand highest first
    let numRelevant = 0;
    const floor = level > 0 ? level : 0;
    while (numRelevant < numJudged && judged[judgedStart + numRelevant] >= floor) numRelevant++;
    this.numRelevant = numRelevant;
    this.numNonRelevant = level > 0 ? numJudged - numRelevant : 0;

    if (this.hits.length <= numRetrieved) this.hits = new Uint32Array(numRetrieved * 2 + 1);
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

/** The sums behind average precision. */
export class PrecisionPass implements Pass {
  private readonly relevance: RelevancePass;
  /** sums[k] is the sum of precisions at the relevant documents among the first k. */
  sums: Float64Array = new Float64Array(1025);

  constructor(relevance: RelevancePass) {
    this.relevance = relevance;
  }

  update(topic: TopicView): void {
    const { codes, start, numRetrieved } = topic;
    const { level } = this.relevance;
    if (this.sums.length <= numRetrieved) this.sums = new Float64Array(numRetrieved * 2 + 1);
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
    if (this.best.length <= numRelevantRetrieved) this.best = new Float64Array(numRelevantRetrieved * 2 + 1);
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

/** How a grade becomes a gain. */
export interface GainRule {
  /** *linear*: the grade itself; *exp*: 2^grade - 1. */
  readonly gain: 'linear' | 'exp';
  /** Gains for single grades, which go before the rule; -1 and -2 stand for documents without a judgement. */
  readonly table?: GainTable | undefined;
  /** How gains are sorted for the ideal ranking: properly (*exact*), or comparing whole parts of differences only
   *  (*whole*), which leaves gains less than 1 apart in the order of the table. */
  readonly idealOrder?: 'exact' | 'whole';
  /** Gains that do not lie between 0 and 1 are shifted and scaled so that they do, each topic for itself. */
  readonly scaled?: boolean;
}

/** What divides a gain at rank i: log2(i + 1). */
export type DiscountRule = 'log2';

function gainKey(rule: GainRule): string {
  const table = rule.table === undefined ? '' : rule.table.join(';');
  return `${rule.gain} ${rule.idealOrder ?? 'exact'} ${rule.scaled ?? false} ${table}`;
}

function plainGain(rule: GainRule, grade: number): number {
  return rule.gain === 'linear' ? grade : 2 ** grade - 1;
}

/** Gains of the ranking and of the ideal one. */
export class GainPass implements Pass {
  readonly rule: GainRule;
  /** Gain at each rank of the ranking. */
  ranked: Float64Array = new Float64Array(1024);
  numRetrieved = 0;
  /** The positive gains of the ideal ranking, in its order. */
  ideal: Float64Array = new Float64Array(1024);
  numIdeal = 0;
  /** The first gain of the ideal ranking that is not positive; undefined if there is no positive one before it. */
  afterIdeal: number | undefined = undefined;
  /** The gain that sorts highest, whether or not a document has it. */
  top = 0;

  constructor(rule: GainRule) {
    this.rule = rule;
  }

  update(topic: TopicView): void {
    const { codes, start, numRetrieved, judged, judgedStart, numJudged } = topic;
    const { rule } = this;
    if (this.ranked.length < numRetrieved) this.ranked = new Float64Array(numRetrieved * 2);
    if (this.ideal.length < numJudged) this.ideal = new Float64Array(numJudged * 2);
    this.numRetrieved = numRetrieved;
    if (rule.table !== undefined) {
      this.updateFromTable(topic, rule.table);
      return;
    }
    const { ranked, ideal } = this;
    const exponential = rule.gain === 'exp';
    for (let i = 0; i < numRetrieved; i++) {
      const code = codes[start + i];
      ranked[i] = code > 0 ? (exponential ? 2 ** code - 1 : code) : 0;
    }
    this.top = numJudged > 0 ? plainGain(rule, judged[judgedStart]) : 0;
    if (rule.scaled && this.top > 1) for (let i = 0; i < numRetrieved; i++) ranked[i] /= this.top;
    let numIdeal = 0;
    while (numIdeal < numJudged && judged[judgedStart + numIdeal] > 0) {
      const grade = judged[judgedStart + numIdeal];
      ideal[numIdeal++] = exponential ? 2 ** grade - 1 : grade;
    }
    this.numIdeal = numIdeal;
    this.afterIdeal = numIdeal > 0 ? 0 : undefined;
  }

  /** With a table the gains need not ascend with the grades, so the ideal order has to be found. */
  private updateFromTable(topic: TopicView, table: GainTable): void {
    const { codes, start, numRetrieved, judged, judgedStart, numJudged } = topic;
    const { rule, ranked } = this;

    // the table's grades first, then the others of the topic, each with its number of judged documents
    const entries = table.map(([grade, gain]) => ({ grade, gain, count: 0 }));
    for (const grade of gradesUpTo(judged, judgedStart, numJudged)) {
      let count = 0;
      for (let i = 0; i < numJudged; i++) if (judged[judgedStart + i] === grade) count++;
      const listed = entries.find((entry) => entry.grade === grade);
      if (listed !== undefined) listed.count = count;
      else entries.push({ grade, gain: plainGain(rule, grade), count });
    }
    const sorted = mergeSort(entries, (a, b) => (rule.idealOrder === 'whole' ? wholeDifference(a.gain, b.gain) : a.gain - b.gain));

    const lowest = sorted.reduce((low, { gain }) => Math.min(low, gain), 0);
    const highest = sorted.reduce((high, { gain }) => Math.max(high, gain), 0);
    const scaled = rule.scaled && (lowest < 0 || highest > 1);
    const gainOf = new Map<number, number>();
    for (const { grade, gain } of sorted) {
      if (!gainOf.has(grade)) gainOf.set(grade, scaled ? (gain - lowest) / (highest - lowest) : gain);
    }
    for (let i = 0; i < numRetrieved; i++) ranked[i] = gainOf.get(codes[start + i]) ?? 0;

    // the ideal ranking takes documents from the end of the list, until the gain is no longer positive
    this.numIdeal = 0;
    this.afterIdeal = undefined;
    let last = sorted.length - 1;
    let gain = last >= 0 ? sorted[last].gain : 0;
    this.top = gain;
    let taken = 0;
    while (gain > 0) {
      taken++;
      while (last >= 0 && taken > sorted[last].count) {
        taken = 1;
        last--;
        gain = last >= 0 ? sorted[last].gain : 0;
      }
      if (gain > 0) this.ideal[this.numIdeal++] = gain;
      else this.afterIdeal = gain;
    }
  }
}

/** The difference as a C integer, which is negative where it does not fit. */
function wholeDifference(a: number, b: number): number {
  const whole = Math.trunc(a - b);
  return whole >= -(2 ** 31) && whole < 2 ** 31 ? whole : -(2 ** 31);
}

/** The grades a table has to cover: every whole grade up to the highest, and the others that occur. Grades may be
 *  hostile, so whole grades without a document are only listed while they are few. */
function gradesUpTo(judged: Float64Array, start: number, count: number): number[] {
  const grades = new Set<number>();
  const highest = count > 0 ? judged[start] : -1;
  if (highest <= 10_000) for (let grade = 0; grade <= highest; grade++) grades.add(grade);
  for (let i = count - 1; i >= 0; i--) grades.add(judged[start + i]);
  return [...grades].sort((a, b) => a - b);
}

/** Discounted cumulated gain at every rank. */
export class DiscountedPass implements Pass {
  readonly gains: GainPass;
  /** logs[k] is log2(k), up to the deepest rank there is plus one. */
  logs: Float64Array = new Float64Array(0);
  /** sums[k] is the discounted gain of the first k documents. */
  sums: Float64Array = new Float64Array(1025);
  /** idealSums[k] is that of the ideal ranking; it stops growing at numIdeal. */
  idealSums: Float64Array = new Float64Array(1025);

  constructor(gains: GainPass, _discount: DiscountRule) {
    this.gains = gains;
  }

  update(_topic: TopicView): void {
    const { ranked, numRetrieved, ideal, numIdeal } = this.gains;
    if (this.sums.length <= numRetrieved) this.sums = new Float64Array(numRetrieved * 2 + 1);
    if (this.idealSums.length <= numIdeal) this.idealSums = new Float64Array(numIdeal * 2 + 1);
    const deepest = Math.max(numRetrieved, numIdeal) + 2;
    if (this.logs.length < deepest) this.logs = logTable(Math.max(1024, 2 * deepest), 2);
    const { sums, idealSums, logs } = this;
    let sum = 0;
    for (let i = 0; i < numRetrieved; i++) {
      if (ranked[i] !== 0) sum += ranked[i] / logs[i + 2];
      sums[i + 1] = sum;
    }
    sum = 0;
    for (let i = 0; i < numIdeal; i++) {
      sum += ideal[i] / logs[i + 2];
      idealSums[i + 1] = sum;
    }
  }
}

/** True for a document that nobody judged, in the pool or not. */
export function isUnjudged(code: number): boolean {
  return code <= UNJUDGED;
}
