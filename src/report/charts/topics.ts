import * as Plot from '@observablehq/plot';
import { visible } from '../grid.js';
import type { ContributionData, MaybeNumber, ReportMeasure, TrecReport } from '../model.js';
import { inReadingOrder } from '../reading-order.js';
import { comparedRuns } from '../tables.js';
import { axisNames } from './curves.js';
import { type ChartOptions, finished, frameOf, label, labelledPlaces, labelWidth, shortNumber, signedNumber, svgElement } from './frame.js';
import { linkMarks, type MarkLink } from './links.js';

interface TopicBar {
  readonly topic: string;
  readonly value: number;
  /** Where all values of the topic lie, drawn behind the bar. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly words: string;
  readonly link?: MarkLink | undefined;
}

interface BarStyle {
  readonly title: string;
  readonly description: string;
  readonly yLabel: string;
  /** Which side of 0 is good. */
  readonly goodAbove: boolean;
  /** Whether positive values point down. */
  readonly isTurned?: boolean;
}

/** Average precision of one run on each topic, less the median of the runs that it is compared with; the grey line reaches from the
 *  worst of them to the best. */
export function averagePrecisionHistogram(report: TrecReport, run: number, options: ChartOptions): SVGSVGElement {
  const { name, averagePrecisionByTopic } = report.runs[run];
  const { median, best, worst } = report.allRuns;
  const bars = inReadingOrder(report.topics).flatMap((t): TopicBar[] => {
    const topic = report.topics[t];
    const value = averagePrecisionByTopic[t];
    const middle = median[t];
    if (value === null || middle === null) return [];
    const words = `topic ${visible(topic)}: ${shortNumber(value)}, median ${shortNumber(middle)}, best ${shortNumber(best[t])}, worst ${shortNumber(worst[t])}`;
    return [{ topic, value: value - middle, low: (worst[t] ?? middle) - middle, high: (best[t] ?? middle) - middle, words }];
  });
  const above = bars.filter(({ value }) => value > 0).length;
  const below = bars.filter(({ value }) => value < 0).length;
  return drawBars(bars, options, {
    title: `Average precision of ${name} by topic, against the median of ${comparedRuns(report)}`,
    description: `${above} topics above the median, ${below} below, ${bars.length - above - below} equal to it.`,
    yLabel: 'average precision − median',
    goodAbove: true,
  });
}

/** What one system has more than another on each topic, the largest gain first. */
export function differenceBars(
  topics: readonly string[],
  measure: ReportMeasure,
  system: { readonly place: number; readonly name: string },
  against: { readonly place: number; readonly name: string },
  options: ChartOptions,
): SVGSVGElement {
  const bars = topics.flatMap((topic, t): TopicBar[] => {
    const first = measure.scores[system.place][t];
    const second = measure.scores[against.place][t];
    if (first === null || second === null) return [];
    return [
      {
        topic,
        value: first - second,
        link: { system: system.place, against: against.place, topic: t },
        words: `topic ${visible(topic)}: ${shortNumber(first)} against ${shortNumber(second)}, ${signedNumber(first - second)}`,
      },
    ];
  });
  bars.sort((a, b) => b.value - a.value || (a.topic < b.topic ? -1 : 1));
  const positive = bars.filter(({ value }) => value > 0).length;
  const negative = bars.filter(({ value }) => value < 0).length;
  return drawBars(bars, options, {
    title: `${measure.name} by topic: ${system.name} minus ${against.name}`,
    description: `${positive} topics with a positive difference, ${negative} with a negative one, ${bars.length - positive - negative} equal.`,
    yLabel: `${measure.name}: ${label(system.name)} minus ${label(against.name)}`,
    goodAbove: measure.direction === 'higher',
    // what got worse points down
    isTurned: measure.direction === 'lower',
  });
}

/** Labels stand upright if they are short and few, along the axis otherwise; where there is no room for all, every so manieth, counted
 *  from the last, which is the worst topic, and the first. */
function topicAxis(names: readonly string[], room: number): { rotate: number; bottom: number; shown: Set<number> } {
  const longest = 14;
  const widest = labelWidth(names, longest);
  const perTopic = room / Math.max(1, names.length);
  const upright = widest + 6 <= perTopic;
  const step = upright ? 1 : Math.max(1, Math.ceil(14 / perTopic));
  return { rotate: upright ? 0 : -90, bottom: upright ? 40 : 34 + widest, shown: labelledPlaces(names.length, step) };
}

