import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { definitions, type Topic } from '../../test/helpers/textbook-measures.js';
import { evaluator } from './evaluate.js';

interface Group {
  readonly grades: readonly (number | undefined)[];
}

const grade = fc.constantFrom(undefined, 0, 0, 1, 1, 2, 3, -1);
const groups: fc.Arbitrary<readonly Group[]> = fc
  .array(fc.record({ grades: fc.array(grade, { minLength: 1, maxLength: 3 }) }), { minLength: 1, maxLength: 3 })
  .filter((list) => list.length < 3 || list.some(({ grades }) => grades.length < 3));

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]));
}

/** All rankings that the groups of equal scores allow. */
function rankings(list: readonly Group[]): (number | undefined)[][] {
  let all: (number | undefined)[][] = [[]];
  for (const { grades } of list) all = all.flatMap((order) => permutations(grades).map((group) => [...order, ...group]));
  return all;
}

const names = Object.keys(definitions);

test("ties='expected' is the mean of the formulas over all orders, cut at a depth or not", () => {
  fc.assert(
    fc.property(
      groups,
      fc.array(fc.constantFrom(0, 1, 2), { maxLength: 2 }),
      fc.constantFrom(Infinity, Infinity, 2, 3, 5),
      (list, missed, depth) => {
        const qrels: Record<string, number> = { none: 0 };
        const scores: Record<string, number> = {};
        let documents = 0;
        for (const [g, { grades }] of list.entries()) {
          for (const value of grades) {
            const doc = `d${documents++}`;
            scores[doc] = -g;
            if (value !== undefined) qrels[doc] = value;
          }
        }
        for (const [i, value] of missed.entries()) qrels[`m${i}`] = value;
        const table = evaluator({ q: qrels }, names, { highestGrade: 3, ties: 'expected', depth }).evaluate({ q: scores });
        const topics = rankings(list).map((ranked): Topic => {
          const below = ranked.slice(depth).filter((value) => value !== undefined && value >= 0) as number[];
          return { ranked: ranked.slice(0, depth), missed: [...missed, ...below, 0] };
        });
        for (const [m, name] of names.entries()) {
          const expected = topics.reduce((sum, topic) => sum + definitions[name](topic), 0) / topics.length;
          if (!(Math.abs(table.value(0, m) - expected) <= 1e-11)) expect({ [name]: table.value(0, m) }).toEqual({ [name]: expected });
        }
      },
    ),
    { numRuns: 60, seed: 14 },
  );
});
