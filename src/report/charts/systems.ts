import * as Plot from '@observablehq/plot';
import { visible } from '../grid.js';
import type { CriticalDifference, ReportMeasure } from '../model.js';
import { axisNames } from './curves.js';
import { type ChartOptions, emptyPicture, finished, frameOf, labelWidth, labelWithin, shortNumber, svgElement } from './frame.js';
import { linkMark, linkMarks } from './links.js';
import { heightOfRows, plotNamedRows } from './named-rows.js';

const MOST_SYSTEMS = 40;
const MOST_SYSTEMS_WITH_DOTS = 20;

/** The scores of each system over topics: line from the lowest to the highest, box around the middle half, tick at the median, and
 *  the mean as a diamond. */
export function distributions(systems: readonly string[], measure: ReportMeasure, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const rows = measure.order.slice(0, MOST_SYSTEMS).map((s, row) => ({ ...measure.systems[s], s, row }));
  type Row = (typeof rows)[number];
  const right = 20;
  const rowHeight = rows.length <= 20 ? 30 : 20;
  const height = options.height ?? heightOfRows(rows.length, rowHeight);
  const dots =
    rows.length > MOST_SYSTEMS_WITH_DOTS
      ? []
      : rows.flatMap(({ s, row }) => measure.scores[s].flatMap((value) => (value === null ? [] : [{ row, value }])));
  const words = (row: Row): string =>
    `${visible(systems[row.s])}: mean ${shortNumber(row.mean)}, median ${shortNumber(row.median)}, middle half ${shortNumber(row.lowerQuartile)} to ${shortNumber(row.upperQuartile)}, all ${shortNumber(row.minimum)} to ${shortNumber(row.maximum)}`;
  const names = rows.map(({ s: system }) => systems[system]);
  const svg = plotNamedRows(frame, { names, namesShare: 0.35, right, height }, [
    Plot.ruleY(rows, { y: 'row', x1: 'minimum', x2: 'maximum', stroke: theme.muted, strokeWidth: 1.5 }),
    Plot.barX(rows, { y: 'row', x1: 'lowerQuartile', x2: 'upperQuartile', fill: theme.series[0], fillOpacity: 0.3, title: words }),
    Plot.dot(dots, { x: 'value', y: 'row', r: 1.8, fill: 'currentColor', fillOpacity: 0.35 }),
    Plot.tickX(rows, { x: 'median', y: 'row', stroke: theme.series[0], strokeWidth: 2.5 }),
    Plot.dot(rows, { x: 'mean', y: 'row', r: 5, symbol: 'diamond', fill: theme.series[1], title: words }),
  ]);
  const cut = measure.order.length - rows.length;
  axisNames(svg, frame, height, measure.name, cut > 0 ? `the best ${rows.length} of ${measure.order.length} systems` : '', right);
  svg.append(
    svgElement(document, 'text', { x: width - right, y: 16, 'text-anchor': 'end' }, 'box: middle half · tick: median · diamond: mean'),
  );
  if (options.links === true) {
    const links = rows.map(({ s }) => ({ system: s }));
    for (const kind of ['rule', 'bar', 'tick', 'dot']) linkMarks(svg, kind, links);
  }
  const best = rows[0];
  return finished(svg, document, {
    title: `Distribution of ${measure.name} over topics`,
    description: best === undefined ? 'No systems.' : `Best: ${words(best)}.`,
  });
}

const MOST_RANKED = 30;
/** What stands between the edge of the diagram and a name beside it: a piece of line and the mean rank. */
const MEAN_RANK_ROOM = 66;

