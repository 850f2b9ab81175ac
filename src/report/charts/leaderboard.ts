import { visible } from '../grid.js';
import { systemLetter } from '../methods.js';
import type { ComparisonReport, ReportMeasure } from '../model.js';
import { MOST_GROUPED, rankText } from '../standings.js';
import {
  type ChartOptions,
  emptyPicture,
  type Frame,
  finished,
  frameOf,
  label,
  labelWidth,
  labelWithin,
  shortNumber,
  svgElement,
} from './frame.js';
import { linkMark } from './links.js';
import { niceTicks } from './ticks.js';

/** More bars than this would be a picture of their own. */
const MOST_BARS = 4;
/** From this share on, documents without a judgement are a warning. */
const MANY_UNJUDGED = 0.2;
const ROW = 24;
/** Below this width the name stands above its interval. */
const NARROW = 520;

/** One row of the picture. */
interface Row {
  readonly place: number;
  /** Its place in the list of systems. */
  readonly system: number;
  readonly name: string;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly marks: string;
  readonly ranks: string;
  readonly unjudged: number | null;
  /** Not told apart from the best. */
  readonly isBest: boolean;
}

/** The systems from best to worst: mean and interval of each, bars beside those that are not told apart, the range of ranks, and the
 *  share of unjudged documents. */
export function leaderboardChart(report: ComparisonReport, m: number, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const measure = report.measures[m];
  const all = rowsOf(report, measure, m === 0);
  const rows = all.slice(0, MOST_GROUPED);
  const groups = m === 0 ? groupsOf(report, measure, rows.length) : [];
  const svg = frame.width < NARROW ? narrowPicture(frame, measure, rows) : widePicture(frame, measure, rows, groups);
  const best = rows[0];
  const more = all.length - rows.length;
  const description = `${rows
    .slice(0, 5)
    .map(({ name, mean, low, high }) => `${name} ${shortNumber(mean)} (${shortNumber(low)} to ${shortNumber(high)})`)
    .join(
      ', ',
    )}${rows.length > 5 ? ', …' : ''}.${more > 0 ? ` The best ${rows.length} of ${all.length} systems are shown.` : ''} ${rows.filter(({ isBest }) => isBest).length - 1} shown systems are not told apart from ${best?.name ?? 'the best'}.`;
  return finished(svg, frame.document, { title: leaderboardTitle(report, m), description });
}

/** What the picture is called. */
export function leaderboardTitle({ systems, measures, test }: ComparisonReport, m: number): string {
  const level = Math.round(100 * (1 - test.alpha));
  const shown = systems.length > MOST_GROUPED ? `the best ${MOST_GROUPED} of ${systems.length} systems` : `${systems.length} systems`;
  return `Mean ${measures[m].name} and ${level}% interval, ${shown}`;
}

function rowsOf({ systems, standings, test }: ComparisonReport, measure: ReportMeasure, withStandings: boolean): Row[] {
  const letters = new Map(measure.order.map((s, place) => [s, systemLetter(place)]));
  const best = measure.order[0];
  const known = withStandings ? standings : undefined;
  const hasLetters = systems.length <= MOST_GROUPED && test.test !== 'none';
  return measure.order.map((s, place): Row => {
    const { mean, low, high, better } = measure.systems[s];
    const ranks = known?.ranks[s];
    return {
      place,
      system: s,
      name: systems[s],
      mean,
      low,
      high,
      marks: hasLetters
        ? better
            .map((other) => letters.get(other) ?? '')
            .sort()
            .join('')
        : '',
      ranks: ranks === undefined ? '' : rankText(ranks),
      unjudged: known?.unjudged?.shares[s] ?? null,
      isBest: s === best || !measure.systems[best].better.includes(s),
    };
  });
}

/** Bars as lists of rows, the one with the best first. */
function groupsOf({ standings, systems }: ComparisonReport, measure: ReportMeasure, numRows: number): number[][] {
  const rowOf = new Map(measure.order.map((s, place) => [s, place]));
  const all = (standings?.groups ?? []).map((group) => group.map((s) => rowOf.get(s) ?? 0).sort((a, b) => a - b));
  const few = systems.length > MOST_GROUPED ? all.slice(0, 1) : all.slice(0, MOST_BARS);
  return few.map((group) => group.filter((row) => row < numRows)).filter(({ length }) => length > 1);
}

