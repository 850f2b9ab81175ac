import { expect, test } from 'vitest';
import { canBeStreamed, evaluator, needsGroups, needsRanks, toMeasures } from './evaluate.js';

test('a topic without a relevant document has the value of `empty`, whatever topics come before', () => {
  // q1 has relevant documents, q2 nothing judged at all, q3 none, q4 a grade that is too low for rel=2
  const qrels = { q1: { a: 2, b: 1 }, q2: { a: -1 }, q3: { a: 0 }, q4: { a: 1 } };
  const run = { q1: { a: 2 }, q2: { a: 2 }, q3: { a: 2 }, q4: { a: 2 } };
  const names = [
    'ERR(empty=0.25)',
    'RR(empty=0.25)',
    'RR(rel=2,empty=0.25)',
    'P(empty=0.25)@1',
    'nDCG(empty=0.25)',
    'AP(empty=0.25)',
    'Bpref(rel=2,empty=0.25)',
  ];
  const table = evaluator(qrels, names).evaluate(run);
  for (const name of names) {
    for (const topic of ['q2', 'q3'])
      expect([name, topic, table.value(topic, table.measures[names.indexOf(name)])]).toEqual([name, topic, 0.25]);
    expect([name, table.value('q4', names.indexOf(name)) === 0.25]).toEqual([name, name.includes('rel=2')]);
    expect(table.value('q1', names.indexOf(name))).not.toBe(0.25);
  }
});

test('what measures need beyond documents and scores', () => {
  const plain = toMeasures(['AP', 'nDCG@10']);
  const ranked = toMeasures(["AP(ties='rank')"]);
  expect(needsRanks(plain, { ties: 'docno' })).toBe(false);
  expect(needsRanks(plain, { ties: 'rank' })).toBe(true);
  expect(needsRanks(ranked, { ties: 'docno' })).toBe(true);
  expect(needsRanks([...plain, ...ranked], { ties: 'docno' })).toBe(true);
  expect(needsGroups(plain)).toBe(false);
  expect(needsGroups(toMeasures(['AP', 'alpha_nDCG@5']))).toBe(true);
  expect(canBeStreamed(plain, { ties: 'docno' })).toBe(true);
  for (const ties of ['rank', 'quicksort', 'expected'] as const) expect(canBeStreamed(plain, { ties })).toBe(false);
  expect(canBeStreamed([...plain, ...ranked], { ties: 'docno' })).toBe(false);
  expect(canBeStreamed(toMeasures(['alpha_nDCG@5']), { ties: 'docno' })).toBe(false);
});
