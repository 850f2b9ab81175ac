import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lostInProduct } from './exact-product.js';

test('a * b and lostInProduct(a, b, a * b) together are the exact product', () => {
  const whole = fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 });
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      const product = a * b;
      expect(BigInt(product) + BigInt(lostInProduct(a, b, product))).toBe(BigInt(a) * BigInt(b));
    }),
    { numRuns: 2000 },
  );
});
