import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rowsOfQrels, rowsOfRun } from '../../test/helpers/rows.js';
import { toQrels } from '../core/qrels.js';
import { toRun } from '../core/run.js';
import { loadQrels, loadRun } from './load.js';
import { saveQrels, saveRun } from './output/save.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-load-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('loadRun', () => {
  const files: [string, string, string][] = [
    ['run.txt', '1 Q0 a 1 2 t\n', 'trec-run'],
    ['run', '# c\n\n1\tQ0\ta\t1\t2\tt\r\n', 'trec-run'],
    ['run.json', '{"1": {"a": 2}}', 'json'],
    ['run', ' \n [{"qid": "1", "docno": "a", "score": 2}]', 'json'],
    ['run.jsonl', '{"qid": "1", "docno": "a", "score": 2}', 'jsonl'],
    ['run.txt', '{"score": 2, "docno": "a", "qid": "1"}\n', 'jsonl'],
    ['run.json', '{"query_id": "1", "doc_id": "a", "score": 2}\n', 'jsonl'],
    ['run.csv', 'qid,docno,score\n1,a,2\n', 'csv'],
    ['run.dat', '"qid","docno","score"\n1,a,2\n', 'csv'],
    ['run.tsv', 'qid\tdocno\tscore\n1\ta\t2\n', 'tsv'],
    ['run.csv', 'qid\tdocno\tscore\n1\ta\t2\n', 'tsv'],
    ['run.tsv', '1\tQ0\ta\t1\t2\tt\n', 'trec-run'],
  ];
  test.each(files)('reads %s with %j as what it is', async (name, content, format) => {
    for (const path of [file(name, content), file(`${name}.gz`, gzipSync(content))]) {
      const reading = await loadRun(path);
      expect(reading.format).toBe(format);
      expect(rowsOfRun(reading.run)).toEqual([['1', 'a', 2]]);
    }
  });

  test('names a run after its tag, or its file', async () => {
    expect((await loadRun(file('a.run', '1 Q0 a 1 2 tag\n'))).run.name).toBe('tag');
    expect((await loadRun(file('my best run.json', '{"1": {"a": 2}}'))).run.name).toBe('my-best-run');
    expect((await loadRun(file('bm25.v2.csv.gz', 'qid,docno,score\n1,a,2\n'))).run.name).toBe('bm25.v2');
    expect((await loadRun(file('b.json', '{"1": {"a": 2}}'), { name: 'other' })).run.name).toBe('other');
  });

  test('takes the format and columns that are given', async () => {
    const path = file('data.txt', '1;a;2\n');
    const options = { format: 'csv', delimiter: ';', columns: { topic: 1, doc: 2, score: 3 } };
    expect(rowsOfRun((await loadRun(path, options)).run)).toEqual([['1', 'a', 2]]);
    const named = file('named.csv', 'q,d,s\n1,a,2\n');
    expect(rowsOfRun((await loadRun(named, { columns: { topic: 'q', doc: 'd', score: 's' } })).run)).toEqual([['1', 'a', 2]]);
    await expect(loadRun(path, { format: 'cvs' })).rejects.toThrow('there is no format cvs; did you mean csv?');
    await expect(loadRun(path, { format: 'qrels' })).rejects.toThrow(`${path}: qrels files cannot hold runs`);
  });

  test('tells what is wrong, with the file and the line', async () => {
    const path = file('bad.run', '1 Q0 a 1 2 t\n1 Q0 a 1 x t\n');
    await expect(loadRun(path)).rejects.toThrow(`${path}:2: expected a finite number as score, found "x"; --lenient skips such lines`);
    expect((await loadRun(path, { lenient: true })).skipped.count).toBe(1);
    const qrels = file('qrels.txt', '1 0 a 1\n');
    await expect(loadRun(qrels)).rejects.toThrow(
      `${qrels}:1: expected 6 fields (topic Q0 document rank score tag), found 4; four fields are judgements, which come before the run`,
    );
    const empty = file('empty', '');
    await expect(loadRun(empty)).rejects.toThrow(`${empty}: holds no lines; expected lines of topic Q0 document rank score tag`);
  });
});

