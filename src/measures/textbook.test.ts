import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { definitions, type Topic } from '../../test/helpers/textbook-measures.js';
import { evaluator } from './evaluate.js';

const grade = fc.constantFrom(undefined, undefined, 0, 0, 0, 1, 1, 2, 3, -1);
const topics: fc.Arbitrary<Topic> = fc.record({
  ranked: fc.oneof(fc.array(grade, { minLength: 1, maxLength: 9 }), fc.array(grade, { minLength: 10, maxLength: 30 })),
  missed: fc.array(fc.constantFrom(0, 0, 1, 2, 3), { maxLength: 4 }),
});

const names = Object.keys(definitions);

test('measures agree with the formulas of their papers on random rankings, whatever topics come before', () => {
  fc.assert(
    fc.property(fc.array(topics, { minLength: 1, maxLength: 3 }), (list) => {
      const qrels: Record<string, Record<string, number>> = {};
      const run: Record<string, Record<string, number>> = {};
      for (const [t, { ranked, missed }] of list.entries()) {
        const grades: Record<string, number> = {};
        for (const [i, value] of ranked.entries()) if (value !== undefined) grades[`d${i}`] = value;
        for (const [i, value] of missed.entries()) grades[`m${i}`] = value;
        // a topic must have a judgement
        if (Object.keys(grades).length === 0) grades.none = -1;
        qrels[`q${t}`] = grades;
        run[`q${t}`] = Object.fromEntries(ranked.map((_, i) => [`d${i}`, 100 - i]));
      }
      const table = evaluator(qrels, names, { highestGrade: 3 }).evaluate(run);
      for (const [t, topic] of list.entries()) {
        for (const [m, name] of names.entries()) {
          const expected = definitions[name](topic);
          const value = table.value(`q${t}`, m);
          if (!(Math.abs(value - expected) <= 1e-12)) expect({ [name]: value }).toEqual({ [name]: expected });
        }
      }
    }),
    { numRuns: 150, seed: 14 },
  );
});
