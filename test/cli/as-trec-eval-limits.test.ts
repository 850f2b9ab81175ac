import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGradus } from '../helpers/run-gradus.js';

let folder: string;
const write = (name: string, lines: readonly string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-limits-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const trecEval = (version: string, ...argv: string[]): [stdout: string, stderr: string, status: number | null] => {
  const { stdout, stderr, status } = runGradus(['as', `trec_eval@${version}`, ...argv]);
  return [stdout, stderr, status];
};
const ranked = (...docs: string[]): string[] => docs.map((doc, i) => `1 Q0 ${doc} ${i + 1} ${docs.length - i} tag`);
const judged = (grades: Readonly<Record<string, number>>): string[] => Object.entries(grades).map(([doc, grade]) => `1 0 ${doc} ${grade}`);

describe('gradus as trec_eval where the program reads memory that it does not own', () => {
  test('prefs_avgjg_Rnonrel takes the documents that the lowest level has', () => {
    // relevant d and a, so that two documents of the lowest level are wanted, and there is e alone. Pairs of the classes d, a, f, bc:
    // df, af, ab, ac are in order, da, db, dc, fb, fc are not; with e: de, ae, be, ce are, fe and e with itself are not: 8 of 15
    const qrels = write('levels', judged({ a: 1, b: -1, c: -1, d: 2, e: -2, f: 0 }));
    const run = write('six', ranked('a', 'b', 'c', 'd', 'e', 'f'));
    const argv = ['-R', 'qrels_prefs', '-m', 'prefs_avgjg_Rnonrel', '-m', 'prefs_avgjg_Rnonrel_ret', qrels, run];
    expect(trecEval('9.0.8', ...argv)).toEqual(['prefs_avgjg_Rnonrel   \tall\t0.5333\nprefs_avgjg_Rnonrel_ret\tall\t0.5333\n', '', 0]);
  });

  test('rbp has the same value after dcg as alone', () => {
    // a has the highest of the grades 0, 1 and 3, which gains 1, at rank 1: 1 - 0.9
    const qrels = write('graded', judged({ a: 3, b: 0, c: 1 }));
    const run = write('two', ranked('a', 'b'));
    for (const before of [[], ['-m', 'dcg'], ['-m', 'ndcg'], ['-m', 'yaap']]) {
      const [stdout] = trecEval('10.0', ...before, '-m', 'rbp', qrels, run);
      expect(stdout.split('\n').filter((line) => line.startsWith('rbp'))).toEqual(['rbp                   \tall\t0.1000']);
    }
  });

  test('a comment at the end of a relevance file is passed over by version 10', () => {
    const run = write('pair', ranked('b', 'a'));
    const plain = trecEval('10.0', write('plain', judged({ a: 1, b: 0 })), run);
    expect(plain[0]).toContain('map                   \tall\t0.5000');
    expect(trecEval('10.0', write('commented', [...judged({ a: 1, b: 0 }), '# the end']), run)).toEqual(plain);
  });

  test('-M with a negative number looks at no document', () => {
    const files = [write('some', judged({ a: 1, b: 0 })), write('same', ranked('a', 'b'))];
    for (const version of ['9.0.8', '10.0']) {
      const none = trecEval(version, '-M', '0', ...files);
      expect(none[0]).toContain('num_ret               \tall\t0\n');
      expect(trecEval(version, '-M', '-1', ...files)).toEqual(none);
      expect(trecEval(version, '-M', '-7', ...files)).toEqual(none);
    }
  });
});

describe('gradus as trec_eval where the program crashes', () => {
  test('a topic behind the last row of the z-scores is worth what a missing row is worth', () => {
    const files = [write('one.qrels', judged({ a: 1, b: 0 })), write('one.run', ranked('a', 'b'))];
    const before = trecEval('9.0.8', '-Z', write('before', ['0 map 0.5 0.1']), '-m', 'map', ...files);
    // topic 1 is not in this table either, but there is a row behind its place
    const around = trecEval('9.0.8', '-Z', write('around', ['0 map 0.5 0.1', '2 map 0.5 0.1']), '-m', 'map', ...files);
    expect(before).toEqual(around);
    expect(before).toEqual(['Zmap                   \tall\t-1000000.0000\n', '', 0]);
  });

  test('dcg and ndcg each have their own parameters', () => {
    // grade 1 gains 2 in dcg, and is first
    const files = [write('two.qrels', judged({ a: 1, b: 0 })), write('two.run', ranked('a', 'b'))];
    expect(trecEval('10.0', '-m', 'dcg.1=2', '-m', 'ndcg', ...files)).toEqual([
      'dcg_1=2               \tall\t2.0000\nndcg                  \tall\t1.0000\n',
      '',
      0,
    ]);
  });
});

describe('what gradus as trec_eval does not reproduce', () => {
  test('gradus help as says so', () => {
    const { stdout } = runGradus(['help', 'as']);
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain('the wording of its help (-h)');
    expect(words).toContain('the traces that a debug level (-D 1 and up) makes measures write');
  });

  test('a debug level changes nothing, and its topic is obeyed', () => {
    const files = ['examples/data/example.qrels', 'examples/data/bm25.run'];
    expect(trecEval('9.0.8', '-D', '4', ...files)).toEqual(trecEval('9.0.8', ...files));
    const [stdout] = trecEval('9.0.8', '-D', '1.q2', '-q', '-m', 'map', ...files);
    expect(stdout.split('\n').map((line) => line.split('\t')[1])).toEqual(['q2', 'all', undefined]);
  });
});
