import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineMap } from './line-map.js';

test('LineMap tells the line of each row, however many lines lie between them', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.integer({ min: 0, max: 4 }), { weight: 3, arbitrary: fc.constant(0) }),
        { minLength: 1 },
      ),
      (steps) => {
        const map = new LineMap();
        const lines: number[] = [];
        for (const [row, step] of steps.entries()) {
          lines.push((lines.at(-1) ?? 0) + step);
          map.set(row, lines[row]);
        }
        expect(lines.map((_, row) => map.lineOf(row))).toEqual(lines);
      },
    ),
  );
});

test('LineMap.set need not be called for rows on consecutive lines', () => {
  const map = new LineMap();
  map.set(0, 2);
  map.set(10, 20);
  expect([map.lineOf(0), map.lineOf(9), map.lineOf(10), map.lineOf(12)]).toEqual([2, 11, 20, 22]);
});
