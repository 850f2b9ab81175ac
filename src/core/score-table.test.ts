import { describe, expect, test } from 'vitest';
import { emptyScores, joinSystems, ScoreTable } from './score-table.js';

const columns = [
  { name: 'A', aggregate: 'mean' },
  { name: 'B', aggregate: 'sum' },
] as const;
const topics = ['1', '2', '3'];
/** Two systems, three topics, two measures; the hundreds are the system, the tens the topic, the ones the measure. */
const numbered = Float64Array.of(0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121);
const table = new ScoreTable(['s', 't'], topics, columns, numbered, ['late']);

describe('ScoreTable', () => {
  test('finds a value by names and by places', () => {
    expect(table.value('2', 'B', 't')).toBe(111);
    expect(table.value(2, 0, 1)).toBe(120);
    expect(table.value('3', 1)).toBe(21);
    expect(table.value(0, 0, 0)).toBe(0);
  });

  test('a column holds one measure of one system', () => {
    expect([...table.column('B')]).toEqual([1, 11, 21]);
    expect([...table.column(0, 't')]).toEqual([100, 110, 120]);
  });

  test('aggregates each measure in its own way', () => {
    expect(table.means()).toEqual({ A: 10, B: 33 });
    expect(table.means('t')).toEqual({ A: 110, B: 333 });
    expect(table.aggregate('B', 1)).toBe(333);
    expect(table.measures).toEqual(['A', 'B']);
  });

  test('leaves out topics without a value, whatever the system', () => {
    const skipping = [{ name: 'A', aggregate: 'mean', empty: 'skip' }] as const;
    const holes = new ScoreTable(['s', 't'], topics, skipping, Float64Array.of(1, Number.NaN, 2, Number.NaN, Number.NaN, 5));
    expect([holes.aggregate(0, 0), holes.aggregate(0, 1)]).toEqual([1.5, 5]);
  });

  test('hands its floor on', () => {
    const floored = [{ name: 'G', aggregate: 'geometric', floor: 0.01 }] as const;
    expect(new ScoreTable(['s'], ['1', '2'], floored, Float64Array.of(0, 1)).aggregate(0)).toBeCloseTo(0.1, 14);
    const skipping = [{ ...floored[0], empty: 'skip' }] as const;
    expect(new ScoreTable(['s'], ['1', '2'], skipping, Float64Array.of(0, 1)).aggregate(0)).toBeCloseTo(0.1, 14);
  });

  test('names what it does not have', () => {
    expect(() => table.value('9', 'A')).toThrow('no topic 9 in this table; it has 3 topics');
    expect(() => table.value(3, 0)).toThrow('no topic 3 in this table');
    expect(() => table.value(-1, 0)).toThrow('no topic -1 in this table');
    expect(() => table.column('C')).toThrow('no measure C in this table; it has 2 measures');
    expect(() => table.column(2)).toThrow('no measure 2 in this table');
    expect(() => table.aggregate('A', 'u')).toThrow('no system u in this table; it has 2 systems');
  });

  test('as plain objects it has every system with its topics', () => {
    const [first, second] = table.toJSON().systems;
    expect(table.toJSON()).toMatchObject({ topics, measures: ['A', 'B'] });
    expect(first).toMatchObject({ system: 's', all: { A: 10, B: 33 } });
    expect(second.perTopic[1]).toEqual({ topic: '2', scores: { A: 110, B: 111 } });
    expect(second.perTopic).toHaveLength(3);
  });

  test('more notes come first', () => {
    expect(table.withNotes(['early']).notes).toEqual(['early', 'late']);
    expect(new ScoreTable(['s'], topics, columns, numbered.subarray(0, 6)).notes).toEqual([]);
  });

  test('names the topic without a value where that is refused, in whichever column', () => {
    const strict = [columns[0], { name: 'C', aggregate: 'mean', empty: 'error' }] as const;
    const build = (hole: number) => () =>
      new ScoreTable(
        ['s', 't'],
        topics,
        strict,
        numbered.map((value, i) => (i === hole ? Number.NaN : value)),
      );
    expect(build(3)).toThrow('C: topic 2 has no relevant document');
    expect(build(11)).toThrow('C: topic 3 has no relevant document');
    // the other column takes it
    expect(build(2)).not.toThrow();
  });
});

describe('joinSystems', () => {
  const other = new ScoreTable(['u'], topics, columns, Float64Array.of(7, 8, 7, 8, 7, 8));

  test('puts systems one after the other', () => {
    const joined = joinSystems([table, other]);
    expect(joined.systems).toEqual(['s', 't', 'u']);
    expect([...joined.values]).toEqual([...numbered, 7, 8, 7, 8, 7, 8]);
    expect(joined.value('3', 'B', 'u')).toBe(8);
  });

  test('refuses other topics, as many or fewer', () => {
    const renamed = new ScoreTable(['u'], ['1', '2', '4'], columns, other.values);
    const fewer = new ScoreTable(['u'], ['1', '2'], columns, other.values.subarray(0, 4));
    const more = new ScoreTable(['u'], [...topics, '4'], columns, new Float64Array(8));
    for (const wrong of [renamed, fewer, more]) {
      expect(() => joinSystems([table, wrong])).toThrow('systems s and u were scored on different topics');
    }
  });
});

test('emptyScores has room for every system, topic and measure', () => {
  expect(emptyScores(2, 3, 5)).toHaveLength(30);
});
