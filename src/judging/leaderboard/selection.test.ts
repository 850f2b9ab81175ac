import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectInPlace } from './selection.js';

test('selectInPlace finds what sorting would put at a place, and leaves what is not larger before it', () => {
  const number = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, 1, 2, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY));
  fc.assert(
    fc.property(
      fc.float64Array({ noNaN: true, minLength: 1, maxLength: 60 }),
      fc.array(number, { maxLength: 60 }),
      fc.nat(),
      (one, two, nat) => {
        const values = Float64Array.from([...one, ...two]);
        const place = nat % values.length;
        const sorted = values.slice().sort();
        // zeros of either sign are equal here, and sorted by sign there
        expect(selectInPlace(values, place) === sorted[place]).toBe(true);
        expect(values.subarray(0, place).every((value) => value <= values[place])).toBe(true);
        expect(values.subarray(place).every((value) => value >= values[place])).toBe(true);
        expect(
          values
            .slice()
            .sort()
            .every((value, i) => value === sorted[i]),
        ).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
