import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunLike } from './run.js';
import { collected, TextRows, type TextRun, toTextRun } from './text-run.js';

/** Names that objects and Maps keep apart, or put first, or inherit. */
const name = fc.constantFrom('q1', 'q2', '10', '2', 'constructor', '__proto__', 'é', '');
const score = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom<unknown>(0, -0, 1, 2.5, -3, Number.POSITIVE_INFINITY) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(Number.NaN, '1', null, undefined, {}) },
);
const asMap = <Value>(entries: readonly (readonly [string, Value])[]): Map<string, Value> => new Map(entries);
/** Own properties, whatever they are called. */
const asObject = (entries: readonly (readonly [string, unknown])[]): object => {
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  return object;
};
const numbered = (entries: readonly (readonly [string, unknown])[]): Map<string | number, unknown> =>
  new Map(
    entries.flatMap(([key, value], place): [string | number, unknown][] => [
      [key, value],
      [place % 3, value],
    ]),
  );

const scores = fc.array(fc.tuple(name, score), { maxLength: 6 });
const documents = fc.oneof(
  { weight: 10, arbitrary: scores.map(asMap) },
  { weight: 10, arbitrary: scores.map(asObject) },
  { weight: 3, arbitrary: scores.map(numbered) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(3, null, undefined, ['a', 'b'], [], new Set(['a'])) },
);
const topics = fc.array(fc.tuple(name, documents), { maxLength: 5 });
const input = fc.oneof(topics.map(asMap), topics.map(asObject), topics.map(numbered)) as fc.Arbitrary<RunLike>;

/** The run with arrays as long as they need be, or what is said about it. */
function outcome(collect: () => TextRun): unknown {
  try {
    const { topicNumbers, offsets, scores: values, docs, ...rest } = collect();
    return {
      topics: [...topicNumbers],
      offsets: [...offsets.subarray(0, topicNumbers.size + 1)],
      scores: [...values.subarray(0, docs.length)],
      docs: [...docs],
      notes: rest.notes,
      ranks: rest.ranks && [...rest.ranks],
      ranksOnly: rest.ranksOnly,
    };
  } catch (error) {
    return String(error);
  }
}

test('objects and Maps are taken as if entry by entry, in space that was used before', () => {
  const used = new TextRows();
  let refused = 0;
  let taken = 0;
  fc.assert(
    fc.property(input, (run) => {
      const expected = outcome(() => collected(run, 'run', new TextRows()));
      expect(outcome(() => toTextRun(run, 'run', used))).toEqual(expected);
      if (typeof expected === 'string') refused++;
      else taken++;
    }),
    { numRuns: 500 },
  );
  // both kinds were tried
  expect(Math.min(refused, taken)).toBeGreaterThan(20);
});
