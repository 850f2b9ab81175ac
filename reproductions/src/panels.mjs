// Panels of lines with shared axes in one picture: rows and columns have the same scales, so that panels can be compared at a glance.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Colours that people with any kind of colour vision tell apart (Okabe and Ito), with a dash for lines that others hide. */
const styles = [
  { colour: '#0072b2', width: 3, dash: '' },
  { colour: '#e69f00', width: 1.6, dash: '5 4' },
  { colour: '#009e73', width: 1.8, dash: '' },
  { colour: '#cc79a7', width: 1.8, dash: '' },
  { colour: '#d55e00', width: 1.8, dash: '2 3' },
  { colour: '#56b4e9', width: 1.8, dash: '8 3' },
];
const PANEL = { width: 220, height: 150, gap: 14 };
const MARGIN = { left: 64, top: 78, right: 20, bottom: 52 };

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x, y, words, more = '') => `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(words)}</text>`;

/** Draws the panels and gives the line of Markdown that shows them.
 *  @param panels Rows of panels, each an object of lines by name: points of x, y and error.
 *  @param lines The names of lines in the order of the legend. */
export function drawPanels(out, name, { title, rows, columns, panels, lines, xLabel, yLabel }) {
  const all = panels.flat().flatMap((panel) => Object.values(panel).flat());
  const range = (values) => [Math.min(...values), Math.max(...values)];
  const [xLow, xHigh] = range(all.map(({ x }) => x));
  const [low, high] = range(all.flatMap(({ y, error = 0 }) => [y - error, y + error]));
  const [yLow, yHigh] = [Math.floor(low * 10) / 10, Math.ceil(high * 10) / 10];
  const middle = xHigh - xLow > 2 ? Math.round((xLow + xHigh) / 2) : (xLow + xHigh) / 2;
  const width = MARGIN.left + columns.length * (PANEL.width + PANEL.gap) + MARGIN.right;
  const height = MARGIN.top + rows.length * (PANEL.height + PANEL.gap) + MARGIN.bottom;
  const pieces = [
    text(MARGIN.left, 22, title, 'font-size="13" font-weight="bold"'),
    ...lines.map((line, i) =>
      legendOf(line, MARGIN.left + lines.slice(0, i).reduce((sum, { length }) => sum + 52 + 6 * length, 0), 44, styles[i]),
    ),
  ];
  for (const [r, row] of rows.entries()) {
    for (const [c, column] of columns.entries()) {
      const left = MARGIN.left + c * (PANEL.width + PANEL.gap);
      const top = MARGIN.top + r * (PANEL.height + PANEL.gap);
      const xAt = (x) => left + 8 + ((x - xLow) / (xHigh - xLow)) * (PANEL.width - 16);
      const yAt = (y) => top + PANEL.height - ((y - yLow) / (yHigh - yLow)) * PANEL.height;
      pieces.push(`<rect x="${left}" y="${top}" width="${PANEL.width}" height="${PANEL.height}" fill="none" stroke="#999"/>`);
      for (let y = yLow; y <= yHigh + 1e-9; y += (yHigh - yLow) / 4) {
        pieces.push(`<line x1="${left}" x2="${left + PANEL.width}" y1="${yAt(y).toFixed(1)}" y2="${yAt(y).toFixed(1)}" stroke="#e4e4e4"/>`);
        if (c === 0) pieces.push(text(left - 6, yAt(y) + 4, y.toFixed(2), 'text-anchor="end"'));
      }
      if (r === rows.length - 1)
        for (const x of [xLow, middle, xHigh]) pieces.push(text(xAt(x), top + PANEL.height + 16, String(x), 'text-anchor="middle"'));
      if (r === 0) pieces.push(text(left + PANEL.width / 2, top - 8, column, 'text-anchor="middle" font-weight="bold"'));
      pieces.push(text(left + 8, top + PANEL.height - 9, row, 'font-weight="bold"'));
      // broken lines go on top, so that one which lies on another can still be seen
      const order = lines.map((_, i) => i).sort((a, b) => styles[a].dash.length - styles[b].dash.length || a - b);
      for (const i of order) {
        const points = panels[r][c][lines[i]];
        if (points !== undefined) pieces.push(...lineOf(points, xAt, yAt, styles[i]));
      }
    }
  }
  pieces.push(
    text(MARGIN.left + (width - MARGIN.left - MARGIN.right) / 2, height - 12, xLabel, 'text-anchor="middle"'),
    text(0, 0, yLabel, `transform="translate(16 ${height / 2}) rotate(-90)" text-anchor="middle"`),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="11" fill="#222"><title>${escaped(title)}</title><rect width="100%" height="100%" fill="#fff"/>${pieces.join('')}</svg>\n`;
  writeFileSync(join(out, 'pictures', `${name}.svg`), svg);
  return `![${title}](pictures/${name}.svg)`;
}

function legendOf(name, x, y, style) {
  return `${strokeOf([`M${x} ${y}`, `L${x + 28} ${y}`], style)}${text(x + 34, y + 4, name)}`;
}

function lineOf(points, xAt, yAt, style) {
  const path = points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${xAt(x).toFixed(1)} ${yAt(y).toFixed(1)}`);
  const bars = points.flatMap(({ x, y, error }) =>
    error === undefined
      ? []
      : [
          `<line x1="${xAt(x).toFixed(1)}" x2="${xAt(x).toFixed(1)}" y1="${yAt(y - error).toFixed(1)}" y2="${yAt(y + error).toFixed(1)}" stroke="${style.colour}" stroke-opacity="0.5"/>`,
        ],
  );
  return [...bars, strokeOf(path, style)];
}

function strokeOf(path, { colour, width, dash }) {
  return `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="${width}"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}/>`;
}
