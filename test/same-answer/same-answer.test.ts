/** However a person asks, the answer is the same: values in every bit, names, order, notes and refusals. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Question, type SameAnswer, ways } from './ways.js';

const qrels = ['q1 0 a 2', 'q1 0 b 0', 'q1 0 c 1', 'q2 0 a 1', 'q2 0 d 0', 'q3 0 e 3', 'q3 0 f 1', 'q4 0 a 0'];
const first = [
  'q1 Q0 b 1 3 one',
  'q1 Q0 a 2 2 one',
  'q1 Q0 x 3 1 one',
  'q2 Q0 d 1 9 one',
  'q2 Q0 a 2 8 one',
  'q3 Q0 f 1 .5 one',
  'q4 Q0 a 1 1 one',
];
const second = ['q1 Q0 a 1 1 two', 'q1 Q0 c 2 1 two', 'q2 Q0 a 1 4 two', 'q3 Q0 e 1 7 two', 'q3 Q0 f 2 6 two'];
const lines = (rows: readonly string[]): string => rows.map((row) => `${row}\n`).join('');

const files: Readonly<Record<string, string | Uint8Array>> = {
  'a.qrels': lines(qrels),
  'one.run': lines(first),
  'two.run': lines(second),
  'two.run.gz': gzipSync(lines(second)),
  'also-two.run': lines(second),
  'scattered.run': lines(
    [...second.slice(2), ...second.slice(0, 2)]
      .map((row, i) => (i === 4 ? row : row))
      .toSorted((a, b) => a.slice(6).localeCompare(b.slice(6))),
  ),
  'broken.run': `${lines(first)}q3 Q0 e 2\n`,
  'other.run': lines(first.map((row) => row.replace(/^q/, 'topic'))),
  'broken.qrels': `${lines(qrels)}q4 0 b many\n`,
  'a.json': JSON.stringify({ q1: { a: 2, b: 0, c: 1 }, q2: { a: 1, d: 0 }, q3: { e: 3, f: 1 }, q4: { a: 0 } }),
  'ranks.csv': lines(['query_id,doc_id,rank', 'q1,a,1', 'q1,b,2', 'q2,d,1', 'q2,a,2', 'q3,e,1']),
  'odd.csv': lines(['question,thing,points', 'q1,a,5', 'q1,b,7', 'q2,d,1', 'q3,e,1']),
  'rising.csv': lines(['query_id,doc_id,rank,score', 'q1,a,1,0.1', 'q1,b,2,0.2', 'q1,c,3,0.3', 'q2,a,1,0.5', 'q2,d,2,0.6', 'q3,e,1,1']),
  'ties.run': lines(Array.from({ length: 40 }, (_, i) => `q1 Q0 ${i === 7 ? 'a' : `t${i}`} ${i + 1} 1 tied`)),
  'test.txt': lines(['2 qid:7 1:0.1 #docid = a', '0 qid:7 1:0.3 #docid = b', '1 qid:8 1:0.2', '0 qid:8 1:0.9']),
  'model-a.txt': lines(['0.5', '0.25', '1', '2']),
  'model-b.txt': lines(['0.1', '0.9', '3', '2']),
};

const measures = 'nDCG@10 AP P@2 RR';
const both: Pick<Question, 'qrels' | 'runs' | 'measures'> = { qrels: 'a.qrels', runs: ['one.run', 'two.run'], measures };

const questions: Readonly<Record<string, Question>> = {
  'two runs, one of which leaves a topic out': both,
  'unanswered topics left out': { ...both, missing: 'skip' },
  'unanswered topics as empty rankings': { ...both, missing: 'zero' },
  'a higher level of relevance': { ...both, rel: 2 },
  "trec_eval's rules": { ...both, convention: 'trec_eval', missing: 'zero' },
  "ir_measures' rules": { ...both, convention: 'ir_measures', measures: 'nDCG@10 AP RR@10' },
  "ranx's rules": { ...both, convention: 'ranx', measures: 'nDCG@10 AP' },
  'a compressed run': { ...both, runs: ['one.run', 'two.run.gz'] },
  'runs of the same name go by their files': { ...both, runs: ['two.run', 'also-two.run'] },
  'judgements as JSON': { ...both, qrels: 'a.json' },
  'a run of ranks': { ...both, runs: ['one.run', 'ranks.csv'] },
  'a run whose scores rise with its ranks': { ...both, runs: ['one.run', 'rising.csv'] },
  'a run whose lines are scattered': { ...both, runs: ['one.run', 'scattered.run'] },
  'columns that have to be given': { ...both, runs: ['one.run', 'odd.csv'], columns: 'topic=question,doc=thing,score=points' },
  'equal scores in another order': { ...both, ties: 'docno-ascending' },
  'the worst order of equal scores': { ...both, ties: 'pessimistic' },
  'means over drawn orders': { ...both, runs: ['one.run', 'ties.run'], ties: 'expected', measures: 'ERR@10 RBP' },
  'means over drawn orders by a measure of its own': {
    ...both,
    runs: ['one.run', 'ties.run'],
    measures: "nDCG@10 ERR(ties='expected')@10",
  },
  'the first document only': { ...both, depth: 1 },
  'lines that cannot be read, left out': { ...both, runs: ['broken.run', 'two.run'], lenient: true },
  'judgements that cannot be read, left out': { ...both, qrels: 'broken.qrels', lenient: true },
  'predictions for a learning-to-rank test file': { ...both, qrels: 'test.txt', runs: ['model-a.txt', 'model-b.txt'] },
  'a line that cannot be read': { ...both, runs: ['broken.run', 'two.run'] },
  'judgements that cannot be read': { ...both, qrels: 'broken.qrels' },
  'no topic in common': { ...both, runs: ['one.run', 'other.run'] },
  'a measure that a tool does not compute': { ...both, convention: 'ranx', measures: 'nDCG@10 GAP' },
  'a measure that nobody knows': { ...both, measures: 'nDGC@10' },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-same-answer-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a topic that was left out is for tables of all systems. */
