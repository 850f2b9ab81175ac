// Numbers with their intervals, one below the other: what was found, how sure it is, and how much would matter.
import { segment, styles, text, ticksOf, widthOf, writePicture } from './svg.mjs';

const ROW = 20;
const AXIS = 380;

/** Draws rows of values with intervals and gives the line of Markdown that shows them.
 *  @param rows Each with a label, a value, `wide` and where there is one `narrow` for its intervals, and words that stand behind it.
 *  @param band From where to where values are as good as none, drawn grey; `zero` is a line across all rows. */
export function drawIntervals(out, name, { title, subtitle, xLabel, rows, band, zero }) {
  const left = 24 + Math.max(...rows.map(({ label }) => widthOf(label)));
  const right = 24 + Math.max(60, ...rows.map(({ words = '' }) => widthOf(words)));
  const top = 60;
  const inner = rows.length * ROW + 8;
  const [width, height] = [Math.round(left + AXIS + right), top + inner + 44];
  const all = [...rows.flatMap(({ value, wide }) => [value, ...wide]), ...(band ?? []), ...(zero === undefined ? [] : [zero])];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = 0.04 * (most - least || 1);
  const xAt = (x) => left + ((x - least + room) / (most - least + 2 * room)) * AXIS;
  const pieces = [];
  if (band !== undefined)
    pieces.push(
      `<rect x="${xAt(band[0]).toFixed(1)}" y="${top}" width="${(xAt(band[1]) - xAt(band[0])).toFixed(1)}" height="${inner}" fill="#ececec"/>`,
    );
  for (const x of ticksOf(least - room, most + room)) {
    pieces.push(segment(xAt(x), top + inner, xAt(x), top + inner + 4, 'stroke="#777"'));
    pieces.push(text(xAt(x), top + inner + 17, String(x).replace('-', '−'), 'text-anchor="middle"'));
  }
  pieces.push(segment(left, top + inner, left + AXIS, top + inner, 'stroke="#777"'));
  if (zero !== undefined) pieces.push(segment(xAt(zero), top, xAt(zero), top + inner, 'stroke="#333"'));
  for (const [i, { label, value, wide, narrow, words = '', colour = '#0072b2' }] of rows.entries()) {
    const y = top + 14 + i * ROW;
    pieces.push(text(left - 10, y + 4, label, 'text-anchor="end"'));
    pieces.push(segment(xAt(wide[0]), y, xAt(wide[1]), y, `stroke="${colour}" stroke-width="1.4"`));
    if (narrow !== undefined)
      pieces.push(segment(xAt(narrow[0]), y, xAt(narrow[1]), y, `stroke="${colour}" stroke-width="4" stroke-opacity="0.45"`));
    pieces.push(`<circle cx="${xAt(value).toFixed(1)}" cy="${y.toFixed(1)}" r="3.6" fill="${colour}"/>`);
    pieces.push(text(left + AXIS + 10, y + 4, words, `fill="#444"`));
  }
  pieces.push(text(left + AXIS / 2, height - 8, xLabel, 'text-anchor="middle"'));
  return writePicture(out, name, { title, subtitle, width, height, pieces });
}

/** Several numbers in each row, such as one by each rule; their names stand above those of the first row.
 *  @param rows Each with a label and values by name; a name without a value is left out. */
