/** Where a label can stand beside a mark without touching anything. */

/** Left, top, right, bottom. */
export type Box = readonly [number, number, number, number];

/** A label at one of its places. */
export interface Label {
  readonly x: number;
  /** Of the line that letters stand on. */
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly box: Box;
}

const AIR = 4;
/** Of a mark, and of letters above and below the middle of their line. */
const MARK = 6;
const ASCENT = 10;
const HEIGHT = 14;

/** The places beside a mark in the order in which they are tried: right, left, above, below; left first where lines leave to the right. */
export function placesBeside(x: number, y: number, width: number, leftFirst: boolean): readonly Label[] {
  const reach = MARK + AIR;
  const at = (left: number, top: number, anchor: Label['anchor'], textX: number): Label => ({
    x: textX,
    y: top + ASCENT,
    anchor,
    box: [left, top, left + width, top + HEIGHT],
  });
  const right = at(x + reach, y - HEIGHT / 2, 'start', x + reach);
  const left = at(x - reach - width, y - HEIGHT / 2, 'end', x - reach);
  const above = at(x - width / 2, y - reach - HEIGHT + AIR, 'middle', x);
  const below = at(x - width / 2, y + reach - AIR, 'middle', x);
  return leftFirst ? [left, above, right, below] : [right, left, below, above];
}

/** Whether two boxes share a point. */
export function touches([left, top, right, bottom]: Box, [otherLeft, otherTop, otherRight, otherBottom]: Box): boolean {
  return left < otherRight && otherLeft < right && top < otherBottom && otherTop < bottom;
}

/** Whether the first box lies in the second. */
export function isWithin([left, top, right, bottom]: Box, [outerLeft, outerTop, outerRight, outerBottom]: Box): boolean {
  return left >= outerLeft && right <= outerRight && top >= outerTop && bottom <= outerBottom;
}
