import { GEOMETRIC_FLOOR } from '../../core/aggregate.js';
import { POOLED } from '../../core/judging/judge.js';

/** How a measure of trec_eval 8.1 becomes one number for all topics: the sum, the mean over topics, the exponential of the mean
 *  logarithm, the sum divided by all relevant documents, or not at all. */
type Summary = 'sum' | 'mean' | 'geometric' | 'per relevant' | 'topic only';

/** A measure of trec_eval 8.1, and how it is summed up over topics. */
export interface Measure81 {
  readonly name: string;
  readonly summary: Summary;
}

const cutoffs = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
const tenths = Array.from({ length: 11 }, (_, i) => i);
/** Recall is averaged over this many non-relevant documents. */
const MOST_FALLOUT = 142;
const INFAP_EPSILON = 0.00001;

const multiples = tenths.slice(1).map((i) => (i / 5).toFixed(2));
const falloutLevels = tenths.map((i) => Math.floor((MOST_FALLOUT * i) / 10));
/** Bounds on the number of non-relevant documents that preferences are counted against, by number of relevant ones. */
const preferenceBounds: Readonly<Record<string, (relevant: number) => number>> = {
  bpref: (relevant) => relevant,
  bpref_topnonrel: () => 100,
  bpref_top10pRnonrel: (relevant) => relevant + 10,
  bpref_top25pRnonrel: (relevant) => relevant + 25,
  bpref_top50pRnonrel: (relevant) => relevant + 50,
  bpref_top25p2Rnonrel: (relevant) => 2 * relevant + 25,
};

function named(summary: Summary, ...names: readonly string[]): Measure81[] {
  return names.map((name) => ({ name, summary }));
}

/** What `-a` prints, in its order. */
export const allMeasures81: readonly Measure81[] = [
  ...named('sum', 'num_ret', 'num_rel', 'num_rel_ret'),
  ...named('mean', 'map'),
  ...named('geometric', 'gm_ap'),
  ...named('mean', 'R-prec', 'bpref', 'recip_rank'),
  ...named('sum', 'num_nonrel_judged_ret'),
  ...named('mean', 'exact_prec', 'exact_recall', '11-pt_avg', '3-pt_avg'),
  ...named('per relevant', 'avg_doc_prec'),
  ...named('mean', 'exact_relative_prec', 'avg_relative_prec', 'exact_unranked_avg_prec', 'exact_relative_unranked_avg_prec'),
  ...named('mean', 'map_at_R', 'int_map', 'exact_int_R_rcl_prec', 'int_map_at_R'),
  ...named('mean', 'bpref_allnonrel', 'bpref_retnonrel', 'bpref_topnonrel', 'bpref_top5Rnonrel', 'bpref_top10Rnonrel'),
  ...named('mean', 'bpref_top10pRnonrel', 'bpref_top25pRnonrel', 'bpref_top50pRnonrel', 'bpref_top25p2Rnonrel'),
  ...named('mean', 'bpref_retall', 'bpref_5', 'bpref_10', 'bpref_num_all', 'bpref_num_ret'),
  ...named('sum', 'bpref_num_correct', 'bpref_num_possible'),
  ...named('mean', 'old_bpref', 'old_bpref_top10pRnonrel', 'infAP'),
  ...named('geometric', 'gm_bpref'),
  ...named('topic only', 'rank_first_rel'),
  ...named('mean', ...tenths.map((i) => `ircl_prn.${(i / 10).toFixed(2)}`)),
  ...named('mean', ...cutoffs.map((k) => `P${k}`)),
  ...named('mean', ...cutoffs.map((k) => `recall${k}`)),
  ...named('mean', ...multiples.map((multiple) => `${multiple}R-prec`)),
  ...named('mean', ...cutoffs.map((k) => `relative_prec${k}`)),
  ...named('mean', ...cutoffs.map((k) => `unranked_avg_prec${k}`)),
  ...named('mean', ...cutoffs.map((k) => `relative_unranked_avg_prec${k}`)),
  ...named('mean', 'utility_1.0_-1.0_0.0_0.0', `rcl_at_${MOST_FALLOUT}_nonrel`),
  ...named('mean', ...falloutLevels.map((level) => `fallout_recall_${level}`)),
  ...named('mean', ...multiples.map((multiple) => `int_${multiple}R-prec`)),
];

/** Totals that are divided by totals. */
export const microMeasures81: readonly (readonly [name: string, over: string, under: string])[] = [
  ['micro_prec', 'num_rel_ret', 'num_ret'],
  ['micro_recall', 'num_rel_ret', 'num_rel'],
  ['micro_bpref', 'bpref_num_correct', 'bpref_num_possible'],
];

