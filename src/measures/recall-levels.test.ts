import { expect, test } from 'vitest';
import { evaluateUnder } from '../conventions/evaluate-under.js';
import { findConvention } from '../conventions/registry.js';
import { evaluate } from './evaluate.js';

// three relevant documents at ranks 1, 3 and 5: precision 1, 2/3 and 3/5
const qrels = { q: { a: 1, b: 0, c: 1, d: 0, e: 1 } };
const run = { q: { a: 5, b: 4, c: 3, d: 2, e: 1 } };

test('IPrec@0.7 of three relevant documents needs all three', () => {
  // 0.7 * 3 is 2.1, so that the third has to be found
  expect(evaluate(qrels, run, 'IPrec@0.7')).toBeCloseTo(3 / 5, 12);
  expect(evaluate(qrels, run, 'IPrec@0.6')).toBeCloseTo(2 / 3, 12);
  expect(evaluate(qrels, run, 'IPrec@0.34')).toBeCloseTo(2 / 3, 12);
  expect(evaluate(qrels, run, 'IPrec@0.33')).toBe(1);
});

test.each(['trec_eval', 'pytrec_eval', 'ir_measures'])('%s rounds 2.1 documents down to two', (name) => {
  // 0.7 * 3 + 0.9 is a little less than 3 in binary, and C cuts the fraction off
  expect(evaluateUnder(findConvention(name), qrels, run, ['IPrec@0.7']).aggregate(0)).toBeCloseTo(2 / 3, 12);
});

test('IAP takes eleven levels exactly', () => {
  // levels 0 to 0.3 need one document, 0.4 to 0.6 two, 0.7 to 1 all three
  expect(evaluate(qrels, run, 'IAP')).toBeCloseTo((4 * 1 + 3 * (2 / 3) + 4 * (3 / 5)) / 11, 12);
  expect(evaluateUnder(findConvention('trec_eval'), qrels, run, ['IAP']).aggregate(0)).toBeCloseTo(
    (4 * 1 + 4 * (2 / 3) + 3 * (3 / 5)) / 11,
    12,
  );
});

test('RprecMult takes the least depth that reaches the multiple', () => {
  // 0.7 * 3 documents are the first three, of which two are relevant; trec_eval looks at two, of which one is
  expect(evaluate(qrels, run, 'RprecMult@0.7')).toBeCloseTo(2 / 3, 12);
  expect(evaluateUnder(findConvention('trec_eval'), qrels, run, ['RprecMult@0.7']).aggregate(0)).toBeCloseTo(1 / 2, 12);
});