interface Scale {
  readonly x: (value: number) => number;
  readonly ticks: readonly number[];
}

function scaleOf(rows: readonly Row[], from: number, to: number): Scale {
  const values = rows.flatMap(({ low, high, mean }) => [low, high, mean].filter((value) => value !== null));
  const least = Math.min(...values, Number.POSITIVE_INFINITY);
  const most = Math.max(...values, Number.NEGATIVE_INFINITY);
  const [low, high] = least < most ? [least, most] : [least - 0.1, least + 0.1];
  const room = Math.max(1, to - from);
  return { x: (value) => from + ((value - low) / (high - low)) * room, ticks: niceTicks(low, high, Math.min(6, room / 50)) };
}

function widePicture(frame: Frame, measure: ReportMeasure, rows: readonly Row[], groups: readonly number[][]): SVGSVGElement {
  const { document, theme, width } = frame;
  const top = 30;
  const height = top + rows.length * ROW + 34;
  const svg = emptyPicture(frame, height);
  const hasRanks = rows.some(({ ranks }) => ranks !== '');
  const hasUnjudged = rows.some(({ unjudged }) => unjudged !== null);
  const lettersEnd = rows.some(({ marks }) => marks !== '') ? 22 : 0;
  const nameWidth = Math.min(width * 0.26, 8 + labelWidth(rows.map(({ name }) => name)));
  const barsFrom = lettersEnd + nameWidth + 8;
  const plotFrom = barsFrom + Math.max(1, groups.length) * 9 + 10;
  const widestMarks = Math.max(0, ...rows.map(({ marks }) => marks.length)) * 6.2;
  const meanEnd = width - widestMarks - 4;
  const unjudgedEnd = meanEnd - Math.max(62, 14 + labelWidth([measure.name], 12));
  const ranksEnd = unjudgedEnd - (hasUnjudged ? 74 : 0);
  const plotTo = ranksEnd - (hasRanks ? 84 : 0) - 10;
  const { x, ticks } = scaleOf(rows, plotFrom, plotTo);
  const text = (at: number, y: number, words: string, anchor: string, more: Readonly<Record<string, string | number>> = {}): void => {
    svg.append(svgElement(document, 'text', { x: at, y, 'text-anchor': anchor, ...more }, words));
  };
  const quiet = { 'fill-opacity': 0.75 };
  text(lettersEnd, 16, 'system', 'start', quiet);
  text(plotFrom, 16, 'mean and interval', 'start', quiet);
  if (hasRanks) text(ranksEnd, 16, 'rank interval', 'end', quiet);
  if (hasUnjudged) text(unjudgedEnd, 16, 'unjudged', 'end', quiet);
  text(meanEnd, 16, label(measure.name, 12), 'end', { 'font-weight': 'bold' });
  const bottom = top + rows.length * ROW;
  const line = (d: string, stroke: string, strokeWidth: number, more: Readonly<Record<string, string | number>> = {}): void => {
    svg.append(svgElement(document, 'path', { d, fill: 'none', stroke, 'stroke-width': strokeWidth, ...more }));
  };
  for (const tick of ticks) {
    line(`M${round(x(tick))},${top}V${bottom}`, theme.muted, 1, { 'stroke-opacity': 0.3 });
    text(x(tick), bottom + 16, shortNumber(tick), 'middle', quiet);
  }
  line(`M0,${top - 4}H${width}`, 'currentColor', 1.2);
  for (const row of rows) {
    const y = top + row.place * ROW + ROW / 2;
    const colour = row.isBest ? theme.series[0] : theme.muted;
    line(`M0,${y + ROW / 2}H${width}`, theme.muted, 1, { 'stroke-opacity': 0.3 });
    if (lettersEnd > 0) text(0, y, systemLetter(row.place), 'start', { dy: '0.32em', ...quiet });
    const shown = labelWithin(row.name, nameWidth);
    const name = svgElement(
      document,
      'text',
      { x: lettersEnd, y, dy: '0.32em', 'text-anchor': 'start', ...(row.place === 0 ? { 'font-weight': 'bold' } : {}) },
      shown,
    );
    if (shown !== visible(row.name)) name.append(svgElement(document, 'title', {}, visible(row.name)));
    svg.append(name);
    intervalMark(svg, frame, row, y, x, colour);
    if (hasRanks) text(ranksEnd, y, row.ranks, 'end', { dy: '0.32em' });
    if (hasUnjudged && row.unjudged !== null) {
      const isMany = row.unjudged > MANY_UNJUDGED;
      text(unjudgedEnd, y, `${Math.round(100 * row.unjudged)}%${isMany ? ' !' : ''}`, 'end', {
        dy: '0.32em',
        ...(isMany ? { 'font-weight': 'bold' } : quiet),
      });
    }
    text(meanEnd, y, row.mean?.toFixed(4) ?? '–', 'end', { dy: '0.32em', 'font-weight': 'bold', 'font-variant': 'tabular-nums' });
    if (row.marks !== '') text(meanEnd + 2, y - 3, row.marks, 'start', { 'font-size': 9 });
  }
  for (const [g, group] of groups.entries()) {
    const at = barsFrom + g * 9;
    const colour = g === 0 ? theme.series[0] : theme.muted;
    for (const [i, row] of group.entries()) {
      const y = top + row * ROW;
      line(`M${at},${y + 3}V${y + ROW - 3}`, colour, 4, { 'stroke-linecap': 'round' });
      const next = group[i + 1];
      // a system between them that falls out of the group leaves a gap
      if (next !== undefined) {
        const isGap = next > row + 1;
        line(`M${at},${y + ROW - 3}V${top + next * ROW + 3}`, colour, isGap ? 1.5 : 4, isGap ? { 'stroke-dasharray': '2 3' } : {});
      }
    }
  }
  return svg;
}

