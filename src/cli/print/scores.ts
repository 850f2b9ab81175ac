import { defaultRules, formatFixed, type JudgingRules, jsonText, type ScoreTable } from '../../core/index.js';
import type { Fingerprint, ScoreOrigin } from '../../experiment/index.js';
import { gradusVersion } from '../../node/index.js';
import { type LatexTableOptions, latexText, paperTable, writeLatexGrid, writePaperTable } from '../../report/index.js';
import type { Context, TextWriter } from '../parse/command.js';
import { type GridForm, visible, writeGrid } from './output.js';
import { ALL, gridForPrograms, gridsForPeople, type ScoreLayout, type ShownRun, titleIn } from './score-grids.js';

/** The forms in which scores can be printed, the default first. */
export const scoreForms: readonly string[] = ['table', 'trec', 'tsv', 'csv', 'json', 'jsonl', 'md', 'latex'];

/** Scores and how they are to be shown. */
export interface ShownScores extends ScoreLayout {
  /** One table per run, each of one system, by the name it goes by. */
  readonly tables: readonly ScoreTable[];
  /** The files of the runs, in the order of the tables. */
  readonly files: readonly string[];
  readonly qrels: string;
  readonly convention: string;
  readonly rules: Partial<JudgingRules>;
  readonly notes: readonly string[];
  /** What the scores depend on, for whoever compares with them later. */
  readonly fingerprint?: Fingerprint | undefined;
  /** Where the values of each run come from, in the order of the tables. */
  readonly origins?: readonly ScoreOrigin[] | undefined;
  /** Which values of each measure are good, for tables that mark the best ones. */
  readonly directions?: readonly ('higher' | 'lower' | 'neither')[] | undefined;
  readonly latex?: LatexTableOptions | undefined;
  /** Decimals that people see. */
  readonly digits: number;
}

/** Prints scores in one of the forms; numbers are the same in all, and in full for programs. */
export function writeScores(form: string, scores: ShownScores, writer: TextWriter, environment: Context['environment']): void {
  const runs = shownRuns(scores);
  switch (form) {
    case 'json':
      writeJson(scores, runs, writer);
      break;
    case 'jsonl':
      writeJsonLines(scores, runs, writer);
      break;
    case 'trec':
      writeTrec(scores, runs, writer);
      break;
    case 'tsv':
    case 'csv':
      writeGrid(form, gridForPrograms(runs, scores), writer, environment);
      break;
    case 'latex':
      writeLatex(scores, runs, writer);
      break;
    default:
      for (const [i, { title, grid }] of gridsForPeople(runs, scores, writer.columns).entries()) {
        if (i > 0) writer.write('\n');
        if (title !== undefined) writer.write(titleIn(form as GridForm, title));
        writeGrid(form as GridForm, grid, writer, environment);
      }
  }
}

function shownRuns({ tables, files, digits }: ShownScores): ShownRun[] {
  return tables.map((table, r) => {
    const counts = table.columns.map(({ aggregate }, m) => aggregate === 'sum' && isWhole(table, m));
    return {
      name: table.systems[0],
      file: files[r],
      table,
      show: (value, measure) => formatFixed(value, counts[measure] ? 0 : digits),
    };
  });
}

function isWhole(table: ScoreTable, measure: number): boolean {
  const width = table.columns.length;
  for (let i = measure; i < table.values.length; i += width) if (!Number.isInteger(table.values[i])) return false;
  return true;
}

/** The main table of a paper, or tables of all topics. */
function writeLatex(scores: ShownScores, runs: readonly ShownRun[], writer: TextWriter): void {
  const { tables, directions, digits, perTopic, latex } = scores;
  if (perTopic) {
    for (const { title, grid } of gridsForPeople(runs, scores, writer.columns)) {
      writeLatexGrid(grid, latexText(title ?? 'Scores by topic.'), writer, latex?.twoColumn === true ? 'spanning' : 'float');
    }
    return;
  }
  const numTopics = [...new Set(tables.map(({ topics }) => topics.length))];
  const table = paperTable({
    systems: runs.map(({ name }) => name),
    measures: tables[0].measures.map((name, m) => ({
      name,
      direction: directions?.[m] ?? 'neither',
      digits: tables.every((one) => one.columns[m].aggregate === 'sum' && isWhole(one, m)) ? 0 : digits,
      means: tables.map((one) => (Number.isNaN(one.aggregate(m)) ? null : one.aggregate(m))),
      better: runs.map(() => []),
    })),
    numTopics: Math.max(...numTopics),
    tested: null,
  });
  writePaperTable(table, writer, latex);
}

