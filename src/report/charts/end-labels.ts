import { visible } from '../grid.js';
import { type Frame, label, labelWidth, labelWithin, spreadApart, svgElement } from './frame.js';

/** A curve that is to have its name beside it. */
export interface NamedCurve {
  readonly name: string;
  readonly colour: string;
  readonly dash: string | undefined;
  /** Where it ends, in pixels. */
  readonly x: number;
  readonly y: number;
  /** How high the curve is as a whole: names stand in this order where curves meet at their ends. */
  readonly height: number;
}

/** Where names stand. */
export interface LabelRoom {
  /** The end of the axis, and the width of the picture. */
  readonly edge: number;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  /** Curves without a name. */
  readonly rest?: number | undefined;
}

/** What stands between the end of the axis and a name. */
const LEADER = 18;
/** Ends that are closer than this cannot be told apart by the names beside them. */
const APART = 8;

/** The room beside a chart for names, in pixels. */
export function roomForNames(names: readonly string[], width: number): number {
  return Math.min(width * 0.4, Math.max(24, labelWidth(names) + LEADER + 8));
}

/** Each name stands at the end of its curve, moved where two would overlap. Where curves end too close to each other for that to be
 *  read, as precision does at full recall, the names stand in the order of the curves as a whole, each with a piece of its line. */
export function endLabels(svg: SVGSVGElement, { document, theme }: Frame, curves: readonly NamedCurve[], room: LabelRoom): void {
  const { edge, width, top, bottom, rest = 0 } = room;
  const ends = curves.map(({ y }) => y).sort((a, b) => a - b);
  const numClose = ends.filter((y, i) => i > 0 && y - ends[i - 1] < APART).length;
  const doMeet = 2 * numClose > ends.length - 1;
  const ranked = curves.map((_, i) => i).sort((a, b) => curves[b].height - curves[a].height || a - b);
  const places = doMeet
    ? spreadApart(
        curves.map((_, i) => top + 6 + 17 * ranked.indexOf(i)),
        17,
        top + 6,
        bottom - (rest > 0 ? 15 : 0),
      )
    : spreadApart(
        // of those that end at the same place the higher one stands above
        curves.map(({ y }, i) => y + ranked.indexOf(i) / 1e6),
        15,
        top,
        bottom - (rest > 0 ? 15 : 0),
      );
  for (const [i, { name, colour, dash, x, y }] of curves.entries()) {
    const line = doMeet
      ? {
          d: `M${round(edge - 12)},${round(places[i])}H${round(edge + 14)}`,
          'stroke-width': 2,
          ...(dash === undefined ? {} : { 'stroke-dasharray': dash }),
        }
      : { d: `M${round(x + 3)},${round(y)}L${round(edge + 14)},${round(places[i])}`, 'stroke-width': 1, 'stroke-opacity': 0.5 };
    const shown = labelWithin(name, width - edge - LEADER);
    const place = { x: edge + LEADER, y: places[i], dy: '0.32em', 'text-anchor': 'start', fill: colour };
    const text = svgElement(document, 'text', place, shown);
    // the whole of a name that was cut shows when it is pointed at
    if (shown !== visible(name)) text.append(svgElement(document, 'title', {}, visible(name)));
    svg.append(svgElement(document, 'path', { stroke: colour, fill: 'none', ...line }), text);
  }
  if (rest > 0) {
    const place = { x: edge + LEADER, y: bottom, dy: '0.32em', 'text-anchor': 'start', fill: theme.muted };
    svg.append(svgElement(document, 'text', place, label(`and ${rest} more`)));
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
