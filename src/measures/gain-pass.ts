import { scratchFor } from '../core/growing-arrays.js';
import { type TopicView, UNJUDGED } from '../core/judging/judge.js';
import { mergeSort, sortDescendingInPlace } from '../core/order.js';
import type { GainTable } from '../core/params.js';
import type { Pass } from './passes.js';

/** How a grade becomes a gain. */
export interface GainRule {
  /** *linear*: the grade itself; *exp*: 2^grade - 1; *exp-floor*: the same with the fraction of the grade cut off; *table*:
   *  nothing beyond the table; *binary*: 1 from `level` up. */
  readonly gain: 'linear' | 'exp' | 'exp-floor' | 'table' | 'binary';
  readonly level?: number;
  /** Gains for single grades, which go before the rule; -1 and -2 stand for documents without a judgement. */
  readonly table?: GainTable | undefined;
  /** How gains are sorted for the ideal ranking: properly (*exact*), or comparing whole parts of differences only
   *  (*whole*), which leaves gains less than 1 apart in the order of the table. */
  readonly idealOrder?: 'exact' | 'whole';
  /** Lower grades gain nothing. */
  readonly from?: number | undefined;
  /** Gains that do not lie between 0 and 1 are shifted and scaled so that they do, each topic for itself. */
  readonly scaled?: boolean;
  /** These two grades gain 0 and 1; gains beyond are cut off. */
  readonly between?: readonly [low: number, high: number];
  /** What the ideal ranking is made of: all judged documents of the topic, or the documents of the ranking itself. */
  readonly ideal?: 'judged' | 'list';
}

/** A text that is the same for the same rule, so that measures with one rule share one pass. */
export function gainKey(rule: GainRule): string {
  const table = rule.table === undefined ? '' : rule.table.join(';');
  return [
    rule.gain,
    rule.level,
    rule.idealOrder ?? 'exact',
    rule.scaled ?? false,
    rule.between,
    rule.ideal ?? 'judged',
    rule.from,
    table,
  ].join(' ');
}

function plainGain({ gain, level = 1, from }: GainRule, grade: number): number {
  if (from !== undefined && grade < from) return 0;
  switch (gain) {
    case 'linear':
      return grade;
    case 'exp':
      return 2 ** grade - 1;
    case 'exp-floor':
      return 2 ** Math.floor(grade) - 1;
    case 'binary':
      return grade >= level ? 1 : 0;
    case 'table':
      return 0;
  }
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

  private readonly level: number;
  private readonly low: number;
  private readonly width: number;
  private readonly gainCounts: Uint32Array = new Uint32Array(64); // fits: entries
  /** The gains of grades 0 to 7, where there is a table. */
  private readonly fewGains: Float64Array = new Float64Array(8);

  constructor(rule: GainRule) {
    this.rule = rule;
    this.level = rule.level ?? 1;
    const [low, high] = rule.between ?? [0, 1];
    this.low = plainGain(rule, low);
    this.width = plainGain(rule, high) - this.low;
  }

  update(topic: TopicView): void {
    const { codes, start, numRetrieved, judged, judgedStart, numJudged } = topic;
    const { rule } = this;
    this.ranked = scratchFor(this.ranked, numRetrieved);
    this.ideal = scratchFor(this.ideal, numJudged);
    this.numRetrieved = numRetrieved;
    if (rule.table !== undefined) {
      this.updateFromTable(topic, rule.table);
      return;
    }
    const { ranked, ideal } = this;
    this.fill(codes, start, numRetrieved, ranked);
    this.fill(judged, judgedStart, numJudged, ideal);
    // judged grades stand highest first, and so do their gains
    let numIdeal = 0;
    while (numIdeal < numJudged && ideal[numIdeal] > 0) numIdeal++;
    this.top = numJudged > 0 ? ideal[0] : 0;
    if (rule.scaled && this.top > 1) for (let i = 0; i < numRetrieved; i++) ranked[i] /= this.top;
    this.numIdeal = numIdeal;
    this.afterIdeal = numIdeal > 0 ? 0 : undefined;
    if (rule.ideal === 'list') this.takeIdealFromList();
  }

  /** What ranked or judged documents are worth, tables apart; documents without a judgement are worth nothing. */
  private fill(codes: Float64Array, start: number, count: number, gains: Float64Array): void {
    const { rule, level, low, width } = this;
    if (rule.gain === 'binary') {
      for (let i = 0; i < count; i++) gains[i] = codes[start + i] >= level ? 1 : 0;
    } else if (rule.gain === 'linear' && rule.between === undefined && rule.from === undefined) {
      for (let i = 0; i < count; i++) {
        const code = codes[start + i];
        if (code > 0) gains[i] = code;
        else gains[i] = 0;
      }
    } else {
      for (let i = 0; i < count; i++) {
        const gain = codes[start + i] > 0 ? plainGain(rule, codes[start + i]) : 0;
        gains[i] = rule.between === undefined ? gain : Math.min(1, Math.max(0, (gain - low) / width));
      }
    }
  }

  /** The ideal ranking of the documents that were retrieved. */
  private takeIdealFromList(): void {
    const { ranked, numRetrieved } = this;
    this.ideal = scratchFor(this.ideal, numRetrieved);
    let numIdeal = 0;
    for (let i = 0; i < numRetrieved; i++) if (ranked[i] > 0) this.ideal[numIdeal++] = ranked[i];
    sortDescendingInPlace(this.ideal, 0, numIdeal, this.gainCounts);
    this.numIdeal = numIdeal;
    this.afterIdeal = numIdeal > 0 ? 0 : undefined;
    this.top = numIdeal > 0 ? this.ideal[0] : 0;
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
    // nearly all grades are small whole numbers, for which a look into the map would take long
    const { fewGains } = this;
    for (let grade = 0; grade < fewGains.length; grade++) fewGains[grade] = gainOf.get(grade) ?? 0;
    for (let i = 0; i < numRetrieved; i++) {
      const code = codes[start + i];
      ranked[i] = fewGains[code] ?? gainOf.get(code) ?? 0;
    }

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
    if (rule.ideal === 'list') this.takeIdealFromList();
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

/** True for a document that nobody judged, in the pool or not. */
export function isUnjudged(code: number): boolean {
  return code <= UNJUDGED;
}
