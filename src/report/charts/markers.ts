import { svgElement } from './frame.js';
import type { SystemStyle } from './theme.js';

/** The mark of a system, for charts that are drawn by hand. */
export function markerAt(document: Document, { marker, colour }: SystemStyle, x: number, y: number, paper: string, size = 4.5): SVGElement {
  const path = (d: string, filled = true): SVGElement =>
    svgElement(document, 'path', { d, fill: filled ? colour : 'none', stroke: colour, 'stroke-width': filled ? 0 : 1.9 });
  const at = (value: number): number => Math.round(value * 100) / 100;
  const box = { x: x - size, y: y - size, width: 2 * size, height: 2 * size };
  switch (marker) {
    case 'disc':
      return svgElement(document, 'circle', { cx: x, cy: y, r: size, fill: colour });
    case 'ring':
      return svgElement(document, 'circle', { cx: x, cy: y, r: size, fill: paper, stroke: colour, 'stroke-width': 1.9 });
    case 'square':
      return svgElement(document, 'rect', { ...box, fill: colour });
    case 'hollow square':
      return svgElement(document, 'rect', { ...box, fill: paper, stroke: colour, 'stroke-width': 1.9 });
    case 'triangle':
      return path(`M${at(x)},${at(y - 1.2 * size)}l${at(1.15 * size)},${at(2.1 * size)}h${at(-2.3 * size)}z`);
    case 'diamond':
      return path(
        `M${at(x)},${at(y - 1.25 * size)}l${at(1.25 * size)},${at(1.25 * size)}l${at(-1.25 * size)},${at(1.25 * size)}l${at(-1.25 * size)},${at(-1.25 * size)}z`,
      );
    case 'times':
      return path(`M${at(x - size)},${at(y - size)}l${2 * size},${2 * size}m0,${-2 * size}l${-2 * size},${2 * size}`, false);
    case 'plus':
      return path(`M${at(x - size)},${at(y)}h${2 * size}m${-size},${-size}v${2 * size}`, false);
  }
}
