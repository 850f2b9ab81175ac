import { expect, test } from 'vitest';
import { readJudgements } from '../read.js';
import { bytesSource } from '../source.js';
import { gradesAdvice, parseGradeWords } from './grade-words.js';

const file = (content: string, name: string) => bytesSource(new TextEncoder().encode(content), name, name);
const esci = 'query_id,product_id,esci_label\nq1,B01,E\nq1,B02,I\nq2,B03, S \nq2,B04,C\n';
const failure = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'was read',
    (error: Error) => error.message,
  );

test('letters and words become the numbers that were given for them', async () => {
  const grades = parseGradeWords('E=3,S=2,C=1,I=0');
  expect(Array.from((await readJudgements(file(esci, 'esci.csv'), { grades })).qrels.grades)).toEqual([3, 0, 2, 1]);
  const lines =
    '{"query":"q","doc_id":"d1","label":"not relevant"}\n{"query":"q","doc_id":"d2","label":4}\n{"query":"q","doc_id":"d3","label":true}\n';
  const words = { 'not relevant': 0, true: 0.5 };
  expect(Array.from((await readJudgements(file(lines, 'x.jsonl'), { grades: words })).qrels.grades)).toEqual([0, 4, 0.5]);
  const quepid = { queries: [{ query: 'q', ratings: { d1: 'Good', d2: 1 } }] };
  expect(Array.from((await readJudgements(file(JSON.stringify(quepid), 'x.json'), { grades: { Good: 2 } })).qrels.grades)).toEqual([2, 1]);
});

test('a file of words is refused once, with the option to add', async () => {
  expect(await failure(readJudgements(file(esci, 'esci.csv')))).toBe(
    'esci.csv:2: expected numbers as grades, found "E", "I", "S", "C"; map words to numbers first: --grades E=3,S=2,C=1,I=0',
  );
  const wands = 'query_id,product_id,label\n0,1,Exact\n0,2,Irrelevant\n';
  expect(await failure(readJudgements(file(wands, 'label.csv')))).toContain('--grades Exact=3,Substitute=2,Complement=1,Irrelevant=0');
  const partial = `${wands}0,3,Partial\n`;
  expect(await failure(readJudgements(file(partial, 'label.csv')))).toContain('--grades Exact=2,Partial=1,Irrelevant=0');
  expect(gradesAdvice(['so-so', "can't say"])).toBe("map words to numbers first: --grades 'so-so=NUMBER,can'\\''t say=NUMBER'");
});

test('a word among numbers is named with its line', async () => {
  const mixed = 'query,docid,rating\nq,d1,2\nq,d2,n/a\n';
  expect(await failure(readJudgements(file(mixed, 'x.csv')))).toBe(
    'x.csv:3: expected a finite number as grade, found "n/a"; map words to numbers first: --grades \'n/a=NUMBER\'; --lenient skips such lines',
  );
});

test('what cannot be understood as words and numbers is refused', () => {
  expect(parseGradeWords('a=b=2, c = -1.5')).toEqual({ 'a=b': 2, c: -1.5 });
  expect(() => parseGradeWords('E=3,S')).toThrow('invalid grades: expected word=number, found "S"');
  expect(() => parseGradeWords('E=3,E=2')).toThrow('--grades names E twice: 3 and 2');
  expect(() => parseGradeWords('=3')).toThrow('expected word=number');
});
