import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { createKernel, createMemory, type TreeKernel } from './kernel.js';
import { sumCount, sumGradient, sumHessian } from './kernel-js.js';
import { HISTOGRAM_SPACING } from './layout.js';
import { exponential } from './pair-kernel-js.js';

const COUNT_BITS = 6;
const ROWS = 50;
const STRIDE = 9;
const ADDRESS = {
  rows: 1024,
  bins: 2048,
  sums: 4096,
  otherRows: 8192,
  otherSums: 9216,
  histograms: 65536,
  gradients: 40000,
  hessians: 40800,
};
const MORE = { values: 41600, edges: 42400, out: 44480, order: 45000, keys: 45600, spareKeys: 46400, spareOrder: 47200, gains: 48000 };
const LAST = {
  weights: 48800,
  byScore: 49600,
  curvatures: 50400,
  factors: 51200,
  best: 52000,
  shuffled: 52800,
  isLeft: 58000,
  members: 58400,
};
const FURTHER = { byGain: 54000, ranks: 54400, places: 54800, placed: 55200, gainsThere: 55600, keysThere: 56400, weightsThere: 57200 };

/** The same bytes for both kernels: rows, bins, gradients, values, an order. */
function fillMemory(buffer: ArrayBufferLike, seed: number, numRows: number): void {
  const random = seededRandom(seed);
  const words = new Uint32Array(buffer);
  const reals = new Float64Array(buffer);
  const bytes = new Uint8Array(buffer);
  for (let i = 0; i < ROWS; i++) {
    words[ADDRESS.rows / 4 + i] = i < numRows ? random.below(ROWS) : 0;
    words[MORE.order / 4 + i] = i;
    for (let k = 0; k < 8; k++) bytes[ADDRESS.bins + i * STRIDE + k] = random.below(k === 0 ? 3 : 256);
    reals[ADDRESS.gradients / 8 + i] = random.normal();
    reals[ADDRESS.hessians / 8 + i] = random.float();
    reals[MORE.values / 8 + i] = random.float() < 0.1 ? Number.NaN : random.float() < 0.3 ? random.below(3) : random.normal();
    reals[MORE.gains / 8 + i] = random.below(4);
    reals[LAST.weights / 8 + i] = 1 / (1 + i);
    reals[LAST.factors / 8 + i] = 1 + random.below(2);
  }
  for (let i = 0; i < 256; i++) reals[MORE.edges / 8 + i] = i < 15 ? (i - 7) / 4 : Infinity;
}

function bothKernels(seed: number, numRows: number): { kernels: TreeKernel[]; buffers: ArrayBufferLike[] } {
  const memories = [createMemory(131072, false), createMemory(131072, false)];
  for (const { buffer } of memories) fillMemory(buffer, seed, numRows);
  return { kernels: memories.map((memory, i) => createKernel(memory, i === 1)), buffers: memories.map(({ buffer }) => buffer) };
}

/** Runs the same calls on both and compares all the memory, and what they return. */
function expectSame(seed: number, numRows: number, call: (kernel: TreeKernel, buffer: ArrayBufferLike) => unknown): void {
  const { kernels, buffers } = bothKernels(seed, numRows);
  const [returned, returnedPlain] = kernels.map((kernel, i) => call(kernel, buffers[i]));
  expect(returned).toEqual(returnedPlain);
  expect(Buffer.compare(Buffer.from(buffers[0] as ArrayBuffer), Buffer.from(buffers[1] as ArrayBuffer))).toBe(0);
}

const pack = (kernel: TreeKernel, numRows: number): void =>
  kernel.packGradients(ADDRESS.rows, numRows, ADDRESS.gradients, ADDRESS.hessians, ADDRESS.sums, 2 ** 40, 2 ** 45, COUNT_BITS);
const histogram = (k: number): number => ADDRESS.histograms + k * HISTOGRAM_SPACING;
const build = (kernel: TreeKernel, numRows: number): void => {
  pack(kernel, numRows);
  kernel.addToHistograms(ADDRESS.bins, STRIDE, ADDRESS.rows, ADDRESS.sums, numRows, histogram(0));
};
const cases = fc.tuple(fc.nat(), fc.integer({ min: 1, max: ROWS }));

