import { describe, expect, it } from 'vitest';
import type { LearnerOption } from './ranker.js';
import { drawnFrom, gridOf, parseCandidates } from './search.js';

const options: Readonly<Record<string, LearnerOption>> = {
  rate: { type: 'number', default: 0.1, min: 0, help: 'how fast' },
  leaves: { type: 'integer', default: 10, min: 2, help: 'how many' },
  layers: { type: 'numbers', default: [10], help: 'how wide' },
};
const read = (text: string) => parseCandidates(text, (name) => (Object.hasOwn(options, name) ? { name, spec: options[name] } : undefined));

describe('parseCandidates(text)', () => {
  it('reads lists, ranges and lists of lists', () => {
    expect(read('rate=0.05,0.1')).toEqual({ name: 'rate', values: ['0.05', '0.1'] });
    expect(read('rate=0.01..0.3')).toEqual({ name: 'rate', low: 0.01, high: 0.3 });
    expect(read('leaves=2..64')).toEqual({ name: 'leaves', low: 2, high: 64 });
    expect(read('layers=10;20,10')).toEqual({ name: 'layers', values: ['10', '20,10'] });
  });

  it.each([
    ['rate', /expected an option and its values, found rate/],
    ['speed=1', /there is no option speed to search over/],
    ['rate=0.1,', /a value is missing; rate takes a number from 0/],
    ['rate=0.3..0.1', /expected two numbers, the lower one first/],
    ['layers=1..3', /expected two numbers/],
  ])('refuses %s', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });
});

describe('gridOf(candidates)', () => {
  it('has every combination, the last option changing fastest', () => {
    expect(gridOf([read('rate=0.05,0.1'), read('leaves=5,10')])).toEqual([
      { rate: '0.05', leaves: '5' },
      { rate: '0.05', leaves: '10' },
      { rate: '0.1', leaves: '5' },
      { rate: '0.1', leaves: '10' },
    ]);
  });

  it('refuses ranges, which have no end', () => {
    expect(() => gridOf([read('rate=0.01..0.3')])).toThrow('rate=0.01..0.3 has no end of values; give --random N to draw from it');
  });
});

describe('drawnFrom(candidates, count)', () => {
  const candidates = [read('rate=0.01..1'), read('leaves=2..64')];

  it('stays in the range, draws whole numbers where they are wanted, and the same for one seed', () => {
    const drawn = drawnFrom(candidates, 200, { options }, 7);
    expect(drawn).toEqual(drawnFrom(candidates, 200, { options }, 7));
    expect(drawn).not.toEqual(drawnFrom(candidates, 200, { options }, 8));
    for (const { rate, leaves } of drawn) {
      expect(rate).toBeGreaterThanOrEqual(0.01);
      expect(rate).toBeLessThanOrEqual(1);
      expect(Number.isInteger(leaves)).toBe(true);
    }
    // logarithms are even: as many below a tenth as above, give or take
    const below = drawn.filter(({ rate }) => Number(rate) < 0.1).length;
    expect(below).toBeGreaterThan(70);
    expect(below).toBeLessThan(130);
  });

  it('draws nothing twice, and ends when there is nothing else', () => {
    const drawn = drawnFrom([read('rate=0.1,0.2,0.3')], 10, { options }, 1);
    expect(drawn.map(({ rate }) => rate).sort()).toEqual(['0.1', '0.2', '0.3']);
  });
});
