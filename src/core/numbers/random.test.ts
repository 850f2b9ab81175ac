import { describe, expect, test } from 'vitest';
import { seededIntegers, seededRandom, shuffleInPlace } from './random.js';

// The expected numbers come from a program in Python that follows the authors' C code of xoshiro128** with whole numbers of any size.
describe('seededIntegers', () => {
  test.each([
    [1, 0, [2756927019, 3777788911, 3670923116, 3384369406, 992297487, 1132519021]],
    [0, 0, [648153708, 1151698062, 2768253920, 2822324004, 3050507843, 2838121018]],
    [1, 7, [1257125022, 4269173297, 3687211873, 1391375692, 1646166083, 1852979078]],
    // seeds beyond 32 bits count with all their bits
    [2 ** 40 + 5, 3, [2458001747, 1143839227, 1434046569, 3830793076, 4060367173, 762907871]],
    [123456789012345, 0, [3874713854, 4261407621, 3909755555, 1966500960, 480153476, 1275859079]],
  ])('is xoshiro128** for seed %s and stream %s', (seed, stream, expected) => {
    const { uint32 } = seededIntegers(seed, stream);
    expect(expected.map(() => uint32())).toEqual(expected);
  });

  test('takes stream 0 if none is given', () => {
    expect(seededIntegers(1).uint32()).toBe(2756927019);
    expect(seededRandom(1).uint32()).toBe(2756927019);
    expect(seededRandom(1, 7).uint32()).toBe(1257125022);
  });

  test('below(bound) draws again what lies in the incomplete last stretch', () => {
    // the raw numbers are 2895257893, 3351893048, 3735158215, 4282322002, 2313855315, 3452227328, 1429371394 …
    const bound = 3 * 2 ** 30;
    const { below } = seededIntegers(9);
    const expected = [2895257893, 2313855315, 1429371394, 20834053, 146813409, 2492454329];
    expect(expected.map(() => below(bound))).toEqual(expected);
    const small = seededIntegers(9);
    expect(Array.from({ length: 10 }, () => small.below(10))).toEqual([3, 8, 5, 2, 5, 8, 4, 3, 9, 9]);
  });

  test('below(bound) draws again at the very limit', () => {
    // with this bound the second raw number of seed 9 is the first that does not fit
    const { below } = seededIntegers(9);
    expect([below(3351893048), below(3351893048)]).toEqual([2895257893, 2313855315]);
  });
});

describe('seededRandom', () => {
  test('float() takes 27 and 26 bits of two draws', () => {
    const random = seededRandom(42);
    const expected = [0.5551296898079923, 0.32104297353129874, 0.9287053685837201, 0.11431986704760089];
    expect(expected.map(() => random.float())).toEqual(expected);
  });

  test("normal() is Marsaglia's polar method with the second number dropped", () => {
    const random = seededRandom(42);
    const expected = [
      0.5835307709999694, -0.1989755764196228, -0.6215784951600664, -0.42501211513213427, 0.42460405102561444, -0.4546325369817201,
      -0.6840618008770321, -1.3222907709514164,
    ];
    for (const value of expected) expect(random.normal()).toBeCloseTo(value, 14);
  });
});

describe('shuffleInPlace', () => {
  test('exchanges the last with one at or before it, from the end down', () => {
    const items = Array.from({ length: 10 }, (_, i) => i);
    shuffleInPlace(seededIntegers(5), items);
    expect(items).toEqual([3, 9, 4, 7, 0, 8, 2, 5, 6, 1]);
  });

  test('asks for no number for the first place', () => {
    const bounds: number[] = [];
    const below = (bound: number): number => {
      bounds.push(bound);
      return 0;
    };
    const items = ['a', 'b', 'c', 'd'];
    shuffleInPlace({ below }, items);
    expect(bounds).toEqual([4, 3, 2]);
    expect(items).toEqual(['b', 'c', 'd', 'a']);
  });
});
