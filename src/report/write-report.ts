import { jsonText } from '../core/json-text.js';
import { type Block, type ChartPlace, oneLine, reportBlocks } from './blocks.js';
import { latexText, markdownText, type TableLook, type TextSink, visible, writeGrid } from './grid.js';
import type { MaybeNumber, Report, ReportTable } from './model.js';
import { gridOf } from './tables.js';

/** A picture that stands in a file beside the text. */
export interface ChartFile extends ChartPlace {
  /** Its address from where the text is. */
  readonly file: string;
}

/** Aligned tables, for a terminal. */
export function writeTextReport(report: Report, sink: TextSink, look: TableLook = {}): void {
  for (const block of reportBlocks(report, [])) {
    if (block.kind === 'title') sink.write(`${oneLine(block.text)}\n${'='.repeat(Math.min(80, oneLine(block.text).length))}\n\n`);
    else if (block.kind === 'heading') sink.write(`${block.text}\n${'-'.repeat(block.text.length)}\n\n`);
    else if (block.kind === 'paragraph') sink.write(`${wrapped(visible(block.text))}\n\n`);
    else if (block.kind === 'facts')
      sink.write(`${block.facts.map(({ name, value }) => `${visible(name)}: ${visible(value)}\n`).join('')}\n`);
    else if (block.kind === 'table') {
      const { title, caption } = block.table;
      if (block.isTitled) sink.write(`${visible(title)}\n`);
      if (caption !== null) sink.write(`${wrapped(visible(caption))}\n`);
      writeGrid('table', gridOf(block.table), sink, look);
      sink.write('\n');
    }
  }
}

const TEXT_COLUMNS = 100;

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > TEXT_COLUMNS) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Markdown; pictures are linked, if there are files of them. */
export function writeMarkdownReport(report: Report, sink: TextSink, charts: readonly ChartFile[] = []): void {
  const fileOf = new Map(charts.map(({ id, file }) => [id, file]));
  for (const block of reportBlocks(report, charts)) {
    if (block.kind === 'title') sink.write(`# ${markdownText(oneLine(block.text))}\n\n`);
    else if (block.kind === 'heading') sink.write(`## ${markdownText(block.text)}\n\n`);
    else if (block.kind === 'paragraph') sink.write(`${markdownText(oneLine(block.text))}\n\n`);
    else if (block.kind === 'facts')
      sink.write(
        `${block.facts.map(({ name, value }) => `- ${markdownText(oneLine(name))}: ${markdownText(oneLine(value))}\n`).join('')}\n`,
      );
    else if (block.kind === 'chart')
      sink.write(
        `![${markdownText(oneLine(block.chart.title))}](${encodeURI(fileOf.get(block.chart.id) ?? '')
          .replaceAll('(', '%28')
          .replaceAll(')', '%29')})\n\n`,
      );
    else {
      const { title, caption } = block.table;
      const words = [
        ...(block.isTitled ? [`**${markdownText(oneLine(title))}**`] : []),
        ...(caption === null ? [] : [markdownText(oneLine(caption))]),
      ];
      if (words.length > 0) sink.write(`${words.join(': ')}\n\n`);
      writeGrid('md', gridOf(block.table), sink);
      sink.write('\n');
    }
  }
}

/** Rows that fit on a page of LaTeX; longer tables are broken across pages. */
const PAGE_ROWS = 40;
/** Columns that fit; wider tables are set smaller. */
const PAGE_COLUMNS = 8;

const latexHead = `\\documentclass[a4paper]{article}
\\usepackage{iftex}
\\ifPDFTeX\\usepackage[T1]{fontenc}\\usepackage{textcomp}\\else\\usepackage{fontspec}\\fi
\\usepackage{array}
\\usepackage{longtable}
\\usepackage[margin=20mm]{geometry}
\\setlength{\\tabcolsep}{3pt}
\\begin{document}
`;

/** A document that LaTeX sets as it is; papers take tables from it. pdfLaTeX knows the letters of Europe, LuaLaTeX all others too. */
export function writeLatexReport(report: Report, sink: TextSink): void {
  sink.write(latexHead);
  for (const block of reportBlocks(report, [])) sink.write(latexBlock(block));
  sink.write('\\end{document}\n');
}

function latexBlock(block: Block): string {
  if (block.kind === 'title') return `\\section*{${latexText(oneLine(block.text))}}\n`;
  if (block.kind === 'heading') return `\\subsection*{${latexText(block.text)}}\n`;
  if (block.kind === 'paragraph') return `${latexText(oneLine(block.text))}\n\n`;
  if (block.kind === 'facts') {
    return `\\begin{itemize}\n${block.facts.map(({ name, value }) => `\\item ${latexText(oneLine(name))}: ${latexText(oneLine(value))}\n`).join('')}\\end{itemize}\n`;
  }
  if (block.kind === 'chart') return '';
  return latexTable(block.table, block.isTitled);
}

