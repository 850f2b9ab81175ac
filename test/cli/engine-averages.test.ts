import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runGradus } from '../helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-averages-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Two documents are rated for q1 and none for q2 and q3; q1 returns d1 twice, q2 something, q3 nothing. */
const files: Readonly<Record<string, string>> = {
  'request.json': JSON.stringify({
    requests: [
      {
        id: 'q1',
        request: {},
        ratings: ['d1', 'd2'].map((doc) => ({ _index: 'i', _id: doc, rating: 1 })),
      },
      { id: 'q2', request: {}, ratings: [] },
      { id: 'q3', request: {}, ratings: [] },
    ],
    metric: { recall: { k: 10 } },
  }),
  'quepid.csv': 'query,docid,rating\nq1,d1,1\nq1,d2,1\nq2,,\nq3,,\n',
  'case.json': JSON.stringify({
    case_name: 'c',
    queries: [
      {
        query_text: 'q1',
        ratings: [
          { doc_id: 'd1', rating: 1 },
          { doc_id: 'd2', rating: 1 },
        ],
      },
      { query_text: 'q2', ratings: [] },
      { query_text: 'q3', ratings: [] },
    ],
  }),
  'ratings.json': JSON.stringify({
    queries: [
      { query: 'q1', ratings: { d1: 1, d2: 1 } },
      { query: 'q2', ratings: {} },
      { query: 'q3', ratings: {} },
    ],
  }),
  'rre.json': JSON.stringify({
    id_field: 'id',
    index: 'i',
    queries: [
      { placeholders: { $query: 'q1' }, relevant_documents: { d1: { gain: 1 }, d2: { gain: 1 } } },
      { placeholders: { $query: 'q2' }, relevant_documents: {} },
      { placeholders: { $query: 'q3' }, relevant_documents: {} },
    ],
  }),
  'srw.json': JSON.stringify({
    name: 'j',
    type: 'IMPORT_JUDGMENT',
    judgmentRatings: [
      {
        query: 'q1',
        ratings: [
          { docId: 'd1', rating: '1.0' },
          { docId: 'd2', rating: '1.0' },
        ],
      },
      { query: 'q2', ratings: [] },
      { query: 'q3', ratings: [] },
    ],
  }),
  'nested.json': JSON.stringify({ q1: { d1: 1, d2: 1 }, q2: {}, q3: {} }),
  'answers.jsonl': Object.entries({ q1: ['d1', 'd2', 'd1'], q2: ['d9'], q3: [] })
    .map(([query_id, docs]) =>
      JSON.stringify({ query_id, response: { hits: { hits: docs.map((_id, i) => ({ _index: 'i', _id, _score: 9 - i })) } } }),
    )
    .join('\n'),
  'lists.json': JSON.stringify({ q1: ['d1', 'd2', 'd1'], q2: ['d9'], q3: [] }),
  'table.csv': 'topic,doc,score\nq1,d1,3\nq1,d2,2\nq1,d1,1\nq2,d9,1\nq3,,\n',
  'plain.qrels': 'q1 0 d1 1\nq1 0 d2 1\n',
  'plain.run': 'q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq1 Q0 d1 3 1 t\nq2 Q0 d9 1 3 t\n',
};
const judgements = ['request.json', 'quepid.csv', 'case.json', 'ratings.json', 'rre.json', 'srw.json', 'nested.json'];
const runs = ['answers.jsonl', 'lists.json', 'table.csv'];
beforeAll(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
});

interface Printed {
  readonly runs: readonly { readonly all: Record<string, number>; readonly perTopic: readonly { readonly topic: string }[] }[];
}

function evaluated(qrels: string, run: string, convention: string, measures: string): Printed['runs'][number] {
  const args = ['eval', at(qrels), at(run), '--convention', convention, '-m', measures, '-q', '--json'];
  const { stdout, stderr, status } = runGradus(args);
  expect([stderr.includes('Error'), status], stderr).toEqual([false, 0]);
  return (JSON.parse(stdout) as Printed).runs[0];
}

