import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import { CORRECTION_METHODS, correctPValues } from './correction.js';

describe('correctPValues', () => {
  const { samples } = statsGolden<{ samples: Record<string, number[]>[] }>('corrections.json');

  for (const method of CORRECTION_METHODS) {
    test(`${method} equals statsmodels' multipletests on ${samples.length} inputs`, () => {
      for (const sample of samples) {
        const found = correctPValues({ pValues: sample.pValues, method });
        expect(found.method).toBe(method);
        found.pValues.forEach((p, i) => {
          expectRelative(p, sample[method][i], 1e-12, `${method}, ${sample.pValues.length} values, number ${i}`);
        });
      }
    });
  }

  test('worked example: 0.01, 0.04, 0.03 become 0.03, 0.06, 0.06 by Holm and 0.03, 0.04, 0.04 by Hochberg', () => {
    const pValues = [0.01, 0.04, 0.03];
    const holm = correctPValues({ pValues, method: 'holm' }).pValues;
    const hochberg = correctPValues({ pValues, method: 'hochberg' }).pValues;
    [0.03, 0.06, 0.06].forEach((p, i) => {
      expect(holm[i]).toBeCloseTo(p, 15);
    });
    [0.03, 0.04, 0.04].forEach((p, i) => {
      expect(hochberg[i]).toBeCloseTo(p, 15);
    });
  });

  test('keeps small p-values through Šidák', () => {
    expectRelative(correctPValues({ pValues: [1e-18, 0.5], method: 'sidak' }).pValues[0], 2e-18, 1e-12, 'sidak');
  });

  test('of nothing is nothing; 0 and 1 stay', () => {
    for (const method of CORRECTION_METHODS) {
      expect(correctPValues({ pValues: [], method }).pValues).toHaveLength(0);
      expect([...correctPValues({ pValues: [0, 1], method }).pValues]).toEqual([0, 1]);
    }
  });

  test('refuses NaN and values outside [0, 1], naming the place', () => {
    expect(() => correctPValues({ pValues: [0.1, Number.NaN], method: 'bh' })).toThrow(
      'p-value 2 is NaN, expected a number from 0 to 1; leave out tests that could not be made',
    );
    expect(() => correctPValues({ pValues: [1.1], method: 'bh' })).toThrow('p-value 1 is 1.1');
    expect(() => correctPValues({ pValues: [0.1], method: 'fdr' as 'bh' })).toThrow(
      'correction: expected one of bonferroni, sidak, holm, hochberg, bh, by',
    );
  });
});
