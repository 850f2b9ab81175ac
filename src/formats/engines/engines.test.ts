import { expect, test } from 'vitest';
import type { Run } from '../../core/run.js';
import { readJudgements, readRun, type SourceReadOptions } from '../read.js';
import { bytesSource } from '../source.js';
import { parseJsonRun } from '../tables/json.js';

const file = (content: unknown, name = 'q1.json') =>
  bytesSource(new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)), name, name);

async function runIn(content: unknown, options: SourceReadOptions = {}): Promise<Run> {
  return (await readRun(file(content), options)).run;
}

const failure = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
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

const search = (...hits: [string, number | null][]) => ({
  took: 1,
  timed_out: false,
  hits: { total: { value: hits.length }, hits: hits.map(([_id, _score]) => ({ _index: 'shop', _id, _score })) },
});

test('the order of a list is the ranking: equal scores keep it, and rising ones are noted', async () => {
  const tied = await runIn(search(['p11', 8], ['p12', 8], ['p1', 1]));
  expect(ranked(tied)).toEqual({ q1: ['p11', 'p12', 'p1'] });
  expect(tied.ranksOnly).toBe(true);
  expect([...(tied.listedScores ?? [])]).toEqual([8, 8, 1]);
  const rising = await runIn(search(['a', 2], ['b', 1], ['c', 3]));
  expect(ranked(rising)).toEqual({ q1: ['a', 'b', 'c'] });
  expect(rising.notes).toEqual(['topic q1: scores rise from rank 2 to rank 3, so the order of the list is kept']);
  const falling = await runIn(search(['a', 2], ['b', -1]));
  expect(falling.ranksOnly).toBeUndefined();
  expect([...falling.scores]).toEqual([2, -1]);
});

test('an answer without hits is a topic that was answered with nothing', async () => {
  expect(ranked(await runIn(search()))).toEqual({ q1: [] });
});

test('answers that name no query take the names they are given, in order', async () => {
  const responses = { responses: [search(['a', 1]), search()] };
  expect(ranked(await runIn(responses))).toEqual({ 1: ['a'], 2: [] });
  expect(ranked(await runIn(responses, { topicNames: ['x', 'y'] }))).toEqual({ x: ['a'], y: [] });
  expect(await failure(runIn(responses, { topicNames: ['x'] }))).toContain('has 2 responses for 1 topic');
  const failed = { responses: [search(['a', 1]), { error: { type: 'parsing_exception', reason: 'no [query]' }, status: 400 }] };
  expect(await failure(runIn(failed))).toContain('topic 2: response 2 is an error (400 parsing_exception: no [query]), expected hits');
  expect(ranked(await runIn(failed, { lenient: true }))).toEqual({ 1: ['a'] });
});

test('what clients put around an answer is taken off', async () => {
  expect(ranked(await runIn({ id: 'x', is_running: false, response: search(['a', 1]) }))).toEqual({ q1: ['a'] });
  expect(await failure(runIn({ id: 'x', is_running: true, response: search(['a', 1]) }))).toContain('still running');
  expect(ranked(await runIn({ body: search(['a', 1]), statusCode: 200 }))).toEqual({ q1: ['a'] });
});

test('another field can be the document, and ids of two indices are kept apart', async () => {
  const hits = [
    { _index: 'a', _id: '7', _score: 2, _source: { sku: 's1' } },
    { _index: 'b', _id: '7', _score: 1, _source: { sku: 's2' } },
  ];
  const answer = { hits: { hits } };
  expect(await failure(runIn(answer))).toBe('q1.json: document 7 stands in the indices a and b; --columns doc=_index+_id tells them apart');
  expect(ranked(await runIn(answer, { columns: { doc: '_index+_id' } }))).toEqual({ q1: ['a/7', 'b/7'] });
  expect(ranked(await runIn(answer, { columns: { doc: '_source.sku' } }))).toEqual({ q1: ['s1', 's2'] });
});

test('lines of answers may come from any engine, and broken lines are named', async () => {
  const line = (topic: string, response: unknown) => JSON.stringify({ query_id: topic, response });
  const solr = { responseHeader: { status: 0 }, response: { docs: [{ id: ['b'] }, { id: 3 }] } };
  const lines = [line('q1', search(['a', 1])), line('q2', solr), JSON.stringify({ qid: 'q3', hits: [{ _id: 'c' }] })];
  expect(ranked(await runIn(lines.join('\n')))).toEqual({ q1: ['a'], q2: ['b', '3'], q3: ['c'] });
  expect(await failure(runIn([lines[0], lines[1].slice(0, 30), lines[2]].join('\n')))).toMatch(/^q1\.json:2: is not JSON/);
  const nameless = JSON.stringify({ response: search() });
  expect(await failure(runIn([lines[0], lines[1], nameless].join('\n')))).toContain('q1.json:3: has no query_id');
});

test('ids that are numbers keep their digits', async () => {
  expect(ranked(await runIn('{"hits":{"hits":[{"_id":12345678901234567890,"_score":1.0}]}}'))).toEqual({ q1: ['12345678901234567890'] });
});

test('judges who disagree are settled as somebody says', async () => {
  const judgements = [3, 1, 1].map((rating, judge) => ({ rating, user_email: `j${judge}`, unrateable: false, judge_later: false }));
  const book = { name: 'b', query_doc_pairs: [{ query_text: 'q', doc_id: 'd', judgements }] };
  const grade = async (judges: string) => (await readJudgements(file(book), { judges })).qrels.grades[0];
  expect(await failure(readJudgements(file(book)))).toContain('query "q", document d: 3 judges disagree (3 and 1 and 1)');
  expect(await grade('mean')).toBe(5 / 3);
  expect(await grade('median')).toBe(1);
  expect(await grade('majority')).toBe(1);
  expect(await grade('j0')).toBe(3);
});

test('what holds the other thing is refused by its name', async () => {
  const request = { requests: [{ id: 'q1', ratings: [{ _index: 'i', _id: 'd', rating: 2.7 }] }], metric: {} };
  expect(await failure(runIn(request))).toContain('is es-rank-eval-request, which holds judgements, expected a run');
  expect(await failure(readJudgements(file(search(['a', 1]))))).toContain('is es-search, which holds a run, expected judgements');
  const { qrels, notes } = await readJudgements(file(request));
  expect([...qrels.grades]).toEqual([2.7]);
  expect(notes?.[0]).toContain('cuts towards zero');
});

test('text of a file is not trusted on a terminal, and nesting is limited', async () => {
  expect(await failure(runIn({ error: { type: 'x', reason: '\u001b[31mred' }, status: 500 }))).toContain('\\x1b[31mred');
  expect(await failure(runIn(`{"hits":{"hits":[${'['.repeat(100)}${']'.repeat(100)}]}}`))).toMatch(/^q1\.json/);
});

test('an object of topics stays what it was', () => {
  expect(ranked(parseJsonRun('{"took": {"d": 1}, "hits": {"hits": 2}}').run)).toEqual({ took: ['d'], hits: ['hits'] });
});
