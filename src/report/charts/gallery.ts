import type { ComparisonReport, CurveFamily, MaybeNumber, Report, ReportCell, ReportColumn, ReportTable, TrecReport } from '../model.js';
import { gainCurves, recallPrecisionChart, unjudgedRates } from './curves.js';
import type { ChartOptions } from './frame.js';
import { correlationMatrix, heatMap } from './matrices.js';
import { criticalDifference, distributions } from './systems.js';
import { averagePrecisionHistogram, differenceBars } from './topics.js';

/** More histograms and difference charts than this are not drawn unless asked for. */
const MOST_HISTOGRAMS = 12;
const MOST_DIFFERENCES = 6;

/** One picture of a report, with the numbers that it shows. */
export interface ReportChart {
  /** Letters, digits and hyphens: a name for files and anchors. */
  readonly id: string;
  readonly title: string;
  /** The measure it is about, for charts that exist for every measure. */
  readonly measure: string | null;
  draw(options: ChartOptions): SVGSVGElement;
  /** What is drawn, in full precision. */
  data(): ReportTable;
}

/** The pictures of a report in reading order. Of a comparison, those of one measure: the first one unless another place is given. */
export function reportCharts(report: Report, measure = 0): ReportChart[] {
  return report.kind === 'trec' ? trecCharts(report) : comparisonCharts(report, measure);
}

function trecCharts(report: TrecReport): ReportChart[] {
  const byPrecision = report.runs
    .map((_, r) => r)
    .sort((a, b) => (report.runs[b].averagePrecision ?? 0) - (report.runs[a].averagePrecision ?? 0) || a - b);
  // a run that is compared with itself has no histogram
  const isAlone = report.comparedWith.runs === 'all' && report.runs.length === 1;
  const drawn = isAlone ? [] : report.runs.length <= MOST_HISTOGRAMS ? report.runs.map((_, r) => r) : byPrecision.slice(0, MOST_HISTOGRAMS);
  const curves = recallPrecisionOf(report);
  return [
    ...(curves.values.flat().every((value) => value === null)
      ? []
      : [curveChart('recall-precision', 'Recall-Precision Graph', curves, recallPrecisionChart)]),
    ...drawn.map((r): ReportChart => {
      const title = `Average Precision Histogram: ${report.runs[r].name}`;
      return {
        id: `histogram-${r + 1}`,
        title,
        measure: null,
        draw: (options) => averagePrecisionHistogram(report, r, options),
        data: () => ({
          id: `histogram-${r + 1}`,
          title,
          caption: null,
          columns: [
            { name: 'topic', kind: 'text' },
            ...['average precision', 'median', 'best', 'worst'].map((name): ReportColumn => ({ name, kind: 'number' })),
          ],
          rows: report.topics.map((topic, t) => [
            topic,
            report.runs[r].averagePrecisionByTopic[t],
            report.allRuns.median[t],
            report.allRuns.best[t],
            report.allRuns.worst[t],
          ]),
        }),
      };
    }),
  ];
}

/** The curves of the TREC report. */
export function recallPrecisionOf(report: TrecReport): CurveFamily {
  return {
    id: 'recall-precision',
    label: '',
    xLabel: 'recall',
    yLabel: 'precision',
    x: report.runs[0].recallLevels.map(({ recall }) => recall),
    systems: report.runs.map(({ name }) => name),
    values: report.runs.map(({ recallLevels }) => recallLevels.map(({ precision }) => precision)),
  };
}

function curveChart(
  id: string,
  title: string,
  family: CurveFamily,
  draw: (family: CurveFamily, options: ChartOptions) => SVGSVGElement,
): ReportChart {
  return {
    id,
    title,
    measure: null,
    draw: (options) => draw(family, options),
    data: () => ({
      id,
      title,
      caption: null,
      columns: [{ name: family.xLabel, kind: 'number' }, ...family.systems.map((name): ReportColumn => ({ name, kind: 'number' }))],
      rows: family.x.map((x, i): ReportCell[] => [x, ...family.values.map((values) => values[i])]),
    }),
  };
}

/** A kind of picture of a comparison, and all that there are of it for the measure at a place. */
interface ChartKind {
  /** What the ids of its charts begin with, by which sections ask for them. */
  readonly id: string;
  charts(report: ComparisonReport, m: number): ReportChart[];
}

/** The kinds of pictures of a comparison, in reading order. */
const comparisonChartKinds: readonly ChartKind[] = [
  { id: 'differences', charts: differenceCharts },
  { id: 'heat-map', charts: (report, m) => [scoresChart('heat-map', report, m)] },
  { id: 'distributions', charts: (report, m) => [scoresChart('distributions', report, m)] },
  { id: 'critical-difference', charts: rankCharts },
  {
    id: 'recall-precision',
    charts: ({ recallPrecision }) =>
      recallPrecision.map((family) => {
        const title = family.label === '' ? 'Recall and precision' : `Recall and precision, ${family.label}`;
        return curveChart(`recall-precision-${family.id}`, title, family, recallPrecisionChart);
      }),
  },
  {
    id: 'gain',
    charts: ({ gain }) => gain.map((family) => curveChart(`gain-${family.id}`, `Gain by rank: ${family.label}`, family, gainCurves)),
  },
  { id: 'correlation', charts: correlationCharts },
  {
    id: 'unjudged',
    charts: ({ unjudged }) => (unjudged === null ? [] : [curveChart('unjudged', 'Unjudged documents by cutoff', unjudged, unjudgedRates)]),
  },
];

