import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { runShell } from '../helpers/run-gradus.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-convert-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Converts a file and returns what was written and said. */
async function convert(input: string, output: string, ...options: string[]): Promise<{ status: number; text: string; words: string }> {
  const context = new CapturedContext();
  const status = await main(['convert', input, join(folder, output), ...options], context);
  expect(context.stdout.text).toBe('');
  const words = context.stderr.text.replaceAll(`${folder}/`, '');
  return { status, text: status === 0 ? readFileSync(join(folder, output), 'latin1') : '', words };
}

describe('gradus convert', () => {
  const run = '1 Q0 b 1 2.5 tag\n1 Q0 a 2 1e-7 tag\n2 Q0 a 1 -3 tag\n';
  const forms: [string, string][] = [
    ['out.json', '{\n"1": {"b": 2.5, "a": 1e-7},\n"2": {"a": -3}\n}\n'],
    [
      'out.jsonl',
      '{"query_id": "1", "doc_id": "b", "score": 2.5}\n{"query_id": "1", "doc_id": "a", "score": 1e-7}\n{"query_id": "2", "doc_id": "a", "score": -3}\n',
    ],
    ['out.csv', 'query_id,doc_id,score\n1,b,2.5\n1,a,1e-7\n2,a,-3\n'],
    ['out.tsv', 'query_id\tdoc_id\tscore\n1\tb\t2.5\n1\ta\t1e-7\n2\ta\t-3\n'],
    ['out.txt', run],
  ];
  test.each(forms)('writes a run to %s and back', async (name, expected) => {
    const there = await convert(file('in.run', run), name);
    expect(there).toEqual({ status: 0, text: expected, words: '' });
    const back = await convert(join(folder, name), 'back.run', '--kind', 'run', '--name', 'tag');
    expect(back).toEqual({ status: 0, text: run, words: '' });
  });

  test('keeps the groups of judgements, and leaves out a column of zeros', async () => {
    const plain = await convert(file('a.qrels', '1 0 a 2\n1 0 b 0.5\n'), 'out.json');
    expect(plain.text).toBe('{\n"1": {"a": 2, "b": 0.5}\n}\n');
    const grouped = await convert(file('b.qrels', '1 x a 2\n1 y a 1\n'), 'out.csv');
    expect(grouped.text).toBe('query_id,doc_id,relevance,iteration\n1,a,2,x\n1,a,1,y\n');
    expect((await convert(join(folder, 'out.csv'), 'again.qrels')).text).toBe('1 x a 2\n1 y a 1\n');
    const prefs = await convert(file('c.prefs', '1 g s a 2\n1 g t a 1\n'), 'out.jsonl');
    expect(prefs.text.split('\n')[0]).toBe('{"query_id": "1", "doc_id": "a", "relevance": 2, "iteration": "g", "subgroup": "s"}');
    expect((await convert(join(folder, 'out.jsonl'), 'again.prefs')).text).toBe('1 g s a 2\n1 g t a 1\n');
    expect(await convert(join(folder, 'out.jsonl'), 'again.qrels')).toEqual({
      status: 2,
      text: '',
      words: 'gradus: the judgements have sub-groups, which qrels files cannot hold; prefs, JSON, JSONL and CSV can\n',
    });
  });

  test('keeps ranks if asked to', async () => {
    const input = file('in.run', '1 Q0 a 7 1 t\n');
    expect((await convert(input, 'out.txt', '--ranks')).text).toBe('1 Q0 a 7 1 t\n');
    expect((await convert(input, 'out.txt')).text).toBe('1 Q0 a 1 1 t\n');
    expect((await convert(input, 'out.csv', '--ranks')).text).toBe('query_id,doc_id,score,rank\n1,a,1,7\n');
  });

  test('takes columns by name and by number', async () => {
    const named = file('named.csv', 'q;d;s\n1;a;2\n');
    expect((await convert(named, 'out.run', '--columns', 'topic=q,doc=d,score=s', '--delimiter', ';', '--from', 'csv')).text).toBe(
      '1 Q0 a 1 2 named\n',
    );
    const counted = file('counted.tsv', '1\tx\ta\t2\n');
    expect((await convert(counted, 'out.run', '--columns', 'topic=1,doc=3,score=4')).text).toBe('1 Q0 a 1 2 counted\n');
    const headed = file('headed.tsv', 'a\tb\tc\td\n1\tx\ta\t2\n');
    expect((await convert(headed, 'out.run', '--columns', 'topic=1,doc=3,score=4', '--header')).text).toBe('1 Q0 a 1 2 headed\n');
    const quoted = file('quoted.tsv', 'qid\tdocno\tscore\ttext\n1\ta\t2\t"so\n');
    expect((await convert(quoted, 'out.run', '--no-quotes')).text).toBe('1 Q0 a 1 2 quoted\n');
  });

  test('reads and writes gzip', async () => {
    expect((await convert(file('in', gzipSync(run)), 'out.run')).text).toBe(run);
    await convert(join(folder, 'out.run'), 'out.run.gz');
    expect(gunzipSync(readFileSync(join(folder, 'out.run.gz'))).toString()).toBe(run);
  });

  test('skips what it cannot read if lenient, and says so', async () => {
    const input = file('in.run', `${run}1 Q0\n1 Q0 b 1 9 t\n`);
    expect(await convert(input, 'out.run', '--lenient', '--name', 'tag')).toEqual({
      status: 0,
      text: run,
      words: 'gradus: in.run: 2 lines were skipped (1 wrong number of fields, 1 duplicate document)\n',
    });
    expect((await convert(input, 'out.run', '--lenient', '--quiet')).words).toBe('');
    const strict = await convert(input, 'none.run');
    expect(strict.status).toBe(2);
    expect(strict.words.split('\n').slice(0, 2)).toEqual([
      'gradus: in.run:4: expected 6 fields (topic Q0 document rank score tag), found 2; --lenient skips such lines',
      'gradus: in.run:5: topic "1" has document "b" already on line 1 (ranks 1 and 2); keep one of them; --lenient keeps the first',
    ]);
  });

  const refused: [string, string, string, string[], string][] = [
    ['in.json', '{"1": {"a": 1}}', 'out.csv', [], 'in.json: could be a run or judgements; say which with --kind run or --kind qrels'],
    ['in.run', '1 Q0 a 1 1 t\n', 'out.qrels', [], 'out.qrels: qrels files cannot hold runs'],
    [
      'in.json',
      '{"1": {"a b": 1}}',
      'out.run',
      ['--kind', 'run'],
      'document "a b" holds white space, which parts the fields of TREC files; JSON, JSONL and CSV can hold any id',
    ],
    ['in.run', '1 Q0 a 1 1 t\n', 'out.zst', [], 'out.zst: zstd files can be read but not written; end the name in .gz, or in nothing'],
    ['in.run', '1 Q0 a 1 1 t\n', 'out.csv', ['--columns', 'x=1'], 'invalid columns: expected role=column, found "x=1"'],
    [
      'in.run',
      '1 Q0 a 1 1 t\n',
      'out.csv',
      ['--kind', 'qrels', '--to', 'trec-run'],
      '--to trec-run and --kind qrels contradict each other; give one of them',
    ],
    ['in.run', '1 Q0 a 1 1 t\n', 'out.csv', ['--from', 'xml'], '--from'],
  ];
  test.each(refused)('refuses %s with %j to %s %j', async (name, content, output, options, message) => {
    const result = await convert(file(name, content), output, ...options);
    expect(result.status).toBe(2);
    expect(result.words).toContain(message);
  });

  test('the output as -o FILE, as in other commands', async () => {
    const context = new CapturedContext();
    const input = file('in.run', '1 Q0 b 1 2.5 t\n');
    expect(await main(['convert', input, '-o', join(folder, 'out.csv')], context)).toBe(0);
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('query_id,doc_id,score\n1,b,2.5\n');
    expect(await main(['convert', input], context)).toBe(2);
    expect(context.stderr.text).toContain('OUTPUT is missing');
    expect((await convert(input, 'out.csv', '-o', join(folder, 'other.csv'))).words).toContain('OUTPUT out.csv and --output');
  });

  test('judgements by the name of the output', async () => {
    expect((await convert(file('in.json', '{"1": {"a": 1}}'), 'out.qrels')).text).toBe('1 0 a 1\n');
  });

  test('reads standard input and writes standard output, bytes as they are', () => {
    const input = file('in.run', Buffer.from('1 Q0 \xff 1 1 t\n', 'latin1'));
    const piped = runShell(`gradus convert - - --to csv < '${input}' | gradus convert - - --kind run --name t | cmp - '${input}'`, {
      cwd: folder,
    });
    expect([piped.status, piped.stdout, piped.stderr]).toEqual([0, '', '']);
    const direct = runShell(`gradus convert - - < '${input}' | cmp - '${input}'`, { cwd: folder });
    expect([direct.status, direct.stdout, direct.stderr]).toEqual([0, '', '']);
  });

  test('ends quietly when nobody reads on', () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => `1 Q0 document-${i} 1 1 t\n`).join('');
    const result = runShell(`gradus convert '${file('in.run', lines)}' - --to jsonl | head -n 1; echo "\${PIPESTATUS[0]}"`, {
      cwd: folder,
    });
    expect(result.stderr).toBe('');
    expect(result.stdout).toBe('{"query_id": "1", "doc_id": "document-0", "score": 1}\n0\n');
  });
});
