import * as Plot from '@observablehq/plot';
import { visible } from '../grid.js';
import type { MaybeNumber, ReportMeasure } from '../model.js';
import { type ChartOptions, finished, frameOf, label, labelledPlaces, labelWidth, labelWithin, shortNumber, svgElement } from './frame.js';
import { linkMarks } from './links.js';

/** With more cells than this, none says its value when it is pointed at: the words would outweigh the picture. */
const MOST_CELLS_WITH_WORDS = 3000;

/** Every score: a row per system, the best one first, and a column per topic, the hardest one last. */
export function heatMap(
  systems: readonly string[],
  topics: readonly string[],
  measure: ReportMeasure,
  options: ChartOptions,
): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme, width } = frame;
  const columns = byMean(topics, measure);
  const rows = measure.order;
  const rowHeight = rows.length <= 40 ? 20 : rows.length <= 100 ? 11 : 9;
  const fontSize = Math.min(12, rowHeight - 1);
  const left = Math.min(width * 0.35, 16 + (labelWidth(rows.map((s) => systems[s])) * fontSize) / 12);
  const right = 52;
  const topicNames = columns.map((t) => topics[t]);
  const columnWidth = (width - left - right) / Math.max(1, columns.length);
  const step = Math.max(1, Math.ceil(13 / columnWidth));
  const upright = labelWidth(topicNames, 14) + 4 <= columnWidth;
  const bottom = upright ? 24 : 12 + labelWidth(topicNames, 14);
  const top = 28;
  const height = top + rows.length * rowHeight + bottom;
  const [least, most] = extentOf(measure);
  const shade = (value: number): number => (most > least ? 0.04 + (0.96 * (value - least)) / (most - least) : 0.5);
  const withWords = rows.length * columns.length <= MOST_CELLS_WITH_WORDS;
  const cells = rows.flatMap((s, row) =>
    columns.flatMap((t, column) => {
      const value = measure.scores[s][t];
      return value === null
        ? []
        : [
            {
              row,
              column,
              shade: Math.round(shade(value) * 100) / 100,
              words: `${visible(systems[s])}, topic ${visible(topics[t])}: ${shortNumber(value)}`,
            },
          ];
    }),
  );
  const svg = Plot.plot({
    document,
    width,
    height,
    marginTop: top,
    marginLeft: left,
    marginRight: right,
    marginBottom: bottom,
    x: { type: 'band', domain: columns.map((_, i) => i), axis: null, padding: columns.length > 100 ? 0 : 0.06, round: false },
    y: { type: 'band', domain: rows.map((_, i) => i), axis: null, padding: 0.06, round: false },
    marks: [
      Plot.cell(cells, { x: 'column', y: 'row', fill: theme.cell, fillOpacity: 'shade', ...(withWords ? { title: 'words' } : {}) }),
      Plot.axisY(
        rows.map((_, i) => i),
        { tickSize: 0, label: null, fontSize, tickFormat: (row: number) => labelWithin(systems[rows[row]], ((left - 16) * 12) / fontSize) },
      ),
      Plot.axisX([...labelledPlaces(columns.length, step)], {
        anchor: 'bottom',
        tickSize: 0,
        label: null,
        tickRotate: upright ? 0 : -90,
        fontSize: Math.min(12, Math.max(8, columnWidth * step - 1)),
        tickFormat: (column: number) => label(topicNames[column], 14),
      }),
    ],
    opacity: { type: 'identity' },
  }) as SVGSVGElement & Plot.Plot;
  if (options.links === true) {
    linkMarks(
      svg,
      'cell',
      cells.map(({ row, column }) => ({ system: rows[row], topic: columns[column] })),
    );
  }
  // the mean of each system beside its row
  const y = svg.scale('y');
  if (y !== undefined) {
    for (const [row, s] of rows.entries()) {
      const at = (y.apply(row) as number) + (y.bandwidth ?? 0) / 2;
      svg.append(
        svgElement(
          document,
          'text',
          { x: width - right + 6, y: at, dy: '0.32em', 'text-anchor': 'start', 'font-size': fontSize, 'font-variant': 'tabular-nums' },
          measure.systems[s].mean?.toFixed(3) ?? '',
        ),
      );
    }
  }
  svg.append(
    svgElement(
      document,
      'text',
      { x: 8, y: 16, 'text-anchor': 'start', 'font-weight': 'bold' },
      `${measure.name}: clear ${shortNumber(least)}, full ${shortNumber(most)}`,
    ),
    svgElement(document, 'text', { x: width - 4, y: 16, 'text-anchor': 'end', 'font-weight': 'bold' }, 'mean'),
  );
  const description = `${rows.length} systems, best first: ${rows
    .slice(0, 5)
    .map((s) => systems[s])
    .join(
      ', ',
    )}${rows.length > 5 ? ', …' : ''}. ${columns.length} topics by mean score, from ${topicNames[0] ?? 'none'} to ${topicNames.at(-1) ?? 'none'}.`;
  return finished(svg, document, { title: `${measure.name} by topic and system`, description });
}

