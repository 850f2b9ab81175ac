import { InputError } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import type { Measure } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import { alignedScores, type MissingPolicy } from '../stats/alignment.js';
import type { ComparedPair, Comparison, Direction, MeasureComparison } from '../stats/compare.js';
import { pearsonCorrelation } from '../stats/correlation/correlation.js';
import { kendallTau } from '../stats/correlation/kendall-tau.js';
import { meanInterval } from '../stats/effect-size.js';
import { friedmanTest, nemenyiTest } from '../stats/friedman.js';
import { quantileOfSorted, recallLevels } from './build-trec.js';
import { methodsSentence } from './methods.js';
import {
  type ComparisonReport,
  type CriticalDifference,
  type CurveFamily,
  type MaybeNumber,
  type MeasureCorrelation,
  maybe,
  type Provenance,
  REPORT_VERSION,
  type ReportAudit,
  type ReportMeasure,
  type ReportPair,
  type ReportSystem,
  type ReportTest,
} from './model.js';

/** With more pairs than this nobody reads them all; `gradus compare -f csv` has them. */
const MOST_PAIRS = 1000;
const MOST_GRADES = 4;

/** What systems are compared by if nothing else is asked for. */
export const defaultReportMeasures: readonly string[] = ['nDCG@10', 'AP', 'P@10', 'RR', 'R@100'];

/** Depths of gain curves and of the rates of unjudged documents. */
export const curveCutoffs: readonly number[] = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000];

interface PlannedFamily {
  readonly id: string;
  readonly label: string;
  readonly xLabel?: string;
  readonly yLabel: string;
  /** Places in the plan's list of measures. */
  readonly columns: readonly number[];
}

/** What has to be computed for a comparison report. */
export interface ComparisonPlan {
  /** In the order in which the table must have its columns. The first ones are those compared. */
  readonly measures: readonly Measure[];
  readonly numCompared: number;
  readonly recallPrecision: readonly PlannedFamily[];
  readonly gain: readonly PlannedFamily[];
  readonly unjudged: PlannedFamily;
  /** Place of the number of documents retrieved: a topic without any has no share of unjudged ones. */
  readonly numRetrieved: number;
}

/** Adds to the measures compared those behind the curves: precision at levels of recall for each grade above 0 that the judgements
 *  have, gain by rank, and how much was judged. `read` makes a measure of its spelling, with the defaults of a convention if there is
 *  one. With `graded`, and if there are grades, also precision and recall over readers with different thresholds. */
export function planComparison(
  compared: readonly Measure[],
  grades: Iterable<number>,
  read: (spelling: string) => Measure = parseMeasure,
  { graded = false }: { readonly graded?: boolean | undefined } = {},
): ComparisonPlan {
  const measures = [...new Map(compared.map((measure) => [measure.text, measure])).values()];
  const numCompared = measures.length;
  const add = (spelling: string): number => {
    const measure = read(spelling);
    const known = measures.findIndex(({ text }) => text === measure.text);
    return known >= 0 ? known : measures.push(measure) - 1;
  };
  const positive = [...new Set(grades)].filter((grade) => grade > 0).sort((a, b) => a - b);
  const thresholds = fewOf(positive);
  const recallPrecision: PlannedFamily[] = (thresholds.length === 0 ? [1] : thresholds).map((grade) => ({
    id: `grade-${String(grade).replace(/[^0-9]/g, '-')}`,
    label: thresholds.length > 1 ? `grade ${grade} and up relevant` : '',
    yLabel: 'precision',
    columns: recallLevels.map((level) => add(`IPrec(rel=${grade})@${level}`)),
  }));
  const highest = Math.floor(positive.at(-1) ?? 0);
  if (graded && highest > 1) {
    recallPrecision.push({
      id: 'graded',
      label: `graded: as many readers begin at each grade from 1 to ${highest}`,
      xLabel: 'graded recall',
      yLabel: 'graded precision',
      columns: recallLevels.map((level) => add(`GradedIPrec@${level}`)),
    });
  }
  const gain: PlannedFamily[] = [];
  for (const [id, spelling] of gainFamilies) {
    const columns = curveCutoffs.map((cutoff) => add(`${spelling}@${cutoff}`));
    // a convention may give two spellings one meaning
    if (gain.some((family) => family.columns[0] === columns[0])) continue;
    const label = measures[columns[0]].text.replace(/@1$/, '');
    gain.push({ id, label, yLabel: label, columns });
  }
  const unjudged = {
    id: 'unjudged',
    label: 'unjudged',
    yLabel: 'unjudged',
    columns: curveCutoffs.map((cutoff) => add(`Judged@${cutoff}`)),
  };
  return { measures, numCompared, recallPrecision, gain, unjudged, numRetrieved: add('NumRet') };
}

const gainFamilies: readonly (readonly [id: string, spelling: string])[] = [
  ['ndcg', 'nDCG'],
  ['ndcg-exp', "nDCG(gain='exp')"],
  ['dcg', 'DCG'],
];

