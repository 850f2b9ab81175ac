import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { defaultRules } from '../../src/core/judging/judging-rules.js';
import { toQrels } from '../../src/core/qrels.js';
import { createFeatureJsonReader } from '../../src/formats/letor/feature-table.js';
import { createPredictionsReader } from '../../src/formats/letor/number-lines.js';
import { createLetorReader } from '../../src/formats/letor/reader.js';
import type { ChunkReader } from '../../src/formats/reader.js';
import { createCsvRunReader } from '../../src/formats/tables/csv.js';
import { createJsonRunReader } from '../../src/formats/tables/json.js';
import { createJsonlRunReader } from '../../src/formats/tables/jsonl.js';
import { createLineScanner } from '../../src/formats/text/create-line-scanner.js';
import { type LineScanner, runLines } from '../../src/formats/text/line-scanner.js';
import { createTrecQrelsReader } from '../../src/formats/trec/qrels.js';
import { createTrecRunReader } from '../../src/formats/trec/run.js';
import { STREAM_END, TopicStream } from '../../src/formats/trec/topic-stream.js';
import { parseMeasures } from '../../src/measures/parse.js';
import { planOptionsFor } from '../../src/measures/plan.js';
import { evaluateBySpilling } from '../../src/node/engines/spill.js';
import { loadFeatures } from '../../src/node/letor/load-features.js';
import { evaluateRunFile } from '../../src/node/streams/stream-evaluate.js';
import { countedWork } from '../helpers/counted-work.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-long-lines-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const encoder = new TextEncoder();
const LENGTH = 1 << 20;
const CHUNK = 1 << 10;
/** A reader that began anew with each chunk would look at each byte 512 times in the mean. */
const OFTEN = 40;

const readers: readonly [string, () => ChunkReader<unknown>, before: string, repeated: string, after: string][] = [
  ['TREC run, long id', () => createTrecRunReader(), 'q1 Q0 ', 'x', ' 1 2 t\n'],
  ['TREC run, long id, no WebAssembly', () => createTrecRunReader({ wasm: false }), 'q1 Q0 ', 'x', ' 1 2 t\n'],
  ['TREC run, long number', () => createTrecRunReader(), 'q1 Q0 d 1 0.', '1', ' t\n'],
  ['TREC run, bad lines', () => createTrecRunReader({ lenient: true }), 'q1 Q0 d 1 2 t\n', 'x\0\n', '\n'],
  [
    'TREC run, bad lines after a long one',
    () => createTrecRunReader({ lenient: true }),
    `q1 Q0 ${'x'.repeat(4 * LENGTH)} 1 2 t\n`,
    'x\0\n',
    '\n',
  ],
  ['TREC judgements', () => createTrecQrelsReader('qrels'), 'q1 0 ', 'x', ' 1\n'],
  ['LETOR', () => createLetorReader(), '1 qid:1 1:2 # ', 'x', '\n'],
  ['LETOR, many features', () => createLetorReader(), '1 qid:1', ' 1:1', '\n'],
  ['CSV', () => createCsvRunReader(), 'query_id,doc_id,score\nq1,', 'x', ',1\n'],
  ['CSV, many lines in quotes', () => createCsvRunReader(), 'query_id,doc_id,score\nq1,"', 'x\n', '",1\n'],
  ['JSON, long string', () => createJsonRunReader(), '{"q1": {"', 'x', '": 1}}'],
  ['JSON, escapes', () => createJsonRunReader(), '{"q1": {"', '\\u00e9', '": 1}}'],
  ['JSON, long number', () => createJsonRunReader(), '{"q1": {"d1": 0.', '1', '}}'],
  ['JSON lines', () => createJsonlRunReader(), '{"qid": "q1", "docid": "', 'x', '", "score": 1}\n'],
  ['JSON lines of features', () => createFeatureJsonReader({ source: 'f' }), '{"qid": "q1", "label": 1, "a": 1, "docid": "', 'x', '"}\n'],
  ['predictions', () => createPredictionsReader(), '1\n0.', '1', '\n'],
];

