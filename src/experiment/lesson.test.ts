import { describe, expect, test } from 'vitest';
import { formulaText } from '../measures/worked/expression.js';
import { lessonOf } from './lesson.js';

/** F has been moved to rank 2; K was not retrieved. */
const lesson = {
  ranking: [2, 2, 0, 1, 0, 0, 1, 0, 0, 0].map((grade, i) => ({ id: 'AFBCDEGHIJ'[i], grade })),
  missed: [{ id: 'K', grade: 1 }],
};

describe('what is to be learnt from a ranking', () => {
  test('values with their formulas, worked out by hand', () => {
    const { measures, numRelevant } = lessonOf(lesson, { measures: ['AP', 'nDCG@10', 'GAP', 'ERR@10', 'RBP'] });
    expect(measures.map(({ value }) => value?.toFixed(4))).toEqual(['0.6643', '0.8791', '0.7602', '0.2795', '0.5148']);
    expect(numRelevant).toBe(5);
    expect(measures.map(({ formula }) => formula && formulaText(formula))[0]).toBe('(1/1 + 2/2 + 3/4 + 4/7) / 5');
    expect(measures.map(({ lastStep }) => lastStep && formulaText(lastStep))[0]).toBe('3.3214 / 5');
  });

  test('the curve after each document, and the best precision at eleven levels', () => {
    const { curve, interpolated } = lessonOf(lesson, { measures: [] });
    expect(curve.slice(0, 4)).toEqual([
      { recall: 1 / 5, precision: 1 },
      { recall: 2 / 5, precision: 1 },
      { recall: 2 / 5, precision: 2 / 3 },
      { recall: 3 / 5, precision: 3 / 4 },
    ]);
    expect(interpolated.map((value) => Number(value.toFixed(4)))).toEqual([1, 1, 1, 1, 1, 0.75, 0.75, 0.5714, 0.5714, 0, 0]);
  });

  test('by the rules of another tool: its formula, or the reason why there is none', () => {
    const { measures } = lessonOf(lesson, { convention: 'yahoo', measures: ['nDCG@10', 'AP'] });
    // gains 3, 3, 1, 1 over ln(rank + 1); the ideal list holds what was retrieved
    expect(measures[0].formula && formulaText(measures[0].formula)).toBe(
      '(3/0.693 + 3/1.099 + 1/1.609 + 1/2.079) / (3/0.693 + 3/1.099 + 1/1.386 + 1/1.609)',
    );
    expect(measures[1]).toMatchObject({ measure: 'AP', value: null, reason: expect.stringContaining('does not compute AP') });
  });

  test('nothing relevant, nothing retrieved', () => {
    const none = lessonOf({ ranking: [{ id: 'A', grade: 0 }], missed: [] }, { measures: ['AP', 'P@5'] });
    expect([none.curve, none.numRelevant, none.measures.map(({ value }) => value)]).toEqual([[], 0, [0, 0]]);
    const empty = lessonOf({ ranking: [], missed: [{ id: 'A', grade: 1 }] }, { measures: ['AP'] });
    expect(empty.measures[0]).toMatchObject({ value: 0 });
  });
});
