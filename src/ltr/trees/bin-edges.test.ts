import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slowEdges } from '../../../test/helpers/slow-edges.js';
import { findEdges } from './bin-edges.js';

const edgesOf = (values: readonly number[], maxBins: number): number[] => [...findEdges(Float64Array.from(values).sort(), maxBins)];

describe('findEdges(sorted, maxValueBins)', () => {
  it('gives every value a bin of its own while there are enough: edges lie in the middle', () => {
    expect(edgesOf([3, 1, 1, 2, 7], 4)).toEqual([1.5, 2.5, 5]);
    expect(edgesOf([5, 5, 5], 255)).toEqual([]);
    expect(edgesOf([], 255)).toEqual([]);
    expect(edgesOf([-0, 0, 1], 255)).toEqual([0.5]);
  });

  it('lets neighbouring doubles apart: the edge is the lower one where there is no middle', () => {
    expect(edgesOf([1, 1 + Number.EPSILON], 255)).toEqual([1]);
    expect(edgesOf([-Number.MAX_VALUE, Number.MAX_VALUE], 255)).toEqual([0]);
    expect(edgesOf([0, Number.MIN_VALUE], 255)).toEqual([0]);
  });

  it('keeps a frequent value to itself', () => {
    const many = [...new Array(100).fill(0), ...Array.from({ length: 100 }, (_, i) => i + 1)];
    const edges = edgesOf(many, 5);
    expect(edges[0]).toBe(0.5);
    expect(edges.length).toBe(4);
  });

  it('divides evenly where no value is frequent', () => {
    const edges = edgesOf(
      Array.from({ length: 1000 }, (_, i) => i),
      10,
    );
    expect(edges).toEqual([99.5, 199.5, 299.5, 399.5, 499.5, 599.5, 699.5, 799.5, 899.5]);
  });

  it('ascends, stays within the number of bins, and separates values that differ', () => {
    const values = fc.array(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true })), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 30 }), (some, maxBins) => {
        const edges = edgesOf(some, maxBins);
        expect(edges.length).toBeLessThan(maxBins);
        for (let i = 1; i < edges.length; i++) expect(edges[i]).toBeGreaterThan(edges[i - 1]);
        // no bin is empty: every edge has a value at or below it that the edge before does not have
        const binOf = (value: number): number => edges.filter((edge) => edge < value).length;
        if (some.length > 0) expect(new Set(some.map(binOf)).size).toBe(edges.length + 1);
        if (new Set(some.map((value) => value + 0)).size <= maxBins && some.length > 0) {
          expect(edges.length + 1).toBe(new Set(some.map((value) => value + 0)).size);
        }
      }),
    );
  });

  it('agrees with the obvious way', () => {
    const some = fc.array(
      fc.oneof(
        fc.integer({ min: -3, max: 3 }),
        fc.constantFrom(-0, 0),
        fc.integer({ min: -40, max: 40 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
      ),
      {
        maxLength: 300,
      },
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 2, max: 30 }), (values, maxBins) => {
        expect(edgesOf(values, maxBins)).toEqual(slowEdges([...Float64Array.from(values).sort()], maxBins));
      }),
      { numRuns: 300 },
    );
  });
});
