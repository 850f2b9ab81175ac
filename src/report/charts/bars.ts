import * as Plot from '@observablehq/plot';
import { visible } from '../grid.js';
import type { BarFamily } from '../model.js';
import { axisNames } from './curves.js';
import { type ChartOptions, finished, frameOf, shortNumber, signedNumber } from './frame.js';
import { heightOfRows, plotNamedRows } from './named-rows.js';

/** More bars than this are left to the table. */
const MOST_BARS = 30;

/** Amounts below each other, from 0 to the right or to the left, with a line for the interval of each. */
export function amountBars(family: BarFamily, options: ChartOptions): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme } = frame;
  const rows = family.items.slice(0, MOST_BARS).map((item, row) => ({ ...item, row }));
  type Row = (typeof rows)[number];
  const right = 24;
  const height = options.height ?? heightOfRows(rows.length, 22);
  const words = ({ name, value, low, high }: Row): string =>
    `${visible(name)}: ${signedNumber(value)}${low === null || high === null ? '' : ` (${shortNumber(low)} to ${shortNumber(high)})`}`;
  const measured = rows.filter(({ low, high }) => low !== null && high !== null);
  const svg = plotNamedRows(frame, { names: rows.map(({ name }) => name), namesShare: 0.4, right, height }, [
    Plot.barX(rows, {
      y: 'row',
      x1: 0,
      x2: 'value',
      fill: ({ value }: Row) => (value < 0 ? theme.below : theme.above),
      fillOpacity: measured.length > 0 ? 0.45 : 0.85,
      title: words,
    }),
    Plot.ruleY(measured, { y: 'row', x1: 'low', x2: 'high', stroke: 'currentColor', strokeWidth: 1.6 }),
    Plot.ruleX([0], { stroke: 'currentColor', strokeWidth: 1 }),
  ]);
  const cut = family.items.length - rows.length;
  axisNames(svg, frame, height, family.xLabel, cut > 0 ? `the first ${rows.length} of ${family.items.length}` : '', right);
  const description = rows.length === 0 ? 'Nothing to show.' : `${rows.slice(0, 10).map(words).join('; ')}.`;
  return finished(svg, document, { title: family.label, description });
}
