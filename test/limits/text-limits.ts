import { createFeatureJsonReader } from '../../src/formats/letor/feature-table.js';
import { createPredictionsReader } from '../../src/formats/letor/number-lines.js';
import { createLetorReader } from '../../src/formats/letor/reader.js';
import type { ChunkReader } from '../../src/formats/reader.js';
import { createCsvRunReader } from '../../src/formats/tables/csv.js';
import { createJsonRunReader } from '../../src/formats/tables/json.js';
import { createJsonlRunReader } from '../../src/formats/tables/jsonl.js';
import { createTrecQrelsReader } from '../../src/formats/trec/qrels.js';
import { createTrecRunReader } from '../../src/formats/trec/run.js';
import { createZScoresReader } from '../../src/formats/trec/z-scores.js';
import type { LimitCase, LimitCases } from './limit-case.js';

const encoder = new TextEncoder();

/** A reader given a text as a whole and in chunks of several sizes, one of which ends next to every place of note. */
function reads(name: string, create: () => ChunkReader<unknown>, text: (amount: number) => string, lowered = 100): LimitCase[] {
  return [0, 1, 7].map((size) => ({
    name: size === 0 ? `${name} in memory` : `${name} in chunks of ${size}`,
    lowered,
    use(amount) {
      const bytes = encoder.encode(text(amount));
      const reader = create();
      for (let from = 0; from < bytes.length; from += size || bytes.length)
        reader.push(bytes.subarray(from, from + (size || bytes.length)));
      return reader.finish();
    },
  }));
}

/** The same for the true limit, in the chunks that files come in. */
function readsLarge(name: string, create: () => ChunkReader<unknown>, text: (amount: number) => string): LimitCase {
  return { ...reads(name, create, text)[0], name: `${name} at the true limit`, lowered: undefined };
}

/** A text made as long as it should be by the letter x in place of its `_`. */
function filled(template: string): (amount: number) => string {
  return (amount) => template.replace('_', 'x'.repeat(amount - template.length + 1));
}

const around = (before: string, line: (amount: number) => string, after: string) => (amount: number) => before + line(amount) + after;

const goodRun = 'q1 Q0 d1 1 2.5 tag\n';
const runLine = filled('q1 Q0 _ 2 1.5 tag');
const qrelsLine = filled('q1 0 _ 1');
const csvHead = 'query_id,doc_id,score\n';

export const textLimits: LimitCases = {
  lineBytes: [
    ...reads('a TREC run', () => createTrecRunReader(), around(goodRun, runLine, '\nq2 Q0 d1 1 1 tag\n')),
    ...reads('a TREC run whose last line has no end', () => createTrecRunReader(), around(goodRun, runLine, '')),
    ...reads('a TREC run without WebAssembly', () => createTrecRunReader({ wasm: false }), around(goodRun, runLine, '\n')),
    ...reads('a lenient TREC run', () => createTrecRunReader({ lenient: true }), around(goodRun, filled('_'), '\n')),
    ...reads('TREC judgements', () => createTrecQrelsReader('qrels'), around('q1 0 d1 1\n', qrelsLine, '\n')),
    ...reads('z-scores', () => createZScoresReader(), around('q1 P@5 0.5 0.1\n', filled('q1 _ 0.5 0.1'), '\n')),
    ...reads('a LETOR file', () => createLetorReader(), around('1 qid:1 1:2\n', filled('1 qid:1 1:2 # _'), '\n0 qid:1 1:3\n')),
    ...reads('JSON lines', () => createJsonlRunReader(), around('', filled('{"qid": "q1", "docid": "_", "score": 1}'), '\n')),
    ...reads(
      'a comment among JSON lines',
      () => createJsonlRunReader(),
      around('{"qid":"1","docid":"d","score":1}\n', filled('# _'), '\n'),
    ),
    ...reads(
      'JSON lines of features',
      () => createFeatureJsonReader(),
      around('', filled('{"qid": "q1", "label": 1, "a": 1, "docid": "_"}'), '\n'),
    ),
    ...reads(
      'predictions',
      () => createPredictionsReader(),
      (amount) => `1\n0.${'1'.repeat(amount - 2)}\n2\n`,
    ),
    readsLarge('a TREC run', () => createTrecRunReader(), around(goodRun, runLine, '\n')),
  ],
  recordBytes: [
    ...reads('a CSV run', () => createCsvRunReader(), around(`${csvHead}q1,d1,1\n`, filled('q1,_,2'), '\nq2,d1,1\n')),
    ...reads(
      'a quoted field over several lines',
      () => createCsvRunReader(),
      (amount) => `${csvHead}"q1","${'x\n'.repeat(40)}${'y'.repeat(amount - 85)}",2\n`,
    ),
    ...reads(
      'a record of nothing but commas',
      () => createCsvRunReader({ lenient: true }),
      (amount) => `${csvHead}q1,d1,1\n${','.repeat(amount)}\n`,
    ),
    readsLarge('a CSV run', () => createCsvRunReader(), around(`${csvHead}q1,d1,1\n`, filled('q1,_,2'), '\n')),
  ],
  jsonTokenBytes: [
    ...reads(
      'a document id',
      () => createJsonRunReader(),
      (amount) => `{"q1": {"${'d'.repeat(amount)}": 1}}`,
    ),
    ...reads(
      'an id with escapes',
      () => createJsonRunReader(),
      (amount) => `{"q1": {"\\u0041${'d'.repeat(amount - 1)}": 1}}`,
    ),
    ...reads(
      'a number',
      () => createJsonRunReader(),
      (amount) => `{"q1": {"d1": 1${'0'.repeat(amount - 1)}}}`,
    ),
    readsLarge(
      'a document id',
      () => createJsonRunReader(),
      (amount) => `{"q1": {"${'d'.repeat(amount)}": 1}}`,
    ),
  ],
  columns: [
    ...reads(
      'a CSV header',
      () => createCsvRunReader(),
      (amount) => `query_id,doc_id,score${',x'.repeat(amount - 3)}\n1,1,1${','.repeat(amount - 3)}\n`,
    ),
    readsLarge(
      'a CSV header',
      () => createCsvRunReader(),
      (amount) => `query_id,doc_id,score${',x'.repeat(amount - 3)}\n1,1,1${','.repeat(amount - 3)}\n`,
    ),
  ],
  wholeFileBytes: [
    ...reads('an array of features', () => createFeatureJsonReader(), filled('[{"qid": "q1", "label": 1, "a": 1, "docid": "_"}]')),
  ],
  jsonNesting: [
    ...reads(
      'a field that is ignored',
      () => createJsonRunReader(),
      (amount) => `[{"qid": "q1", "docid": "d1", "score": 1, "extra": ${'['.repeat(amount - 2)}${']'.repeat(amount - 2)}}]`,
      64,
    ),
  ],
};