function drawBars(bars: readonly TopicBar[], options: ChartOptions, style: BarStyle): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const left = 56;
  const right = 16;
  const { rotate, bottom, shown } = topicAxis(
    bars.map(({ topic }) => topic),
    width - left - right,
  );
  const height = options.height ?? Math.round(width * 0.38) + bottom;
  const [good, bad] = style.goodAbove ? [theme.above, theme.below] : [theme.below, theme.above];
  const extent =
    1.05 * Math.max(0.01, ...bars.flatMap(({ value, low, high }) => [Math.abs(value), Math.abs(low ?? 0), Math.abs(high ?? 0)]));
  const rows = bars.map((bar, i) => ({ ...bar, place: i }));
  const svg = Plot.plot({
    document,
    width,
    height,
    marginTop: 30,
    marginLeft: left,
    marginRight: right,
    marginBottom: bottom,
    x: { type: 'band', domain: rows.map(({ place }) => place), axis: null, padding: bars.length > 200 ? 0 : 0.2 },
    y: {
      domain: style.isTurned ? [extent, -extent] : [-extent, extent],
      label: null,
      grid: true,
      tickFormat: (value: number) => signedNumber(value),
    },
    marks: [
      Plot.ruleX(
        rows.filter(({ low }) => low !== undefined),
        { x: 'place', y1: 'low', y2: 'high', stroke: theme.muted, strokeWidth: 1.5 },
      ),
      Plot.barY(rows, {
        x: 'place',
        y: 'value',
        fill: (row: TopicBar) => (row.value >= 0 ? good : bad),
        title: (row: TopicBar) => row.words,
      }),
      Plot.ruleY([0], { stroke: 'currentColor' }),
      Plot.axisX(
        rows.filter(({ place }) => shown.has(place)).map(({ place }) => place),
        {
          tickFormat: (place: number) => label(bars[place].topic, 14),
          tickRotate: rotate,
          tickSize: 0,
          label: null,
          anchor: 'bottom',
        },
      ),
    ],
  }) as SVGSVGElement;
  axisNames(svg, frame, height, 'topic', style.yLabel, right);
  if (options.links === true) {
    linkMarks(
      svg,
      'bar',
      bars.map(({ link }) => link ?? {}),
    );
  }
  return finished(svg, document, style);
}

const MOST_DOCUMENTS = 60;

/** What each document adds to the value of a measure, in the order of the ranking. */
export function topicContributions(data: ContributionData, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const height = options.height ?? Math.round(width * 0.45);
  const documents = data.documents.slice(0, MOST_DOCUMENTS);
  const highestGrade = documents.reduce((most, { grade }) => Math.max(most, grade ?? 0), 1);
  const top = documents.reduce((most, { contribution }) => Math.max(most, contribution), 0) || 1;
  const lowest = documents.reduce((least, { contribution }) => Math.min(least, contribution), 0);
  const right = 16;
  const gradeText = (grade: MaybeNumber): string => (grade === null ? 'not judged' : `grade ${shortNumber(grade)}`);
  // as many ranks as have room for their numbers
  const step = Math.ceil(documents.length / Math.max(4, Math.min(30, Math.floor((width - 72) / 21))));
  const svg = Plot.plot({
    document,
    width,
    height,
    marginTop: 30,
    marginLeft: 56,
    marginRight: right,
    marginBottom: 58,
    x: { type: 'band', domain: documents.map(({ rank }) => rank), axis: null, padding: 0.2 },
    y: { domain: [lowest * 1.1, top * 1.1], label: null, grid: true },
    marks: [
      Plot.barY(documents, {
        x: 'rank',
        y: 'contribution',
        fill: theme.cell,
        fillOpacity: (one: ContributionData['documents'][number]) =>
          one.grade === null || one.grade <= 0 ? 0.25 : 0.4 + (0.6 * one.grade) / highestGrade,
        title: (one: ContributionData['documents'][number]) =>
          `rank ${one.rank}, ${visible(one.id)}, ${gradeText(one.grade)}: ${shortNumber(one.contribution)}`,
      }),
      Plot.ruleY([0], { stroke: 'currentColor' }),
      Plot.axisX(
        documents.filter((_, i) => i % step === 0).map(({ rank }) => rank),
        { tickSize: 0, label: null, anchor: 'bottom', tickFormat: (rank: number) => String(rank) },
      ),
    ],
  }) as SVGSVGElement;
  // the grade of each document under its rank
  const band = (svg as SVGSVGElement & Plot.Plot).scale('x');
  if (band !== undefined) {
    for (const [i, { rank, grade }] of documents.entries()) {
      if (i % step !== 0) continue;
      const x = (band.apply(rank) as number) + (band.bandwidth ?? 0) / 2;
      svg.append(
        svgElement(
          document,
          'text',
          { x, y: height - 26, fill: grade === null ? theme.muted : 'currentColor' },
          grade === null ? '?' : label(shortNumber(grade), 5),
        ),
      );
    }
  }
  svg.append(svgElement(document, 'text', { x: 8, y: height - 26, 'text-anchor': 'start', 'font-weight': 'bold' }, 'grade'));
  axisNames(svg, frame, height, 'rank', `contribution to ${data.measure}`, right);
  const more = data.documents.length - documents.length;
  const strongest = documents.reduce<ContributionData['documents'][number] | undefined>(
    (most, one) => (most === undefined || one.contribution > most.contribution ? one : most),
    undefined,
  );
  const description = `${data.measure} is ${shortNumber(data.value)}.${strongest === undefined ? '' : ` Most comes from rank ${strongest.rank}, ${strongest.id}: ${shortNumber(strongest.contribution)}.`}${more > 0 ? ` The first ${documents.length} of ${data.documents.length} documents are shown.` : ''}`;
  return finished(svg, document, { title: `What each document adds to ${data.measure}: ${data.system}, topic ${data.topic}`, description });
}
