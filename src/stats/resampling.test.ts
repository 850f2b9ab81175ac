import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootstrapCount } from '../../test/helpers/brute-force-stats.js';
import { statsGolden } from '../../test/helpers/stats-golden.js';
import { seededRandom } from '../core/numbers/random.js';
import { drawTopics } from './resampler.js';
import { createResampler, pairNumber } from './resampling.js';
import { createJsResampler } from './resampling-js.js';
import { createWasmResampler } from './resampling-wasm.js';

function randomSystems(numSystems: number, numTopics: number, seed: number, decimals = 4): number[][] {
  const random = seededRandom(seed);
  const unit = 10 ** decimals;
  return Array.from({ length: numSystems }, () => Array.from({ length: numTopics }, () => Math.round(random.float() * unit) / unit));
}

const shape = fc.record({
  numSystems: fc.integer({ min: 2, max: 12 }),
  numTopics: fc.integer({ min: 2, max: 13 }),
  seed: fc.nat(1e6),
  from: fc.nat(20),
  count: fc.nat(20),
});

describe('the WebAssembly kernel', () => {
  test('gives the bits of the TypeScript one, for any shape', () => {
    fc.assert(
      fc.property(shape, ({ numSystems, numTopics, seed, from, count }) => {
        const systems = randomSystems(numSystems, numTopics, seed, seed % 2 === 0 ? 1 : 6);
        const wasm = createWasmResampler(systems);
        const js = createJsResampler(systems);
        expect(wasm?.permutedRanges(seed, from, from + count)).toEqual(js.permutedRanges(seed, from, from + count));
        expect(wasm?.bootstrapExceedances(seed, from, from + count)).toEqual(js.bootstrapExceedances(seed, from, from + count));
      }),
      { numRuns: 150, seed: 8 },
    );
  });

  test('does so for 129 systems and 50 topics', () => {
    const systems = randomSystems(129, 50, 1);
    const wasm = createWasmResampler(systems);
    const js = createJsResampler(systems);
    expect(wasm?.permutedRanges(5, 0, 30)).toEqual(js.permutedRanges(5, 0, 30));
    expect(wasm?.bootstrapExceedances(5, 0, 20)).toEqual(js.bootstrapExceedances(5, 0, 20));
  });

  test('does so for more bootstrap samples than it takes at a time, whatever the size of the scores', () => {
    // a large mean leaves little of double precision for the differences; one wild topic leaves little of 15 bits for the others
    for (const [factor, offset, wild] of [
      [1, 0, 0],
      [1e-9, 0, 0],
      [1e12, 0, 0],
      [1, 1e6, 0],
      [1e-6, 1e6, 0],
      [1, 0, 1e4],
    ]) {
      const systems = randomSystems(6, 31, 9, 3).map((values) =>
        values.map((value, t) => value * factor + offset + (t === 4 ? wild * value : 0)),
      );
      const js = createJsResampler(systems).bootstrapExceedances(2, 7, 707);
      expect([factor, offset, createWasmResampler(systems)?.bootstrapExceedances(2, 7, 707)]).toEqual([factor, offset, js]);
      expect(js.some((count) => count > 0 && count < 700)).toBe(true);
    }
  });

  test('does so for pairs without a difference, with the same one everywhere, and with none but on one topic', () => {
    const [first] = randomSystems(1, 9, 4);
    const systems = [first, first.slice(), first.map((value) => value + 0.5), first.map((value, t) => (t === 3 ? value + 1 : value))];
    const js = createJsResampler(systems).bootstrapExceedances(3, 0, 300);
    expect(createWasmResampler(systems)?.bootstrapExceedances(3, 0, 300)).toEqual(js);
    expect(js[pairNumber(0, 1, 4)]).toBe(300);
    expect(js[pairNumber(0, 2, 4)]).toBe(0);
  });
});

describe('bootstrapExceedances', () => {
  test('counts what drawing, studentising and comparing pair by pair counts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 6, max: 20 }), fc.nat(1e6), (numSystems, numTopics, seed) => {
        // six decimals: no two samples tie with the observed t but for rounding
        const systems = randomSystems(numSystems, numTopics, seed, 6);
        const counts = createResampler(systems).bootstrapExceedances(seed, 3, 60);
        for (let i = 0; i < numSystems; i++) {
          for (let j = i + 1; j < numSystems; j++) {
            expect(counts[pairNumber(i, j, numSystems)]).toBe(bootstrapCount(systems[i], systems[j], seed, 3, 60));
          }
        }
      }),
      { numRuns: 60, seed: 21 },
    );
  });
});