/** Topics that have a score, the one with the best mean first. */
function byMean(topics: readonly string[], { scores, direction }: ReportMeasure): number[] {
  const mean = topics.map((_, t) => {
    const values = scores.flatMap((row) => row[t] ?? []);
    return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
  });
  const sign = direction === 'higher' ? 1 : -1;
  return topics
    .map((_, t) => t)
    .filter((t) => !Number.isNaN(mean[t]))
    .sort((a, b) => sign * (mean[b] - mean[a]) || a - b);
}

function extentOf({ scores }: ReportMeasure): [number, number] {
  let least = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const row of scores) {
    for (const value of row) {
      if (value === null) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  return [least, most === Number.NEGATIVE_INFINITY ? 1 : most];
}

/** How alike measures are: 1 on the diagonal, and one number for each pair. */
export function correlationMatrix(
  measures: readonly string[],
  values: readonly (readonly MaybeNumber[])[],
  kind: 'tau' | 'pearson',
  options: ChartOptions,
): SVGSVGElement {
  const frame = frameOf(options);
  const { document, theme } = frame;
  const left = 16 + labelWidth(measures);
  const cellWidth = Math.max(58, Math.min(92, (frame.width - left - 16) / measures.length));
  const width = Math.min(frame.width, Math.max(left + cellWidth * measures.length + 16, 320));
  const tall = measures.some((name) => labelWidth([name]) > cellWidth - 6);
  const bottom = tall ? 16 + labelWidth(measures) : 28;
  const top = 28;
  const height = top + measures.length * 34 + bottom;
  const cells = measures.flatMap((_, row) =>
    measures.map((_other, column) => ({ row, column, value: values[row][column], shade: Math.abs(values[row][column] ?? 0) * 0.6 })),
  );
  type Cell = (typeof cells)[number];
  const svg = Plot.plot({
    document,
    width,
    height,
    marginTop: top,
    marginLeft: left,
    marginRight: 16,
    marginBottom: bottom,
    x: { type: 'band', domain: measures.map((_, i) => i), axis: null, padding: 0.04 },
    y: { type: 'band', domain: measures.map((_, i) => i), axis: null, padding: 0.04 },
    opacity: { type: 'identity' },
    marks: [
      Plot.cell(cells, {
        x: 'column',
        y: 'row',
        fill: (cell: Cell) => ((cell.value ?? 0) >= 0 ? theme.above : theme.below),
        fillOpacity: 'shade',
        title: (cell: Cell) => `${visible(measures[cell.row])} and ${visible(measures[cell.column])}: ${shortNumber(cell.value)}`,
      }),
      Plot.text(cells, {
        x: 'column',
        y: 'row',
        text: (cell: Cell) => (cell.value === null ? '–' : cell.value.toFixed(2).replace('-', '−')),
        // cells are never so full that the text on them could not be read
        fill: 'currentColor',
        fontSize: 12,
      }),
      Plot.axisY(
        measures.map((_, i) => i),
        { tickSize: 0, label: null, tickFormat: (row: number) => label(measures[row]) },
      ),
      Plot.axisX(
        measures.map((_, i) => i),
        { anchor: 'bottom', tickSize: 0, label: null, tickRotate: tall ? -90 : 0, tickFormat: (column: number) => label(measures[column]) },
      ),
    ],
  }) as SVGSVGElement;
  const words = kind === 'tau' ? "Kendall's tau between orders of systems" : "Pearson's correlation over topics and systems";
  svg.append(svgElement(document, 'text', { x: 8, y: 16, 'text-anchor': 'start', 'font-weight': 'bold' }, words));
  const pairs = measures.flatMap((name, i) =>
    measures.slice(i + 1).map((other, k) => `${name} and ${other} ${shortNumber(values[i][i + 1 + k])}`),
  );
  return finished(svg, document, { title: `Correlation of measures: ${words}`, description: `${pairs.slice(0, 12).join('; ')}.` });
}
