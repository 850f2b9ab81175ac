import { kernelLoader, kernelMemory, startKernel } from '../core/kernel.js';
import type { Values } from './checks.js';
import { resamplingWasm } from './kernels/resampling.wasm.js';
import { meanOf } from './moments.js';
import { drawTopics, generatorState, type Resampler } from './resampler.js';
import { createJsResampler, groupTopics, nextBound, numGroups } from './resampling-js.js';
import { isDegenerate, type ObservedPairs, observePairs, settleDegeneratePairs } from './resampling-pairs.js';

interface Kernel {
  permutedRanges(
    scores: number,
    sums: number,
    tables: number,
    states: number,
    ranges: number,
    systems: number,
    groups: number,
    resamples: number,
  ): void;
  bootstrapBlock(
    scores: number,
    times: number,
    valid: number,
    centred: number,
    squares: number,
    pairs: number,
    counts: number,
    systems: number,
    topics: number,
    samples: number,
    spread: number,
    slack: number,
  ): void;
  centreMeans(deviations: number, times: number, drawn: number, centred: number, systems: number, topics: number, samples: number): void;
}

/** Bootstrap samples that the kernel looks at together. */
const LANES = 32;
/** Bootstrap samples per call: how often each has drawn each topic should fit into the nearest cache. */
const SAMPLES = 256;
/** With more, the sums of squares would not fit into 32 bits. */
const MOST_TOPICS = 65535;
/** Permuted resamples per call: their sums should fit into the nearest cache beside a group of scores. */
const BLOCK = 16;

const loadKernel = kernelLoader(resamplingWasm);

/** The resampler on the WebAssembly kernel, or undefined where WebAssembly or its SIMD instructions are missing. */
export function createWasmResampler(
  systems: readonly Values[],
  observed: () => ObservedPairs = () => observePairs(systems),
): Resampler | undefined {
  const module = loadKernel();
  if (module === undefined) return undefined;
  return {
    permutedRanges: (seed, from, to) => permutedRanges(module, systems, seed, from, to),
    bootstrapExceedances: (seed, from, to) =>
      systems[0].length > MOST_TOPICS
        ? createJsResampler(systems, observed).bootstrapExceedances(seed, from, to)
        : bootstrapExceedances(module, systems, observed(), seed, from, to),
  };
}

/** `WORK` of the kernel. */
const FIRST_ADDRESS = 1024;

/** Hands out addresses for arrays, every one on a multiple of 16 bytes, and then the memory that holds them all. */
class Layout {
  private end = FIRST_ADDRESS;

  place(bytes: number): number {
    const start = this.end;
    this.end = (start + bytes + 15) & ~15;
    return start;
  }

  instantiate(module: WebAssembly.Module): { kernel: Kernel; buffer: ArrayBuffer } {
    const memory = kernelMemory(this.end);
    if (memory === undefined) throw new RangeError('there is no memory left for resampling');
    return { kernel: startKernel<Kernel>(module, memory), buffer: memory.buffer };
  }
}

function permutedRanges(module: WebAssembly.Module, systems: readonly Values[], seed: number, from: number, to: number): Float64Array {
  const numSystems = systems.length;
  const groups = numGroups(systems);
  const layout = new Layout();
  layout.place(numSystems * 32); // the kernel deals at the start of the memory
  const scores = layout.place(groups * numSystems * 32);
  const sums = layout.place(BLOCK * numSystems * 16);
  const tables = layout.place(numSystems * 32);
  const states = layout.place(BLOCK * 64);
  const results = layout.place(BLOCK * 8);
  const { kernel, buffer } = layout.instantiate(module);
  groupTopics(systems, new Float64Array(buffer), scores / 8);
  // the step at position i deals to i, one of i + 1 rows, and to the next if there is one
  // fits: at most the number of systems, of which `createResampler` takes 4,096, and what is left of 65,536
  const dice = new Uint16Array(buffer, tables, numSystems * 16);
  for (let i = 0; i < numSystems; i++) {
    for (let lane = 0; lane < 8; lane++) {
      const bound = lane < 4 ? i + 1 : nextBound(i + 1, numSystems);
      dice[i * 16 + lane] = bound;
      dice[i * 16 + 8 + lane] = 65536 % bound;
    }
  }
  const words = new Int32Array(buffer, states, BLOCK * 16); // fits: words of 32 bits of a generator, made signed by | 0
  const allSums = new Float64Array(buffer, sums, BLOCK * numSystems * 2);
  const found = new Float64Array(buffer, results, BLOCK);
  const topics = systems[0].length;
  const ranges = new Float64Array(to - from);
  for (let block = from; block < to; block += BLOCK) {
    const count = Math.min(BLOCK, to - block);
    for (let k = 0; k < count; k++) generatorState(seed, block + k, words, k * 16);
    allSums.fill(0);
    kernel.permutedRanges(scores, sums, tables, states, results, numSystems, groups, count);
    for (let k = 0; k < count; k++) ranges[block - from + k] = found[k] / topics;
  }
  return ranges;
}

