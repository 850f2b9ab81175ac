import type { TreeKernel } from './kernel.js';
import { GROUP, HISTOGRAM_SPACING } from './layout.js';
import { createPairKernel } from './pair-kernel-js.js';

/** Added and taken away again, it leaves the nearest whole number. */
const ROUND = 6755399441055744;
const TWO_32 = 0x100000000;

/** The kernel in TypeScript: what runs where WebAssembly cannot, and what the WebAssembly is tested against. A 64-bit sum is
 *  two 32-bit halves here, the lower one first, added with a carry. */
export function createJsKernel(buffer: ArrayBufferLike): TreeKernel {
  const bytes = new Uint8Array(buffer); // fits: bins, of which there are at most 256, and flags
  const words = new Uint32Array(buffer); // fits: entries, and halves of sums, made unsigned by >>> 0
  const reals = new Float64Array(buffer);

  /** Adds the 16 bytes at word `from` to those at word `to`. */
  const add = (to: number, from: number): void => {
    for (let lane = 0; lane < 4; lane += 2) {
      const low = words[to + lane] + words[from + lane];
      // sums of 64 bits in two halves, which wrap around as they should
      words[to + lane] = low >>> 0;
      words[to + lane + 1] = (words[to + lane + 1] + words[from + lane + 1] + (low >= TWO_32 ? 1 : 0)) >>> 0;
    }
  };

  /** Takes the 16 bytes at word `from` off those at word `to`. */
  const subtract = (to: number, from: number): void => {
    for (let lane = 0; lane < 4; lane += 2) {
      const low = words[to + lane] - words[from + lane];
      words[to + lane] = low >>> 0;
      words[to + lane + 1] = (words[to + lane + 1] - words[from + lane + 1] - (low < 0 ? 1 : 0)) >>> 0;
    }
  };

  /** Looks for a better split than what must be exceeded; tells the gain of the best one, or that. */
  const seekSplit = (
    histogram: number,
    numBins: number,
    countBits: number,
    gradientUnit: number,
    hessianUnit: number,
    totalGradient: number,
    totalHessian: number,
    totalCount: number,
    minCount: number,
    minHessian: number,
    l2: number,
    least: number,
    best: number,
  ): number => {
    const base = histogram >>> 2;
    const to = best >>> 3;
    let bestGain = least;
    const missing = sumCount(words, base, countBits);
    for (let missingLeft = 0; missingLeft < (missing > 0 ? 2 : 1); missingLeft++) {
      let gradient = missingLeft === 1 ? sumGradient(words, base) : 0;
      let hessian = missingLeft === 1 ? sumHessian(words, base, countBits) : 0;
      let count = missingLeft === 1 ? missing : 0;
      for (let bin = 1; bin < numBins; bin++) {
        const at = base + bin * 4;
        const here = sumCount(words, at, countBits);
        if (here === 0) continue;
        gradient += sumGradient(words, at);
        hessian += sumHessian(words, at, countBits);
        count += here;
        if (count < minCount) continue;
        if (totalCount - count < minCount) break;
        const leftHessian = hessian * hessianUnit;
        const rightHessian = (totalHessian - hessian) * hessianUnit;
        if (leftHessian < minHessian) continue;
        if (rightHessian < minHessian) break;
        const left = gradient * gradientUnit;
        const right = (totalGradient - gradient) * gradientUnit;
        const gain = (left * left) / (leftHessian + l2) + (right * right) / (rightHessian + l2);
        if (!(gain > bestGain)) continue;
        bestGain = gain;
        reals[to] = gain;
        reals[to + 1] = gradient;
        reals[to + 2] = hessian;
        reals[to + 3] = count;
        reals[to + 4] = bin;
        reals[to + 5] = missingLeft;
        reals[to + 6] = 1;
      }
    }
    return bestGain;
  };

  const ownHistogram: TreeKernel['ownHistogram'] = (column, member, countBits, totalGradient, totalHessian, totalCount, atLeast, room) => {
    const about = words[(member >>> 2) + 3];
    const hasMissing = about >>> 16;
    const numBins = about & 0xffff;
    const usual = words[(member >>> 2) + 2];
    const first = (column >>> 2) + words[(member >>> 2) + 1] * 4;
    const numCodes = numBins - 2 + hasMissing;
    let docs = 0;
    for (let code = 0; code < numCodes; code++) docs += sumCount(words, first + code * 4, countBits);
    if (docs < atLeast) return docs;
    const to = room >>> 2;
    const rest = to + usual * 4;
    const perHigh = 2 ** (32 - countBits);
    const high = Math.floor(totalGradient / TWO_32);
    const hessianHigh = Math.floor(totalHessian / perHigh);
    if (hasMissing === 0) words.fill(0, to, to + 4);
    // halves of signed numbers of 64 bits
    words[rest] = totalGradient - high * TWO_32;
    words[rest + 1] = high >>> 0;
    words[rest + 2] = (totalHessian - hessianHigh * perHigh) * 2 ** countBits + totalCount;
    words[rest + 3] = hessianHigh;
    for (let code = 0, bin = 1 - hasMissing; code < numCodes; code++, bin++) {
      if (bin === usual) bin++;
      words.copyWithin(to + bin * 4, first + code * 4, first + code * 4 + 4);
      subtract(rest, first + code * 4);
    }
    return docs;
  };

  const partition =
    (backward: boolean): TreeKernel['partitionForward'] =>
    (bins, stride, rows, sums, toRows, toSums, from, to, left, right, isLeft) => {
      for (let k = from; k < to; k++) {
        const i = backward ? from + to - 1 - k : k;
        const row = words[(rows >>> 2) + i];
        const goesLeft = bytes[isLeft + bytes[bins + row * stride]] === 1;
        if (backward && goesLeft) left--;
        else if (backward) right--;
        const place = goesLeft ? left : right;
        words[(toRows >>> 2) + place] = row;
        reals.copyWithin((toSums >>> 3) + place * 2, (sums >>> 3) + i * 2, (sums >>> 3) + i * 2 + 2);
        if (!backward && goesLeft) left++;
        else if (!backward) right++;
      }
    };

  return {
    addToHistograms(bins, stride, rows, sums, count, histograms) {
      for (let i = 0; i < count; i++) {
        const cells = bins + words[(rows >>> 2) + i] * stride;
        const sum = (sums >>> 2) + i * 4;
        for (let f = 0; f < GROUP; f++) add(((histograms + f * HISTOGRAM_SPACING) >>> 2) + bytes[cells + f] * 4, sum);
      }
    },
    subtractHistogram(parent, child, size) {
      for (let i = 0; i < size >>> 2; i += 4) subtract((parent >>> 2) + i, (child >>> 2) + i);
    },
    addSums(sums, count, total) {
      words.fill(0, total >>> 2, (total >>> 2) + 4);
      for (let i = 0; i < count; i++) add(total >>> 2, (sums >>> 2) + i * 4);
    },
    packGradients(rows, count, gradients, hessians, sums, gradientScale, hessianScale, countBits) {
      const perHigh = 2 ** (32 - countBits);
      for (let i = 0; i < count; i++) {
        const row = words[(rows >>> 2) + i];
        const sum = (sums >>> 2) + i * 4;
        const gradient = reals[(gradients >>> 3) + row] * gradientScale + ROUND - ROUND;
        const hessian = reals[(hessians >>> 3) + row] * hessianScale + ROUND - ROUND;
        const high = Math.floor(gradient / TWO_32);
        words[sum] = gradient - high * TWO_32;
        // the upper half of a signed number of 64 bits
        words[sum + 1] = high >>> 0;
        const hessianHigh = Math.floor(hessian / perHigh);
        words[sum + 2] = (hessian - hessianHigh * perHigh) * 2 ** countBits + 1;
        words[sum + 3] = hessianHigh;
      }
    },
    largestOf(values, count) {
      let largest = 0;
      for (let i = 0; i < count; i++) largest = Math.max(largest, Math.abs(reals[(values >>> 3) + i]));
      return largest;
    },
    findSplit(...args) {
      reals[(args[12] >>> 3) + 6] = 0;
      seekSplit(...args);
    },
    ownHistogram,
    findSharedSplit(column, members, numMembers, active, allowed, room, countBits, gradientUnit, hessianUnit, ...rest) {
      const [totalGradient, totalHessian, totalCount, minCount, minHessian, l2, least, best] = rest;
      const atLeast = Math.max(minCount, 1);
      let toExceed = least;
      reals[(best >>> 3) + 6] = 0;
      for (let member = members; member < members + numMembers * 16; member += 16) {
        const feature = words[member >>> 2];
        if (bytes[active + feature] === 0 || bytes[allowed + feature] === 0) continue;
        if (ownHistogram(column, member, countBits, totalGradient, totalHessian, totalCount, atLeast, room) < atLeast) continue;
        const numBins = words[(member >>> 2) + 3] & 0xffff;
        const units = [gradientUnit, hessianUnit] as const;
        const totals = [totalGradient, totalHessian, totalCount] as const;
        const gain = seekSplit(room, numBins, countBits, ...units, ...totals, minCount, minHessian, l2, toExceed, best);
        if (gain > toExceed) reals[(best >>> 3) + 8] = feature;
        toExceed = gain;
      }
    },
    partitionForward: partition(false),
    partitionBackward: partition(true),
    addToScores(rows, count, scores, value) {
      for (let i = 0; i < count; i++) reals[(scores >>> 3) + words[(rows >>> 2) + i]] += value;
    },
    binValues(values, valueStride, count, edges, span, bins, stride) {
      const start = edges >>> 3;
      let odd = 0;
      for (let i = 0; i < count; i++) {
        const value = reals[(values + i * valueStride) >>> 3];
        if (value === Infinity || value === -Infinity) odd = 1;
        let below = 0;
        for (let step = span >>> 1; step > 0; step >>>= 1) if (reals[start + below + step - 1] < value) below += step;
        bytes[bins + i * stride] = Number.isNaN(value) ? 0 : 1 + below;
      }
      return odd;
    },
    ...createPairKernel(words, reals),
  };
}

/** The gradient of a sum (or of a bin of a histogram) at a word, as a whole number. */
export function sumGradient(words: Uint32Array, at: number): number {
  return (words[at + 1] | 0) * TWO_32 + words[at];
}

/** Its hessian, as a whole number. */
export function sumHessian(words: Uint32Array, at: number, countBits: number): number {
  return words[at + 3] * 2 ** (32 - countBits) + Math.floor(words[at + 2] / 2 ** countBits);
}

/** How many rows it is of. */
export function sumCount(words: Uint32Array, at: number, countBits: number): number {
  return words[at + 2] % 2 ** countBits;
}
