import type { Values } from './checks.js';
import { resamplingWasm } from './kernels/resampling.wasm.js';
import { drawTopics, generatorState, type Resampler } from './resampler.js';
import { groupTopics, numGroups } from './resampling-js.js';
import { observePairs, settleDegeneratePairs } from './resampling-pairs.js';

interface Kernel {
  permutedRange(scores: number, work: number, sums: number, limits: number, state: number, systems: number, groups: number): number;
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
const LANES = 8;

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

/** Hands out addresses for arrays, every one on a multiple of 16 bytes, and then the memory that holds them all. */
class Layout {
  private end = 1024;

  place(bytes: number): number {
    const start = this.end;
    this.end = (start + bytes + 15) & ~15;
    return start;
  }

  instantiate(module: WebAssembly.Module): { kernel: Kernel; buffer: ArrayBuffer } {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(this.end / PAGE) });
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    const kernel = {
      permutedRange: exports.permutedRange as Kernel['permutedRange'],
      bootstrapEight: exports.bootstrapEight as Kernel['bootstrapEight'],
    };
    return { kernel, buffer: memory.buffer };
  }
}

function permutedRanges(module: WebAssembly.Module, systems: readonly Values[], seed: number, from: number, to: number): Float64Array {
  const numSystems = systems.length;
  const groups = numGroups(systems);
  const layout = new Layout();
  const scores = layout.place(groups * numSystems * 32);
  const work = layout.place(numSystems * 32);
  const sums = layout.place(numSystems * 8);
  const limits = layout.place(numSystems * 4);
  const state = layout.place(64);
  const { kernel, buffer } = layout.instantiate(module);
  groupTopics(systems, new Float64Array(buffer), scores / 8);
  const words = new Int32Array(buffer);
  for (let i = 0; i < numSystems; i++) words[limits / 4 + i] = 65536 % (i + 1);
  const topics = systems[0].length;
  const ranges = new Float64Array(to - from);
  for (let resample = from; resample < to; resample++) {
    generatorState(seed, resample, words, state / 4);
    ranges[resample - from] = kernel.permutedRange(scores, work, sums, limits, state, numSystems, groups) / topics;
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
