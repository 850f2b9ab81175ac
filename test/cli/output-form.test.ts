import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { letorText } from '../helpers/feature-data.js';
import { repository } from '../helpers/run-gradus.js';

let folder = '';
const at = (name: string): string => join(folder, name);
const data = `${repository}examples/data/`;
const judged = [`${data}example.qrels`, `${data}bm25.run`, `${data}hybrid.run`];

async function gradus(...argv: string[]) {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-form-'));
  writeFileSync(at('documents.txt'), letorText(1, 12));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How a file of each kind begins, whatever command wrote it. */
const looks: Readonly<Record<string, RegExp>> = {
  csv: /^[^\n\t,]+(,[^\n\t]*)+\n/,
  tsv: /^[^\n]+(\t[^\n]*)+\n/,
  json: /^[{[][\s"]/,
  jsonl: /^\{"/,
  md: /^(#|\||\*\*)/,
  tex: /^(%|\\)/,
  txt: /^(?![{|\\#<%])[^\t]+\n/,
  html: /^<!doctype html>/i,
  run: /^\S+ Q0 \S+ 1 \S+ \S+\n/,
  sql: /^-- m1/,
};

const commands: Readonly<Record<string, { argv: () => string[]; endings: readonly string[] }>> = {
  eval: { argv: () => ['eval', ...judged], endings: ['csv', 'tsv', 'json', 'jsonl', 'md', 'tex', 'txt'] },
  compare: { argv: () => ['compare', ...judged, '-m', 'AP'], endings: ['csv', 'tsv', 'json', 'md', 'tex', 'txt'] },
  gate: { argv: () => ['gate', ...judged], endings: ['json', 'txt'] },
  explain: { argv: () => ['explain', judged[0], judged[1], '--as', 'gradus,ranx'], endings: ['csv', 'tsv', 'json', 'md', 'tex', 'txt'] },
  correlate: { argv: () => ['correlate', judged[1], judged[2]], endings: ['csv', 'tsv', 'json', 'md', 'tex', 'txt'] },
  leaderboard: { argv: () => ['leaderboard', ...judged, '-m', 'AP', '-B', '100'], endings: ['csv', 'tsv', 'json', 'md', 'tex', 'txt'] },
  meta: { argv: () => ['meta', 'stability', ...judged, '-m', 'AP'], endings: ['csv', 'tsv', 'json', 'md', 'tex', 'txt'] },
  report: { argv: () => ['report', ...judged], endings: ['csv', 'json', 'md', 'tex', 'txt', 'html'] },
  audit: { argv: () => ['audit', ...judged], endings: ['json', 'txt'] },
  sql: { argv: () => ['sql', 'qrels', 'run', '-m', 'AP'], endings: ['sql', 'txt'] },
  train: {
    argv: () => ['train', 'linear-regression', '--train', at('documents.txt'), '--model', at('m.json'), '--threads', '1'],
    endings: ['csv', 'tsv', 'json', 'md', 'tex', 'txt'],
  },
  cv: {
    argv: () => ['cv', 'linear-regression', '--train', at('documents.txt'), '--folds', '3', '--threads', '1'],
    endings: ['csv', 'tsv', 'json', 'md', 'tex', 'txt'],
  },
  fuse: { argv: () => ['fuse', judged[1], judged[2]], endings: ['run', 'csv', 'tsv', 'json', 'jsonl'] },
};

describe('the name that -o gives says what is written', () => {
  const cases = Object.entries(commands).flatMap(([name, { endings }]) => endings.map((ending) => [name, ending] as const));
  test.each(cases)('gradus %s -o out.%s', async (name, ending) => {
    const path = at(`${name}.${ending}`);
    const { status, err } = await gradus(...commands[name].argv(), '-o', path);
    expect(status, err).toBeLessThan(2);
    if (name === 'sql' && ending === 'txt') expect(readFileSync(path, 'utf8')).toMatch(looks.sql);
    else if (name !== 'fuse' || ending === 'run') expect(readFileSync(path, 'utf8')).toMatch(looks[ending]);
  });

  test.each(Object.keys(commands))('gradus %s -o out.docx is refused with what can be written', async (name) => {
    const path = at(`${name}.docx`);
    const { status, err, out } = await gradus(...commands[name].argv(), '-o', path);
    expect([status, out, existsSync(path)]).toEqual([2, '', false]);
    expect(err).toContain('.docx files cannot be written');
    for (const ending of commands[name].endings) expect(err).toContain(`.${ending}`);
    // the suggestion: any of these endings, or none
    expect((await gradus(...commands[name].argv(), '-o', at(`${name}-plain`))).status).toBeLessThan(2);
  });

  test('endings of any case count, and a number behind a dot is no ending', async () => {
    expect((await gradus('eval', ...judged, '-o', at('A.CSV'))).status).toBe(0);
    expect(readFileSync(at('A.CSV'), 'utf8')).toMatch(looks.csv);
    expect((await gradus('eval', ...judged, '-o', at('results-0.5'))).status).toBe(0);
    expect(readFileSync(at('results-0.5'), 'utf8')).toMatch(/^measure +bm25/);
    expect((await gradus('eval', ...judged, '-o', at('.hidden'))).status).toBe(0);
  });

  test('--format has the last word, and a name that says something else is pointed out', async () => {
    const { err, status } = await gradus('eval', ...judged, '-f', 'json', '-o', at('odd.csv'));
    expect(status).toBe(0);
    expect(err).toContain('odd.csv is written as json, which was asked for, though its name says csv');
    expect(JSON.parse(readFileSync(at('odd.csv'), 'utf8')).runs.length).toBe(2);
    const same = await gradus('eval', ...judged, '--json', '-o', at('same.json'));
    expect(same.err).not.toContain('name says');
    expect((await gradus('eval', ...judged, '-f', 'csv', '-o', at('any.docx'))).status).toBe(0);
  });

  test('files that are written beside the result must not promise another form either', async () => {
    expect((await gradus('gate', ...judged, '--junit', at('x.html'))).err).toContain(
      '.html files cannot be written here; end the name in .xml',
    );
    expect((await gradus('gate', ...judged, '--save-baseline', at('x.csv'))).err).toContain('end the name in .json');
    expect((await gradus('gate', ...judged, '--summary', at('x.pdf'))).err).toContain('end the name in .md');
    expect((await gradus('meta', 'power', ...judged, '-m', 'AP', '--chart', at('x.png'))).err).toContain('end the name in .svg');
    const train = ['train', 'linear-regression', '--train', at('documents.txt'), '--threads', '1'];
    expect((await gradus(...train, '--model', at('m.onnx'))).err).toContain('gradus model convert writes onnx');
  });

  test('gradus score and convert write what the name says', async () => {
    await gradus('train', 'linear-regression', '--train', at('documents.txt'), '--model', at('lr.json'), '--threads', '1');
    for (const [ending, look] of [
      ['run', looks.run],
      ['txt', looks.run],
      ['csv', /^query_id,doc_id,score,rank\n/],
      ['jsonl', /^\{"query_id"/],
    ] as const) {
      const { status, err } = await gradus('score', at('lr.json'), at('documents.txt'), '-o', at(`scored.${ending}`));
      expect(status, err).toBe(0);
      expect(readFileSync(at(`scored.${ending}`), 'utf8')).toMatch(look);
    }
    const refused = await gradus('score', at('lr.json'), at('documents.txt'), '-o', at('scored.docx'));
    expect([refused.status, existsSync(at('scored.docx'))]).toEqual([2, false]);
    expect(refused.err).toMatch(/\.docx files cannot be written; end the name in \.run, .*\.csv/);
    const converted = await gradus('convert', judged[1], at('x.docx'));
    expect([converted.status, existsSync(at('x.docx'))]).toEqual([2, false]);
    expect(converted.err).toMatch(/\.docx files cannot be written; end the name in \.run, .*or give --to/);
    expect((await gradus('convert', judged[1], at('x.docx'), '--to', 'csv')).status).toBe(0);
  });
});
