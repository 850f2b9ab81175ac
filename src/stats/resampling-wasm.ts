import type { Values } from './checks.js';
import { resamplingWasm } from './kernels/resampling.wasm.js';
import { drawTopics, generatorState, type Resampler } from './resampler.js';
import { groupTopics, nextBound, numGroups } from './resampling-js.js';
import { observePairs, settleDegeneratePairs } from './resampling-pairs.js';

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
  bootstrapEight(
    scores: number,
    times: number,
    sums: number,
    means: number,
    ratios: number,
    counts: number,
    systems: number,
    topics: number,
    perTopic: number,
  ): void;
}

const PAGE = 65536;
/** Bootstrap samples per call of the kernel. */
const LANES = 8;
/** Permuted resamples per call: their sums should fit into the nearest cache beside a group of scores. */
const BLOCK = 16;

let compiledKernel: WebAssembly.Module | null | undefined;

/** The resampler on the WebAssembly kernel, or undefined where WebAssembly or its SIMD instructions are missing. */
export function createWasmResampler(systems: readonly Values[]): Resampler | undefined {
  if (compiledKernel === undefined) {
    try {
      compiledKernel = new WebAssembly.Module(Uint8Array.from(atob(resamplingWasm), (character) => character.charCodeAt(0)));
    } catch {
      compiledKernel = null; // too old, or forbidden by a content security policy
    }
  }
  if (compiledKernel === null) return undefined;
  const module = compiledKernel;
  return {
    permutedRanges: (seed, from, to) => permutedRanges(module, systems, seed, from, to),
    bootstrapExceedances: (seed, from, to) => bootstrapExceedances(module, systems, seed, from, to),
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
    const memory = new WebAssembly.Memory({ initial: Math.ceil(this.end / PAGE) });
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    const kernel = {
      permutedRanges: exports.permutedRanges as Kernel['permutedRanges'],
      bootstrapEight: exports.bootstrapEight as Kernel['bootstrapEight'],
    };
    return { kernel, buffer: memory.buffer };
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
  const dice = new Uint16Array(buffer, tables, numSystems * 16);
  for (let i = 0; i < numSystems; i++) {
    for (let lane = 0; lane < 8; lane++) {
      const bound = lane < 4 ? i + 1 : nextBound(i + 1, numSystems);
      dice[i * 16 + lane] = bound;
      dice[i * 16 + 8 + lane] = 65536 % bound;
    }
  }
  const words = new Int32Array(buffer, states, BLOCK * 16);
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

function bootstrapExceedances(module: WebAssembly.Module, systems: readonly Values[], seed: number, from: number, to: number): Int32Array {
  const numSystems = systems.length;
  const topics = systems[0].length;
  const evenTopics = topics + (topics & 1);
  const pairs = observePairs(systems);
  const numPairs = pairs.means.length;
  const layout = new Layout();
  const scores = layout.place(numSystems * evenTopics * 8);
  const times = layout.place(evenTopics * LANES * 8);
  const sums = layout.place(numSystems * LANES * 8);
  const means = layout.place(numPairs * 8);
  const ratios = layout.place(numPairs * 8);
  const counts = layout.place(numPairs * 4);
  const { kernel, buffer } = layout.instantiate(module);
  for (let s = 0; s < numSystems; s++) new Float64Array(buffer, scores + s * evenTopics * 8, topics).set(systems[s]);
  new Float64Array(buffer, means, numPairs).set(pairs.means);
  new Float64Array(buffer, ratios, numPairs).set(pairs.ratios);
  const drawn = new Float64Array(buffer, times, evenTopics * LANES);
  const sample = new Uint32Array(topics);
  for (let block = from; block < to; block += LANES) {
    // samples past the end stay empty, and an empty sample never counts
    drawn.fill(0);
    for (let lane = 0; lane < LANES && block + lane < to; lane++) {
      drawTopics(seed, block + lane, sample);
      for (let draw = 0; draw < topics; draw++) drawn[sample[draw] * LANES + lane]++;
    }
    kernel.bootstrapEight(scores, times, sums, means, ratios, counts, numSystems, evenTopics, 1 / topics);
  }
  const found = new Int32Array(buffer, counts, numPairs).slice();
  settleDegeneratePairs(pairs, found, to - from);
  return found;
}
