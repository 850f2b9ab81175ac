import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { letorText } from '../helpers/feature-data.js';

let folder = '';
const at = (name: string): string => join(folder, name);
const save = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

/** What a terminal acts upon: a colour, a title by OSC, a control sequence of one byte, a bell, letters turned around, a line end
 *  that is no line feed, invisible letters. */
const hostile = [
  '\x1b[31mred',
  '\x1b]0;title\x07',
  '\u009b2Jx',
  '\u202egnp.exe',
  '\u2066a\u2069',
  'a\u2028b',
  '\u061cx',
  'x\u{e0041}y',
  'a\x7fb',
];
/** Everything of that kind; lines end, and our own text is bold where colours are wanted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u;

async function gradus(...argv: string[]) {
  const context = new CapturedContext({ terminal: true, columns: 200, environment: { NO_COLOR: '1' } });
  const status = await main(argv, context);
  return { status, text: context.stdout.text + context.stderr.text };
}

const formula = ['=1+1', '+1+1', '-2+3', '@SUM(A1)', '"quoted', 'a"b', 'plain', '-0.5'];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-terminal-'));
  const lines = (line: (topic: string, i: number) => string): string => `${hostile.map((topic, i) => line(topic, i)).join('\n')}\n`;
  save(
    'qrels',
    lines((topic, i) => `${topic} ${topic} ${topic} 1\n${topic} ${topic} d${i} 0`),
  );
  save(
    'a.run',
    lines((topic, i) => `${topic} Q0 ${topic} 1 9 ${hostile[0]}\n${topic} Q0 d${i} 2 8 ${hostile[0]}`),
  );
  save(
    'b.run',
    lines((topic, i) => `${topic} Q0 d${i} 1 9 ${hostile[3]}\n${topic} Q0 ${i % 2 === 0 ? topic : 'z'} 2 8 ${hostile[3]}`),
  );
  save(
    'rising.run',
    lines((topic, i) => `${topic} Q0 ${topic} 1 1 ${hostile[1]}\n${topic} Q0 d${i} 2 2 ${hostile[1]}`),
  );
  save(
    'broken.run',
    lines((topic) => `${topic} Q0 ${topic} 1 ${topic} x`),
  );
  save('broken.csv', `${hostile.join(',')}\n1,2,3\n`);
  save('broken.json', JSON.stringify(Object.fromEntries(hostile.map((topic) => [topic, { [topic]: topic }]))));
  save('other.run', `other${hostile[0]} Q0 x 1 1 x\n`);
  save('train.txt', letorText(1, 12).replaceAll('qid:', `qid:${hostile[0]}`));
  save('names.txt', `${hostile.slice(0, 4).join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('nothing that a terminal acts upon comes out of a file', () => {
  const both = ['qrels', 'a.run', 'b.run'];
  const cases: string[][] = [
    ...['table', 'trec', 'tsv', 'csv', 'json', 'jsonl', 'md', 'latex'].map((form) => ['eval', ...both, '-q', '-f', form]),
    ...['table', 'tsv', 'csv', 'json', 'md', 'latex'].map((form) => ['compare', ...both, '-m', 'AP', '-f', form]),
    ['gate', ...both, '--worst', '9', '--min-topics', '2'],
    ['gate', ...both, '--json'],
    ...['text', 'csv', 'json', 'md', 'latex'].map((form) => ['report', ...both, '-f', form]),
    ['report', '--trec', ...both],
    ...['table', 'json', 'md'].map((form) => ['explain', 'qrels', 'b.run', '--as', 'gradus,ranx', '--topics', '9', '-f', form]),
    ['correlate', 'a.run', 'b.run', '-q'],
    ['correlate', 'a.run', 'b.run', '-q', '--json'],
    ['meta', 'power', ...both, '-m', 'AP'],
    ['meta', 'informativeness', ...both, '-m', 'AP'],
    ['audit', ...both],
    ['audit', ...both, '--json'],
    ['audit', 'qrels', 'rising.run'],
    ['eval', 'qrels', 'rising.run'],
    ['eval', 'qrels', 'broken.run'],
    ['eval', 'qrels', 'broken.run', '--lenient'],
    ['eval', 'qrels', 'broken.csv'],
    ['eval', 'qrels', 'broken.json'],
    ['eval', 'qrels', 'other.run'],
    ['eval', 'qrels', 'a.run', '--engine', 'duckdb', '-q'],
    ['eval', 'qrels', 'other.run', '--engine', 'duckdb'],
    ['eval', 'qrels', `nowhere${hostile[0]}`],
    ['eval', 'qrels', 'a.run', '-m', hostile[0]],
    ['eval', 'qrels', 'a.run', `--${hostile[0]}`],
    [hostile[0]],
    ['fuse', 'a.run', 'b.run', '--tune', 'AP', '--qrels', 'qrels', '--folds', '2', '--search', 'grid', '--step', '0.5', '--method', 'wsum'],
    ['train', 'linear-regression', '--train', 'train.txt', '--feature-names', 'names.txt', '--model', 'm.json', '--threads', '1'],
    ['model', 'inspect', 'm.json'],
    ['model', 'inspect', 'm.json', '--json'],
    ['model', 'importance', 'm.json'],
    ['cv', 'linear-regression', '--train', 'train.txt', '--folds', '3', '--threads', '1'],
    ['score', 'm.json', 'train.txt', '--feature-names', 'names.txt'],
  ];
  test.each(cases.map((argv) => [argv]))('gradus %j', async (argv) => {
    const files = [...both, 'rising.run', 'broken.run', 'broken.csv', 'broken.json', 'other.run', 'train.txt', 'names.txt', 'm.json'];
    const { text, status } = await gradus(...argv.map((word) => (files.includes(word) ? at(word) : word)));
    expect(text).not.toBe('');
    expect(status, text).not.toBe(70);
    const found = raw.exec(text);
    expect(found === null ? '' : JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 20))).toBe('');
  });

  test('JSON says the same with and without the escapes', async () => {
    const { text } = await gradus('eval', at('qrels'), at('a.run'), '-q', '--json');
    const { runs } = JSON.parse(text);
    expect(runs[0].run).toBe(hostile[0]);
    expect(runs[0].perTopic.map(({ topic }: { topic: string }) => topic).sort()).toEqual([...hostile].sort());
  });
});

describe('TSV has the care of CSV', () => {
  test('no id becomes a formula or opens a quote', async () => {
    save('f.qrels', formula.map((id) => `${id} 0 d 1\n`).join(''));
    save('f.run', formula.map((id) => `${id} Q0 d 1 1 =tag\n`).join(''));
    for (const [form, mark] of [
      ['csv', ','],
      ['tsv', '\t'],
    ] as const) {
      await gradus('eval', at('f.qrels'), at('f.run'), '-q', '-m', 'P@1', '-f', form, '-o', at(`f.${form}`));
      const topics = readFileSync(at(`f.${form}`), 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(mark));
      expect(topics.map(([run]) => run)).toEqual(formula.map(() => "'=tag"));
      expect(topics.map(([, topic]) => topic).sort()).toEqual(
        ["'=1+1", "'+1+1", "'-2+3", "'@SUM(A1)", '"""quoted"', '"a""b"', 'plain', '-0.5'].sort(),
      );
    }
  });

  test('a tab or a line end in a name does not part a row', async () => {
    save('t.json', JSON.stringify({ 'a\tb': { d: 1 }, 'c\nd': { d: 1 }, ' e ': { d: 1 } }));
    const { text } = await gradus('eval', at('t.json'), at('t.json'), '-q', '-m', 'P@1', '-f', 'tsv');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t').length),
    ).toEqual([4, 4, 4, 4]);
    expect(text).toContain('a\\x09b');
    expect(text).toContain('c\\x0ad');
    expect(text).toContain('" e "');
  });
});

describe('messages about bad input show ids that a terminal acts upon as escapes', () => {
  const escapes = ['\\x1b', '\\x1b', '\\x9b', '\\u202e', '\\u2066', '\\u2028', '\\u061c', '\\udb40\\udc41', '\\x7f'];
  test.each([...hostile.map((id, i) => [id, escapes[i]]), ['a\u2029b', '\\u2029'], ['a\u0085b', '\\x85'], ['a\u200fb', '\\u200f']])(
    '%j as %s',
    async (id, escaped) => {
      const run = save('twice.run', `${id} Q0 ${id} 1 2 t\n${id} Q0 ${id} 2 1 t\n`);
      const { status, text } = await gradus('eval', at('qrels'), run, '-m', 'AP');
      expect(status).toBe(2);
      expect(text).toContain('already on line 1');
      expect(text).toContain(escaped);
      expect(text).not.toMatch(raw);
    },
  );
});