/** The values of one topic by name. The program keeps them in 32 bits, and so does this: every addition is rounded, and sums run from the
 *  last rank to the first. That is why the measures of `src/measures`, which add 64-bit numbers from the first rank on, cannot be called
 *  here: their fourth decimal differs now and then. */
export type Values81 = Map<string, number>;

/** One topic of trec_eval 8.1: the codes of its ranked documents, and how many judged ones are relevant and are not. */
export interface Topic81 {
  readonly codes: Float64Array;
  readonly numRelevant: number;
  readonly numNonRelevant: number;
}

/** A quotient in 32 bits. */
function share(part: number, whole: number): number {
  return Math.fround(part / whole);
}

/** All values of one topic, with the 32-bit roundings of trec_eval 8.1. */
export function topicValues81(topic: Topic81): Values81 {
  const values: Values81 = new Map(allMeasures81.map(({ name }) => [name, 0]));
  if (topic.codes.length > 0) {
    const ranking = new Ranking81(topic);
    ranking.addCutoffs(values);
    ranking.addRecallLevels(values);
    ranking.addFallout(values);
    ranking.addAverages(values);
    ranking.addSets(values);
    addPreferences(topic, ranking.numRelevantRetrieved, values);
  }
  values.set('gm_ap', Math.fround(Math.log(Math.max(get(values, 'map'), GEOMETRIC_FLOOR))));
  values.set('gm_bpref', Math.fround(Math.log(Math.max(get(values, 'bpref'), GEOMETRIC_FLOOR))));
  return values;
}

function get(values: Values81, name: string): number {
  return values.get(name) ?? 0;
}

function add(values: Values81, name: string, amount: number): void {
  values.set(name, Math.fround(get(values, name) + amount));
}

/** Precision and recall at every rank. */
class Ranking81 {
  readonly numRelevantRetrieved: number;
  private readonly codes: Float64Array;
  private readonly numRelevant: number;
  private readonly numRetrieved: number;
  /** Relevant documents down to each rank, and the best precision from each rank on. */
  private readonly hits: number[] = [0];
  private readonly best: number[];

  constructor({ codes, numRelevant }: Topic81) {
    this.codes = codes;
    this.numRelevant = numRelevant;
    this.numRetrieved = codes.length;
    for (const code of codes) this.hits.push(this.hits[this.hits.length - 1] + (code >= 1 ? 1 : 0));
    this.numRelevantRetrieved = this.hits[codes.length];
    this.best = Array.from({ length: codes.length + 1 }, () => this.precision(codes.length));
    for (let rank = codes.length - 1; rank > 0; rank--) this.best[rank] = Math.max(this.best[rank + 1], this.precision(rank));
  }

  private precision(rank: number): number {
    return this.hits[rank] > 0 ? share(this.hits[rank], rank) : 0;
  }

  private recall(rank: number): number {
    return this.hits[rank] > 0 ? share(this.hits[rank], this.numRelevant) : 0;
  }

  private isRelevant(rank: number): boolean {
    return this.codes[rank - 1] >= 1;
  }

  addCutoffs(values: Values81): void {
    const { numRetrieved, numRelevant, numRelevantRetrieved } = this;
    for (const k of cutoffs) {
      const reached = k <= numRetrieved;
      const precision = reached ? this.precision(k) : share(numRelevantRetrieved, k);
      const recall = this.recall(Math.min(k, numRetrieved));
      const relative = k < numRelevant ? precision : recall;
      add(values, `P${k}`, precision);
      add(values, `recall${k}`, recall);
      add(values, `relative_prec${k}`, relative);
      add(values, `unranked_avg_prec${k}`, precision * recall);
      // beyond the end it is the precision that is squared, not the relative precision
      add(values, `relative_unranked_avg_prec${k}`, reached ? relative * relative : precision * precision);
    }
    for (const [i, multiple] of multiples.entries()) {
      const rank = Math.floor((2 * numRelevant * (i + 1) + 9) / 10);
      if (rank === 0) continue;
      add(values, `${multiple}R-prec`, rank <= numRetrieved ? this.precision(rank) : share(numRelevantRetrieved, rank));
      add(values, `int_${multiple}R-prec`, rank <= numRetrieved ? this.best[rank] : share(numRelevantRetrieved, rank));
    }
    if (numRelevant === 0) return;
    const reached = numRelevant <= numRetrieved;
    add(values, 'R-prec', reached ? this.precision(numRelevant) : share(numRelevantRetrieved, numRelevant));
    add(values, 'exact_int_R_rcl_prec', reached ? this.best[numRelevant] : share(numRelevantRetrieved, numRelevant));
  }

