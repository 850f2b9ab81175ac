import * as Plot from '@observablehq/plot';
import { visible } from '../grid.js';
import type { CurveFamily, TopicCurve } from '../model.js';
import { endLabels, type NamedCurve, roomForNames } from './end-labels.js';
import { type ChartOptions, type Frame, finished, frameOf, labelWidth, shortNumber, stylesOf, svgElement, symbolOf } from './frame.js';
import { linkMark } from './links.js';

interface CurveStyle {
  readonly title: string;
  readonly xDomain: readonly [number, number];
  readonly yDomain?: readonly [number, number];
  readonly xType?: 'linear' | 'log';
  readonly xTicks?: readonly number[];
  readonly percent?: boolean;
  /** Parts of the x axis that are looked at one by one, named above them. */
  readonly ranges?: readonly { readonly from: number; readonly to: number; readonly name: string }[];
}

/** The ranges of recall in which TREC recommends to compare curves. */
const recallRanges: NonNullable<CurveStyle['ranges']> = [
  { from: 0, to: 0.2, name: 'high precision' },
  { from: 0.2, to: 0.8, name: 'middle recall' },
  { from: 0.8, to: 1, name: 'high recall' },
];
/** Room for the names of ranges, in pixels. */
const RANGE_NAMES = 16;

/** Precision against recall, the runs over each other: curves nearer to the upper right corner are better. */
export function recallPrecisionChart(family: CurveFamily, options: ChartOptions): SVGSVGElement {
  const title = family.label === '' ? 'Recall-precision graph' : `Recall-precision graph, ${family.label}`;
  return drawCurves(family, options, { title, xDomain: [0, 1], yDomain: [0, 1], ranges: recallRanges });
}

/** Gain against rank, on a logarithmic scale of ranks. */
export function gainCurves(family: CurveFamily, options: ChartOptions): SVGSVGElement {
  const last = family.x.at(-1) ?? 1;
  return drawCurves(family, options, {
    title: `Gain by rank: ${family.label}`,
    xDomain: [family.x[0] ?? 1, last],
    xType: 'log',
    xTicks: family.x,
  });
}

/** The share of documents that nobody judged, by cutoff: where it is high, the numbers say little. */
export function unjudgedRates(family: CurveFamily, options: ChartOptions): SVGSVGElement {
  const highest = Math.max(0.1, ...family.values.flat().map((value) => value ?? 0));
  const last = family.x.at(-1) ?? 1;
  return drawCurves(family, options, {
    title: 'Unjudged documents by cutoff',
    xDomain: [family.x[0] ?? 1, last],
    xType: 'log',
    xTicks: family.x,
    yDomain: [0, Math.min(1, highest * 1.05)],
    percent: true,
  });
}

function drawCurves(family: CurveFamily, options: ChartOptions, style: CurveStyle): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const height = options.height ?? Math.round(width * 0.62);
  const order = byHeight(family);
  const styles = stylesOf(family.systems, order, theme, options.highlight);
  const points = (s: number): { x: number; y: number; s: number }[] =>
    family.x.flatMap((x, i) => {
      const y = family.values[s][i];
      return y === null ? [] : [{ x, y, s }];
    });
  const names = [...styles.keys()].map((s) => family.systems[s]);
  const background = family.systems.flatMap((_, s) => (styles.has(s) ? [] : points(s)));
  const right = roomForNames(names, width);
  const ticks = style.xTicks === undefined ? family.x : readableTicks(style.xTicks);
  const { ranges = [] } = style;
  const svg = Plot.plot({
    document,
    width,
    height,
    marginTop: 30 + (ranges.length > 0 ? RANGE_NAMES : 0),
    marginLeft: 52,
    marginRight: right,
    marginBottom: 44,
    x: { type: style.xType ?? 'linear', domain: [...style.xDomain], axis: null },
    y: {
      label: null,
      grid: true,
      ...(style.yDomain === undefined ? { zero: true, nice: true } : { domain: [...style.yDomain] }),
      ...(style.percent === true ? { tickFormat: (y: number) => `${Math.round(y * 100)} %` } : {}),
    },
    marks: [
      Plot.gridX(ticks),
      // as text, because a logarithmic axis leaves out labels that it finds too close
      Plot.axisX(ticks, { label: null, text: (x: number) => (style.xTicks === undefined ? x.toFixed(1) : String(x)) }),
      Plot.ruleX(ranges.slice(1), { x: 'from', stroke: theme.muted, strokeWidth: 1, strokeDasharray: '5 4' }),
      Plot.line(background, { x: 'x', y: 'y', z: 's', stroke: theme.muted, strokeWidth: 1, strokeOpacity: 0.35 }),
      ...[...styles].flatMap(([s, style]) => [
        Plot.line(points(s), {
          x: 'x',
          y: 'y',
          stroke: style.colour,
          strokeWidth: 2,
          ...(style.dash === undefined ? {} : { strokeDasharray: style.dash }),
        }),
        Plot.dot(points(s), {
          x: 'x',
          y: 'y',
          ...symbolOf(style, theme.paper),
          title: (p: { x: number; y: number }) => `${visible(family.systems[s])}: ${shortNumber(p.y)} at ${p.x}`,
        }),
      ]),
    ],
  }) as SVGSVGElement & Plot.Plot;
  if (options.links === true) {
    // the curves in the background come first, then a line and its marks for each of the others
    const lines = Array.from(svg.querySelectorAll('g[aria-label="line"]')).slice(-styles.size);
    const dots = Array.from(svg.querySelectorAll('g[aria-label="dot"]'));
    for (const [i, s] of [...styles.keys()].entries()) for (const mark of [lines[i], dots[i]]) linkMark(mark, { system: s });
  }
  axisNames(svg, frame, height, family.xLabel, family.yLabel, right);
  rangeNames(svg, frame, ranges);
  const [xScale, yScale] = [svg.scale('x'), svg.scale('y')];
  const named = [...styles].flatMap(([s, { colour, dash }]): NamedCurve[] => {
    const own = points(s);
    const end = own.at(-1);
    if (end === undefined) return [];
    const [x, y] = [xScale?.apply(end.x) as number, yScale?.apply(end.y) as number];
    return [{ name: family.systems[s], colour, dash, x, y, height: -order.indexOf(s) }];
  });
  endLabels(svg, frame, named, { edge: width - right, width, top: 34, bottom: height - 46, rest: family.systems.length - styles.size });
  const best = order[0];
  const description = `${family.yLabel} against ${family.xLabel} of ${family.systems.length} ${family.systems.length === 1 ? 'system' : 'systems'}.${best === undefined ? '' : ` Highest on the whole: ${family.systems[best]}, from ${shortNumber(family.values[best][0])} to ${shortNumber(family.values[best].at(-1) ?? null)}.`}`;
  return finished(svg, document, { title: style.title, description });
}

