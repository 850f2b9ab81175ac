import { expect, test } from 'vitest';
import { withParam } from '../../test/helpers/measure-variants.js';
import { definitions, type Topic } from '../../test/helpers/textbook-measures.js';
import { evaluator, toMeasures } from './evaluate.js';

const full: Topic = { ranked: [0, 2, undefined, 1, -1, 3, 1, 0, 0, 2], missed: [3, 0] };
const judged = (topic: Topic, grade: (given: number) => number) =>
  Object.fromEntries([
    ...topic.ranked.flatMap((given, i) => (given === undefined ? [] : [[`d${i}`, grade(given)]])),
    ...topic.missed.map((given, i) => [`m${i}`, grade(given)]),
  ]);
const qrels = { full: judged(full, (grade) => grade), none: judged(full, () => 0) };
const scores = Object.fromEntries(full.ranked.map((_, i) => [`d${i}`, 50 - i]));

/** The measures that can leave topics out. */
const names = Object.keys(definitions).filter((name) => {
  try {
    return toMeasures([withParam(name, "empty='skip'")]).length === 1;
  } catch {
    return false;
  }
});

test("empty='skip' leaves out the topics without a relevant document, and no others", () => {
  expect(names.length).toBeGreaterThan(50);
  for (const ties of ['docno', 'expected'] as const) {
    const skipping = names.map((name) => withParam(name, "empty='skip'"));
    const table = evaluator(qrels, skipping, { highestGrade: 3, ties }).evaluate({ full: scores, none: scores });
    for (const [m, name] of names.entries()) {
      if (name.includes('rel=0')) continue;
      expect(table.value('full', m), name).toBeCloseTo(definitions[name](full), 11);
      expect(table.value('none', m), name).toBeNaN();
      expect(table.aggregate(m), name).toBeCloseTo(definitions[name](full), 11);
    }
  }
});
