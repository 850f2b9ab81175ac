// Panels of lines with shared axes in one picture: rows and columns have the same scales, so that panels can be compared at a glance. Each
// line has its name at its end, in the last column.
import { segment, spreadApart, strokeOf, styles, text, ticksOf, widthOf, writePicture } from './svg.mjs';

const PANEL = { width: 210, height: 150, gap: 14 };
const MARGIN = { left: 58, top: 70, bottom: 44 };

/** Draws the panels and gives the line of Markdown that shows them.
 *  @param panels Rows of panels, each an object of lines by name: points of x, y and error, and under `note` words that stand below it, in the last row.
 *  @param lines The names of lines.
 *  @param yTop Where the axis ends; what lies above is cut off.
 *  @param level A height that is marked across all panels. */
export function drawPanels(out, name, { title, subtitle, rows, columns, panels, lines, xLabel, yLabel, yTop, level }) {
  const linesOf = (panel) => lines.flatMap((line) => panel[line] ?? []);
  const all = panels.flat().flatMap(linesOf);
  const range = (values) => [Math.min(...values), Math.max(...values)];
  const [xLow, xHigh] = range(all.map(({ x }) => x));
  const [low, high] = range(all.flatMap(({ y, error = 0 }) => [y - error, y + error]));
  const grain = (yTop ?? high) - low > 0.3 ? 10 : 50;
  const yHigh = yTop ?? Math.ceil(high * grain) / grain;
  const lowest = Math.floor(low * grain) / grain;
  // names of rows stand at the bottom of panels, and want room there
  const isTight = rows.some((row) => row !== '') && low - lowest < 0.15 * (yHigh - lowest);
  const yLow = isTight ? Math.floor((low - 0.15 * (yHigh - lowest)) * grain) / grain : lowest;
  const right = 26 + Math.max(...lines.map(widthOf));
  const width = Math.round(MARGIN.left + columns.length * (PANEL.width + PANEL.gap) + right);
  const numNotes = Math.max(0, ...panels.flat().map(({ note = [] }) => note.length));
  const height = MARGIN.top + rows.length * (PANEL.height + PANEL.gap) + MARGIN.bottom + 14 * numNotes;
  const ticks = ticksOf(yLow, yHigh);
  const pieces = [];
  for (const [r, row] of rows.entries()) {
    for (const [c, column] of columns.entries()) {
      const left = MARGIN.left + c * (PANEL.width + PANEL.gap);
      const top = MARGIN.top + r * (PANEL.height + PANEL.gap);
      const xAt = (x) => left + 8 + ((x - xLow) / (xHigh - xLow)) * (PANEL.width - 16);
      const yAt = (y) => top + PANEL.height - ((y - yLow) / (yHigh - yLow)) * PANEL.height;
      pieces.push(`<rect x="${left}" y="${top}" width="${PANEL.width}" height="${PANEL.height}" fill="none" stroke="#999"/>`);
      for (const y of ticks) {
        pieces.push(segment(left, yAt(y), left + PANEL.width, yAt(y), 'stroke="#e4e4e4"'));
        if (c === 0) pieces.push(text(left - 6, yAt(y) + 4, y.toFixed(2), 'text-anchor="end"'));
      }
      if (level !== undefined)
        pieces.push(segment(left, yAt(level), left + PANEL.width, yAt(level), 'stroke="#555" stroke-dasharray="1 3"'));
      if (r === rows.length - 1)
        for (const x of ticksOf(xLow, xHigh)) pieces.push(text(xAt(x), top + PANEL.height + 16, String(x), 'text-anchor="middle"'));
      if (r === 0) pieces.push(text(left + PANEL.width / 2, top - 8, column, 'text-anchor="middle" font-weight="bold"'));
      if (row !== '') pieces.push(text(left + 8, top + PANEL.height - 9, row, 'font-weight="bold"'));
      for (const [i, words] of (panels[r][c].note ?? []).entries())
        pieces.push(text(left + PANEL.width / 2, top + PANEL.height + 34 + 14 * i, words, 'text-anchor="middle" fill="#555"'));
      // broken lines go on top, so that one which lies on another can still be seen
      const order = lines.map((_, i) => i).sort((a, b) => styles[a].dash.length - styles[b].dash.length || a - b);
      for (const i of order) {
        const points = panels[r][c][lines[i]];
        if (points !== undefined) pieces.push(...lineOf(cutAt(points, yHigh), xAt, yAt, styles[i]));
      }
      if (c === columns.length - 1) pieces.push(...namesOf(panels[r][c], lines, left, top, yAt));
    }
  }
  pieces.push(
    text(MARGIN.left + (columns.length * (PANEL.width + PANEL.gap) - PANEL.gap) / 2, height - 10, xLabel, 'text-anchor="middle"'),
    text(0, 0, yLabel, `transform="translate(16 ${(MARGIN.top + height - MARGIN.bottom) / 2}) rotate(-90)" text-anchor="middle"`),
  );
  return writePicture(out, name, { title, subtitle, width, height, pieces });
}

/** Names at the ends of lines, moved apart where lines meet; each with a piece of its line. */
function namesOf(panel, lines, left, top, yAt) {
  const edge = left + PANEL.width;
  const known = lines.flatMap((line, i) => (panel[line] === undefined ? [] : [{ line, style: styles[i], y: yAt(panel[line].at(-1).y) }]));
  const places = spreadApart(
    known.map(({ y }) => y),
    14,
    top + 6,
    top + PANEL.height - 4,
  );
  return known.flatMap(({ line, style, y }, i) => [
    strokeOf([`M${(edge - 6).toFixed(1)} ${y.toFixed(1)}`, `L${(edge + 16).toFixed(1)} ${places[i].toFixed(1)}`], { ...style, width: 1.4 }),
    text(edge + 20, places[i] + 4, line, `fill="${style.colour}"`),
  ]);
}

/** The part of a falling or rising line below a height, up to where it crosses it. */
function cutAt(points, top) {
  return points.flatMap((point, i) => {
    if (point.y <= top) return [point];
    const next = [points[i + 1], points[i - 1]].find((one) => one !== undefined && one.y < top);
    if (next === undefined) return [];
    const share = (point.y - top) / (point.y - next.y);
    return [{ x: point.x + share * (next.x - point.x), y: top }];
  });
}

function lineOf(points, xAt, yAt, style) {
  const path = points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${xAt(x).toFixed(1)} ${yAt(y).toFixed(1)}`);
  const bars = points.flatMap(({ x, y, error }) =>
    error === undefined ? [] : [segment(xAt(x), yAt(y - error), xAt(x), yAt(y + error), `stroke="${style.colour}" stroke-opacity="0.5"`)],
  );
  return [...bars, strokeOf(path, style)];
}
