/** Files as other versions, scripts and vector stores write them; expected by the structures of their documentation. */
import { expect, test } from 'vitest';
import { readJudgements, readRun } from '../read.js';
import { bytesSource } from '../source.js';

const source = (name: string, text: string) => bytesSource(new TextEncoder().encode(text), name, name);
const json = (value: unknown): string => JSON.stringify(value);

async function ranking(name: string, text: string): Promise<Record<string, string[]>> {
  const { run } = await readRun(source(name, text));
  const lists: Record<string, string[]> = {};
  for (let t = 0; t < run.topics.size; t++) {
    const rows = Array.from({ length: run.offsets[t + 1] - run.offsets[t] }, (_, i) => run.offsets[t] + i);
    rows.sort((a, b) => run.scores[b] - run.scores[a]);
    lists[run.topics.text(t)] = rows.map((row) => run.docs.text(run.docOf[row]));
  }
  return lists;
}

async function grades(name: string, text: string): Promise<string[]> {
  const { qrels } = await readJudgements(source(name, text));
  return Array.from({ length: qrels.topics.size }, (_, t) => t).flatMap((t) =>
    Array.from({ length: qrels.offsets[t + 1] - qrels.offsets[t] }, (_, i) => {
      const row = qrels.offsets[t] + i;
      return `${qrels.topics.text(t)}|${qrels.docs.text(qrels.docOf[row])}|${qrels.grades[row]}`;
    }),
  );
}

test.each([
  [
    'rows of LanceDB are in order, whatever the distance says',
    'q1.json',
    json([
      { id: 'b', vector: [1], _distance: 0.1 },
      { id: 'a', _distance: 0.4 },
    ]),
    { q1: ['b', 'a'] },
  ],
  [
    'rows of LanceDB with their queries',
    'all.jsonl',
    '{"query_id":"q2","doc_id":"a","_distance":0.1}\n{"query_id":"q1","doc_id":"b","_distance":0.2}\n{"query_id":"q2","doc_id":"c","_distance":0.3}\n',
    { q2: ['a', 'c'], q1: ['b'] },
  ],
  ['MS MARCO with two columns', 'run.tsv', '7\tp2\n8\tp1\n7\tp1\n', { 7: ['p2', 'p1'], 8: ['p1'] }],
  ['ColBERT with labels', 'run.tsv', '7\tp2\t1\t9.5\t0\n7\tp1\t2\t8.5\t1\n', { 7: ['p2', 'p1'] }],
  ['predictions of a reranker', 'run.csv', 'qid,docid,prediction\n1,a,0.5\n1,b,0.7\n', { 1: ['b', 'a'] }],
])('%s', async (_, name, text, expected) => {
  expect(await ranking(name, text)).toEqual(expected);
});

test('two columns are ranked in the order of the lines, which is said', async () => {
  const { run } = await readRun(source('run.tsv', '7\tp2\n7\tp1\n'));
  expect(run.notes).toEqual(['lines have no rank, so documents are ranked in the order of the lines']);
});

test.each([
  [
    'a data set of LlamaIndex',
    'd.json',
    json({ queries: { q1: 'x' }, corpus: { a: 't' }, relevant_docs: { q1: ['a', 'b'] } }),
    ['q1|a|1', 'q1|b|1'],
  ],
  [
    'texts of queries in an export of Quepid: a blank before a formula, quotes that are doubled in a bare cell',
    'case.csv',
    'query,docid,rating\r\n =sum,p1,3.0\r\n27"" monitor,p2,1\r\n"27"" tv",p3,2',
    ['=sum|p1|3', '27" monitor|p2|1', '27" tv|p3|2'],
  ],
])('%s', async (_, name, text, expected) => {
  expect(await grades(name, text)).toEqual(expected);
});