/** The lowest, the highest, and some in between. */
function fewOf(grades: readonly number[]): number[] {
  if (grades.length <= MOST_GRADES) return [...grades];
  return Array.from({ length: MOST_GRADES }, (_, i) => grades[Math.round((i * (grades.length - 1)) / (MOST_GRADES - 1))]);
}

/** All that a comparison report is built from; nothing is computed from files here. */
export interface ComparisonReportInput {
  readonly plan: ComparisonPlan;
  /** All systems, with the columns of the plan; NaN where a system has no value. */
  readonly table: ScoreTable;
  /** Of the same table by the compared measures; undefined for a single system. */
  readonly comparison: Comparison | undefined;
  readonly directions?: Readonly<Record<string, Direction>> | undefined;
  readonly missing?: MissingPolicy | undefined;
  readonly alpha?: number | undefined;
  readonly audit?: readonly ReportAudit[] | undefined;
  readonly title?: string | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly provenance: Provenance;
}

/** The report that puts systems side by side; with one system, what can be said of it alone. */
export function buildComparisonReport(input: ComparisonReportInput): ComparisonReport {
  const { plan, table, comparison, provenance, audit = [], notes = [], alpha = comparison?.alpha ?? 0.05 } = input;
  if (table.columns.length !== plan.measures.length) {
    throw new InputError(`expected scores by the ${plan.measures.length} measures of the plan, found ${table.columns.length} measures`);
  }
  const missing = comparison?.missing ?? input.missing ?? 'zero';
  const measures = table.columns.slice(0, plan.numCompared).map(({ name }, m) =>
    measureOf(table, name, comparison?.measures[m], comparison?.baseline ?? null, {
      missing,
      alpha,
      direction: input.directions?.[name] ?? 'higher',
    }),
  );
  const { systems } = table;
  const unjudged = familyOf(
    table,
    plan.unjudged,
    curveCutoffs,
    'rank',
    (column, s) => 1 - meanWhereRetrieved(table, column, s, plan.numRetrieved),
  );
  return {
    kind: 'comparison',
    version: REPORT_VERSION,
    title: input.title ?? (systems.length === 1 ? `Evaluation of ${systems[0]}` : `Comparison of ${systems.length} systems`),
    systems,
    topics: table.topics,
    measures,
    test: testOf(comparison, alpha, provenance),
    recallPrecision: plan.recallPrecision.map((family) => familyOf(table, family, recallLevels, family.xLabel ?? 'recall')),
    gain: plan.gain.map((family) => familyOf(table, family, curveCutoffs, 'rank')),
    correlation: correlationOf(measures, systems.length),
    unjudged,
    audit,
    notes: [...notes, ...(comparison?.notes ?? [])],
    provenance,
  };
}

function testOf(comparison: Comparison | undefined, alpha: number, { program }: Provenance): ReportTest {
  if (comparison === undefined) {
    const methods = `Means over topics with ${(100 * (1 - alpha)).toFixed(0)}% intervals by Student's t. Computed with ${program}.`;
    return { test: 'none', correction: 'none', alpha, alternative: 'two-sided', baseline: null, resamples: null, methods };
  }
  const { test, correction, alternative, baseline, resamples } = comparison;
  return { test, correction, alpha, alternative, baseline, resamples, methods: methodsSentence(comparison, program) };
}

interface Judging {
  readonly missing: MissingPolicy;
  readonly alpha: number;
  readonly direction: Direction;
}

function measureOf(
  table: ScoreTable,
  name: string,
  compared: MeasureComparison | undefined,
  baseline: string | null,
  judging: Judging,
): ReportMeasure {
  const { topics, systems: values } = alignedScores(table, name, judging.missing);
  const direction = compared?.direction ?? judging.direction;
  const placeOf = new Map(topics.map((topic, t) => [topic, t]));
  const systems = values.map((own, s) => systemOf(own, compared, s, judging.alpha));
  const sign = direction === 'higher' ? 1 : -1;
  const order = systems.map((_, s) => s).sort((a, b) => sign * ((systems[b].mean ?? 0) - (systems[a].mean ?? 0)) || a - b);
  const tested = compared?.pairs ?? [];
  const all = tested.length <= MOST_PAIRS || baseline !== null;
  const shown = all ? tested : tested.filter(({ system, against }) => system === order[0] || against === order[0]);
  return {
    name,
    direction,
    scores: values.map((own) => table.topics.map((topic) => maybe(own[placeOf.get(topic) ?? -1]))),
    numTopics: topics.length,
    systems,
    order,
    pairs: shown.map(pairOf),
    pairsShown: baseline !== null ? 'baseline' : all ? 'all' : 'with the best',
    numPairsTested: tested.length,
    criticalDifference: criticalDifferenceOf(values, sign, judging.alpha),
  };
}

function systemOf(values: Float64Array, compared: MeasureComparison | undefined, s: number, alpha: number): ReportSystem {
  const sorted = Array.from(values).sort((a, b) => a - b);
  const { mean, interval } = compared?.systems[s] ?? (values.length > 1 ? meanInterval({ values, level: 1 - alpha }) : alone(sorted[0]));
  return {
    mean: maybe(mean),
    low: rounded(interval.low),
    high: rounded(interval.high),
    better: compared?.systems[s].better ?? [],
    minimum: sorted[0] ?? null,
    lowerQuartile: quantileOfSorted(sorted, 0.25),
    median: quantileOfSorted(sorted, 0.5),
    upperQuartile: quantileOfSorted(sorted, 0.75),
    maximum: sorted.at(-1) ?? null,
  };
}