/** Worked out by hand: q1 finds 3 of 3 (and 3 of 2), q2 none of 1, q3 nothing. */
const expected: readonly (readonly [string, string, number])[] = [
  ['elasticsearch', 'R@10', (1.5 + 0 + 0) / 3],
  ['elasticsearch', 'P@10', (1 + 0 + 0) / 3],
  ['opensearch', 'RR@10', (1 + 0 + 0) / 3],
  ['opensearch-workbench', 'P@10', (1 + 0 + 0) / 3],
  ['quepid', 'P@10', (1 + 0 + 0) / 3],
  ['quepid', 'RR@10', (1 + 0 + 0) / 3],
  // a query that found nothing where nothing was listed has the value 1
  ['rre', 'SetP', (1 + 0 + 1) / 3],
  ['rre', 'SetR', (1.5 + 0 + 1) / 3],
];

describe('averages of search engines over files', () => {
  test('queries without ratings count, and a document returned twice counts twice, in every format', () => {
    for (const qrels of judgements) {
      for (const run of runs) {
        const { all } = evaluated(qrels, run, 'elasticsearch', 'R@10');
        expect(Object.values(all)[0], `${qrels} ${run}`).toBeCloseTo(0.5, 12);
      }
    }
  });

  test.each(expected)('%s %s', (convention, measure, value) => {
    expect(Object.values(evaluated('request.json', 'answers.jsonl', convention, measure).all)[0]).toBeCloseTo(value, 12);
  });

  test('queries that only the run names count too', () => {
    const { all, perTopic } = evaluated('plain.qrels', 'plain.run', 'quepid', 'P@10');
    expect(perTopic.map(({ topic }) => topic)).toEqual(['q1', 'q2']);
    expect(Object.values(all)[0]).toBe(0.5);
  });

  test('Gradus averages the queries that have judgements, whatever the file names besides', () => {
    for (const qrels of judgements) {
      const { perTopic } = evaluated(qrels, 'clean.run', 'gradus', 'P@10');
      expect(
        perTopic.map(({ topic }) => topic),
        qrels,
      ).toEqual(['q1']);
    }
  });

  test('a note says how many there are', () => {
    const { stderr } = runGradus(['eval', at('plain.qrels'), at('plain.run'), '--convention', 'quepid', '-m', 'P@10']);
    expect(stderr).toBe(`gradus: ${at('plain.run')}: 1 topic without judgements, counted as quepid counts them\n`);
  });

  test('explain names the rule', () => {
    const { stdout, stderr, status } = runGradus([
      ...['explain', at('plain.qrels'), at('clean.run'), '--as', 'gradus,quepid', '-m', 'RR@10', '--topics', '3'],
    ]);
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toContain('quepid is 0.5000 lower than gradus on RR@10 because 1 query without judgements counts');
    expect(stdout).toMatch(/queries without judgements +-0\.5000 +-0\.5000/);
  });

  test('explain takes documents that are returned twice if all tools do', () => {
    const { stdout, stderr, status } = runGradus([
      'explain',
      at('plain.qrels'),
      at('answers.jsonl'),
      '--as',
      'elasticsearch,quepid',
      '-m',
      'P@10',
    ]);
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toContain('give P@10 the same value, 0.3333');
  });

  test('compare lists the topics that decide, also those without judgements', () => {
    const { stdout, status } = runGradus([
      ...['compare', at('plain.qrels'), at('clean.run'), at('other.run'), '--convention', 'rre', '-m', 'SetP', '--by-topic'],
    ]);
    expect(status).toBe(0);
    expect(stdout).toContain('q1');
  });
});

beforeAll(() => {
  writeFileSync(at('clean.run'), 'q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq2 Q0 d9 1 3 t\n');
  writeFileSync(at('other.run'), 'q1 Q0 d8 1 3 u\nq1 Q0 d2 2 2 u\nq2 Q0 d8 1 3 u\n');
});
