import { describe, expect, test } from 'vitest';
import { ScoreTable } from '../core/score-table.js';
import { alignTables } from './alignment.js';

const table = (system: string, topics: readonly string[], measures: readonly string[], values: readonly number[]): ScoreTable =>
  new ScoreTable(
    [system],
    topics,
    measures.map((name) => ({ name, aggregate: 'mean' })),
    Float64Array.from(values),
  );

describe('alignTables', () => {
  test('puts topics in byte order and measures by name, and leaves NaN where a system has nothing', () => {
    const one = table('a', ['10', '9'], ['P', 'AP'], [1, 2, 3, 4]);
    const two = table('b', ['9', '11'], ['AP', 'P'], [5, 6, 7, 8]);
    const joined = alignTables([one, two]);
    expect(joined.topics).toEqual(['10', '11', '9']);
    expect(joined.measures).toEqual(['P', 'AP']);
    expect(joined.systems).toEqual(['a', 'b']);
    const nan = Number.NaN;
    expect([...joined.values]).toEqual([1, 2, nan, nan, 3, 4, nan, nan, 8, 7, 6, 5]);
  });

  test('keeps the measures that all have, and refuses if there are none', () => {
    const one = table('a', ['1'], ['P', 'AP'], [1, 2]);
    expect(alignTables([one, table('b', ['1'], ['AP'], [3])]).measures).toEqual(['AP']);
    expect(() => alignTables([one, table('b', ['1'], ['RR'], [3])])).toThrow('no measure in common: P AP / RR');
    expect(() => alignTables([])).toThrow('found no scores to compare');
    expect(() => alignTables([one, table('a', ['1'], ['P'], [3])])).toThrow('a');
  });

  test('ids that are no text, whose bytes are the same, have one order however they come', () => {
    // both lone halves of a surrogate pair are encoded as U+FFFD
    const ids = ['\ud800', '\ud801'];
    const order = (topics: readonly string[]) => alignTables([table('a', topics, ['P'], [1, 2])]).topics;
    expect(order(ids)).toEqual(ids);
    expect(order(ids.toReversed())).toEqual(ids);
  });
});