describe('loadQrels', () => {
  const files: [string, string, string][] = [
    ['qrels.txt', '1 0 a 2\n', 'qrels'],
    ['qrels.dev.tsv', '1\t0\ta\t2\n', 'qrels'],
    ['test.tsv', 'query-id\tcorpus-id\tscore\n1\ta\t2\n', 'tsv'],
    ['qrels.json', '{"1": {"a": 2}}', 'json'],
    ['x.prefs', '1 g s a 2\n', 'prefs'],
  ];
  test.each(files)('reads %s with %j as what it is', async (name, content, format) => {
    const reading = await loadQrels(file(name, content));
    expect(reading.format).toBe(format);
    expect(rowsOfQrels(reading.qrels)[0].slice(0, 3)).toEqual(['1', 'a', 2]);
  });

  test('keeps groups on request', async () => {
    const path = file('qrels', '1 x a 2\n1 y a 1\n');
    expect(rowsOfQrels((await loadQrels(path, { groups: true })).qrels)).toEqual([
      ['1', 'a', 2, 'x'],
      ['1', 'a', 1, 'y'],
    ]);
  });
});

describe('saveRun and saveQrels', () => {
  const run = toRun({ 1: { a: 2, b: 1 } }, 'tag');
  const lines = '1 Q0 a 1 2 tag\n1 Q0 b 2 1 tag\n';

  test('write the format that the name or the caller tells', async () => {
    const written = async (name: string, format?: string): Promise<string> => {
      await saveRun(join(folder, name), run, { format });
      return readFileSync(join(folder, name), 'utf8');
    };
    expect(await written('out.txt')).toBe(lines);
    expect(await written('out.json')).toBe('{\n"1": {"a": 2, "b": 1}\n}\n');
    expect(await written('out.csv', 'tsv')).toBe('query_id\tdoc_id\tscore\n1\ta\t2\n1\tb\t1\n');
    await saveQrels(join(folder, 'q'), toQrels({ 1: { a: 1 } }));
    expect(readFileSync(join(folder, 'q'), 'utf8')).toBe('1 0 a 1\n');
    await expect(saveRun(join(folder, 'x.qrels'), run)).rejects.toThrow('qrels files cannot hold runs');
  });

  test('compress what is called .gz', async () => {
    const many = toRun({ q: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`d${i}`, -i])) }, 't');
    await saveRun(join(folder, 'out.txt.gz'), many);
    const text = gunzipSync(readFileSync(join(folder, 'out.txt.gz'))).toString();
    expect(text.split('\n')).toHaveLength(30_001);
    expect(rowsOfRun((await loadRun(join(folder, 'out.txt.gz'))).run)).toEqual(rowsOfRun(many));
    await expect(saveRun(join(folder, 'out.zst'), run)).rejects.toThrow(
      'out.zst: zstd files can be read but not written; end the name in .gz, or in nothing',
    );
  });

  test('replace a file only when the new one is complete', async () => {
    const path = file('out.txt', 'old\n');
    chmodSync(path, 0o640);
    const spaced = toRun({ q: { a: 1, 'b c': 2 } }, 't');
    await expect(saveRun(path, spaced)).rejects.toThrow('document "b c" holds white space');
    await expect(saveRun(`${path}.gz`, spaced)).rejects.toThrow('document "b c" holds white space');
    expect(readFileSync(path, 'utf8')).toBe('old\n');
    expect(readdirSync(folder)).toEqual(['out.txt']);
    await saveRun(path, run);
    expect(readFileSync(path, 'utf8')).toBe(lines);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['out.txt']);
  });

  test('write through a symbolic link', async () => {
    const path = file('real.txt', 'old\n');
    symlinkSync('real.txt', join(folder, 'link.txt'));
    await saveRun(join(folder, 'link.txt'), run);
    expect(readFileSync(path, 'utf8')).toBe(lines);
  });

  test('say that the disk is full, or that there is no such folder', async () => {
    await expect(saveRun('/dev/full', run)).rejects.toThrow('/dev/full: cannot write: no space left on the device');
    await expect(saveRun(join(folder, 'no', 'out.txt'), run)).rejects.toThrow('out.txt: cannot write: there is no folder');
    await expect(saveRun(folder, run)).rejects.toThrow(`${folder}: cannot write: it is a directory`);
  });
});