const answer = { took: 1, hits: { hits: [{ _id: 'a', _score: 1 }] } };
test.each([
  ['es.json', json({ took: 1, timed_out: false }), 'es.json: has no hits; filter_path must keep hits.hits._id'],
  ['ms.json', json({ took: 1, responses: [] }), 'ms.json: holds no results'],
  [
    'ts.json',
    json({ results: [{ code: 404, error: 'Not found.' }] }),
    'ts.json: topic 1: answer 1 is an error (404 Not found.), expected hits',
  ],
  [
    'lines.jsonl',
    `${json({ query_id: 'q1', response: answer })}\n${json({ query_id: 'q2', response: { error: { type: 'x', reason: 'boom' }, status: 500 } })}`,
    'lines.jsonl:2: topic q2: is an error response of the engine (500 x: boom)',
  ],
  ['re.json', json({ metric_score: 1, details: { q1: {} }, failures: {} }), 're.json: topic q1 has no hits array'],
  [
    'd.csv',
    'query_id,doc_id,_distance\nq1,a,0.1\n',
    '_distance is a distance, of which the smallest is the best, and no score: add a column rank',
  ],
  [
    'r.jsonl',
    '{"suche":"x","doc":"a","score":1}\n',
    'r.jsonl:1: has no field for the topic; it has suche, doc, score; say which it is: --columns topic=suche',
  ],
])('%s: %s', async (name, text, expected) => {
  await expect(readRun(source(name, text))).rejects.toThrow(expected);
});

test('following the advice on distances works, and taking them for scores does not', async () => {
  const text = 'query_id,doc_id,distance,rank\nq1,far,0.9,2\nq1,near,0.1,1\n';
  expect(await ranking('d.csv', text)).toEqual({ q1: ['near', 'far'] });
  const columns = { score: 'distance' };
  await expect(readRun(source('d.csv', text), { columns })).rejects.toThrow('the score cannot come from a column of distances');
});

test('documents in lists are found under the names that tables have for them', async () => {
  const lists = [
    {
      query_id: 'q1',
      results: [
        { corpus_id: 7, score: 0.9 },
        { corpus_id: 3, score: 0.9 },
      ],
    },
  ];
  expect(await ranking('a.json', json(lists))).toEqual({ q1: ['7', '3'] });
  expect(await ranking('a.json', json({ q1: [{ sku: 'b', title: 't' }, { sku: 'a' }] }))).toEqual({ q1: ['b', 'a'] });
});

test('lines of answers may call the topic search_term', async () => {
  const response = { hits: { hits: [{ _id: 'b' }, { _id: 'a' }] } };
  expect(await ranking('a.jsonl', json({ search_term: 'red shoes', response }))).toEqual({ 'red shoes': ['b', 'a'] });
});

test.each([
  ['by columns', { qid: { 0: 'q1', 1: 'q1' }, docno: { 0: 'a', 1: 'b' }, score: { 0: 2, 1: 1 } }],
  ['as lists', { qid: ['q1', 'q1'], docno: ['a', 'b'], score: [2, 1] }],
  ['split', { columns: ['qid', 'docno', 'score'], index: [0], data: [['q1', 'a', 2]] }],
  [
    'of which only the first column is in sight',
    { qid: Object.fromEntries(Array.from({ length: 20000 }, (_, i) => [i, `q${i}`])), docno: {} },
  ],
])('a data frame of pandas %s is named, with what to call instead', async (_, frame) => {
  const message =
    "is a data frame written column by column, expected records; write it with df.to_json(FILE, orient='records', lines=True)";
  await expect(ranking('a.json', json(frame))).rejects.toThrow(message);
  await expect(grades('a.json', json(frame))).rejects.toThrow(message);
});

test('topics and documents that are called like columns are no data frame', async () => {
  expect(await ranking('a.json', json({ q: { 0: 2, 1: 1 }, doc: { 1: 1 } }))).toEqual({ q: ['0', '1'], doc: ['1'] });
  expect(await ranking('a.json', json({ query: ['a', 'b'] }))).toEqual({ query: ['a', 'b'] });
});