function withoutNull(values: NonNullable<SameAnswer['values']>): NonNullable<SameAnswer['values']> {
  return Object.fromEntries(
    Object.entries(values).map(([system, topics]) => [
      system,
      Object.fromEntries(Object.entries(topics).filter(([, scores]) => Object.values(scores).some((value) => value !== null))),
    ]),
  );
}

/** The topics that every system has. */
function onAllSides(values: NonNullable<SameAnswer['values']>): NonNullable<SameAnswer['values']> {
  const isAnswered = (topic: string): boolean =>
    Object.values(values).every((topics) => Object.values(topics[topic]).some((value) => value !== null));
  return Object.fromEntries(
    Object.entries(values).map(([system, topics]) => [
      system,
      Object.fromEntries(Object.entries(topics).filter(([topic]) => isAnswered(topic))),
    ]),
  );
}

/** Notes differ in what becomes of the topics that are left out: of a run's averages, or of the comparison. */
function withoutFate(note: string): string {
  return note.replace(/(judged topics not answered), .*/, '$1');
}

/** Single tools may have more to say, of the tests they make or of what they are for. */
const aboutScores = /not answered|skipped|scores rise|orders/;

describe('the same question has the same answer', () => {
  test.each(Object.entries(questions))('%s', async (_, question) => {
    const { library, ...others } = ways;
    const expected = await library.ask(question, folder);
    let numAsked = 0;
    for (const [name, way] of Object.entries(others)) {
      if (!way.serves(question)) continue;
      numAsked++;
      const answer = await way.ask(question, folder);
      expect(answer.refused, name).toBe(expected.refused);
      if (answer.systems !== undefined) expect(answer.systems, name).toEqual(expected.systems);
      if (answer.means !== undefined && question.missing !== 'skip') expect(answer.means, name).toEqual(expected.means);
      if (answer.values !== undefined && expected.values !== undefined) {
        const values = way.pairs === true && question.missing === 'skip' ? onAllSides(expected.values) : expected.values;
        expect(withoutNull(answer.values), name).toEqual(withoutNull(values));
      }
      if (answer.notes !== undefined) {
        const notes = (all: readonly string[] = []): string[] => all.filter((note) => aboutScores.test(note)).map(withoutFate);
        expect(notes(answer.notes), name).toEqual(notes(expected.notes));
      }
    }
    expect(numAsked).toBeGreaterThan(1);
  });

  test('worked out by hand', async () => {
    const { means, systems } = await ways.library.ask({ ...both, measures: 'RR P@2' }, folder);
    expect(systems).toEqual(['one', 'two']);
    // one: ranks 2, 2, 1 of the first relevant document, none in q4; two: 1, 1, 1, and q4 is not answered
    expect(means).toEqual({
      one: { RR: (1 / 2 + 1 / 2 + 1) / 4, 'P@2': (1 / 2 + 1 / 2 + 1 / 2) / 4 },
      two: { RR: 3 / 4, 'P@2': (1 + 1 / 2 + 1) / 4 },
    });
  });
});
