import { describe, expect, it } from 'vitest';
import { type AggregateName, aggregateNames, aggregateValues } from './aggregate.js';
import { joinSystems, ScoreTable } from './score-table.js';

const of = (kind: AggregateName, values: number[], floor?: number): number =>
  aggregateValues(kind, Float64Array.from(values), 0, 1, values.length, floor);

describe('aggregateValues(kind, …)', () => {
  it.each<[AggregateName, number]>([
    ['mean', 7 / 3],
    ['sum', 7],
    ['geometric', 2],
    ['harmonic', 3 / (1 + 1 / 2 + 1 / 4)],
    ['median', 2],
    ['min', 1],
    ['max', 4],
    // deviations from 7/3: -4/3, -1/3, 5/3
    ['sd', Math.sqrt((16 + 1 + 25) / 9 / 2)],
    ['se', Math.sqrt((16 + 1 + 25) / 9 / 2 / 3)],
  ])('%s of 4, 1, 2', (kind, expected) => {
    expect(of(kind, [4, 1, 2])).toBeCloseTo(expected, 14);
  });

  it.each<[AggregateName, number]>([
    ['mean', 7 / 3],
    ['sum', 7],
    ['geometric', 2],
    ['median', 2],
    ['min', 1],
    ['max', 4],
    ['sd', Math.sqrt((16 + 1 + 25) / 9 / 2)],
  ])('%s of every third value from the second on', (kind, expected) => {
    const values = Float64Array.of(90, 4, 91, 92, 1, 93, 94, 2, 95, 96, -97);
    expect(aggregateValues(kind, values, 1, 3, 3)).toBeCloseTo(expected, 14);
  });

  it('keeps the sign of values below 0 in all that has no logarithm', () => {
    expect(of('max', [-3, -2])).toBe(-2);
    expect(of('min', [3, 2])).toBe(2);
    expect(of('median', [-3, 5, -2])).toBe(-2);
  });

  it('takes the middle of the two middle values as median', () => {
    expect(of('median', [9, 1, 3, 2])).toBe(2.5);
  });

  it('lifts small values to the floor, which is 0.00001 for a geometric mean and 0 for a harmonic one', () => {
    expect(of('geometric', [0, 1])).toBeCloseTo(Math.sqrt(0.00001), 15);
    expect(of('geometric', [0, 1], 0.01)).toBeCloseTo(0.1, 15);
    expect(of('harmonic', [0, 1])).toBe(0);
    expect(of('harmonic', [0, 1], 0.5)).toBeCloseTo(2 / 3, 15);
  });

  it('has no spread over one value, a sum of 0 and otherwise no number over none', () => {
    expect(of('sd', [3])).toBe(0);
    expect(of('se', [3])).toBe(0);
    expect(of('sd', [3, 5])).toBeCloseTo(Math.SQRT2, 15);
    for (const kind of aggregateNames) expect(of(kind, [])).toBe(kind === 'sum' ? 0 : Number.NaN);
  });
});

describe('ScoreTable', () => {
  const columns = [
    { name: 'A', aggregate: 'mean' },
    { name: 'B', aggregate: 'mean', empty: 'skip' },
  ] as const;
  const table = new ScoreTable(['s'], ['1', '2'], columns, Float64Array.of(1, Number.NaN, 2, 0.5), ['a note']);

  it('leaves topics without a value out where the measure says so', () => {
    expect(table.means()).toEqual({ A: 1.5, B: 0.5 });
  });

  it('refuses topics without a value where the measure says so', () => {
    const refusing = [{ name: 'C', aggregate: 'mean', empty: 'error' }] as const;
    const build = () => new ScoreTable(['s', 't'], ['1', '2'], refusing, Float64Array.of(1, 1, 1, Number.NaN));
    expect(build).toThrow("C: topic 2 has no relevant document; leave such topics out with empty='skip', or give them a value");
  });

  it('keeps the notes of several systems apart', () => {
    const other = new ScoreTable(['t'], ['1', '2'], columns, table.values, ['another']);
    expect(joinSystems([table, other]).notes).toEqual(['s: a note', 't: another']);
  });
});