  addRecallLevels(values: Values81): void {
    const levels = tenths.map((i) => {
      const wanted = Math.floor((this.numRelevant * i + 9) / 10);
      if (i === 0) return this.best[1];
      return wanted > 0 && wanted <= this.numRelevantRetrieved ? this.best[this.hits.indexOf(wanted)] : 0;
    });
    let sum = 0;
    for (const [i, level] of levels.entries()) {
      add(values, `ircl_prn.${(i / 10).toFixed(2)}`, level);
      sum = Math.fround(sum + level);
    }
    add(values, '11-pt_avg', share(sum, levels.length));
    add(values, '3-pt_avg', Math.fround(Math.fround(levels[2] + levels[5]) + levels[8]) / 3);
    const first = this.hits.indexOf(1);
    if (first < 0) return;
    add(values, 'recip_rank', 1 / first);
    values.set('rank_first_rel', first);
  }

  /** Recall just before a further non-relevant document. */
  addFallout(values: Values81): void {
    const { numRetrieved, numRelevantRetrieved } = this;
    const numMissed = numRetrieved - numRelevantRetrieved;
    const bounds = tenths.map((i) => Math.floor((MOST_FALLOUT * i + 9) / 10));
    // the levels are looked for from the highest down, and the search waits for one that is reached exactly and never passed
    let level = bounds.length - 1;
    while (level > 0 && bounds[level] > numMissed) level--;
    for (let rank = numRetrieved; rank > 0; rank--) {
      if (this.isRelevant(rank)) continue;
      if (level >= 0 && rank - this.hits[rank] === bounds[level] + 1)
        add(values, `fallout_recall_${falloutLevels[level--]}`, this.recall(rank));
    }
    for (const [i, bound] of bounds.entries()) {
      if (numMissed < bound) values.set(`fallout_recall_${falloutLevels[i]}`, this.recall(numRetrieved));
    }
  }

  /** Sums over ranks, from the last to the first as the program adds them. */
  addAverages(values: Values81): void {
    const { numRetrieved, numRelevant, numRelevantRetrieved } = this;
    const fallout = `rcl_at_${MOST_FALLOUT}_nonrel`;
    for (let rank = numRetrieved; rank > 0; rank--) {
      const precision = this.precision(rank);
      add(values, 'avg_relative_prec', rank > numRelevant ? this.recall(rank) : precision);
      if (rank < numRelevant) {
        add(values, 'map_at_R', precision);
        add(values, 'int_map_at_R', this.best[rank]);
      }
      if (this.isRelevant(rank)) {
        add(values, 'int_map', this.best[rank]);
        add(values, 'map', precision);
        add(values, 'avg_doc_prec', precision);
      } else if (rank - this.hits[rank] < MOST_FALLOUT) add(values, fallout, this.recall(rank));
    }
    const numMissed = numRetrieved - numRelevantRetrieved;
    if (numMissed < MOST_FALLOUT) add(values, fallout, (MOST_FALLOUT - numMissed) * this.recall(numRetrieved));
    for (let rank = numRetrieved; rank < numRelevant; rank++) {
      add(values, 'map_at_R', share(numRelevantRetrieved, rank));
      add(values, 'int_map_at_R', share(numRelevantRetrieved, rank));
    }
    divide(values, numRelevantRetrieved > 0 ? numRelevant : 1, 'map', 'int_map');
    divide(values, MOST_FALLOUT, fallout);
    divide(values, numRetrieved, 'avg_relative_prec');
    divide(values, numRelevant > 0 ? numRelevant : 1, 'map_at_R', 'int_map_at_R');
  }

  /** What does not depend on the order. */
  addSets(values: Values81): void {
    const { numRetrieved, numRelevant, numRelevantRetrieved } = this;
    values.set('num_ret', numRetrieved);
    values.set('num_rel', numRelevant);
    values.set('num_rel_ret', numRelevantRetrieved);
    if (numRelevant === 0) return;
    const recall = Math.fround(numRelevantRetrieved / numRelevant);
    const precision = Math.fround(numRelevantRetrieved / numRetrieved);
    add(values, 'exact_recall', recall);
    add(values, 'exact_prec', precision);
    add(values, 'exact_unranked_avg_prec', recall * precision);
    add(values, 'exact_relative_prec', numRelevant > numRetrieved ? precision : recall);
    add(values, 'exact_relative_unranked_avg_prec', precision * precision);
    add(values, 'utility_1.0_-1.0_0.0_0.0', numRelevantRetrieved - (numRetrieved - numRelevantRetrieved));
  }
}