function bootstrapExceedances(
  module: WebAssembly.Module,
  systems: readonly Values[],
  observed: ObservedPairs,
  seed: number,
  from: number,
  to: number,
): Int32Array {
  const numSystems = systems.length;
  const topics = systems[0].length;
  const numPairs = observed.means.length;
  const block = Math.min(SAMPLES, Math.ceil((to - from) / LANES) * LANES);
  const steps = (topics + 1) >> 1;
  const layout = new Layout();
  const scores = layout.place(numSystems * topics * 8);
  const deviations = layout.place(numSystems * topics * 8);
  const times = layout.place(block * steps * 4);
  const drawn = layout.place(LANES * topics * 8);
  const valid = layout.place(block * 4);
  const centred = layout.place(numSystems * block * 4);
  const squares = layout.place(topics * 10 + 2);
  const pairs = layout.place(numPairs * 16);
  const counts = layout.place(numPairs * 4);
  const { kernel, buffer } = layout.instantiate(module);

  const { largest, spread } = placeScores(systems, new Float64Array(buffer, scores), new Float64Array(buffer, deviations));
  // single precision loses a part of 2^24 of each mean, and double precision a part of 2^52 of each score in the sum
  const slack = 2 ** -21 + ((topics + 8) * 2 ** -50 * largest) / spread;
  const known = new Float64Array(buffer, pairs, numPairs * 2);
  for (let pair = 0; pair < numPairs; pair++) {
    known[2 * pair] = observed.means[pair];
    known[2 * pair + 1] = isDegenerate(observed, pair) ? -1 : observed.ratios[pair];
  }

  // fits: of at most MOST_TOPICS draws one topic would have to have half
  const drawnTimes = new Int16Array(buffer, times, block * steps * 2);
  const counted = new Int32Array(buffer, valid, block); // fits: masks: 0 or -1
  const sample = new Uint32Array(topics); // fits: entries
  for (let first = from; first < to; first += block) {
    drawnTimes.fill(0);
    for (let k = 0; k < block; k++) {
      counted[k] = first + k < to ? -1 : 0;
      if (first + k >= to) continue;
      drawTopics(seed, first + k, sample);
      const lane = (k >> 5) * steps * 64 + (k & 31) * 2;
      for (let draw = 0; draw < topics; draw++) drawnTimes[lane + (sample[draw] >> 1) * 64 + (sample[draw] & 1)]++;
    }
    kernel.centreMeans(deviations, times, drawn, centred, numSystems, topics, block);
    kernel.bootstrapBlock(scores, times, valid, centred, squares, pairs, counts, numSystems, topics, block, spread, slack);
  }
  const found = new Int32Array(buffer, counts, numPairs).slice(); // fits: at most limits.resamples
  settleDegeneratePairs(observed, found, to - from);
  return found;
}

/** Writes the scores row by row, and each less its system's mean in units of the largest such deviation times the number of topics;
 *  tells the largest score and that deviation (1 if there is none). */
function placeScores(systems: readonly Values[], scores: Float64Array, deviations: Float64Array): { largest: number; spread: number } {
  const topics = systems[0].length;
  let largest = 0;
  let spread = 0;
  for (const [s, values] of systems.entries()) {
    const mean = meanOf(values);
    for (let t = 0; t < topics; t++) {
      const deviation = values[t] - mean;
      scores[s * topics + t] = values[t];
      deviations[s * topics + t] = deviation;
      largest = Math.max(largest, Math.abs(values[t]));
      spread = Math.max(spread, Math.abs(deviation));
    }
  }
  if (spread === 0) spread = 1;
  for (let i = 0; i < systems.length * topics; i++) deviations[i] /= spread * topics;
  return { largest, spread };
}
