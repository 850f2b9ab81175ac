import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { runGradus } from '../helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-groups-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]): string => join(folder, ...names);

/** Nine documents; the first query has four, the second three, and two have one each. */
const labels = [3, 1, 0, 2, 0, 1, 2, 1, 0];
const sizes = [4, 3, 1, 1];
const line = (label: number, i: number): string => `${label} 1:${(i * 7) % 5} 2:${label + (i % 2)}`;
const plain = `${labels.map(line).join('\n')}\n`;
const grouped = `${labels.map((label, i) => line(label, i).replace(' ', ` qid:${[1, 1, 1, 1, 2, 2, 2, 3, 4][i]} `)).join('\n')}\n`;
writeFileSync(at('grouped.txt'), grouped);
writeFileSync(at('predictions.txt'), `${[0.1, 0.9, 0.5, 0.3, 0.2, 0.8, 0.7, 0.4, 0.6].join('\n')}\n`);
for (const ending of ['query', 'group']) {
  writeFileSync(at(`by-${ending}.txt`), plain);
  writeFileSync(at(`by-${ending}.txt.${ending}`), `${sizes.join('\n')}\n`);
}
writeFileSync(at('packed.txt.gz'), gzipSync(plain));
writeFileSync(at('packed.txt.query'), sizes.join('\n'));

function ok(...args: string[]): string {
  const { stdout, stderr, status } = runGradus(args);
  expect([stderr, status], args.join(' ')).toEqual(['', 0]);
  return stdout;
}

describe('files of features whose queries are counted in a file beside them', () => {
  const ways = ['by-query.txt', 'by-group.txt', 'packed.txt.gz'];

  test.each(ways)('eval of %s gives what the same lines with qid: give', (name) => {
    const expected = ok('eval', at('grouped.txt'), at('predictions.txt'), '-q', '-m', 'nDCG@10 AP');
    expect(ok('eval', at(name), at('predictions.txt'), '-q', '-m', 'nDCG@10 AP')).toBe(expected);
  });

  test.each(ways)('train and score of %s, too', (name) => {
    const trained = (file: string, to: string): string => {
      ok('train', 'lambdamart', '--train', at(file), '--model', at(`${to}.json`), '--trees', '3', '--min-hessian', '0', '--quiet');
      ok('score', at(`${to}.json`), at(file), '--format', 'letor', '-o', at(`${to}.txt`));
      return readFileSync(at(`${to}.txt`), 'utf8');
    };
    expect(trained(name, 'a')).toBe(trained('grouped.txt', 'b'));
  });

  test('convert makes judgements of the labels', () => {
    ok('convert', at('by-query.txt'), at('out.qrels'));
    ok('convert', at('grouped.txt'), at('expected.qrels'));
    expect(readFileSync(at('out.qrels'), 'utf8')).toBe(readFileSync(at('expected.qrels'), 'utf8'));
  });

  test('audit counts the queries', () => {
    expect(ok('audit', at('by-group.txt'))).toContain('4 queries');
  });

  test('sizes that do not add up, or are none, are refused with the file and a fix that works', () => {
    writeFileSync(at('bad.txt'), plain);
    writeFileSync(at('bad.txt.query'), '4\n3\n1\n');
    const tooFew = runGradus(['eval', at('bad.txt'), at('predictions.txt')]);
    expect([tooFew.stderr, tooFew.status]).toEqual([
      `gradus: ${at('bad.txt')}: the group sizes add up to 8 rows, found 9; check that the group file belongs to this feature file\n`,
      2,
    ]);
    writeFileSync(at('bad.txt.query'), '4\n3.5\n');
    const noSize = runGradus(['eval', at('bad.txt'), at('predictions.txt')]);
    expect([noSize.stderr, noSize.status]).toEqual([
      `gradus: ${at('bad.txt.query')}:2: expected the number of rows of a query, found "3.5"; write one whole number per line, for each query in turn\n`,
      2,
    ]);
  });

  test('without such a file the lines are refused, and the message says what to write', () => {
    writeFileSync(at('alone.txt'), plain);
    const { stderr, status } = runGradus(['eval', at('alone.txt'), at('predictions.txt')]);
    expect(status).toBe(2);
    expect(stderr).toContain(
      `${at('alone.txt')}:1: expected qid: and an id after the label, found "1:0"; write qid: and the id of the query behind each label, or the number of rows of each query to a file of the same name with .query behind it`,
    );
    writeFileSync(at('alone.txt.query'), sizes.join('\n'));
    ok('eval', at('alone.txt'), at('predictions.txt'));
  });
});

