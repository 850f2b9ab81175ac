import { expect, test } from 'vitest';
import type { Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import { readContent, readJudgements, readRun } from '../read.js';
import { bytesSource } from '../source.js';

const file = (content: unknown, name: string) =>
  bytesSource(new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)), name, name);
const failure = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'was read',
    (error: Error) => error.message,
  );

/** The documents of each topic in the order of the file. */
function listed({ topics, docs, offsets, docOf }: Pick<Run | Qrels, 'topics' | 'docs' | 'offsets' | 'docOf'>): Record<string, string[]> {
  return Object.fromEntries(
    Array.from({ length: topics.size }, (_, topic) => [
      topics.text(topic),
      Array.from(docOf.slice(offsets[topic], offsets[topic + 1]), (doc) => docs.text(doc)),
    ]),
  );
}

// as pandas 3.0 writes lists, and arrays of NumPy
const python = `user_input,retrieved_context_ids,reference_context_ids
"why, then?","['d1', 'd-2', ""it's""]","['d1']"
how,['d3' 'd1'],"['d9', 'd1']"
none,[],['d4']
`;

test('ragas records in CSV: lists as Python prints them and as JSON has them', async () => {
  expect(listed((await readRun(file(python, 'eval.csv'))).run)).toEqual({
    'why, then?': ['d1', 'd-2', "it's"],
    how: ['d3', 'd1'],
    none: [],
  });
  expect(listed((await readJudgements(file(python, 'eval.csv'))).qrels)).toEqual({
    'why, then?': ['d1'],
    how: ['d9', 'd1'],
    none: ['d4'],
  });
  const json = 'query\tretrieved_ids\texpected_ids\nq\t[12, 7]\t["7"]\n';
  expect(listed((await readRun(file(json, 'x.tsv'))).run)).toEqual({ q: ['12', '7'] });
  expect(listed((await readJudgements(file(json, 'x.tsv'))).qrels)).toEqual({ q: ['7'] });
  // either side may be meant
  expect((await readContent(file(python, 'eval.csv'), undefined)).isAmbiguous).toBe(true);
});

test('records in CSV whose cells are no lists are refused with the line and what to write', async () => {
  const bare = 'user_input,retrieved_context_ids\nwhy,d1;d2\n';
  expect(await failure(readRun(file(bare, 'eval.csv')))).toBe(
    'eval.csv:2: expected a list of ids as retrieved_context_ids, found "d1;d2"; write it as ["d1", "d2"]; --lenient skips such records',
  );
  expect(listed((await readRun(file(bare.replace('d1;d2', '"[""d1"", ""d2""]"'), 'eval.csv'))).run)).toEqual({ why: ['d1', 'd2'] });
  expect(await failure(readRun(file('user_input,retrieved_context_ids\nwhy,[d1, d2]\n', 'eval.csv')))).toContain(
    'eval.csv:2: expected 2 fields as in the header, found 3; put cells that hold commas in double quotes',
  );
  expect(await failure(readRun(file('input,retrieval_context\nwhy,"[\'text\']"\n', 'x.csv')))).toContain(
    'holds retrieved texts without ids',
  );
});

test('answers of Milvus: one query, several behind one another, and lists as its client returns them', async () => {
  const rest = {
    code: 0,
    cost: 6,
    data: [
      { distance: 0.9, id: '449270' },
      { distance: 0.2, id: 449271 },
    ],
  };
  expect(listed((await readRun(file(rest, 'q7.json'))).run)).toEqual({ q7: ['449270', '449271'] });
  const several = { code: 0, data: [1, 2, 3].map((id) => ({ id, distance: 1 / id })), topks: [2, 1] };
  expect(listed((await readRun(file(several, 'all.json'))).run)).toEqual({ 1: ['1', '2'], 2: ['3'] });
  const client = [[{ id: 5, distance: 0.1, entity: {} }], [{ id: 6, distance: 0.3, entity: {} }]];
  expect(listed((await readRun(file(client, 'all.json'), { topicNames: ['a', 'b'] })).run)).toEqual({ a: ['5'], b: ['6'] });
  expect(await failure(readRun(file({ code: 1802, message: 'missing required parameters' }, 'q7.json')))).toContain(
    'is an error response of Milvus (1802: missing required parameters), expected data',
  );
});

test('exports of LangSmith and candidates of MS MARCO are refused by name', async () => {
  const trace = { id: 'a', run_type: 'retriever', inputs: { question: 'why' }, outputs: { documents: [{ page_content: 'x' }] } };
  expect(await failure(readRun(file(`${JSON.stringify(trace)}\n`, 'runs.jsonl')))).toBe(
    'runs.jsonl: is an export of LangSmith, in which each application keeps its documents under other names; write records of query, retrieved_ids and expected_ids',
  );
  const candidates = '1000000\t7652042\twho played young dr mallard\tRobert Wall, Jr. is an actor\n';
  for (const read of [readRun, readJudgements]) {
    expect(await failure(read(file(candidates, 'top1000.dev.tsv')))).toBe(
      'top1000.dev.tsv: holds candidates (topic, document and their texts) in no order, neither a run nor judgements; rank them, and write lines of topic, document and rank with tabs between them',
    );
  }
});

test('a column called id is that of the documents where there is no better one', async () => {
  const run = 'query,id,score\nred shoes,p1,2\nred shoes,p2,3\n';
  expect(listed((await readRun(file(run, 'results.csv'))).run)).toEqual({ 'red shoes': ['p1', 'p2'] });
  const lines = '{"qid":"q1","id":"p1","rating":2}\n{"qid":"q1","id":"p2","rating":0}\n';
  expect(listed((await readJudgements(file(lines, 'ratings.jsonl'))).qrels)).toEqual({ q1: ['p1', 'p2'] });
  const numbered = 'id,query,product_id,rating\n1,red shoes,p1,2\n2,red shoes,p2,0\n';
  expect(listed((await readJudgements(file(numbered, 'ratings.csv'))).qrels)).toEqual({ 'red shoes': ['p1', 'p2'] });
  expect(await failure(readRun(file('id,product_id,score\n1,p1,2\n', 'results.csv')))).toContain('--columns topic=id');
});