/** One topic has a value, and no interval. */
function alone(value = Number.NaN): { mean: number; interval: { low: number; high: number } } {
  return { mean: value, interval: { low: Number.NaN, high: Number.NaN } };
}

/** Six digits: more than anyone reads of a p-value, and a third of the size. */
function rounded(value: number | null | undefined): MaybeNumber {
  return value === null || value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(6));
}

function pairOf(pair: ComparedPair): ReportPair {
  return {
    system: pair.system,
    against: pair.against,
    difference: pair.difference,
    low: rounded(pair.interval.low),
    high: rounded(pair.interval.high),
    effectSize: rounded(pair.cohenDz.value),
    wins: pair.wins,
    ties: pair.ties,
    losses: pair.losses,
    pValue: Number(pair.pValue.toPrecision(6)),
    correctedPValue: Number(pair.correctedPValue.toPrecision(6)),
    significant: pair.significant,
  };
}

function criticalDifferenceOf(values: readonly Float64Array[], sign: number, alpha: number): CriticalDifference | null {
  if (values.length < 3 || values[0].length < 2) return null;
  const systems = sign > 0 ? values : values.map((own) => own.map((value) => -value));
  const { meanRanks, criticalDifference, level } = nemenyiTest({ systems, level: 1 - alpha });
  const ranks = Array.from(meanRanks);
  return {
    meanRanks: ranks.map((rank) => Number(rank.toPrecision(6))),
    criticalDifference: Number(criticalDifference.toPrecision(6)),
    level,
    omnibusPValue: Number(friedmanTest({ systems }).pValue.toPrecision(6)),
    cliques: cliquesOf(ranks, criticalDifference),
  };
}

/** The longest rows of neighbours whose mean ranks are no further apart than the critical difference. */
export function cliquesOf(meanRanks: readonly number[], criticalDifference: number): [first: number, last: number][] {
  const sorted = meanRanks.toSorted((a, b) => a - b);
  const cliques: [number, number][] = [];
  let reached = 0;
  for (let first = 0; first < sorted.length; first++) {
    let last = Math.max(first, reached);
    while (last + 1 < sorted.length && sorted[last + 1] - sorted[first] <= criticalDifference) last++;
    // a row that ends where an earlier one did is a part of it
    if (last > first && last > reached) cliques.push([first, last]);
    reached = Math.max(reached, last);
  }
  return cliques;
}

function familyOf(
  table: ScoreTable,
  family: PlannedFamily,
  x: readonly number[],
  xLabel: string,
  heightOf: (column: number, system: number) => number = (column, system) => meanOf(table.column(column, system)),
): CurveFamily {
  return {
    id: family.id,
    label: family.label,
    xLabel,
    yLabel: family.yLabel,
    x,
    systems: table.systems,
    values: table.systems.map((_, s) => family.columns.map((column) => rounded(heightOf(column, s)))),
  };
}

function meanWhereRetrieved(table: ScoreTable, column: number, system: number, numRetrieved: number): number {
  const counts = table.column(numRetrieved, system);
  return meanOf(table.column(column, system).filter((_, t) => counts[t] > 0));
}

/** The mean over the topics that have a value. */
function meanOf(values: Float64Array): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

function correlationOf(measures: readonly ReportMeasure[], numSystems: number): MeasureCorrelation | null {
  if (measures.length < 2) return null;
  const means = measures.map(({ systems, direction }) =>
    systems.map(({ mean }) => (direction === 'higher' ? 1 : -1) * (mean ?? Number.NaN)),
  );
  const all = measures.map(({ scores, direction }) =>
    scores.flat().map((value) => (direction === 'higher' ? 1 : -1) * (value ?? Number.NaN)),
  );
  const matrix = (values: readonly (readonly number[])[], correlate: (first: number[], second: number[]) => number): MaybeNumber[][] => {
    const pairs = values.map((first, i) => values.slice(0, i + 1).map((second) => whereBoth(first, second, correlate)));
    return values.map((_, i) => values.map((_other, j) => pairs[Math.max(i, j)][Math.min(i, j)]));
  };
  return {
    measures: measures.map(({ name }) => name),
    bySystem: numSystems < 3 ? null : matrix(means, (first, second) => kendallTau({ first, second }).tau),
    byTopic: matrix(all, (first, second) => pearsonCorrelation({ first, second })),
  };
}

/** Nothing correlates with what is everywhere the same. */
function whereBoth(
  first: readonly number[],
  second: readonly number[],
  correlate: (first: number[], second: number[]) => number,
): MaybeNumber {
  const both = first.map((_, i) => i).filter((i) => Number.isFinite(first[i]) && Number.isFinite(second[i]));
  const one = both.map((i) => first[i]);
  const other = both.map((i) => second[i]);
  if (new Set(one).size < 2 || new Set(other).size < 2) return null;
  return rounded(correlate(one, other));
}