/** The three columns of trec_eval, the values of topics before those of all of them. */
function writeTrec({ perTopic, summary }: ShownScores, runs: readonly ShownRun[], writer: TextWriter): void {
  // such lines have no quotes: what would part them is escaped everywhere, other control characters on terminals only
  const word = (text: string): string => (writer.isTerminal ? visible(text) : text.replace(/[\t\n\v\f\r]+/g, visible));
  for (const { name, table, show } of runs) {
    const measures = table.measures.map((measure) => measure.padEnd(22));
    if (perTopic) {
      for (const [t, topic] of table.topics.entries()) {
        for (const [m, measure] of measures.entries()) writer.write(`${measure}\t${word(topic)}\t${show(table.value(t, m), m)}\n`);
      }
    }
    if (!summary) continue;
    writer.write(`${'runid'.padEnd(22)}\t${ALL}\t${word(name)}\n`);
    for (const [m, measure] of measures.entries()) writer.write(`${measure}\t${ALL}\t${show(table.aggregate(m), m)}\n`);
  }
}

function scoresOf(table: ScoreTable, value: (measure: number) => number): Record<string, number | null> {
  return Object.fromEntries(table.measures.map((measure, m) => [measure, Number.isFinite(value(m)) ? value(m) : null]));
}

/** One document. It is written piece by piece, because the whole may be longer than a string can be. */
function writeJson(scores: ShownScores, runs: readonly ShownRun[], writer: TextWriter): void {
  const { qrels, convention, rules, notes, perTopic, summary, tables, origins } = scores;
  const { depth, ...otherRules } = { ...defaultRules, ...rules };
  const head = {
    gradus: gradusVersion(),
    convention,
    rules: { ...otherRules, depth: Number.isFinite(depth) ? depth : null },
    qrels,
    ...(scores.fingerprint === undefined ? {} : { fingerprint: scores.fingerprint }),
    measures: tables[0].measures,
    warnings: notes,
  };
  writer.write(`${jsonText(head, 2).slice(0, -2)},\n  "runs": [`);
  for (const [r, { name, file, table }] of runs.entries()) {
    writer.write(`${r === 0 ? '' : ','}\n    {\n      "run": ${jsonText(name)},\n      "file": ${jsonText(file)},\n`);
    writer.write(`      "topics": ${table.topics.length}`);
    if (origins !== undefined) writer.write(`,\n      "provenance": ${jsonText(origins[r])}`);
    if (summary) writer.write(`,\n      "all": ${jsonText(scoresOf(table, (m) => table.aggregate(m)))}`);
    if (perTopic) {
      writer.write(',\n      "perTopic": [');
      for (const [t, topic] of table.topics.entries()) {
        const line = jsonText({ topic, scores: scoresOf(table, (m) => table.value(t, m)) });
        writer.write(`${t === 0 ? '' : ','}\n        ${line}`);
      }
      writer.write('\n      ]');
    }
    writer.write('\n    }');
  }
  writer.write('\n  ]\n}\n');
}

/** One object per line: topics with `topic`, the values over all topics with their number in `topics`. */
function writeJsonLines({ perTopic, summary }: ShownScores, runs: readonly ShownRun[], writer: TextWriter): void {
  for (const { name: run, table } of runs) {
    if (perTopic) {
      for (const [t, topic] of table.topics.entries()) {
        writer.write(`${jsonText({ run, topic, scores: scoresOf(table, (m) => table.value(t, m)) })}\n`);
      }
    }
    if (summary) {
      writer.write(`${jsonText({ run, topics: table.topics.length, scores: scoresOf(table, (m) => table.aggregate(m)) })}\n`);
    }
  }
}
