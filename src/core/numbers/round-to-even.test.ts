import { describe, expect, test } from 'vitest';
import { seededRandom } from './random.js';
import { roundedTo } from './round-to-even.js';

describe('rounding to decimals', () => {
  // what C prints for the double: printf("%.*f", decimals, x)
  test.each([
    [0.03125, 4, 0.0312],
    [0.09375, 4, 0.0938],
    [-0.03125, 4, -0.0312],
    [0.5, 0, 0],
    [1.5, 0, 2],
    [2.5, 0, 2],
    [1.005, 2, 1],
    [0.15, 1, 0.1],
    [0.25, 1, 0.2],
    [2 / 3, 15, 0.666666666666667],
    [1e300, 3, 1e300],
  ])('%d to %i decimals is %d', (x, decimals, rounded) => expect(roundedTo(x, decimals)).toBe(rounded));

  test('what is not a number stays so, what is infinite too, and zero keeps its sign', () => {
    expect(roundedTo(Number.NaN, 4)).toBeNaN();
    expect(roundedTo(Infinity, 4)).toBe(Infinity);
    expect(roundedTo(-0, 4)).toBe(-0);
  });

  test('without a tie it is the nearest decimal, as toFixed finds it', () => {
    const random = seededRandom(3);
    for (let i = 0; i < 20_000; i++) {
      const x = random.normal() * 10 ** random.below(4);
      const decimals = random.below(16);
      expect(roundedTo(x, decimals), `${x} to ${decimals}`).toBe(Number(x.toFixed(decimals)));
    }
  });
});