function latexTable(table: ReportTable, isTitled: boolean): string {
  const { title, caption, rows, columns } = table;
  let grid = '';
  writeGrid('latex', gridOf(table), { write: (text) => (grid += text) });
  const environment = rows.length > PAGE_ROWS ? 'longtable' : 'tabular';
  grid = grid
    .replace(/^\\begin\{tabular\}\{[lr]+\}/, `\\begin{${environment}}{${columnTypes(table)}}`)
    .replace('\\end{tabular}', `\\end{${environment}}`);
  // paths and hashes are single words to LaTeX
  grid = grid.replaceAll('/', '/\\allowbreak{}').replace(/[0-9a-f]{64}/g, (hash) => hash.replace(/.{16}(?!$)/g, '$&\\allowbreak{}'));
  const words = `\\par\\medskip\\noindent ${isTitled ? `\\textbf{${latexText(oneLine(title))}} ` : ''}${caption === null ? '' : latexText(oneLine(caption))}\\par\\smallskip\n`;
  const size = columns.length > PAGE_COLUMNS ? '\\scriptsize' : '\\small';
  return `${words}\\noindent{${size}\n${grid}}\n\n`;
}

/** Text longer than this is broken into lines. */
const LONG_CELL = 30;

/** One letter for each column, as LaTeX has them; columns of long text share the width of the page. */
function columnTypes({ columns, rows }: ReportTable): string {
  const isLong = columns.map(
    ({ kind }, c) => kind === 'text' && rows.some((row) => typeof row[c] === 'string' && row[c].length > LONG_CELL),
  );
  const numLong = isLong.filter((long) => long).length;
  const width = (0.85 - 0.08 * (columns.length - numLong)) / numLong;
  return columns
    .map(({ kind }, c) =>
      isLong[c] ? `>{\\raggedright\\arraybackslash}p{${Math.max(0.1, width).toFixed(2)}\\linewidth}` : kind === 'number' ? 'r' : 'l',
    )
    .join('');
}

/** Every number in one table of long form, in full precision, for programs: what it is, of which system, by which measure, where. */
export function writeCsvReport(report: Report, sink: TextSink): void {
  const rows = [...(report.kind === 'trec' ? trecRows(report) : comparisonRows(report))];
  writeGrid(
    'csv',
    {
      columns: [{ name: 'what' }, { name: 'system' }, { name: 'measure' }, { name: 'item' }, { name: 'value', numeric: true }],
      rows: () => rows.map(([what, system, measure, item, value]) => [what, system, measure, item, value === null ? '' : String(value)]),
    },
    sink,
  );
}

type CsvRow = readonly [what: string, system: string, measure: string, item: string, value: MaybeNumber];

function* trecRows({ runs, topics, allRuns, comparedWith }: Extract<Report, { kind: 'trec' }>): Generator<CsvRow> {
  for (const { name, summary, recallLevels, averagePrecision, documentLevels, rPrecision, averagePrecisionByTopic } of runs) {
    yield ['summary', name, 'number of topics', 'all', summary.numTopics];
    yield ['summary', name, 'retrieved', 'all', summary.numRetrieved];
    yield ['summary', name, 'relevant', 'all', summary.numRelevant];
    yield ['summary', name, 'relevant retrieved', 'all', summary.numRelevantRetrieved];
    for (const { recall, precision } of recallLevels) yield ['recall level', name, 'interpolated precision', recall.toFixed(1), precision];
    yield ['recall level', name, 'average precision', 'all', averagePrecision];
    for (const { cutoff, precision } of documentLevels) yield ['document level', name, 'precision', String(cutoff), precision];
    yield ['document level', name, 'R-precision', 'all', rPrecision];
    for (const [t, topic] of topics.entries()) yield ['topic', name, 'average precision', topic, averagePrecisionByTopic[t]];
  }
  for (const what of ['median', 'best', 'worst'] as const) {
    for (const [t, topic] of topics.entries())
      yield [`topic of ${comparedWith.runs} runs`.replace('others', 'other'), what, 'average precision', topic, allRuns[what][t]];
  }
}

function* comparisonRows(report: Extract<Report, { kind: 'comparison' }>): Generator<CsvRow> {
  const { systems, topics, measures, recallPrecision, gain, unjudged } = report;
  for (const { name, systems: own, scores, pairs } of measures) {
    for (const [s, system] of systems.entries()) {
      yield ['mean', system, name, 'all', own[s].mean];
      yield ['interval, low', system, name, 'all', own[s].low];
      yield ['interval, high', system, name, 'all', own[s].high];
      for (const [t, topic] of topics.entries()) yield ['topic', system, name, topic, scores[s][t]];
    }
    for (const pair of pairs) {
      const against = systems[pair.against];
      yield ['difference', systems[pair.system], name, against, pair.difference];
      yield ['effect size d_z', systems[pair.system], name, against, pair.effectSize];
      yield ['p', systems[pair.system], name, against, pair.pValue];
      yield ['corrected p', systems[pair.system], name, against, pair.correctedPValue];
    }
  }
  for (const family of [...recallPrecision, ...gain, ...(unjudged === null ? [] : [unjudged])]) {
    const name = family.label === '' ? family.yLabel : family.label;
    for (const [s, system] of systems.entries())
      for (const [i, x] of family.x.entries()) yield [`curve by ${family.xLabel}`, system, name, String(x), family.values[s][i]];
  }
}

/** The report itself. */
export function writeJsonReport(report: Report, sink: TextSink): void {
  sink.write(`${jsonText(report)}\n`);
}