function intervalMark(
  svg: SVGSVGElement,
  { document, links }: Frame,
  row: Row,
  y: number,
  x: (value: number) => number,
  colour: string,
): void {
  if (row.low !== null && row.high !== null) {
    const interval = svgElement(document, 'path', {
      d: `M${round(x(row.low))},${y - 4}v8m0,-4H${round(x(row.high))}m0,-4v8`,
      fill: 'none',
      stroke: colour,
      'stroke-width': 1.8,
    });
    if (links) linkMark(interval, { system: row.system });
    svg.append(interval);
  }
  if (row.mean === null) return;
  const dot = svgElement(document, 'circle', { cx: x(row.mean), cy: y, r: 4.5, fill: colour });
  if (links) linkMark(dot, { system: row.system });
  dot.append(
    svgElement(
      document,
      'title',
      {},
      `${visible(row.name)}: ${shortNumber(row.mean)}, interval ${shortNumber(row.low)} to ${shortNumber(row.high)}${row.ranks === '' ? '' : `, rank ${row.ranks}`}`,
    ),
  );
  svg.append(dot);
}

/** For phones: the name above its interval, the value at the right, a bar at the edge for those that are not told apart from the best. */
function narrowPicture(frame: Frame, measure: ReportMeasure, rows: readonly Row[]): SVGSVGElement {
  const { document, theme, width } = frame;
  const rowHeight = 42;
  const top = 26;
  const bottom = top + rows.length * rowHeight;
  const svg = emptyPicture(frame, bottom + 26);
  const { x, ticks } = scaleOf(rows, 14, width - 66);
  const text = (at: number, y: number, words: string, anchor: string, more: Readonly<Record<string, string | number>> = {}): void => {
    svg.append(svgElement(document, 'text', { x: at, y, 'text-anchor': anchor, ...more }, words));
  };
  text(width, 14, label(measure.name, 16), 'end', { 'font-weight': 'bold' });
  for (const tick of ticks.filter((_, i) => i % 2 === 0 || ticks.length < 4)) text(x(tick), bottom + 16, shortNumber(tick), 'middle');
  for (const row of rows) {
    const y = top + row.place * rowHeight;
    const colour = row.isBest ? theme.series[0] : theme.muted;
    if (row.isBest) svg.append(svgElement(document, 'path', { d: `M3,${y + 3}V${y + rowHeight - 4}`, stroke: colour, 'stroke-width': 4 }));
    const many = row.unjudged !== null && row.unjudged > MANY_UNJUDGED ? ` · ${Math.round(100 * row.unjudged)}% unjudged` : '';
    text(14, y + 14, `${label(row.name, 30)}${many}`, 'start', row.place === 0 ? { 'font-weight': 'bold' } : {});
    intervalMark(svg, frame, row, y + 28, x, colour);
    text(width, y + 32, row.mean?.toFixed(4) ?? '–', 'end', { 'font-weight': 'bold' });
  }
  return svg;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
