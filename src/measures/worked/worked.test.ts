import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../evaluate.js';
import { parseMeasure } from '../parse.js';
import { computed, formulaText, lastStep } from './expression.js';
import { workedFormula, workedMeasures } from './formulas.js';

/** The ranking of the lecture: F, which was at rank 6, now stands at rank 2; K was not retrieved. */
const ranking = [2, 2, 0, 1, 0, 0, 1, 0, 0, 0];
const list = { ranking, judged: [...ranking, 1] };

function worked(text: string): { text: string; last: string | undefined; value: number } {
  const expression = workedFormula(parseMeasure(text), list);
  if (expression === undefined) throw new Error(`no formula for ${text}`);
  const last = lastStep(expression);
  return { text: formulaText(expression), last: last && formulaText(last), value: computed(expression) };
}

function scored(text: string, grades: readonly number[], missed: readonly number[]): number {
  const qrels = { q: Object.fromEntries([...grades.map((value, i) => [`d${i}`, value]), ...missed.map((value, i) => [`m${i}`, value])]) };
  return evaluate(qrels, { q: Object.fromEntries(grades.map((_, i) => [`d${i}`, -i])) }, text);
}

describe('a formula with its numbers', () => {
  // worked out by hand
  test.each([
    ['P@5', '3 / 5', undefined, 0.6],
    ['R@5', '3 / 5', undefined, 0.6],
    ['Rprec', '3 / 5', undefined, 0.6],
    ['RR', '1 / 1', undefined, 1],
    ['AP', '(1/1 + 2/2 + 3/4 + 4/7) / 5', '3.3214 / 5', 0.6643],
    ['IAP', '(1/1 + 1/1 + 1/1 + 2/2 + 2/2 + 3/4 + 3/4 + 4/7 + 4/7 + 0 + 0) / 11', '7.6429 / 11', 0.6948],
    ['DCG@10', '2/1.000 + 2/1.585 + 1/2.322 + 1/3.000', undefined, 4.0259],
    ['nDCG@10', '(2/1.000 + 2/1.585 + 1/2.322 + 1/3.000) / (2/1.000 + 2/1.585 + 1/2.000 + 1/2.322 + 1/2.585)', '4.0259 / 4.5794', 0.8791],
    ["nDCG(gain='exp')@2", '(3/1.000 + 3/1.585) / (3/1.000 + 3/1.585)', '4.8928 / 4.8928', 1],
    ['GAP', '(0.50 · (1/1 + 2/2 + 3/4 + 4/7) + 0.50 · (1/1 + 2/2)) / (0.50 · 5 + 0.50 · 2)', '2.6607 / 3.5000', 0.7602],
    [
      'ERR@10',
      '1 / 1 · 3 / 16 + 1 / 2 · 13 / 16 · 3 / 16 + 1 / 4 · (13 / 16)^2 · 1 / 16 + 1 / 7 · (13 / 16)^2 · 15 / 16 · 1 / 16',
      undefined,
      0.2795,
    ],
    ['RBP', '0.20 · (0.80^0 + 0.80^1 + 0.80^3 + 0.80^6)', '0.20 · 2.5741', 0.5148],
  ])('%s', (text, formula, last, value) => {
    const found = worked(text);
    expect([found.text, found.last]).toEqual([formula, last]);
    expect(found.value).toBeCloseTo(value, 4);
  });

  const texts = workedMeasures.flatMap((name) => {
    if (name === 'P' || name === 'R') return [`${name}@3`, `${name}@10`];
    if (name === 'IAP' || name === 'Rprec') return [name];
    return name === 'RBP' ? ['RBP', 'RBP(p=0.5)', 'RBP(rel=2)'] : [name, `${name}@3`];
  });

  test.each([...texts, 'AP(rel=2)', "AP(denominator='list')", "nDCG(ideal='list')", 'GAP(g=[0.2,0.3,0.5])', "P(divisor='retrieved')@9"])(
    '%s comes to the value of the measure for every list',
    (text) => {
      const measure = parseMeasure(text);
      let filled = 0;
      const grade = fc.integer({ min: 0, max: 3 });
      fc.assert(
        fc.property(fc.array(grade, { minLength: 1, maxLength: 12 }), fc.array(grade, { maxLength: 4 }), (grades, missed) => {
          const expression = workedFormula(measure, { ranking: grades, judged: [...grades, ...missed] });
          if (expression === undefined) return;
          const value = computed(expression);
          // nothing is relevant at this level: what the measure says then is not a matter of its formula
          if (Number.isNaN(value)) return;
          filled++;
          expect(value).toBeCloseTo(scored(text, grades, missed), 12);
        }),
      );
      expect(filled).toBeGreaterThan(20);
    },
  );

  test('is not there where nothing is relevant, or the parameters ask for another one', () => {
    expect(workedFormula(parseMeasure('AP'), { ranking: [0, 0], judged: [0, 0] })).toBeUndefined();
    expect(workedFormula(parseMeasure('AP(judged_only=true)'), list)).toBeUndefined();
    expect(workedFormula(parseMeasure('Bpref'), list)).toBeUndefined();
  });
});
