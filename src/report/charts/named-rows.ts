/** Rows below each other, each with its name at the left edge and an amount to the right. */
import * as Plot from '@observablehq/plot';
import { type Frame, labelWidth, labelWithin } from './frame.js';

const EDGE = 16;

/** How the rows are placed. */
export interface NamedRows {
  readonly names: readonly string[];
  /** The most of the width that the names may take, from 0 to 1; longer ones are cut. */
  readonly namesShare: number;
  readonly right: number;
  readonly height: number;
}

/** The height of so many rows with room for titles and the axis below. */
export function heightOfRows(numRows: number, rowHeight: number): number {
  return 30 + numRows * rowHeight + 44;
}

/** Draws marks whose `y` is the place of a row. */
export function plotNamedRows(
  { document, width }: Frame,
  { names, namesShare, right, height }: NamedRows,
  marks: readonly Plot.Markish[],
): SVGSVGElement {
  const left = Math.min(width * namesShare, EDGE + labelWidth(names));
  const places = [...names.keys()];
  return Plot.plot({
    document,
    width,
    height,
    marginTop: 30,
    marginLeft: left,
    marginRight: right,
    marginBottom: 44,
    x: { label: null, grid: true, zero: true, nice: true },
    y: { type: 'band', domain: places, axis: null, padding: 0.3 },
    marks: [
      ...marks,
      Plot.axisY(places, { tickSize: 0, label: null, tickFormat: (place: number) => labelWithin(names[place], left - EDGE) }),
    ],
  }) as SVGSVGElement;
}
