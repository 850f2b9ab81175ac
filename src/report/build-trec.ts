import { closest } from '../core/closest.js';
import { InputError } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import { compareBytes } from '../core/text.js';
import { type MaybeNumber, maybe, type Provenance, REPORT_VERSION, type TopicCurve, type TrecReport, type TrecRun } from './model.js';

/** The standard levels of recall. */
export const recallLevels: readonly number[] = Array.from({ length: 11 }, (_, i) => i / 10);
/** The numbers of documents after which TREC looks at precision. */
export const documentLevels: readonly number[] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

const countMeasures: readonly string[] = ['NumRet', 'NumRel', 'NumRelRet', 'AP', 'Rprec'];

/** What has to be computed for the report, in the order in which the tables must have it. */
export const trecReportMeasures: readonly string[] = [
  ...countMeasures,
  ...recallLevels.map((level) => `IPrec@${level}`),
  ...documentLevels.map((cutoff) => `P@${cutoff}`),
];

/** All that a report in the manner of TREC's appendices is built from. */
export interface TrecReportInput {
  /** The scores by `trecReportMeasures`, one table or several; each system's own topics are averaged. */
  readonly tables: readonly ScoreTable[];
  /** The run that the report is about; the others are what it is compared with. All are reported on by default. */
  readonly run?: string | undefined;
  readonly title?: string | undefined;
  readonly header?: TrecReport['header'] | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly provenance: Provenance;
}

/** The TREC evaluation report of some runs, or of one among others. The median on each topic is that of all runs given, or of the
 *  others. */
export function buildTrecReport(input: TrecReportInput): TrecReport {
  const { tables, header = [], notes = [], provenance } = input;
  for (const table of tables) {
    if (table.columns.length !== trecReportMeasures.length) {
      throw new InputError(
        `expected scores by the ${trecReportMeasures.length} measures of the report, found ${table.columns.length} measures`,
      );
    }
  }
  const given = tables.flatMap((table) => table.systems.map((name, s) => ({ name, table, s })));
  if (given.length === 0) throw new InputError('found no run to report on');
  const chosen = input.run === undefined ? given : given.filter(({ name }) => name === input.run);
  if (input.run !== undefined) refuseUnknown(input.run, given);
  const topics = sortedTopics(chosen.flatMap(({ table }) => table.topics));
  const reported = ({ table, s }: (typeof given)[number]): TrecRun => trecRun(table, s, topics);
  const runs = chosen.map(reported);
  const compared = input.run === undefined ? runs : given.filter(({ name }) => name !== input.run).map(reported);
  const perTopic = topics.map((_, t) => compared.flatMap(({ averagePrecisionByTopic: values }) => values[t] ?? []).sort((a, b) => a - b));
  return {
    kind: 'trec',
    version: REPORT_VERSION,
    title: input.title ?? (runs.length === 1 ? `Evaluation of ${runs[0].name}` : `Evaluation of ${runs.length} runs`),
    header,
    topics,
    runs,
    comparedWith: { runs: input.run === undefined ? 'all' : 'others', count: compared.length },
    allRuns: {
      median: perTopic.map(medianOfSorted),
      best: perTopic.map((values) => values.at(-1) ?? null),
      worst: perTopic.map((values) => values[0] ?? null),
    },
    notes: [...notes, ...new Set(tables.flatMap((table) => table.notes))],
    provenance,
  };
}

function refuseUnknown(run: string, given: readonly { readonly name: string }[]): void {
  const names = given.map(({ name }) => name);
  if (!names.includes(run)) {
    const meant = closest(run, names);
    throw new InputError({
      message: `found no run ${run} among ${names.length}`,
      wayOut: meant === undefined ? `their names are ${inShort(names)}` : `did you mean ${meant}?`,
    });
  }
  if (names.length === 1) {
    throw new InputError({ message: `found no run besides ${run} to compare it with`, wayOut: 'give the runs of others too' });
  }
}

function inShort(names: readonly string[]): string {
  const told = names.slice(0, 10);
  return `${told.join(', ')}${names.length > told.length ? ` and ${names.length - told.length} more` : ''}`;
}

function trecRun(table: ScoreTable, system: number, topics: readonly string[]): TrecRun {
  const [numRetrieved, numRelevant, numRelevantRetrieved, averagePrecision, rPrecision] = countMeasures.map((_, m) =>
    table.aggregate(m, system),
  );
  const firstLevel = countMeasures.length;
  const firstCutoff = firstLevel + recallLevels.length;
  const placeOf = new Map(table.topics.map((topic, t) => [topic, t]));
  const precisions = table.column(countMeasures.indexOf('AP'), system);
  return {
    name: table.systems[system],
    summary: {
      numTopics: table.topics.length,
      numRetrieved: maybe(numRetrieved),
      numRelevant: maybe(numRelevant),
      numRelevantRetrieved: maybe(numRelevantRetrieved),
    },
    recallLevels: recallLevels.map((recall, i) => ({ recall, precision: maybe(table.aggregate(firstLevel + i, system)) })),
    averagePrecision: maybe(averagePrecision),
    documentLevels: documentLevels.map((cutoff, i) => ({ cutoff, precision: maybe(table.aggregate(firstCutoff + i, system)) })),
    rPrecision: maybe(rPrecision),
    averagePrecisionByTopic: topics.map((topic) => maybe(precisions[placeOf.get(topic) ?? -1])),
  };
}

/** Each topic once, in byte order of the ids. */
export function sortedTopics(topics: readonly string[]): string[] {
  const encoder = new TextEncoder();
  const keyed = [...new Set(topics)].map((topic) => ({ topic, key: encoder.encode(topic) }));
  keyed.sort((a, b) => compareBytes(a.key, 0, a.key.length, b.key, 0, b.key.length));
  return keyed.map(({ topic }) => topic);
}

/** The middle value, or the mean of the two in the middle. */
export function medianOfSorted(values: readonly number[]): MaybeNumber {
  return quantileOfSorted(values, 0.5);
}

/** Between neighbouring values in proportion (R's type 7). */
export function quantileOfSorted(values: readonly number[], share: number): MaybeNumber {
  if (values.length === 0) return null;
  const at = (values.length - 1) * share;
  const below = Math.floor(at);
  const above = Math.min(values.length - 1, below + 1);
  return values[below] + (at - below) * (values[above] - values[below]);
}

/** Precision against recall for one ranking: its grades in rank order, a negative number or NaN for what nobody judged. Interpolated
 *  precision is the highest at this recall or beyond, to the letter; trec_eval rounds the number of documents that reach a level. */
export function topicCurve(topic: string, system: string, ranked: ArrayLike<number>, numRelevant: number, rel = 1): TopicCurve {
  const exact: { rank: number; recall: number; precision: number }[] = [];
  for (let i = 0; i < ranked.length; i++) {
    if (!(ranked[i] >= rel)) continue;
    const found = exact.length + 1;
    exact.push({ rank: i + 1, recall: found / numRelevant, precision: found / (i + 1) });
  }
  const interpolated = recallLevels.map((recall, level) => {
    // whole numbers, because 0.3 · 10 is a little less than 3
    const needed = (level * numRelevant) / 10;
    const precision = exact.reduce((most, point, i) => (i + 1 >= needed ? Math.max(most, point.precision) : most), 0);
    return { recall, precision };
  });
  return { topic, system, exact, interpolated };
}
