import type {
  BarFamily,
  ComparisonReport,
  CurveFamily,
  MaybeNumber,
  Report,
  ReportCell,
  ReportColumn,
  ReportTable,
  TrecReport,
} from '../model.js';
import { amountBars } from './bars.js';
import { gainCurves, recallPrecisionChart, unjudgedRates } from './curves.js';
import type { ChartOptions } from './frame.js';
import { leaderboardChart, leaderboardTitle } from './leaderboard.js';
import { lineChart } from './lines.js';
import { correlationMatrix, heatMap } from './matrices.js';
import { criticalDifference, distributions } from './systems.js';
import { averagePrecisionHistogram, differenceBars } from './topics.js';
import { decidingBars, decidingTitle, stripTitle, verdictStrip } from './verdict.js';

/** More histograms and difference charts than this are not drawn unless asked for. */
const MOST_HISTOGRAMS = 12;
const MOST_DIFFERENCES = 3;

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
  if (report.kind === 'model')
    return [...report.bars.map(barChart), ...report.curves.map((family) => curveChart(family.id, family.label, family, familyChart))];
  return report.kind === 'trec' ? trecCharts(report) : comparisonCharts(report, measure);
}

/** Curves as lines, without the points that have no value. */
function familyChart({ label, xLabel, yLabel, x, systems, values, intervals }: CurveFamily, options: ChartOptions): SVGSVGElement {
  const series = systems.map((name, s) => ({
    name,
    points: x.flatMap((at, i) => {
      const y = values[s][i];
      return y === null ? [] : [{ x: at, y }];
    }),
    band: intervals?.[s].map(([low, high], i) => ({ x: x[i], low, high })),
  }));
  // where there are intervals there are few points, and it matters where they are; such pictures come by the half dozen
  const height = options.height ?? (intervals === undefined ? undefined : Math.round((options.width ?? 720) * 0.36));
  return lineChart({ title: label, xLabel, yLabel, series, dots: intervals !== undefined }, { ...options, height });
}

function barChart(family: BarFamily): ReportChart {
  const { id, label, xLabel, items } = family;
  return {
    id,
    title: label,
    measure: null,
    draw: (options) => amountBars(family, options),
    data: () => ({
      id,
      title: label,
      caption: null,
      columns: [{ name: 'feature', kind: 'text' }, ...[xLabel, 'low', 'high'].map((name): ReportColumn => ({ name, kind: 'number' }))],
      rows: items.map(({ name, value, low, high }): ReportCell[] => [name, value, low, high]),
    }),
  };
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
      columns: [
        family.xLabel,
        ...family.systems.flatMap((name) => (family.intervals ? [name, `${name}, low`, `${name}, high`] : [name])),
      ].map((name): ReportColumn => ({ name, kind: 'number' })),
      rows: family.x.map((x, i): ReportCell[] => [
        x,
        ...family.values.flatMap((values, s) => [values[i], ...(family.intervals?.[s][i] ?? [])]),
      ]),
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
  { id: 'verdict', charts: verdictCharts },
  { id: 'leaderboard', charts: leaderboardCharts },
  { id: 'deciding-topics', charts: decidingCharts },
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

/** The systems that lead by the first measure are those in colour in every chart, so that a system keeps its colour. */
function comparisonCharts(report: ComparisonReport, m: number): ReportChart[] {
  const leading = report.measures[0].order.map((s) => report.systems[s]);
  return comparisonChartKinds
    .flatMap(({ charts }) => charts(report, m))
    .map((chart) => ({ ...chart, draw: (options) => chart.draw({ ...options, highlight: options.highlight ?? leading }) }));
}

function verdictCharts({ verdict }: ComparisonReport): ReportChart[] {
  // of more than two systems the leaderboard is the picture
  if (verdict === undefined || verdict.state === 'identical' || verdict.systems.length > 2) return [];
  const { pair } = verdict;
  const title = stripTitle(verdict);
  return [
    {
      id: 'verdict',
      title,
      measure: verdict.measure,
      draw: (options) => verdictStrip(verdict, options),
      data: () => ({
        id: 'verdict',
        title,
        caption: null,
        columns: ['difference', 'low', 'high', 'better', 'equal', 'worse'].map((name): ReportColumn => ({ name, kind: 'number' })),
        rows: [[pair.difference, pair.low, pair.high, pair.better, pair.equal, pair.worse]],
      }),
    },
  ];
}

function leaderboardCharts(report: ComparisonReport, m: number): ReportChart[] {
  const { systems, measures } = report;
  if (systems.length < 2) return [];
  const title = leaderboardTitle(report, m);
  const { order, systems: own, name } = measures[m];
  return [
    {
      id: `leaderboard-${m + 1}`,
      title,
      measure: name,
      draw: (options) => leaderboardChart(report, m, options),
      data: () => ({
        id: `leaderboard-${m + 1}`,
        title,
        caption: null,
        columns: [
          { name: 'system', kind: 'text' },
          ...['mean', 'low', 'high'].map((column): ReportColumn => ({ name: column, kind: 'number' })),
        ],
        rows: order.map((s) => [systems[s], own[s].mean, own[s].low, own[s].high]),
      }),
    },
  ];
}

function decidingCharts({ verdict }: ComparisonReport): ReportChart[] {
  if (verdict === undefined || verdict.topics.gains.length + verdict.topics.losses.length === 0) return [];
  const { gains, losses } = verdict.topics;
  const title = decidingTitle(verdict);
  return [
    {
      id: 'deciding-topics',
      title,
      measure: verdict.measure,
      draw: (options) => decidingBars(verdict, options),
      data: () => ({
        id: 'deciding-topics',
        title,
        caption: null,
        columns: [
          { name: 'topic', kind: 'text' },
          ...[verdict.pair.system, verdict.pair.against, 'difference'].map((column): ReportColumn => ({ name: column, kind: 'number' })),
        ],
        rows: [...gains, ...losses].map(({ topic, system, against, difference }) => [topic, system, against, difference]),
      }),
    },
  ];
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
