import { expect, test } from 'vitest';
import type { Run } from '../../core/run.js';
import { readRun, type SourceReadOptions } from '../read.js';
import { bytesSource } from '../source.js';

const read = async (content: unknown, options: SourceReadOptions = {}) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return await readRun(bytesSource(new TextEncoder().encode(text), 'q7.json', 'q7.json'), options);
};

const failure = async (content: unknown, options?: SourceReadOptions): Promise<string> =>
  await read(content, options).then(
    () => 'was read',
    (error: Error) => error.message,
  );

/** The documents of each topic, the best first. */
function ranked({ topics, docs, offsets, docOf, scores }: Run): Record<string, string[]> {
  return Object.fromEntries(
    Array.from({ length: topics.size }, (_, topic) => {
      const rows = Array.from({ length: offsets[topic + 1] - offsets[topic] }, (_, place) => offsets[topic] + place);
      return [topics.text(topic), rows.sort((a, b) => scores[b] - scores[a]).map((row) => docs.text(docOf[row]))];
    }),
  );
}

const point = (id: string | number, score: number) => ({ id, version: 1, score, payload: null });

/** The form of an answer, its format, and the rankings in it. */
const answers: readonly (readonly [string, unknown, string, Record<string, string[]>])[] = [
  ['Chroma, one query', { ids: [['b', 'a']], distances: [[0.1, 0.4]], documents: [['x', 'y']] }, 'chroma', { q7: ['b', 'a'] }],
  ['Chroma, several', { ids: [['b', 'a'], []], distances: [[0.1, 0.4], []], included: ['distances'] }, 'chroma', { 1: ['b', 'a'], 2: [] }],
  [
    'Pinecone',
    {
      matches: [
        { id: 'b', score: 0.9, values: [] },
        { id: 'a', score: 0.5 },
      ],
      namespace: '',
    },
    'pinecone',
    { q7: ['b', 'a'] },
  ],
  // with euclidean distance the smallest number is the best
  [
    'Pinecone by distance',
    {
      matches: [
        { id: 'b', score: 0.1 },
        { id: 'a', score: 0.5 },
      ],
    },
    'pinecone',
    { q7: ['b', 'a'] },
  ],
  ['Pinecone, several', { results: [{ matches: [{ id: 'b', score: 1 }] }, { matches: [] }] }, 'pinecone', { 1: ['b'], 2: [] }],
  ['Qdrant search', { result: [point(7, 0.9), point('a-b', 0.5)], status: 'ok', time: 0.1 }, 'qdrant', { q7: ['7', 'a-b'] }],
  ['Qdrant query', { usage: {}, result: { points: [point(7, 0.9)] }, status: 'ok', time: 0.1 }, 'qdrant', { q7: ['7'] }],
  ['Qdrant search batch', { result: [[point(7, 0.9)], [point(8, 0.9)]], status: 'ok', time: 0.1 }, 'qdrant', { 1: ['7'], 2: ['8'] }],
  ['Qdrant query batch', { result: [{ points: [point(7, 0.9)] }, { points: [] }], status: 'ok', time: 0.1 }, 'qdrant', { 1: ['7'], 2: [] }],
  ['Qdrant, nothing found', { result: [], status: 'ok', time: 0.1 }, 'qdrant', { q7: [] }],
  [
    'Weaviate',
    {
      data: { Get: { Article: [{ title: 'x', _additional: { id: 'u1', distance: 0.1 } }, { _additional: { id: 'u0', distance: 0.2 } }] } },
    },
    'weaviate',
    { q7: ['u1', 'u0'] },
  ],
  [
    'lines of answers',
    `{"query_id":"x","response":{"ids":[["b","a"]],"distances":[[0.1,0.2]]}}\n{"query_id":"y","response":{"matches":[{"id":"c","score":1}]}}\n`,
    'es-jsonl',
    { x: ['b', 'a'], y: ['c'] },
  ],
  [
    'answers by topic',
    {
      'red shoes': {
        took: 3,
        hits: {
          hits: [
            { _id: 'b', _score: 2 },
            { _id: 'a', _score: 1 },
          ],
        },
      },
      hats: { took: 1, hits: { hits: [] } },
    },
    'answers-by-topic',
    { 'red shoes': ['b', 'a'], hats: [] },
  ],
  ['answers by topic, of Solr', { q1: { response: { docs: [{ id: 'b' }, { id: 'a' }] } } }, 'answers-by-topic', { q1: ['b', 'a'] }],
];

test.each(answers)('%s: the order of the list is the ranking', async (_, content, format, expected) => {
  const { run, format: found } = await read(content);
  expect([found, ranked(run)]).toEqual([format, expected]);
});

test('distances are no scores, and no note says that they rise', async () => {
  const { run } = await read({ ids: [['b', 'a']], distances: [[0.1, 0.4]] });
  expect([run.ranksOnly, run.notes]).toEqual([true, []]);
});

test('a field of the payload takes the place of the id', async () => {
  const result = [{ id: 7, score: 0.9, payload: { sku: 'p1' } }];
  const { run } = await read({ result, status: 'ok', time: 0 }, { columns: { doc: 'payload.sku' } });
  expect(ranked(run)).toEqual({ q7: ['p1'] });
});

test.each([
  [{ status: { error: 'Not found: Collection `x`' }, time: 0 }, 'is an error response of Qdrant (Not found: Collection `x`)'],
  [{ data: { Get: null }, errors: [{ message: 'no such class' }] }, 'is an error response of Weaviate (no such class)'],
  [{ data: { Get: { A: [{ title: 'x' }] } } }, 'hit 1 has no _additional.id; ask for _additional { id }, or name another field'],
  [{ data: { Get: { A: [], B: [] } } }, 'holds results of 2 collections (A, B); ask for one collection at a time'],
  [
    '{"query_id":"x","response":{"ids":[["a"],["b"]],"distances":[[1],[1]]}}\n',
    'topic x: expected the answer to one query, found 2; write a line for each query',
  ],
  [{ x: { took: 1, hits: { hits: [] } }, y: { a: 1 } }, 'topic y: expected the answer of a search engine, found other fields'],
])('what is no answer is refused with its reason', async (content, message) => {
  expect(await failure(content)).toContain(message);
});

test.each([
  ['{"input":"q","retrieval_context":["some text"],"expected_output":"x"}\n', 'holds retrieved texts without ids'],
  [{ version: 3, timestamp: 't', results: { results: [], stats: {} } }, 'is an evaluation of promptfoo'],
])('files without ids of documents are refused with a form that can be read', async (content, message) => {
  expect(await failure(content)).toContain(`${message}`);
  expect(await failure(content)).toContain('write records of query, retrieved_ids and expected_ids');
  const { run } = await read('{"query":"q","retrieved_ids":["b","a"],"expected_ids":["a"]}\n');
  expect(ranked(run)).toEqual({ q: ['b', 'a'] });
});