export function drawMarks(out, name, { title, subtitle, xLabel, rows, names }) {
  const left = 24 + Math.max(...rows.map(({ label }) => widthOf(label)));
  const [top, row] = [88, 26];
  const inner = rows.length * row;
  const [width, height] = [Math.round(left + AXIS + 140), top + inner + 44];
  const valuesOf = ({ values }) => names.flatMap((one) => (values[one] === undefined ? [] : [values[one]]));
  const all = rows.flatMap(valuesOf);
  const [least, most] = [Math.floor(Math.min(...all) * 10) / 10, Math.ceil(Math.max(...all) * 10) / 10];
  const xAt = (x) => left + ((x - least) / (most - least)) * (AXIS + 100);
  const pieces = ticksOf(least, most).flatMap((x) => [
    segment(xAt(x), top, xAt(x), top + inner, 'stroke="#e4e4e4"'),
    text(xAt(x), top + inner + 17, x.toFixed(1), 'text-anchor="middle"'),
  ]);
  for (const [r, one] of rows.entries()) {
    const y = top + 12 + r * row;
    const own = valuesOf(one);
    pieces.push(text(left - 10, y + 4, one.label, 'text-anchor="end"'));
    pieces.push(segment(xAt(Math.min(...own)), y, xAt(Math.max(...own)), y, 'stroke="#999"'));
    for (const [i, mark] of names.entries()) {
      const value = one.values[mark];
      if (value === undefined) continue;
      pieces.push(markOf(i, xAt(value), y));
    }
  }
  // a name that would run into the one before it stands a line higher
  let end = Number.NEGATIVE_INFINITY;
  const known = names.map((mark, i) => ({ mark, i, x: rows[0].values[mark] })).filter(({ x }) => x !== undefined);
  for (const { mark, i, x } of known.sort((a, b) => a.x - b.x)) {
    const isRaised = xAt(x) - widthOf(mark) / 2 < end;
    if (!isRaised) end = xAt(x) + widthOf(mark) / 2;
    pieces.push(text(xAt(x), top - (isRaised ? 22 : 8), mark, `text-anchor="middle" fill="${styles[i].colour}"`));
  }
  pieces.push(text(left + (AXIS + 100) / 2, height - 8, xLabel, 'text-anchor="middle"'));
  return writePicture(out, name, { title, subtitle, width, height, pieces });
}

/** Circle, square, diamond, triangle, cross: told apart without colour. */
function markOf(i, x, y) {
  const at = (dx, dy) => `${(x + dx).toFixed(1)} ${(y + dy).toFixed(1)}`;
  const shapes = [
    `M${at(-4, 0)}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z`,
    `M${at(-3.5, -3.5)}h7v7h-7Z`,
    `M${at(0, -5)}l5 5l-5 5l-5 -5Z`,
    `M${at(0, -5)}l4.5 8h-9Z`,
    `M${at(-4, -4)}l8 8m0 -8l-8 8`,
  ];
  return `<path d="${shapes[i]}" fill="${i === 4 ? 'none' : styles[i].colour}" stroke="${styles[i].colour}" stroke-width="${i === 4 ? 2 : 1}"/>`;
}

/** The smallest effect of interest of a claim: the first number of what the registry says of it. */
const marginOf = ({ sesoi }) => Number(/\d+(\.\d+)?/.exec(sesoi)?.[0]);

/** All differences of a study that a t test was made of, in units of the smallest effect of interest, so that one scale holds for all. */
export function drawDifferences(out, name, judged) {
  const rows = judged.flatMap(({ claim, shown = [], decided }) =>
    shown.flatMap(({ part, difference, interval95, interval90, margin = marginOf(claim), pHolm }) => {
      if (interval95 === undefined || !(margin > 0)) return [];
      const scaled = (value) => value / margin;
      const verdict = decided.parts.find((one) => one.part === part)?.verdict;
      const words = verdict ?? (pHolm === undefined ? '' : `p (Holm) ${pHolm < 0.0001 ? '< 0.0001' : pHolm.toFixed(4)}`);
      return [
        { label: `${claim.id}: ${part}`, value: scaled(difference), wide: interval95.map(scaled), narrow: interval90.map(scaled), words },
      ];
    }),
  );
  if (rows.length === 0) return [];
  return [
    drawIntervals(out, `${name}-differences`, {
      title: 'Differences that were tested',
      subtitle: 'Thin lines: 95 % intervals; thick: 90 %; grey: smaller than what was registered as of interest',
      xLabel: 'difference / smallest effect of interest (a claim with a direction predicts values above 0)',
      rows,
      band: [-1, 1],
      zero: 0,
    }),
  ];
}