function divide(values: Values81, by: number, ...names: readonly string[]): void {
  for (const name of names) values.set(name, share(get(values, name), by));
}

/** Measures that look at judged documents only. */
function addPreferences({ codes, numRelevant, numNonRelevant }: Topic81, numRelevantRetrieved: number, values: Values81): void {
  const isNonRelevant = (code: number): boolean => code >= 0 && code < 1;
  const numMissed = codes.reduce((count, code) => count + (isNonRelevant(code) ? 1 : 0), 0);
  values.set('num_nonrel_judged_ret', numMissed);
  const against = (name: string, before: number, all: number): void => add(values, name, before === 0 ? 1 : 1 - share(before, all));
  let before = 0;
  let found = 0;
  let pooled = 0;
  let within5 = 0;
  let within10 = 0;
  for (const [place, code] of codes.entries()) {
    if (code === POOLED) pooled++;
    else if (isNonRelevant(code)) {
      // the second count never passes the bound of the first
      if (before < 5 * numRelevant) {
        within5++;
        if (before < 10 * numRelevant) within10++;
      }
      before++;
    }
    if (!(code >= 1)) continue;
    found++;
    for (const [name, boundOf] of Object.entries(preferenceBounds)) {
      const bound = boundOf(numRelevant);
      against(name, Math.min(before, bound), Math.min(numNonRelevant, bound));
    }
    against('old_bpref', Math.min(before, numRelevant), Math.min(numMissed, numRelevant));
    against('old_bpref_top10pRnonrel', Math.min(before, numRelevant + 10), Math.min(numMissed, numRelevant + 10));
    against('bpref_allnonrel', before, numNonRelevant);
    against('bpref_retnonrel', before, numMissed);
    against('bpref_retall', before, numMissed);
    for (const most of [5, 10]) {
      if (found <= most && before < most) against(`bpref_${most}`, before, Math.min(numNonRelevant, most));
    }
    // without a special case for nothing before, so that no non-relevant document at all makes 0/0
    add(values, 'bpref_top5Rnonrel', 1 - share(within5, Math.min(numNonRelevant, 5 * numRelevant)));
    add(values, 'bpref_top10Rnonrel', 1 - share(within10, Math.min(numNonRelevant, 10 * numRelevant)));
    if (before > 0) {
      const correct = Math.min(numNonRelevant, numRelevant) - Math.min(before, numRelevant);
      values.set('bpref_num_correct', get(values, 'bpref_num_correct') + correct);
    }
    add(values, 'bpref_num_all', numNonRelevant - before);
    add(values, 'bpref_num_ret', numMissed - before);
    add(values, 'infAP', place === 0 ? 1 : inferredPrecision(place, found - 1, before, pooled));
  }
  if (numRelevant === 0) return;
  divide(values, numRelevant, ...Object.keys(preferenceBounds), 'old_bpref', 'old_bpref_top10pRnonrel', 'bpref_allnonrel');
  divide(values, numRelevant, 'bpref_retnonrel', 'bpref_top5Rnonrel', 'bpref_top10Rnonrel', 'infAP');
  if (numRelevantRetrieved > 0) {
    divide(values, numRelevantRetrieved, 'bpref_retall');
    for (const most of [5, 10]) divide(values, Math.min(found, most), `bpref_${most}`);
  }
  values.set('bpref_num_possible', numRelevant * Math.min(numNonRelevant, numRelevant));
}

/** Precision expected at a relevant document with `place` documents before it, of which some were judged. */
function inferredPrecision(place: number, relevant: number, nonRelevant: number, pooled: number): number {
  const inPool = Math.fround((relevant + nonRelevant + pooled) / place);
  const isRelevant = (relevant + INFAP_EPSILON) / (relevant + nonRelevant + 2 * INFAP_EPSILON);
  return 1 / (place + 1) + (place / (place + 1)) * inPool * isRelevant;
}

/** One number of many topics, in the order in which they were evaluated. */
export function summary81({ name, summary }: Measure81, topics: readonly Values81[]): number {
  const total = (of: string): number => topics.reduce((sum, values) => sum + get(values, of), 0);
  if (summary === 'sum') return total(name);
  let sum = 0;
  for (const values of topics) sum = Math.fround(sum + get(values, name));
  if (summary === 'per relevant') return share(sum, total('num_rel'));
  return summary === 'geometric' ? Math.exp(share(sum, topics.length)) : share(sum, topics.length);
}