describe('a very long line', () => {
  test.each(readers)('%s is read once and not again with every chunk', async (_, create, before, repeated, after) => {
    const bytes = encoder.encode(before + repeated.repeat(LENGTH / repeated.length) + after);
    const work = await countedWork(() => {
      const reader = create();
      for (let at = 0; at < bytes.length; at += CHUNK) reader.push(bytes.subarray(at, at + CHUNK));
      try {
        reader.finish();
      } catch {
        // some of these are refused in the end
      }
    });
    expect(work).toBeLessThan(OFTEN * bytes.length);
  });

  test.each([true, false])('a stream of topics hands each byte to the scanner once (WebAssembly: %s)', (wasm) => {
    const lines = ['q1 Q0 d1 1 2 t\n', `q2 Q0 ${'x'.repeat(LENGTH)} 1 2 t\n`, 'q3 Q0 d1 1 2 t\n', `q4 Q0 ${'y'.repeat(LENGTH)} 1 2 t\n`];
    const bytes = encoder.encode(lines.join(''));
    const scanner = createLineScanner({ ...runLines, capacity: 2 * CHUNK, lines: 16, wasm });
    let scanned = 0;
    const scan = scanner.scan.bind(scanner);
    const counting: LineScanner = Object.assign(scanner, {
      scan(end: number): number {
        scanned += end - scanner.position;
        return scan(end);
      },
    });
    let taken = 0;
    const stream = new TopicStream(
      counting,
      {
        read(target, offset, length) {
          const part = bytes.subarray(taken, taken + length);
          target.set(part, offset);
          taken += part.length;
          return part.length;
        },
      },
      CHUNK,
    );
    let topics = 0;
    while (stream.next() !== STREAM_END) topics++;
    expect(topics).toBe(4);
    expect(scanned).toBeLessThan(5 * bytes.length);
  });

  const qrels = toQrels({ q1: { d1: 1 } });
  const measures = parseMeasures('AP');
  const request = { qrels, measures, rules: defaultRules, planOptions: planOptionsFor(qrels, measures, {}) };

  test('a run file of one line is divided among threads by reading it once', async () => {
    const path = join(folder, 'one-line.run');
    writeFileSync(path, `q1 Q0 ${'x'.repeat(4 * LENGTH)} 1 2 t\n`);
    const readBytes = await countedReads(() =>
      evaluateRunFile({ ...request, path, grammar: 'strict', comments: true, threads: 1, partSize: 1 << 16 }),
    );
    expect(readBytes).toBeLessThan(4 * 4 * LENGTH);
  });

  test('a large run of scattered topics is divided into parts by reading it once', async () => {
    const path = join(folder, 'scattered.run');
    writeFileSync(path, `q1 Q0 d1 1 2 t\nq1 Q0 ${'x'.repeat(32 * LENGTH)} 1 2 t\n`);
    const work = await countedWork(() => evaluateBySpilling({ ...request, path, from: 1, partSize: LENGTH }));
    expect(work).toBeLessThan(12 * 32 * LENGTH);
  });

  test('a large feature file is divided into segments by reading it once', async () => {
    const path = join(folder, 'long.letor');
    writeFileSync(path, `1 qid:1 1:1\n1 qid:1 1:1 # ${'x'.repeat(16 * LENGTH)}\n0 qid:1 1:1\n`);
    const work = await countedWork(() => loadFeatures(path, { threads: 1 }));
    expect(work).toBeLessThan(12 * 16 * LENGTH);
  });
});

/** How many bytes are asked of files. */
async function countedReads(work: () => unknown): Promise<number> {
  const fs = process.getBuiltinModule('node:fs');
  const { readSync } = fs;
  let bytes = 0;
  const counting = (...call: Parameters<typeof readSync>): number => {
    const read = readSync(...call);
    bytes += read;
    return read;
  };
  fs.readSync = counting as typeof readSync;
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
  try {
    await work();
  } finally {
    fs.readSync = readSync;
    process.getBuiltinModule('node:module').syncBuiltinESMExports();
  }
  return bytes;
}
