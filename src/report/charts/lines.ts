import * as Plot from '@observablehq/plot';
import { visible } from '../grid.js';
import { axisNames } from './curves.js';
import { endLabels, type NamedCurve, roomForNames } from './end-labels.js';
import { type ChartOptions, finished, frameOf, shortNumber, stylesOf } from './frame.js';

/** One line of a chart, with error bars where there are errors. */
export interface LineSeries {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Bars of this half length stand at the points. */
  readonly errors?: readonly number[] | undefined;
  /** What lies behind the line, as wide as these limits. */
  readonly band?: readonly { readonly x: number; readonly low: number; readonly high: number }[] | undefined;
}

/** A chart of lines, for curves that no report has. */
export interface LinePicture {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly LineSeries[];
  readonly xDomain?: readonly [number, number] | undefined;
  readonly yDomain?: readonly [number, number] | undefined;
  /** A dot at each point, for few points. */
  readonly dots?: boolean | undefined;
}

/** Several lines over each other, each with its name at its end. */
export function lineChart(picture: LinePicture, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const height = options.height ?? Math.round(width * 0.6);
  const names = picture.series.map(({ name }) => name);
  const styles = stylesOf(
    names,
    picture.series.map((_, s) => s),
    theme,
    options.highlight,
  );
  const right = roomForNames(names, width);
  const shown = (s: number): LineSeries['points'] => clipped(picture.series[s].points, picture.xDomain, picture.yDomain);
  const svg = Plot.plot({
    document,
    width,
    height,
    marginTop: 30,
    marginLeft: 56,
    marginRight: right,
    marginBottom: 44,
    x: { label: null, grid: true, ...(picture.xDomain === undefined ? {} : { domain: [...picture.xDomain] }) },
    y: { label: null, grid: true, ...(picture.yDomain === undefined ? { nice: true } : { domain: [...picture.yDomain] }) },
    marks: picture.series.flatMap(({ name, errors, band }, s) => {
      const { colour: stroke, dash } = styles.get(s) ?? { colour: theme.muted, dash: undefined };
      const points = shown(s);
      const title = (p: { x: number; y: number }): string => `${visible(name)}: ${shortNumber(p.y)} at ${shortNumber(p.x)}`;
      return [
        ...(band === undefined ? [] : [Plot.areaY(band, { x: 'x', y1: 'low', y2: 'high', fill: stroke, fillOpacity: 0.18 })]),
        Plot.line(points, { x: 'x', y: 'y', stroke, strokeWidth: 2, ...(dash === undefined ? {} : { strokeDasharray: dash }) }),
        ...(picture.dots === true ? [Plot.dot(points, { x: 'x', y: 'y', fill: stroke, r: 2.6, title })] : []),
        ...(errors === undefined
          ? []
          : [
              Plot.ruleX(points, {
                x: 'x',
                y1: (p: { y: number }, i: number) => p.y - errors[i],
                y2: (p: { y: number }, i: number) => p.y + errors[i],
                stroke,
                strokeOpacity: 0.6,
              }),
            ]),
      ];
    }),
  }) as SVGSVGElement & Plot.Plot;
  axisNames(svg, frame, height, picture.xLabel, picture.yLabel, right);
  const [xScale, yScale] = [svg.scale('x'), svg.scale('y')];
  const named = names.flatMap((name, s): NamedCurve[] => {
    const points = shown(s);
    const end = points.at(-1);
    if (end === undefined) return [];
    const { colour = theme.muted, dash } = styles.get(s) ?? {};
    const height = points.reduce((sum, point) => sum + point.y, 0) / points.length;
    return [{ name, colour, dash, x: xScale?.apply(end.x) as number, y: yScale?.apply(end.y) as number, height }];
  });
  endLabels(svg, frame, named, { edge: width - right, width, top: 34, bottom: height - 48 });
  const description = `${picture.yLabel} against ${picture.xLabel}: ${names.join(', ')}.`;
  return finished(svg, document, { title: picture.title, description });
}

const MOST_POINTS = 600;

/** The part of a line that a zoomed picture shows, to where it leaves it. */
function clipped(points: LineSeries['points'], xDomain: LinePicture['xDomain'], yDomain: LinePicture['yDomain']): LineSeries['points'] {
  const isInside = ({ x, y }: { x: number; y: number }): boolean =>
    (xDomain === undefined || (x >= xDomain[0] && x <= xDomain[1])) && (yDomain === undefined || (y >= yDomain[0] && y <= yDomain[1]));
  const inside = points.filter(isInside);
  // more points than pixels make a file large and a line no finer
  const every = Math.ceil(inside.length / MOST_POINTS);
  return every <= 1 ? inside : inside.filter((_, i) => i % every === 0 || i === inside.length - 1);
}