/** Each range has its name above it, if there is room. */
function rangeNames(svg: SVGSVGElement & Plot.Plot, { document, theme }: Frame, ranges: NonNullable<CurveStyle['ranges']>): void {
  const scale = svg.scale('x');
  if (scale === undefined) return;
  for (const { from, to, name } of ranges) {
    const [left, right] = [scale.apply(from), scale.apply(to)] as [number, number];
    if (labelWidth([name]) > right - left) continue;
    svg.append(
      svgElement(document, 'text', { x: (left + right) / 2, y: 24 + RANGE_NAMES, 'text-anchor': 'middle', fill: theme.muted }, name),
    );
  }
}

/** On a scale of magnitudes, neighbours such as 2 and 3 or 20 and 30 would touch. */
function readableTicks(cutoffs: readonly number[]): number[] {
  const kept: number[] = [];
  for (const cutoff of cutoffs)
    if (kept.length === 0 || cutoff / kept[kept.length - 1] >= 1.6 || cutoff === cutoffs.at(-1)) kept.push(cutoff);
  return kept;
}

/** Systems, the one with the highest curve first. */
function byHeight(family: CurveFamily): number[] {
  const total = family.values.map((values) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
  return family.systems.map((_, s) => s).sort((a, b) => total[b] - total[a] || a - b);
}

/** The names of the axes, at their ends, where no tick is in the way. */
export function axisNames(svg: SVGSVGElement, { document, width }: Frame, height: number, x: string, y: string, right: number): void {
  svg.append(
    svgElement(document, 'text', { x: 8, y: 16, 'text-anchor': 'start', 'font-weight': 'bold' }, y),
    svgElement(document, 'text', { x: width - right, y: height - 8, 'text-anchor': 'end', 'font-weight': 'bold' }, x),
  );
}

/** One topic's ranking: precision after each relevant document as circles joined by a line, interpolated precision dashed. */
export function topicRecallPrecision(curve: TopicCurve, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const height = options.height ?? Math.round(width * 0.62);
  const [exactColour, interpolatedColour] = theme.series;
  const right = 24;
  const svg = Plot.plot({
    document,
    width,
    height,
    marginTop: 30,
    marginLeft: 52,
    marginRight: right,
    marginBottom: 44,
    x: { domain: [0, 1], label: null, grid: true, ticks: 10 },
    y: { domain: [0, 1], label: null, grid: true },
    marks: [
      Plot.line(stepsOf(curve), { x: 'recall', y: 'precision', stroke: interpolatedColour, strokeWidth: 2, strokeDasharray: '6 4' }),
      Plot.line(curve.exact, { x: 'recall', y: 'precision', stroke: exactColour, strokeWidth: 2 }),
      Plot.dot(curve.exact, {
        x: 'recall',
        y: 'precision',
        r: 5,
        fill: theme.paper,
        stroke: exactColour,
        strokeWidth: 2,
        title: (point: TopicCurve['exact'][number]) =>
          `rank ${point.rank}: recall ${shortNumber(point.recall)}, precision ${shortNumber(point.precision)}`,
      }),
    ],
  }) as SVGSVGElement;
  axisNames(svg, frame, height, 'recall', 'precision', right);
  svg.append(
    svgElement(document, 'text', { x: width - right, y: 16, 'text-anchor': 'end', fill: interpolatedColour }, 'interpolated (dashed)'),
    svgElement(document, 'text', { x: width - right - 150, y: 16, 'text-anchor': 'end', fill: exactColour }, 'exact (circles)'),
  );
  const description = `Relevant documents at ranks ${curve.exact.map(({ rank }) => rank).join(', ') || 'none'}. Interpolated precision at recall 0 to 1: ${curve.interpolated.map(({ precision }) => shortNumber(precision)).join(', ')}.`;
  return finished(svg, document, { title: `Precision and recall of ${curve.system} on topic ${curve.topic}`, description });
}

/** Interpolated precision is the highest at this recall or beyond, so it falls in steps at the recall of relevant documents. */
function stepsOf({ exact }: TopicCurve): { recall: number; precision: number }[] {
  const steps: { recall: number; precision: number }[] = [];
  let from = 0;
  for (const [i, { recall }] of exact.entries()) {
    const precision = exact.slice(i).reduce((most, point) => Math.max(most, point.precision), 0);
    steps.push({ recall: from, precision }, { recall, precision });
    from = recall;
  }
  if (from < 1) steps.push({ recall: from, precision: 0 }, { recall: 1, precision: 0 });
  return steps;
}
