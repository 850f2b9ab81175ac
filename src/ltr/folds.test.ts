import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commentText, featureValue, queryText } from '../core/feature-matrix.js';
import { parseLetor } from '../formats/letor/reader.js';
import { foldsOf, selectQueries, splitQueries } from './folds.js';

const text = `2 qid:a 1:1 3:5 # first
0 qid:a 1:2
1 qid:b 2:7 # third
0 qid:c 3:4
1 qid:c 1:9 2:8 3:7 # last
`;

describe('foldsOf(numQueries, k)', () => {
  it('cuts stretches of floor(n / k) in the order of the data, the remainder going to the last, as RankLib does', () => {
    expect(foldsOf(7, 3).map(({ test }) => [...test])).toEqual([
      [0, 1],
      [2, 3],
      [4, 5, 6],
    ]);
    expect([...foldsOf(7, 3)[1].train]).toEqual([0, 1, 4, 5, 6]);
  });

  it('tests every query once and never trains on it, in sizes that differ by at most one if shuffled', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 2, max: 8 }),
        fc.option(fc.nat(99), { nil: undefined }),
        (n, k, seed) => {
          fc.pre(n >= k);
          const folds = foldsOf(n, k, seed);
          expect([...folds.flatMap(({ test }) => [...test])].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, q) => q));
          for (const { train, test } of folds) {
            expect([...train, ...test].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, q) => q));
            if (seed !== undefined) expect([Math.floor(n / k), Math.ceil(n / k)]).toContain(test.length);
          }
        },
      ),
    );
  });

  it('is the same for one seed and another for another', () => {
    const tested = (seed: number) => foldsOf(40, 5, seed).map(({ test }) => [...test]);
    expect(tested(1)).toEqual(tested(1));
    expect(tested(1)).not.toEqual(tested(2));
  });

  it('refuses more folds than queries', () => {
    expect(() => foldsOf(3, 5)).toThrow('3 queries cannot be cut into 5 folds; ask for fewer folds');
    expect(() => foldsOf(3, 1)).toThrow('folds must be a whole number from 2, found 1');
  });
});

describe('selectQueries(matrix, queries)', () => {
  it.each(['dense', 'sparse'] as const)('takes rows, labels, comments and %s features along', (layout) => {
    const { matrix } = parseLetor(text, { features: layout });
    const part = selectQueries(matrix, Uint32Array.of(2, 0));
    expect([0, 1].map((q) => queryText(part, q))).toEqual(['c', 'a']);
    expect([...part.labels]).toEqual([0, 1, 2, 0]);
    expect([...part.lines]).toEqual([4, 5, 1, 2]);
    expect(commentText(part, 1).trim()).toBe('last');
    const cells = [0, 1, 2, 3].map((row) => [0, 1, 2].map((column) => featureValue(part.features!, row, column)));
    expect(cells).toEqual([
      [0, 0, 4],
      [9, 8, 7],
      [1, 0, 5],
      [2, 0, 0],
    ]);
  });
});

describe('splitQueries(matrix, share)', () => {
  it('gives the first part floor(n * share) queries', () => {
    const { first, rest } = splitQueries(parseLetor(text).matrix, 0.7);
    expect([first.queryOf.length, rest.queryOf.length]).toEqual([2, 1]);
  });

  it('refuses a share that leaves nothing', () => {
    expect(() => splitQueries(parseLetor(text).matrix, 0.1)).toThrow('found 3 queries to cut into parts of 0 and 3');
  });
});
