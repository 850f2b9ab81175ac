import { describe, expect, test } from 'vitest';
import { definitions, type Topic } from '../../test/helpers/textbook-measures.js';
import { judge } from '../core/judging/judge.js';
import { toQrels } from '../core/qrels.js';
import { toRun } from '../core/run.js';
import { evaluate, followsCommonRules, toMeasures } from './evaluate.js';

// topics in another order than that of their ids; q3 is not answered
const topics: Readonly<Record<string, Topic>> = {
  q2: { ranked: [0, 2, undefined, 1, -1, 3], missed: [1, 0] },
  q1: { ranked: [3, undefined, 0], missed: [2] },
  q10: { ranked: [undefined, 0, 1, 1, 0, 2, 2, 0, 3, 0, 1], missed: [] },
};
const grades = Object.entries(topics).map(([id, { ranked, missed }]) => [
  id,
  Object.fromEntries([
    ...ranked.flatMap((grade, i) => (grade === undefined ? [] : [[`d${i}`, grade]])),
    ...missed.map((grade, i) => [`m${i}`, grade]),
  ]),
]);
const qrels = toQrels(Object.fromEntries(grades));
const run = toRun(
  Object.fromEntries(Object.entries(topics).map(([id, { ranked }]) => [id, Object.fromEntries(ranked.map((_, i) => [`d${i}`, 50 - i]))])),
  'mine',
);
const inOrder = ['q1', 'q10', 'q2'];

describe('a run that was judged beforehand', () => {
  const names = Object.keys(definitions);

  test('has the values of the formulas, measure by measure', () => {
    const judged = judge(qrels, run);
    const common = names.filter((name) => toMeasures([name]).every(followsCommonRules));
    expect(common.length).toBeGreaterThan(60);
    const table = evaluate(judged, common, { highestGrade: 3 });
    expect([table.systems, table.topics, table.measures.length]).toEqual([['mine'], inOrder, common.length]);
    for (const [m, name] of common.entries()) {
      const expected = inOrder.map((id) => definitions[name](topics[id]));
      for (const [t, value] of [...table.column(m)].entries()) expect(value, `${name} of ${inOrder[t]}`).toBeCloseTo(expected[t], 11);
    }
  });

  test('goes back to the run for measures with rules of their own', () => {
    const judged = judge(qrels, run);
    const table = evaluate(judged, ['P@3', 'P(decimals=2)@3', 'P(judged_only=true)@3'], { highestGrade: 3 });
    expect(table.systems).toEqual(['mine']);
    // q1: 3, –, 0; q10: –, 0, 1; q2: 0, 2, –; and without what nobody judged 3 0; 0 1 1; 0 2 1
    expect([...table.column(0)]).toEqual([1 / 3, 1 / 3, 1 / 3]);
    expect([...table.column(1)]).toEqual([0.33, 0.33, 0.33]);
    expect([...table.column(2)]).toEqual([1 / 3, 2 / 3, 2 / 3]);
  });

  test('keeps the rules by which it was judged', () => {
    expect([...evaluate(judge(qrels, run, { depth: 2 }), ['NumRet']).column(0)]).toEqual([2, 2, 2]);
    expect([...evaluate(judge(qrels, run, { depth: 2 }), ['NumRet', 'P(decimals=2)@3']).column(0)]).toEqual([2, 2, 2]);
    const tied = toRun({ q: { a: 1, b: 1 } });
    const one = toQrels({ q: { a: 1, b: 0 } });
    const value = (ties: 'expected' | 'optimistic' | 'pessimistic') => evaluate(judge(one, tied, { ties }), ['RR']).value(0, 0);
    expect([value('optimistic'), value('pessimistic'), value('expected')]).toEqual([1, 0.5, 0.75]);
    const partly = { ...qrels };
    const few = toRun({ q1: { d0: 1 } }, 'few');
    expect(evaluate(judge(partly, few, { missingTopics: 'skip' }), ['P@1']).topics).toEqual(['q1']);
    expect([...evaluate(judge(partly, few), ['P@1']).column(0)]).toEqual([1, 0, 0]);
  });

  test('keeps its notes, and takes the top of the scale from the judgements', () => {
    const noted = { ...run, notes: ['read with care'] };
    expect(evaluate(judge(qrels, noted), ['P@1']).notes).toEqual(['read with care']);
    expect(evaluate(judge(qrels, run), ["ERR(max_rel='data')@3"]).value('q1', 0)).toBeCloseTo(7 / 8, 12);
  });
});