function comparisonCharts(report: ComparisonReport, m: number): ReportChart[] {
  return comparisonChartKinds.flatMap(({ charts }) => charts(report, m));
}

function differenceCharts(report: ComparisonReport, m: number): ReportChart[] {
  const { systems, topics, measures } = report;
  const measure = measures[m];
  return pairsToDraw(report, m).map(([system, against]): ReportChart => {
    const title = `${measure.name} by topic: ${systems[system]} minus ${systems[against]}`;
    const id = `differences-${m + 1}-${system + 1}-${against + 1}`;
    return {
      id,
      title,
      measure: measure.name,
      draw: (options) =>
        differenceBars(topics, measure, { place: system, name: systems[system] }, { place: against, name: systems[against] }, options),
      data: () => ({
        id,
        title,
        caption: null,
        columns: [
          { name: 'topic', kind: 'text' },
          ...[systems[system], systems[against], 'difference'].map((name): ReportColumn => ({ name, kind: 'number' })),
        ],
        rows: topics.map((topic, t) => {
          const first = measure.scores[system][t];
          const second = measure.scores[against][t];
          return [topic, first, second, first === null || second === null ? null : first - second];
        }),
      }),
    };
  });
}

/** A picture of all scores of a measure. */
function scoresChart(kind: 'heat-map' | 'distributions', { systems, topics, measures }: ComparisonReport, m: number): ReportChart {
  const measure = measures[m];
  const id = `${kind}-${m + 1}`;
  const title = kind === 'heat-map' ? `${measure.name} by topic and system` : `Distribution of ${measure.name} over topics`;
  return {
    id,
    title,
    measure: measure.name,
    draw: (options) => (kind === 'heat-map' ? heatMap(systems, topics, measure, options) : distributions(systems, measure, options)),
    data: () => ({
      id,
      title,
      caption: null,
      columns: [{ name: 'topic', kind: 'text' }, ...systems.map((name): ReportColumn => ({ name, kind: 'number' }))],
      rows: topics.map((topic, t) => [topic, ...measure.scores.map((row) => row[t])]),
    }),
  };
}

function rankCharts({ systems, measures }: ComparisonReport, m: number): ReportChart[] {
  const measure = measures[m];
  const { criticalDifference: ranks, order } = measure;
  if (ranks === null) return [];
  const id = `critical-difference-${m + 1}`;
  const title = `Critical differences of mean ranks by ${measure.name}`;
  return [
    {
      id,
      title,
      measure: measure.name,
      draw: (options) => criticalDifference(systems, measure.name, ranks, options),
      data: () => ({
        id,
        title,
        caption: `critical difference ${ranks.criticalDifference}`,
        columns: [
          { name: 'system', kind: 'text' },
          { name: 'mean rank', kind: 'number' },
        ],
        rows: order.map((s) => [systems[s], ranks.meanRanks[s]]),
      }),
    },
  ];
}

function correlationCharts({ correlation }: ComparisonReport): ReportChart[] {
  if (correlation === null) return [];
  const { measures: names, bySystem, byTopic } = correlation;
  const matrix = (id: string, title: string, values: readonly (readonly MaybeNumber[])[], kind: 'tau' | 'pearson'): ReportChart => ({
    id,
    title,
    measure: null,
    draw: (options) => correlationMatrix(names, values, kind, options),
    data: () => ({
      id,
      title,
      caption: null,
      columns: [{ name: 'measure', kind: 'text' }, ...names.map((name): ReportColumn => ({ name, kind: 'number' }))],
      rows: names.map((name, i) => [name, ...values[i]]),
    }),
  });
  const topicsAlike = matrix('correlation-topics', 'Do measures score alike?', byTopic, 'pearson');
  return bySystem === null
    ? [topicsAlike]
    : [matrix('correlation-systems', 'Do measures order systems alike?', bySystem, 'tau'), topicsAlike];
}

/** Each system against the baseline, or against the best one, as long as they are few. */
function pairsToDraw({ systems, measures, test }: ComparisonReport, m: number): [system: number, against: number][] {
  if (systems.length < 2) return [];
  const { order } = measures[m];
  if (test.baseline !== null) {
    const against = systems.indexOf(test.baseline);
    return order
      .filter((s) => s !== against)
      .slice(0, MOST_DIFFERENCES)
      .map((s) => [s, against]);
  }
  return order.slice(1, 1 + MOST_DIFFERENCES).map((s) => [order[0], s]);
}
