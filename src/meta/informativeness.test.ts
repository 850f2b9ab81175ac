import { expect, test } from 'vitest';
import { toQrels } from '../core/qrels.js';
import { toRun } from '../core/run.js';
import { parseMeasure } from '../measures/parse.js';
import { informativeness } from './informativeness.js';

test('a list without some grade is left out, however many grades that would be', () => {
  const run = toRun({ q: { a: 3, b: 2, c: 1 } });
  const lists = (grade: number) => {
    const { lists, leftOut } = informativeness(toQrels({ q: { a: 1, b: grade } }), [run], [parseMeasure('GAP')], { minPerGrade: 1 });
    return { lists, leftOut };
  };
  expect(lists(2)).toEqual({ lists: 1, leftOut: 0 });
  expect(lists(3)).toEqual({ lists: 0, leftOut: 1 });
  expect(lists(4e12)).toEqual({ lists: 0, leftOut: 1 });
});