/** Demšar's diagram: mean ranks on an axis, 1 at the left; a bar joins systems that Nemenyi's test does not tell apart. */
export function criticalDifference(
  systems: readonly string[],
  measure: string,
  data: CriticalDifference,
  options: ChartOptions,
): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const order = data.meanRanks.map((_, s) => s).sort((a, b) => data.meanRanks[a] - data.meanRanks[b] || a - b);
  const shown = order.slice(0, MOST_RANKED);
  const cliques: (readonly [number, number])[] = [];
  for (const [first, last] of data.cliques) {
    const end = Math.min(last, shown.length - 1);
    // of rows that the picture cuts at the same place, the first holds the others
    if (first < end && end > (cliques.at(-1)?.[1] ?? 0)) cliques.push([first, end]);
  }
  const names = shown.map((s) => systems[s]);
  const margin = Math.min(width * 0.34, MEAN_RANK_ROOM + labelWidth(names));
  const lowest = Math.floor(data.meanRanks[shown[0]] ?? 1);
  const highest = Math.max(lowest + 1, Math.ceil(data.meanRanks[shown.at(-1) ?? 0] ?? 2));
  const x = (rank: number): number => margin + ((rank - lowest) / (highest - lowest)) * (width - 2 * margin);
  const axisY = 78;
  const barsFrom = axisY + 14;
  const bars = cliques.length;
  const labelsFrom = barsFrom + bars * 9 + 18;
  const half = Math.ceil(shown.length / 2);
  const cut = order.length - shown.length;
  const height = labelsFrom + half * 20 + (cut > 0 ? 30 : 12);
  const svg = emptyPicture(frame, height);
  const line = (d: string, strokeWidth: number, colour = 'currentColor'): SVGElement =>
    svgElement(document, 'path', { d, fill: 'none', stroke: colour, 'stroke-width': strokeWidth });
  const at = (value: number): number => Math.round(value * 100) / 100;

  // axis with a tick at each whole rank, as many as there is room for
  svg.append(line(`M${at(x(lowest))},${axisY}H${at(x(highest))}`, 1.5));
  const step = Math.max(1, Math.ceil((highest - lowest) / 20));
  for (let rank = lowest; rank <= highest; rank += step) {
    svg.append(line(`M${at(x(rank))},${axisY}v-7`, 1.5), svgElement(document, 'text', { x: x(rank), y: axisY - 12 }, String(rank)));
  }
  // how far apart mean ranks must be
  const room = width - 2 * margin;
  const length = (data.criticalDifference / (highest - lowest)) * room;
  const words = `critical difference ${shortNumber(data.criticalDifference)}`;
  if (margin + length <= width - 8) {
    svg.append(line(`M${margin},24v8m0,-4h${at(length)}m0,-4v8`, 1.5, theme.series[1]));
    svg.append(svgElement(document, 'text', { x: margin, y: 15, 'text-anchor': 'start', fill: theme.series[1] }, words));
  } else
    svg.append(
      svgElement(
        document,
        'text',
        { x: margin, y: 15, 'text-anchor': 'start', fill: theme.series[1] },
        `${words}, more than the axis is long`,
      ),
    );
  svg.append(svgElement(document, 'text', { x: 8, y: axisY - 12, 'text-anchor': 'start', 'font-weight': 'bold' }, 'mean rank'));

  for (const [i, [first, last]] of cliques.entries()) {
    const from = x(data.meanRanks[shown[first]]);
    const to = x(data.meanRanks[shown[last]]);
    svg.append(
      svgElement(document, 'path', {
        d: `M${at(from - 3)},${barsFrom + i * 9}H${at(to + 3)}`,
        stroke: theme.series[0],
        'stroke-width': 4,
        'stroke-linecap': 'round',
        fill: 'none',
      }),
    );
  }
  // the better half to the left, the other to the right, so that no line crosses another
  for (const [place, s] of shown.entries()) {
    const onLeft = place < half;
    const row = onLeft ? place : shown.length - 1 - place;
    const y = labelsFrom + row * 20;
    const rank = data.meanRanks[s];
    const edge = onLeft ? margin - 12 : width - margin + 12;
    const name = labelWithin(systems[s], margin - MEAN_RANK_ROOM);
    const stalk = line(`M${at(x(rank))},${axisY}V${y}H${edge}`, 1, theme.muted);
    const text = svgElement(
      document,
      'text',
      { x: onLeft ? edge - 4 : edge + 4, y, dy: '0.32em', 'text-anchor': onLeft ? 'end' : 'start' },
      onLeft ? `${name} ${rank.toFixed(2)}` : `${rank.toFixed(2)} ${name}`,
    );
    if (name !== visible(systems[s])) text.append(svgElement(document, 'title', {}, visible(systems[s])));
    svg.append(stalk, text);
    if (options.links === true) for (const mark of [stalk, text]) linkMark(mark, { system: s });
  }
  if (cut > 0) {
    const words = `the best ${shown.length} of ${order.length} systems`;
    svg.append(svgElement(document, 'text', { x: 8, y: height - 10, 'text-anchor': 'start', 'font-weight': 'bold' }, words));
  }
  const description = `Mean ranks by ${measure}: ${shown
    .slice(0, 10)
    .map((s) => `${systems[s]} ${data.meanRanks[s].toFixed(2)}`)
    .join(
      ', ',
    )}${shown.length > 10 ? ', …' : ''}.${cut > 0 ? ` The best ${shown.length} of ${order.length} systems are shown.` : ''} Friedman's test of any difference: p ${shortNumber(data.omnibusPValue)}.`;
  return finished(svg, document, { title: `Critical differences of mean ranks by ${measure}`, description });
}
