import { seededRandom } from '../core/numbers/random.js';
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import { apCorrelation } from '../stats/correlation/ap-correlation.js';
import { kendallTau } from '../stats/correlation/kendall-tau.js';

/** The systems' values under some measure, convention, tie rule, judgement depth or set of topics. */
export interface Condition {
  readonly name: string;
  /** One value per system, larger is better. */
  readonly values: Float64Array;
}

/** How far two conditions agree about the order of systems. */
export interface OrderAgreement {
  readonly first: string;
  readonly second: string;
  readonly tau: number;
  /** Errors near the top weigh more. */
  readonly tauAp: number;
  /** Pairs of systems that the two order differently. */
  readonly swapped: number;
  readonly pairs: number;
}

/** Compares every pair of conditions. */
export function orderAgreements(conditions: readonly Condition[]): OrderAgreement[] {
  return conditions.flatMap((first, i) =>
    conditions.slice(i + 1).map((second) => {
      const isFlat = [first, second].some(({ values }) => values.every((value) => value === values[0]));
      if (isFlat || first.values.length < 2) {
        throw new InputError({
          message: `${first.name} and ${second.name} cannot be compared: one of them gives every system the same value`,
          wayOut: 'give more systems, or other measures',
        });
      }
      const { tau, discordant, pairs } = kendallTau({ first: first.values, second: second.values });
      const tauAp = apCorrelation({ truth: first.values, estimate: second.values, ties: 'b' }).tau;
      return { first: first.name, second: second.name, tau, tauAp, swapped: discordant, pairs };
    }),
  );
}

/** How topics are divided into pairs of sets that are to agree about systems. */
export interface SwapRateOptions {
  readonly seed: number;
  /** How often the topics are divided; 1,000 by default. */
  readonly splits?: number;
  /** Sizes of the two disjoint sets of topics; by default a fifth of the topics, two fifths, and so on up to a half. */
  readonly sizes?: readonly number[];
  /** Differences are gathered in classes of this width; 0.01 by default. */
  readonly width?: number;
}

/** How often a difference on one set of topics is reversed on another of the same size. */
export interface SwapRates {
  readonly size: number;
  /** All pairs of systems and all divisions together. */
  readonly rate: number;
  /** By size of the difference: `from` ≤ difference < `from` + width. */
  readonly classes: readonly { readonly from: number; readonly compared: number; readonly swapped: number }[];
  /** The smallest difference from which on at most 5% are reversed; undefined if there is none. */
  readonly safeDifference: number | undefined;
}

/** Voorhees and Buckley, The effect of topic set size on retrieval experiment error, SIGIR 2002, doi 10.1145/564376.564432. */
export function swapRates(table: ScoreTable, column: number, options: SwapRateOptions): SwapRates[] {
  const { seed, splits = 1000, width = 0.01 } = options;
  const numTopics = table.topics.length;
  const half = Math.floor(numTopics / 2);
  const sizes =
    options.sizes ?? [...new Set([0.2, 0.4].map((share) => Math.floor(share * numTopics)).concat(half))].filter((size) => size >= 1);
  const wrong = sizes.find((size) => !Number.isInteger(size) || size < 1 || size > half);
  if (wrong !== undefined || sizes.length === 0) {
    throw new InputError({
      message: `two disjoint sets of ${wrong ?? 1} topics do not fit into ${numTopics}`,
      wayOut: `choose sizes up to ${half}`,
    });
  }
  const systems = table.systems.map((_, s) => table.column(column, s));
  return sizes.map((size) => swapRatesOf(systems, numTopics, size, seed, splits, width));
}