describe('the kernel of WebAssembly and the one of TypeScript', () => {
  it('is really WebAssembly here', () => {
    expect(createKernel(createMemory(65536, false)).addSums).not.toBe(createKernel(createMemory(65536, false), true).addSums);
    expect(String(createKernel(createMemory(65536, true)).addSums)).toContain('native code');
  });

  it('build, add up and subtract the same histograms', () => {
    fc.assert(
      fc.property(cases, ([seed, numRows]) =>
        expectSame(seed, numRows, (kernel) => {
          build(kernel, numRows);
          kernel.addSums(ADDRESS.sums, numRows, LAST.best);
          kernel.subtractHistogram(histogram(1), histogram(2), 256 * 16);
          return kernel.largestOf(ADDRESS.gradients, numRows);
        }),
      ),
    );
  });

  it('find the same splits', () => {
    fc.assert(
      fc.property(
        cases,
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(2),
        ([seed, numRows], feature, minDocs, l2) =>
          expectSame(seed, numRows, (kernel, buffer) => {
            build(kernel, numRows);
            kernel.addSums(ADDRESS.sums, numRows, LAST.shuffled);
            const words = new Uint32Array(buffer);
            const at = LAST.shuffled / 4;
            const totals = [sumGradient(words, at), sumHessian(words, at, COUNT_BITS), sumCount(words, at, COUNT_BITS)] as const;
            kernel.findSplit(histogram(feature), 256, COUNT_BITS, 2 ** -40, 2 ** -45, ...totals, minDocs, 1e-3, l2, 0, LAST.best);
          }),
      ),
    );
  });

  it('find the same splits by features that share a column: those of histograms of their own', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 4 }), fc.nat(1), ([seed, numRows], minDocs, hasMissing) =>
        expectSame(seed, numRows, (kernel, buffer) => {
          const [bytes, words, reals] = [new Uint8Array(buffer), new Uint32Array(buffer), new Float64Array(buffer)];
          // two features in the first column: codes 1 to 3 and 4 to 6 are other bins than the usual one, 2 of 4 or 3 of 5
          for (let i = 0; i < ROWS; i++) bytes[ADDRESS.bins + i * STRIDE] %= 7;
          words.set([0, 1, 2, 5 - hasMissing + hasMissing * 65536, 1, 4, 3, 5 - hasMissing + hasMissing * 65536], LAST.members / 4);
          bytes.fill(1, LAST.isLeft, LAST.isLeft + 2);
          build(kernel, numRows);
          kernel.addSums(ADDRESS.sums, numRows, LAST.shuffled);
          const at = LAST.shuffled / 4;
          const totals = [sumGradient(words, at), sumHessian(words, at, COUNT_BITS), sumCount(words, at, COUNT_BITS)] as const;
          const limits = [minDocs, 1e-3, 0, 0] as const;
          const units = [COUNT_BITS, 2 ** -40, 2 ** -45] as const;
          kernel.findSharedSplit(
            histogram(0),
            LAST.members,
            2,
            LAST.isLeft,
            LAST.isLeft,
            histogram(8),
            ...units,
            ...totals,
            ...limits,
            LAST.best,
          );
          const found = reals.slice(LAST.best / 8, LAST.best / 8 + 9);
          // the same features in columns of their own
          const usual = [2, 3];
          const gains = usual.map((usualBin, f) => {
            for (let i = 0; i < ROWS; i++) {
              const code = bytes[ADDRESS.bins + i * STRIDE] - (1 + 3 * f);
              const own = code + 1 - hasMissing;
              bytes[ADDRESS.bins + i * STRIDE + 1] = code < 0 || code > 2 ? usualBin : own < usualBin ? own : own + 1;
            }
            new Uint8Array(buffer, histogram(0), 8 * HISTOGRAM_SPACING).fill(0);
            build(kernel, numRows);
            kernel.findSplit(histogram(1), 5 - hasMissing, ...units, ...totals, ...limits, LAST.best);
            return reals.slice(LAST.best / 8, LAST.best / 8 + 7);
          });
          const isBetter = gains[1][6] === 1 && (gains[0][6] === 0 || gains[1][0] > gains[0][0]);
          const expected = gains[isBetter ? 1 : 0];
          expect(found[6]).toBe(expected[6]);
          if (found[6] === 1) expect([...found.subarray(0, 7), found[8]]).toEqual([...expected, isBetter ? 1 : 0]);
        }),
      ),
    );
  });

  it('divide rows in the same way', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 255 }), fc.nat(1), ([seed, numRows], lastLeftBin, shift) =>
        expectSame(seed, numRows, (kernel, buffer) => {
          pack(kernel, numRows);
          const [bytes, words] = [new Uint8Array(buffer), new Uint32Array(buffer)];
          let left = 0;
          for (let i = 0; i < numRows; i++) {
            const bin = bytes[ADDRESS.bins + words[ADDRESS.rows / 4 + i] * STRIDE];
            if (bin === 0 ? shift === 0 : bin <= lastLeftBin) left++;
          }
          const middle = numRows >> 1;
          const addresses = [ADDRESS.bins, STRIDE, ADDRESS.rows, ADDRESS.sums, ADDRESS.otherRows, ADDRESS.otherSums] as const;
          for (let bin = 0; bin < 256; bin++) bytes[LAST.isLeft + bin] = (bin === 0 ? shift === 0 : bin <= lastLeftBin) ? 1 : 0;
          kernel.partitionForward(...addresses, 0, middle, 0, left, LAST.isLeft);
          kernel.partitionBackward(...addresses, middle, numRows, left, numRows, LAST.isLeft);
          const moved = Array.from({ length: numRows }, (_, i) => words[ADDRESS.otherRows / 4 + i]);
          const before = Array.from({ length: numRows }, (_, i) => words[ADDRESS.rows / 4 + i]);
          const goesLeft = (row: number): boolean => {
            const bin = bytes[ADDRESS.bins + row * STRIDE];
            return bin === 0 ? shift === 0 : bin <= lastLeftBin;
          };
          expect(moved).toEqual([...before.filter(goesLeft), ...before.filter((row) => !goesLeft(row))]);
        }),
      ),
    );
  });

  it('put values into the same bins: those of a walk along the edges', () => {
    fc.assert(
      fc.property(cases, ([seed, numRows]) =>
        expectSame(seed, numRows, (kernel, buffer) => {
          const values = new Float64Array(buffer, MORE.values, numRows);
          if (numRows > 0 && seed % 3 === 0) values[seed % numRows] = seed % 2 === 0 ? Infinity : -Infinity;
          const hasInfinite = values.includes(Infinity) || values.includes(-Infinity);
          expect(kernel.binValues(MORE.values, 8, numRows, MORE.edges, 16, MORE.out, 4)).toBe(hasInfinite ? 1 : 0);
          // every other value, into the bytes between
          kernel.binValues(MORE.values, 16, numRows >> 1, MORE.edges, 16, MORE.out + 1, 4);
          kernel.addToScores(ADDRESS.rows, numRows, ADDRESS.gradients, 0.1);
          const reals = new Float64Array(buffer);
          const edges = reals.subarray(MORE.edges / 8, MORE.edges / 8 + 15);
          for (let i = 0; i < numRows; i++) {
            const value = reals[MORE.values / 8 + i];
            const bin = Number.isNaN(value) ? 0 : 1 + edges.filter((edge) => edge < value).length;
            expect(new Uint8Array(buffer)[MORE.out + i * 4]).toBe(bin);
            if (i % 2 === 0 && i / 2 < numRows >> 1) expect(new Uint8Array(buffer)[MORE.out + 1 + i * 2]).toBe(bin);
          }
        }),
      ),
    );
  });

  it('sort documents and add up the gradients of pairs in the same way', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 49 }), fc.boolean(), ([seed, numRows], level, normalise) =>
        expectSame(seed, numRows, (kernel, buffer) => {
          // rows may repeat, and so do scores
          kernel.gatherByOrder(ADDRESS.rows, numRows, ADDRESS.gradients, LAST.shuffled);
          kernel.sortByScore(LAST.shuffled, MORE.order, MORE.keys, MORE.spareOrder, MORE.spareKeys, numRows);
          const top = Math.min(level, numRows - 1);
          const gains = new Float64Array(buffer, MORE.gains, numRows);
          const byGain = Uint32Array.from(gains, (_, i) => i).sort((a, b) => gains[b] - gains[a] || a - b);
          new Uint32Array(buffer).set(byGain, FURTHER.byGain / 4);
          const { places, placed, gainsThere, keysThere, weightsThere } = FURTHER;
          kernel.arrangeByGain(MORE.order, FURTHER.byGain, numRows, top, FURTHER.ranks, places, placed);
          kernel.gatherByOrder(places, numRows, MORE.gains, gainsThere);
          kernel.gatherByOrder(places, numRows, LAST.shuffled, keysThere);
          kernel.gatherByOrder(placed, numRows, LAST.weights, weightsThere);
          const size = kernel.addPairGradients(
            numRows,
            top,
            keysThere,
            gainsThere,
            weightsThere,
            LAST.byScore,
            LAST.curvatures,
            LAST.factors,
            0.7,
            1.3,
            normalise ? 0.01 : 1,
            normalise ? 1 : 0,
          );
          kernel.spreadByOrder(places, numRows, LAST.byScore, 0.5, ADDRESS.gradients);
          // what is left in the space for sorting is of no interest
          new Uint8Array(buffer).fill(0, MORE.spareKeys, MORE.gains);
          return size;
        }),
      ),
    );
  });

  it('know e^x', () => {
    for (let x = -690; x <= 0; x += 0.37) expect(exponential(x) / Math.exp(x)).toBeCloseTo(1, 11);
    expect(exponential(-1e9)).toBeGreaterThan(0);
  });
});
