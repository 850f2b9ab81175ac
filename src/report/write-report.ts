import { jsonText } from '../core/json-text.js';
import { type ChartPlace, oneLine, reportBlocks } from './blocks.js';
import { markdownText, type TableLook, type TextSink, visible, writeGrid } from './grid.js';
import type { BarFamily, CurveFamily, MaybeNumber, Report } from './model.js';
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
    else if (block.kind === 'command') sink.write(`  ${visible(block.text)}\n\n`);
    else if (block.kind === 'verdict') {
      const { heading, detail, caveats } = block.words;
      sink.write(`${wrapped(visible(`${heading} ${detail}`))}\n\n`);
      for (const { isWarning, title, text } of caveats) sink.write(`${wrapped(visible(`${isWarning ? '!' : '✓'} ${title} ${text}`))}\n`);
      sink.write('\n');
    } else if (block.kind === 'facts')
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
    else if (block.kind === 'command') sink.write(`${codeBlock(oneLine(block.text))}\n\n`);
    else if (block.kind === 'verdict') {
      const { heading, detail, caveats } = block.words;
      sink.write(`**${markdownText(oneLine(heading))}** ${markdownText(oneLine(detail))}\n\n`);
      for (const { isWarning, title, text } of caveats)
        sink.write(`- ${isWarning ? '⚠' : '✓'} **${markdownText(title)}** ${markdownText(oneLine(text))}\n`);
      sink.write('\n');
    } else if (block.kind === 'facts')
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

/** Text that Markdown leaves as it is, whatever it holds. */
function codeBlock(text: string): string {
  return `    ${text}`;
}

/** Every number in one table of long form, in full precision, for programs: what it is, of which system, by which measure, where. */
export function writeCsvReport(report: Report, sink: TextSink): void {
  const rows = [...rowsOf(report)];
  writeGrid(
    'csv',
    {
      columns: [{ name: 'what' }, { name: 'system' }, { name: 'measure' }, { name: 'item' }, { name: 'value', numeric: true }],
      rows: () => rows.map(([what, system, measure, item, value]) => [what, system, measure, item, value === null ? '' : String(value)]),
    },
    sink,
  );
}

function rowsOf(report: Report): Iterable<CsvRow> {
  if (report.kind === 'model') return [...barRows(report.bars), ...curveRows(report.curves)];
  return report.kind === 'trec' ? trecRows(report) : comparisonRows(report);
}

function* barRows(families: readonly BarFamily[]): Generator<CsvRow> {
  for (const { label, xLabel, items } of families) {
    for (const { name, value, low, high } of items) {
      yield [label, name, xLabel, 'value', value];
      if (low !== null) yield [label, name, xLabel, 'interval, low', low];
      if (high !== null) yield [label, name, xLabel, 'interval, high', high];
    }
  }
}

function* curveRows(families: readonly CurveFamily[]): Generator<CsvRow> {
  for (const { label, yLabel, x, systems, values, intervals } of families) {
    for (const [s, name] of systems.entries()) {
      for (const [i, at] of x.entries()) {
        yield [label, name, yLabel, String(at), values[s][i]];
        if (intervals !== undefined) {
          yield [label, name, `${yLabel}, low`, String(at), intervals[s][i][0]];
          yield [label, name, `${yLabel}, high`, String(at), intervals[s][i][1]];
        }
      }
    }
  }
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
