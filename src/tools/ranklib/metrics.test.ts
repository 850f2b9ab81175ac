import { describe, expect, test } from 'vitest';
import { rankLibVersions } from '../../conventions/ranklib-versions.js';
import { makeScorer } from './metrics.js';

const settings = (name: string) => ({
  version: rankLibVersions.find((version) => version.name === name) ?? rankLibVersions[0],
  gmax: 4,
  judgements: undefined,
});

describe('makeScorer', () => {
  // (1 << label) - 1 in 32 bits: -2147483648 - 1 is 2147483647 again, and 1 << 33 is 1 << 1; RankyMcRankFace 0.2.0, which has RankLib's
  // scorers, prints 2.147483647E9 for the first and 1.0 for the last
  test.each([
    [31, 2 ** 31 - 1],
    [32, 0],
    [33, 1],
  ])('gains of 2.8 are 32-bit integers: label %i', (label, gain) => {
    expect(makeScorer('DCG@1', settings('2.8')).score('1', Float64Array.of(label))).toBe(gain);
    expect(makeScorer('DCG@1', settings('2.1')).score('1', Float64Array.of(label))).toBe(2 ** label - 1);
  });

  test.each([
    ['P@2', 0.5],
    ['P@0', 2 / 3], // no depth: the whole list
    ['P@5', 2 / 3], // divided by the length of a shorter list
    ['MAP', (1 + 2 / 3) / 2],
    ['RR@1', 1],
    ['RR', 0], // a depth of 0, which nothing reaches
  ])('%s of labels 0.5, 0, 2', (metric, expected) => {
    expect(makeScorer(metric, settings('2.8')).score('1', Float64Array.of(0.5, 0, 2))).toBe(expected);
  });

  test('RR is a 32-bit number, and 2.1 takes no notice of its depth', () => {
    const labels = Float64Array.of(0, 0, 1);
    expect(makeScorer('RR@2', settings('2.8')).score('1', labels)).toBe(0);
    expect(makeScorer('RR@2', settings('2.1')).score('1', labels)).toBe(Math.fround(1 / 3));
  });

  test('MAP is divided by what was judged relevant, and is 0 where nothing was', () => {
    const judgements = new Map([
      ['1', [0, 1, 2, 1]],
      ['2', [0]],
    ]);
    const { score } = makeScorer('MAP', { ...settings('2.8'), judgements });
    expect(score('1', Float64Array.of(1, 0, 1))).toBe((1 + 2 / 3) / 3);
    expect(score('2', Float64Array.of(1, 0, 1))).toBe(0);
    expect(score('3', Float64Array.of(1, 0, 1))).toBe((1 + 2 / 3) / 2);
  });
});
