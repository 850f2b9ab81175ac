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

test('measures agree with the formulas of their papers on random rankings', () => {
  fc.assert(
    fc.property(topics, (topic) => {
      const qrels: Record<string, number> = {};
      for (const [i, value] of topic.ranked.entries()) if (value !== undefined) qrels[`d${i}`] = value;
      for (const [i, value] of topic.missed.entries()) qrels[`m${i}`] = value;
      // a topic must have a judgement
      qrels.none = 0;
      const run = { q: Object.fromEntries(topic.ranked.map((_, i) => [`d${i}`, 100 - i])) };
      const table = evaluator({ q: qrels }, names, { highestGrade: 3 }).evaluate(run);
      const whole = { ...topic, missed: [...topic.missed, 0] };
      for (const [m, name] of names.entries()) {
        const expected = definitions[name](whole);
        if (!(Math.abs(table.value(0, m) - expected) <= 1e-12)) expect({ [name]: table.value(0, m) }).toEqual({ [name]: expected });
      }
    }),
    { numRuns: 250, seed: 14 },
  );
});
