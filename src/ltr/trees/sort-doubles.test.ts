import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../core/numbers/random.js';
import { DoubleSorter } from './sort-doubles.js';

const kinds: readonly ((random: Random) => number)[] = [
  (random) => random.normal(),
  (random) => random.below(7) - 3,
  (random) => (random.below(2) === 0 ? -0 : 0),
  // the same upper halves, few and many of them
  (random) => 1 + random.below(1e6) * Number.EPSILON,
  (random) => -5 - random.below(40) * 2 ** -40,
  (random) => random.normal() * 10 ** (random.below(600) - 300),
  (random) => [Number.MIN_VALUE, -Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE, Infinity, -Infinity][random.below(6)],
  () => 2.5,
];

describe('DoubleSorter', () => {
  it('gives the bytes that Float64Array.sort gives, for any mixture of numbers', () => {
    const sorter = new DoubleSorter();
    const mixture = fc.uniqueArray(fc.integer({ min: 0, max: kinds.length - 1 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 5000 }), mixture, (seed, count, mixed) => {
        const random = seededRandom(seed);
        const values = Float64Array.from({ length: count }, () => kinds[mixed[random.below(mixed.length)]](random));
        const expected = values.slice().sort();
        sorter.sort(values);
        expect(Buffer.compare(new Uint8Array(values.buffer), new Uint8Array(expected.buffer))).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it('sorts a part of a larger array and leaves the rest alone', () => {
    const whole = Float64Array.from({ length: 4000 }, (_, i) => (i * 7919) % 4001);
    const expected = whole.slice();
    expected.subarray(500, 3500).sort();
    new DoubleSorter().sort(whole.subarray(500, 3500));
    expect(whole).toEqual(expected);
  });
});
