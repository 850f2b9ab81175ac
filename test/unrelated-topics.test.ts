import { describe, expect, test } from 'vitest';
import { judge } from '../src/core/judging/judge.js';
import { toQrels } from '../src/core/qrels.js';
import { toRun } from '../src/core/run.js';
import { evaluate, evaluator } from '../src/measures/evaluate.js';

const qrels = { t1: { a: 1 }, t2: { b: 1 } };
const run = { q1: { a: 1 }, q2: { b: 2 } };

describe('a run and judgements without a common topic', () => {
  const message =
    'the run answers none of the 2 judged topics: its first topic is q1, the first judged one is t1; both must name topics in the same way';

  test('are refused by evaluate, evaluator and what was judged beforehand', () => {
    expect(() => evaluate(qrels, run, 'AP')).toThrow(message);
    expect(() => evaluate(qrels, run, ['AP', 'nDCG@10'], { missingTopics: 'skip' })).toThrow(message);
    expect(() => evaluator(qrels, ['AP']).evaluate(run)).toThrow(message);
    expect(() => evaluate(judge(toQrels(qrels), toRun(run)), ['AP'])).toThrow(message);
  });

  test('are accepted where somebody asks for that, as empty rankings', () => {
    expect(evaluate(qrels, run, 'AP', { unrelated: 'accept' })).toBe(0);
  });

  test('one common topic is enough', () => {
    expect(evaluate(qrels, { ...run, t2: { b: 1 } }, 'AP')).toBe(0.5);
  });
});

describe('nothing to evaluate', () => {
  test.each([
    [{}, run, 'there are no judgements; give at least one judged topic'],
    [{ t1: {} }, run, 'there are no judgements; give at least one judged topic'],
    [qrels, {}, 'the run is empty: it answers no topic; the first judged one is t1'],
    [qrels, { t1: {} }, 'the run is empty: it answers no topic; the first judged one is t1'],
    [{}, {}, 'there are no judgements; give at least one judged topic'],
  ])('evaluate(%j, %j) says so and does not return NaN', (judgements, retrieved, message) => {
    expect(() => evaluate(judgements, retrieved, 'nDCG@10')).toThrow(message);
    expect(() => evaluate(judgements, retrieved, ['nDCG@10'])).toThrow(message);
  });
});