describe('drawTopics', () => {
  test('draws every topic equally often, also where 65536 is no multiple', () => {
    const topics = 37;
    const sample = new Uint32Array(topics);
    const times = new Float64Array(topics);
    for (let resample = 0; resample < 2000; resample++) {
      drawTopics(12, resample, sample);
      for (const topic of sample) times[topic]++;
    }
    // chi-squared with 36 degrees of freedom exceeds 80 with probability 0.00004
    expect(times.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0)).toBeLessThan(80);
  });

  test('takes the halves of each random number, the low one first, and draws again in the incomplete stretch', () => {
    // fractions of 65536, in whole numbers of any size: a half h gives topic ⌊h·n/65536⌋, unless h·n mod 65536 < 65536 mod n
    const twin = (seed: number, resample: number, n: number): number[] => {
      const random = seededRandom(seed, resample);
      const drawn: number[] = [];
      while (drawn.length < n) {
        const word = random.uint32();
        for (const half of [word % 65536, Math.floor(word / 65536)]) {
          const product = BigInt(half) * BigInt(n);
          if (product % 65536n >= 65536n % BigInt(n)) drawn.push(Number(product / 65536n));
        }
      }
      return drawn.slice(0, n);
    };
    for (const n of [1, 2, 3, 37, 50, 1000, 40_000, 65_535, 65_536]) {
      const sample = new Uint32Array(n);
      drawTopics(5, 9, sample);
      expect([...sample]).toEqual(twin(5, 9, n));
    }
  });

  test('reaches all of more than 65536 topics', () => {
    const sample = new Uint32Array(100_000);
    drawTopics(1, 0, sample);
    expect(sample.some((topic) => topic > 65536)).toBe(true);
    expect(sample.every((topic) => topic < 100_000)).toBe(true);
  });
});

describe('permutedRanges', () => {
  test('has the frequencies of full enumeration', () => {
    interface Golden {
      enumeratedTukey: { systems: number[][]; shares: number[] }[];
    }
    const resamples = 40_000;
    for (const { systems, shares } of statsGolden<Golden>('many-systems.json').enumeratedTukey) {
      const ranges = createResampler(systems).permutedRanges(77, 0, resamples);
      const means = systems.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
      for (let i = 0; i < systems.length; i++) {
        for (let j = i + 1; j < systems.length; j++) {
          const share = shares[pairNumber(i, j, systems.length)];
          const found = ranges.filter((range) => range >= Math.abs(means[i] - means[j]) - 1e-9).length / resamples;
          const error = Math.sqrt((share * (1 - share)) / resamples);
          expect(Math.abs(found - share), `${systems.length} systems, pair ${i} ${j}: ${found}, expected ${share}`).toBeLessThanOrEqual(
            4 * error,
          );
        }
      }
    }
  });

  test('deals every arrangement equally often', () => {
    // whole numbers whose sums tell apart which score of the second topic met which of the first: 4! = 24 arrangements, of which
    // the range shows the largest and the smallest sum
    const systems = [
      [0, 0],
      [1, 10],
      [3, 100],
      [7, 1000],
    ];
    const expected = new Map<number, number>();
    const rows = systems.map((values) => values[0]);
    const columns = systems.map((values) => values[1]);
    for (const a of columns) {
      for (const b of columns.filter((value) => value !== a)) {
        for (const c of columns.filter((value) => value !== a && value !== b)) {
          const d = columns.filter((value) => value !== a && value !== b && value !== c)[0];
          const sums = [rows[0] + a, rows[1] + b, rows[2] + c, rows[3] + d];
          const range = (Math.max(...sums) - Math.min(...sums)) / 2;
          expected.set(range, (expected.get(range) ?? 0) + 1 / 24);
        }
      }
    }
    const resamples = 60_000;
    const found = new Map<number, number>();
    for (const range of createResampler(systems).permutedRanges(2, 0, resamples)) found.set(range, (found.get(range) ?? 0) + 1);
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    let chiSquared = 0;
    for (const [range, share] of expected) chiSquared += ((found.get(range) ?? 0) - share * resamples) ** 2 / (share * resamples);
    // far beyond the 99.99% point for up to twenty ranges
    expect(chiSquared).toBeLessThan(60);
  });
});

describe('createResampler', () => {
  test('gives the same numbers however the resamples are divided', () => {
    const systems = randomSystems(7, 11, 3);
    const resampler = createResampler(systems);
    const whole = resampler.permutedRanges(6, 0, 50);
    const parts = [
      resampler.permutedRanges(6, 0, 13),
      resampler.permutedRanges(6, 13, 14),
      createResampler(systems).permutedRanges(6, 14, 50),
    ];
    expect(Float64Array.from(parts.flatMap((part) => [...part]))).toEqual(whole);
    const counts = resampler.bootstrapExceedances(6, 0, 50);
    const left = resampler.bootstrapExceedances(6, 0, 19);
    const right = resampler.bootstrapExceedances(6, 19, 50);
    expect(left.map((count, pair) => count + right[pair])).toEqual(counts);
  });

  test('refuses misaligned, missing and NaN values, and ranges that run backwards', () => {
    expect(() => createResampler([[1, 2, 3]])).toThrow('found 1 system, expected at least 2');
    expect(() =>
      createResampler([
        [1, 2, 3],
        [1, 2],
      ]),
    ).toThrow('system 1 has 3 values and system 2 has 2, expected one each per topic; align all systems by topic id before comparing');
    expect(() =>
      createResampler([
        [1, 2],
        [1, Number.NaN],
      ]),
    ).toThrow('system 2 has NaN at position 2');
    const resampler = createResampler([
      [1, 2],
      [2, 1],
    ]);
    expect(() => resampler.permutedRanges(1, 5, 4)).toThrow('end of the resamples: expected');
    expect(() => resampler.permutedRanges(-1, 0, 4)).toThrow('seed: expected');
  });

  test('pairNumber counts the pairs row by row', () => {
    let number = 0;
    for (let i = 0; i < 6; i++) for (let j = i + 1; j < 6; j++) expect(pairNumber(i, j, 6)).toBe(number++);
  });
});