const hits = (...docs: readonly string[]): string =>
  JSON.stringify({ took: 1, hits: { hits: docs.map((_id, i) => ({ _index: 'i', _id, _score: docs.length - i })) } }, null, 2);

describe('folders', () => {
  mkdirSync(at('answers'));
  writeFileSync(at('answers', 'q1.json'), hits('a', 'b', 'c'));
  writeFileSync(at('answers', 'q2.json'), hits('c', 'a'));
  writeFileSync(at('answers', 'q3.json'), hits());
  writeFileSync(at('few.qrels'), 'q1 0 a 1\nq1 0 c 1\nq2 0 a 1\nq3 0 a 1\n');

  test('one response file per query is one run, called like the folder, whose topics are called like the files', () => {
    expect(ok('eval', at('few.qrels'), at('answers'), '-q', '-m', 'RR', '--quiet')).toBe(
      'topic      RR\nq1     1.0000\nq2     0.5000\nq3     0.0000\nall    0.5000\n',
    );
    ok('convert', at('answers'), at('answers.run'));
    expect(readFileSync(at('answers.run'), 'utf8')).toBe(
      'q1 Q0 a 1 3 answers\nq1 Q0 b 2 2 answers\nq1 Q0 c 3 1 answers\nq2 Q0 c 1 2 answers\nq2 Q0 a 2 1 answers\n',
    );
  });

  test('other folders stand for the files in them, also beside such a folder', () => {
    mkdirSync(at('runs'));
    for (const name of ['x', 'y']) writeFileSync(at('runs', `${name}.run`), `q1 Q0 a 1 3 ${name}\n`);
    expect(ok('eval', at('few.qrels'), at('runs'), at('answers'), '-m', 'RR', '--missing', 'skip', '--quiet')).toContain(
      'x       y  answers',
    );
  });

  test('a damaged file is named', () => {
    mkdirSync(at('damaged'));
    writeFileSync(at('damaged', 'q1.json'), hits('a'));
    writeFileSync(at('damaged', 'q2.json'), hits('a').slice(0, -5));
    const { stderr, status } = runGradus(['eval', at('few.qrels'), at('damaged'), '-m', 'RR']);
    expect(status).toBe(2);
    expect(stderr).toContain(`${at('damaged', 'q2.json')}: is not JSON`);
  });

  test('the judgements of a BEIR data set and the run of a TIRA submission are found', () => {
    mkdirSync(at('beir', 'qrels'), { recursive: true });
    writeFileSync(at('beir', 'corpus.jsonl'), '{"_id":"a","title":"","text":"x"}\n');
    writeFileSync(at('beir', 'qrels', 'test.tsv'), 'query-id\tcorpus-id\tscore\nq1\ta\t1\n');
    writeFileSync(at('beir', 'qrels', 'dev.tsv'), 'query-id\tcorpus-id\tscore\nq1\tb\t1\n');
    mkdirSync(at('tira'));
    writeFileSync(at('tira', 'run.txt'), 'q1 Q0 b 1 2 mine\nq1 Q0 a 2 1 mine\n');
    writeFileSync(at('tira', 'ir-metadata.yml'), 'a: 1\n');
    expect(ok('eval', at('beir'), at('tira'), '-m', 'RR')).toBe('measure    mine\nRR       0.5000\n');
    rmSync(at('beir', 'qrels', 'test.tsv'));
    writeFileSync(at('beir', 'qrels', 'train.tsv'), 'query-id\tcorpus-id\tscore\nq1\ta\t1\n');
    const { stderr, status } = runGradus(['eval', at('beir'), at('tira'), '-m', 'RR']);
    expect(status).toBe(2);
    const named = /holds judgements for dev\.tsv, train\.tsv; name one of them, such as (\S+)\n/.exec(stderr)?.[1] ?? stderr;
    expect(ok('eval', named, at('tira'), '-m', 'RR')).toContain('1.0000');
  });
});
