import { describe, expect, test } from 'vitest';
import { definitions, type Topic } from '../../test/helpers/textbook-measures.js';
import { evaluator } from './evaluate.js';

// room is made for lists of about a thousand documents, and for longer ones when they come
const LENGTHS = [1024, 1025, 1026];

/** Every so many documents one of grade 1 or 2, the last one of grade 3, and two neighbours that nobody judged. */
function longTopic(length: number, every: number): Topic {
  const ranked: (number | undefined)[] = Array.from({ length }, (_, i) => (i % every === 0 ? 1 + (i % 2) : 0));
  ranked[length - 1] = 3;
  ranked[10] = undefined;
  ranked[11] = undefined;
  return { ranked, missed: [1, 0] };
}

function expectDefinitions(topic: Topic, names: readonly string[], options: { readonly ties?: 'expected' }): void {
  const { ranked, missed } = topic;
  const grades: Record<string, number> = Object.fromEntries(missed.map((grade, i) => [`m${i}`, grade]));
  for (const [i, grade] of ranked.entries()) if (grade !== undefined) grades[`d${i}`] = grade;
  // the two that nobody judged share a score, so that no order of them is better than the other
  const scores = Object.fromEntries(ranked.map((_, i) => [`d${i}`, 5000 - (i === 11 ? 10 : i)]));
  const table = evaluator({ q: grades }, names, { highestGrade: 3, ...options }).evaluate({ q: scores });
  for (const [m, name] of names.entries()) {
    const expected = definitions[name](topic);
    expect(
      Math.abs(table.value(0, m) - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
      `${name}: ${table.value(0, m)}, ${expected}`,
    ).toBe(true);
  }
}

describe.each(LENGTHS)('a list of %i documents', (length) => {
  const names = Object.keys(definitions);

  test('has the values of the formulas', () => expectDefinitions(longTopic(length, 97), names, {}));

  test('has them as means over equal scores too', () => expectDefinitions(longTopic(length, 97), names, { ties: 'expected' }));

  test('has them where nearly all documents are relevant', () => {
    const ofAll = ['nDCG', "nDCG(gain='exp')@7", 'IDCG@3', 'AP', 'Rprec', 'Q', 'IPrec@1', 'NumRelRet'];
    expectDefinitions(longTopic(length, 1), ofAll, {});
    expectDefinitions(longTopic(length, 1), ofAll, { ties: 'expected' });
  });
});
