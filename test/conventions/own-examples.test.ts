import { describe, expect, test } from 'vitest';
import { evaluateUnder } from '../../src/conventions/evaluate-under.js';
import { findConvention } from '../../src/conventions/registry.js';

describe('SetF of ir_measures', () => {
  // the lists of ir_measures' own unit tests, and what 0.4.3 says of them: a precision of 0.6 and a recall of 1 in the first topic,
  // 1.5 * 0.6 * 1 / (1 + 0.5 * 0.6) = 0.9 / 1.3 with beta in the place of its square
  const qrels = { 0: { D0: 0, D1: 1, D2: 2, D3: 2, D4: 0 }, 1: { D0: 1, D3: 2, D5: 0 } };
  const run = { 0: { D0: 0.8, D2: 0.7, D1: 0.3, D3: 0.4, D4: 0.1 }, 1: { D1: 0.8, D4: 0.7, D3: 0.3, D2: 0.4 } };

  test.each([
    ['SetF', 0.7499999999999999, 0.3333333333333333, 0.5416666666666666],
    ['SetF(beta=0.5)', 0.6923076923076922, 0.3, 0.49615384615384606],
    ['SetF(beta=2.0)', 0.818181818181818, 0.375, 0.596590909090909],
    ['SetF(rel=2)', 0.5714285714285715, 0.4, 0.48571428571428577],
  ])('%s', (measure, first, second, mean) => {
    const table = evaluateUnder(findConvention('ir_measures'), qrels, run, [measure]);
    expect(table.value('0', 0)).toBeCloseTo(first, 14);
    expect(table.value('1', 0)).toBeCloseTo(second, 14);
    expect(table.aggregate(0)).toBeCloseTo(mean, 14);
  });
});

describe('what ir_measures 0.4.3 refuses', () => {
  const value = (measure: string) =>
    evaluateUnder(findConvention('ir_measures'), { 1: { a: 1, b: 0 } }, { 1: { a: 1, b: 0.5 } }, [measure]).aggregate(0);

  test.each(['RBP', 'RBP(p=0.5)'])('%s, which needs rel', (measure) => {
    expect(() => value(measure)).toThrow(/ir_measures computes RBP only where rel is written out.*write RBP\(rel=1/s);
  });

  test('RBP(rel=1) is computed', () => {
    expect(value('RBP(rel=1)')).toBeCloseTo(0.2, 14);
  });

  test.each(['BPM@10', 'SDCG@5', 'NERR8@5', 'NERR9@5', 'NERR10', 'NERR11', 'INST', 'INSQ'])('%s, which needs max_rel', (measure) => {
    expect(() => value(measure)).toThrow(/ir_measures does not compute .*with max_rel given/);
  });

  test.each(['alpha_nDCG', 'alpha_DCG', 'ERR_IA', 'nERR_IA', 'P_IA', 'StRecall'])('%s, which needs a cutoff', (measure) => {
    expect(() => value(measure)).toThrow(/ir_measures does not compute .*with cutoff given/);
  });
});

describe('BEIR', () => {
  // EvaluateRetrieval.evaluate(qrels, run, [1, 3]) of beir 2.2.0
  const qrels = { 1: { 1: 1, a: 1, b: 0 }, 2: { 2: 1 }, 3: { x: 1 }, 4: { 4: 0, y: 2 } };
  const run = { 1: { 1: 9, a: 2, b: 1 }, 2: { 2: 3 }, 3: { z: 1, x: 0.5 }, 4: { y: 1, 4: 2 } };

  test.each([
    ['NDCG@1', 0.5],
    ['NDCG@3', 0.56102],
    ['MAP@1', 0.375],
    ['MAP@3', 0.5],
    ['Recall@1', 0.375],
    ['Recall@3', 0.625],
    ['P@1', 0.5],
    ['P@3', 0.25],
  ])('drops the document with the id of the query: %s', (measure, expected) => {
    expect(evaluateUnder(findConvention('beir'), qrels, run, [measure]).aggregate(0)).toBeCloseTo(expected, 5);
  });
});