function swapRatesOf(
  systems: readonly Float64Array[],
  numTopics: number,
  size: number,
  seed: number,
  splits: number,
  width: number,
): SwapRates {
  const compared: number[] = [];
  const swapped: number[] = [];
  const order = Uint32Array.from({ length: numTopics }, (_, t) => t); // fits: entries
  const first = new Float64Array(systems.length);
  const second = new Float64Array(systems.length);
  for (let split = 0; split < splits; split++) {
    const random = seededRandom(seed, split);
    for (let t = 0; t < numTopics; t++) order[t] = t;
    for (let t = 0; t < 2 * size; t++) {
      const other = t + random.below(numTopics - t);
      [order[t], order[other]] = [order[other], order[t]];
    }
    for (const [s, values] of systems.entries()) {
      first[s] = meanOver(values, order, 0, size);
      second[s] = meanOver(values, order, size, 2 * size);
    }
    for (let i = 0; i < systems.length; i++) {
      for (let j = i + 1; j < systems.length; j++) {
        const difference = first[i] - first[j];
        if (difference === 0) continue;
        const at = Math.floor(Math.abs(difference) / width + 1e-9);
        compared[at] = (compared[at] ?? 0) + 1;
        if (difference * (second[i] - second[j]) < 0) swapped[at] = (swapped[at] ?? 0) + 1;
      }
    }
  }
  const classes = Array.from({ length: compared.length }, (_, at) => ({
    from: at * width,
    compared: compared[at] ?? 0,
    swapped: swapped[at] ?? 0,
  }));
  const total = (of: readonly number[]): number => of.reduce((sum, count) => sum + (count ?? 0), 0);
  // counted from the largest differences down: the share among all differences at least that large
  let safe: number | undefined;
  for (let at = classes.length - 1, all = 0, reversed = 0; at >= 0; at--) {
    all += classes[at].compared;
    reversed += classes[at].swapped;
    if (reversed > 0.05 * all) break;
    if (all > 0) safe = classes[at].from;
  }
  return { size, rate: total(compared) > 0 ? total(swapped) / total(compared) : 0, classes, safeDifference: safe };
}

function meanOver(values: Float64Array, order: Uint32Array, from: number, to: number): number {
  let sum = 0;
  for (let t = from; t < to; t++) sum += values[order[t]];
  return sum / (to - from);
}

/** For each topic of the qrels and each of its documents: which groups of runs hold it above the depth, as many as two. */
function contributors(
  qrels: Qrels,
  runs: readonly Run[],
  depth: number,
  groupOf: readonly number[] = runs.map((_, r) => r),
): { first: Int32Array; more: Uint8Array } {
  const first = new Int32Array(qrels.docOf.length).fill(-1); // fits: numbers of groups, or -1
  const more = new Uint8Array(qrels.docOf.length); // fits: flags
  for (const [r, run] of runs.entries()) {
    for (let topic = 0; topic < qrels.topics.size; topic++) {
      const runTopic = run.topics.find(qrels.topics.text(topic));
      if (runTopic < 0) continue;
      const top = new Set(topDocuments(run, runTopic, depth));
      for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) {
        if (!top.has(qrels.docs.text(qrels.docOf[row]))) continue;
        if (first[row] < 0) first[row] = groupOf[r];
        else if (first[row] !== groupOf[r]) more[row] = 1;
      }
    }
  }
  return { first, more };
}

function topDocuments(run: Run, topic: number, depth: number): string[] {
  const rows = Array.from({ length: run.offsets[topic + 1] - run.offsets[topic] }, (_, i) => run.offsets[topic] + i);
  rows.sort((a, b) => run.scores[b] - run.scores[a] || (run.docs.text(run.docOf[a]) < run.docs.text(run.docOf[b]) ? 1 : -1));
  return rows.slice(0, depth).map((row) => run.docs.text(run.docOf[row]));
}

/** Only the judgements of documents that some run has above the depth: what would be known had the pool been that deep. */
export function poolToDepth(qrels: Qrels, runs: readonly Run[], depth: number): Qrels {
  const { first } = contributors(qrels, runs, depth);
  return withoutRows(qrels, (row) => first[row] < 0);
}

/** For each run the judgements that there would be had its group not been pooled: those of documents that only this group has above the
 *  depth are gone.
 *  @param groups The group of each run; each is its own by default. */
export function poolsWithoutEach(
  qrels: Qrels,
  runs: readonly Run[],
  depth: number,
  groups: readonly string[] = runs.map((_, r) => String(r)),
): Qrels[] {
  const names = [...new Set(groups)];
  const groupOf = groups.map((group) => names.indexOf(group));
  const { first, more } = contributors(qrels, runs, depth, groupOf);
  const pools = names.map((_, g) => withoutRows(qrels, (row) => first[row] === g && more[row] === 0));
  return groupOf.map((g) => pools[g]);
}

function withoutRows(qrels: Qrels, isGone: (row: number) => boolean): Qrels {
  const kept: number[] = [];
  const offsets = new Uint32Array(qrels.offsets.length); // fits: entries
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) if (!isGone(row)) kept.push(row);
    offsets[topic + 1] = kept.length;
  }
  const { groups, subgroups } = qrels;
  const column = <T extends Uint32Array>(of: T): Uint32Array => Uint32Array.from(kept, (row) => of[row]); // fits: entries
  return {
    ...qrels,
    offsets,
    docOf: column(qrels.docOf),
    grades: Float64Array.from(kept, (row) => qrels.grades[row]),
    groups: groups && { ids: groups.ids, of: column(groups.of) },
    subgroups: subgroups && { ids: subgroups.ids, of: column(subgroups.of) },
  };
}
