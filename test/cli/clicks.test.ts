import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { seededRandom, shuffleInPlace } from '../../src/core/numbers/random.js';
import { readClickLog } from '../../src/formats/click-log.js';
import { bytesSource } from '../../src/formats/source.js';
import { modelFromJson } from '../../src/ltr/models/json.js';
import { CapturedContext } from '../helpers/captured-context.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-clicks-'));
const at = (name: string): string => join(folder, name);
const save = (name: string, text: string | Uint8Array): string => {
  writeFileSync(at(name), text);
  return at(name);
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(...argv: string[]) {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

const PROPENSITIES = [1, 0.6, 0.35, 0.2];

/** Users who look at ranks with these chances, and click relevant documents more often; lists are partly shuffled. */
beforeAll(() => {
  const random = seededRandom(4);
  const lines: string[] = [];
  const features: string[] = [];
  for (let q = 1; q <= 40; q++) {
    const docs = ['a', 'b', 'c', 'd'].map((doc) => ({ doc: `${q}${doc}`, attraction: 0.1 + 0.8 * random.float() }));
    for (const { doc, attraction } of docs)
      features.push(`0 qid:q${q} 1:${(attraction + 0.05 * random.normal()).toFixed(4)} 2:${random.float().toFixed(4)} # docid = ${doc}`);
    for (let session = 0; session < 150; session++) {
      const shown = docs.map((_, i) => i);
      if (session % 3 !== 0) shuffleInPlace(random, shown);
      const clicked = shown.filter((d, k) => random.float() < PROPENSITIES[k] * docs[d].attraction).map((d) => docs[d].doc);
      lines.push(JSON.stringify({ query: `q${q}`, list: shown.map((d) => docs[d].doc), clicked }));
    }
  }
  save('log.jsonl', `${lines.join('\n')}\n`);
  save('features.txt', `${features.join('\n')}\n`);
});

const rows = [
  { session: 's1', query: 'q1', doc: 'a', rank: 1, clicked: 0 },
  { session: 's1', query: 'q1', doc: 'b', rank: 2, clicked: 1 },
  { session: 's2', query: 'q1', doc: 'b', rank: 1, clicked: 1 },
  { session: 's2', query: 'q1', doc: 'a', rank: 2, clicked: 0 },
];
const lists = [
  { query: 'q1', docs: ['a', 'b'], ranks: [1, 2], clicks: [0, 1] },
  { query: 'q1', docs: ['b', 'a'], ranks: [1, 2], clicks: [1, 0] },
];
const asText = (delimiter: string): string =>
  [Object.keys(rows[0]), ...rows.map((row) => Object.values(row))].map((cells) => cells.join(delimiter)).join('\n');

describe('a log of clicks', () => {
  const columnData = Object.keys(rows[0]).map((name) => ({ name, data: rows.map((row) => row[name as keyof (typeof rows)[0]]) }));
  test.each<[string, string | Uint8Array]>([
    ['CSV', asText(',')],
    ['TSV', asText('\t')],
    ['JSON lines of rows', rows.map((row) => JSON.stringify(row)).join('\n')],
    ['JSON lines of rows without sessions', rows.map(({ session: _, ...row }) => JSON.stringify(row)).join('\r\n')],
    ['JSON lines of lists', '{"topic":"q1","list":["a","b"],"clicked":["b"]}\n\n{"topic":"q1","docs":["b","a"],"clicked":["b"]}\n'],
    ['Parquet', new Uint8Array(parquetWriteBuffer({ columnData }))],
  ])('is read as %s', async (_, content) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    expect(await readClickLog(bytesSource(bytes, 'log'))).toEqual(lists);
  });

  test.each([
    ['', 'holds no list'],
    ['query,doc,rank\nq1,a,1\n', 'odd:2: expected a click as 0 or 1'],
    ['query,doc,rank,clicked\nq1,a,0,1\n', 'odd:2: expected a rank from 1, found 0'],
    ['query,doc,rank,clicked\n,a,1,1\n', 'odd:2: found no query'],
    ['query,doc,rank,clicked\nq,a,1,1\nq,a,2,1\n', 'odd:3: a stands in the list twice'],
    ['{"query":"q","list":["a"],"clicked":["b"]}', 'odd:1: b was clicked, and is not in the list'],
    ['{"query":"q","list":["a"]}', 'expected the documents that were clicked'],
    ['{"query":', 'is not JSON'],
  ])('%j is refused', async (text, message) => {
    const { status, err } = await gradus('clicks', 'bias', save('odd', text));
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('gradus clicks', () => {
  test.each(['em', 'harvest'])('bias: %s finds the chances that users were simulated with', async (method) => {
    const { out } = await gradus('clicks', 'bias', at('log.jsonl'), '--method', method, '--json');
    const { ranks } = JSON.parse(out) as { ranks: { propensity: number }[] };
    expect(ranks).toHaveLength(4);
    for (const [k, { propensity }] of ranks.entries()) expect(Math.abs(propensity - PROPENSITIES[k])).toBeLessThan(0.06);
  });

  test('data: its next command trains, and the model ranks by what attracts, not by where it stood', async () => {
    const { status, err } = await gradus('clicks', 'data', at('log.jsonl'), at('features.txt'), '-o', at('clicks.txt'));
    expect(status).toBe(0);
    expect(readFileSync(at('clicks.txt'), 'utf8').split('\n')[0]).toMatch(
      /^[01] qid:1 1:\S+ 2:\S+ # docid = 1a rank = 1 propensity = 1 query = q1$/,
    );
    const [, ...words] = (/next: (.*)$/m.exec(err)?.[1] ?? '').split(' ');
    const quick = ['--trees', '20', '--leaves', '4', '--threads', '1'];
    expect(await gradus(...words.map((word) => (word === 'model.json' ? at('m.json') : word)), ...quick)).toMatchObject({ status: 0 });
    expect(modelFromJson(readFileSync(at('m.json'), 'utf8')).training?.objective).toBe('propensity-weighted LambdaRank');
    const { out: run } = await gradus('score', at('m.json'), at('features.txt'), '--quiet');
    save('new.run', run);
    // the order in which documents were shown first: by their letters
    const old = run
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' '));
    save('old.run', old.map(([q, , doc]) => `${q} Q0 ${doc} 0 ${-doc.charCodeAt(doc.length - 1)} old`).join('\n'));
    const { out } = await gradus('clicks', 'evaluate', at('log.jsonl'), at('old.run'), at('new.run'), '--json');
    const [, judged] = JSON.parse(out) as { against: { difference: number; low: number; pValue: number } }[];
    expect(judged.against.low).toBeGreaterThan(0);
    expect(judged.against.pValue).toBeLessThan(0.001);
  });

  test.each(['unbiased', 'position'])('train lambdamart --clicks %s estimates the bias along with the ranker', async (clicks) => {
    await gradus('clicks', 'data', at('log.jsonl'), at('features.txt'), '-o', at('clicks.txt'));
    const words = ['--clicks', clicks, '--positions', '4', '--trees', '3', '--leaves', '4', '--threads', '1', '--model', at('u.json')];
    expect(await gradus('train', 'lambdamart', '--train', at('clicks.txt'), ...words)).toMatchObject({ status: 0 });
    const { training } = modelFromJson(readFileSync(at('u.json'), 'utf8'));
    expect(training).toMatchObject({
      options: { clicks },
      objective: { unbiased: 'unbiased LambdaMART', position: 'LambdaRank with position bias' }[clicks],
    });
  });

  test('evaluate: by hand', async () => {
    save('two.jsonl', '{"query":"q","list":["a","b","c"],"clicked":["b"]}\n{"query":"q","list":["a","c","b"],"clicked":["a"]}\n');
    save('r.run', 'q Q0 b 0 3 r\nq Q0 a 0 2 r\nq Q0 c 0 1 r\n');
    const { out } = await gradus('clicks', 'evaluate', at('two.jsonl'), at('r.run'), '--propensities', '1,0.5,0.25', '--json');
    // b was clicked at rank 2 and is now first: 1 / 0.5; a was clicked at rank 1 and is now second: 1 / log2(3)
    const [{ ips, snips, clipped, queries }] = JSON.parse(out);
    expect([ips.value, snips.value, clipped, queries]).toEqual([
      expect.closeTo((2 + 1 / Math.log2(3)) / 2, 12),
      expect.closeTo((2 + 1 / Math.log2(3)) / 3, 12),
      0,
      2,
    ]);
  });

  test.each([
    [['data', at('log.jsonl'), save('no-ids.txt', '0 qid:q1 1:2\n')], 'found no document id'],
    [['data', at('log.jsonl'), save('others.txt', '0 qid:x 1:2 # docid = y\n')], 'no document of the log has features here'],
    [['evaluate', at('log.jsonl'), save('x.run', 'x Q0 y 1 1 r\n')], 'has no query of the log'],
    [['evaluate', at('log.jsonl'), at('x.run'), '--propensities', '1,2'], 'expected numbers above 0 and up to 1'],
  ])('%j is refused', async (words, message) => {
    const { status, err } = await gradus('clicks', ...words);
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test('clicks without propensities, and with another loss, are refused', async () => {
    const words = [
      'train',
      'lambdamart',
      '--train',
      at('features.txt'),
      '--model',
      at('no.json'),
      '--threads',
      '1',
      '--clicks',
      'propensities',
    ];
    expect((await gradus(...words)).err).toContain('clicks=propensities needs propensities');
    expect((await gradus(...words, '--loss', 'yetirank')).err).toContain('both say what is made smaller');
  });
});
