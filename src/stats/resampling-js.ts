import type { Values } from './checks.js';
import { drawTopics, generatorState, type Resampler } from './resampler.js';
import { type ObservedPairs, observePairs, settleDegeneratePairs } from './resampling-pairs.js';

/** The resampler in plain TypeScript, for where WebAssembly is missing. It draws and adds in the same order as
 *  `kernels/resampling.as.ts`, so both give the same bits. */
export function createJsResampler(systems: readonly Values[], observed: () => ObservedPairs = () => observePairs(systems)): Resampler {
  return {
    permutedRanges: (seed, from, to) => permutedRanges(systems, seed, from, to),
    bootstrapExceedances: (seed, from, to) => bootstrapExceedances(systems, observed(), seed, from, to),
  };
}

/** Topics in groups of four, each group a row of four scores per system, short groups padded with zeros. */
export function groupTopics(systems: readonly Values[], out: Float64Array, at: number): void {
  const numSystems = systems.length;
  const topics = systems[0].length;
  for (let t = 0; t < topics; t++) {
    const group = at + (t >> 2) * numSystems * 4 + (t & 3);
    for (let s = 0; s < numSystems; s++) out[group + s * 4] = systems[s][t];
  }
}

/** How many groups of four topics there are; the last may not be full. */
export function numGroups(systems: readonly Values[]): number {
  return (systems[0].length + 3) >> 2;
}

/** How many rows the position after `bound` rows has to pick from; where there is none, its dice are thrown and not used. */
export function nextBound(bound: number, numSystems: number): number {
  return bound < numSystems ? bound + 1 : 1;
}

function permutedRanges(systems: readonly Values[], seed: number, from: number, to: number): Float64Array {
  const numSystems = systems.length;
  const groups = numGroups(systems);
  const grouped = new Float64Array(groups * numSystems * 4);
  groupTopics(systems, grouped, 0);
  const dealt = new Float64Array(numSystems * 4);
  const sums = new Float64Array(numSystems * 2);
  const state = new Int32Array(16); // fits: words of 32 bits of a generator, made signed by | 0
  const ranges = new Float64Array(to - from);
  // the rows picked by the four topics at the two positions of a step
  const picks = new Int32Array(8); // fits: systems, at most evaluationLimits.scores of them
  for (let resample = from; resample < to; resample++) {
    generatorState(seed, resample, state, 0);
    sums.fill(0);
    for (let group = 0; group < groups; group++) {
      const start = group * numSystems * 4;
      for (let lane = 0; lane < 4; lane++) dealt[lane] = grouped[start + lane];
      for (let i = 1; i < numSystems; i += 2) {
        while (!drawPicks(state, i + 1, nextBound(i + 1, numSystems), picks));
        dealRow(dealt, i, grouped, start, picks, 0);
        if (i + 1 < numSystems) dealRow(dealt, i + 1, grouped, start, picks, 4);
      }
      for (let s = 0; s < numSystems; s++) {
        sums[2 * s] += dealt[4 * s] + dealt[4 * s + 2];
        sums[2 * s + 1] += dealt[4 * s + 1] + dealt[4 * s + 3];
      }
    }
    let largest = Number.NEGATIVE_INFINITY;
    let smallest = Number.POSITIVE_INFINITY;
    for (let s = 0; s < numSystems; s++) {
      const sum = sums[2 * s] + sums[2 * s + 1];
      largest = Math.max(largest, sum);
      smallest = Math.min(smallest, sum);
    }
    ranges[resample - from] = (largest - smallest) / systems[0].length;
  }
  return ranges;
}

/** One step of the four generators: four picks below `bound` and four below `boundAfter`, or false if any of the eight 16-bit
 *  halves fell into the incomplete last stretch and the step must be drawn again. */
function drawPicks(state: Int32Array, bound: number, boundAfter: number, picks: Int32Array): boolean {
  let accepted = true;
  for (let lane = 0; lane < 4; lane++) {
    const b = state[4 + lane];
    const timesFive = Math.imul(b, 5);
    const word = Math.imul((timesFive << 7) | (timesFive >>> 25), 9);
    state[8 + lane] ^= state[lane];
    state[12 + lane] ^= b;
    state[4 + lane] ^= state[8 + lane];
    state[lane] ^= state[12 + lane];
    state[8 + lane] ^= b << 9;
    state[12 + lane] = (state[12 + lane] << 11) | (state[12 + lane] >>> 21);
    const choices = lane < 2 ? bound : boundAfter;
    const stretch = 65536 % choices;
    const low = Math.imul(word & 0xffff, choices);
    const high = Math.imul(word >>> 16, choices);
    if ((low & 0xffff) < stretch || (high & 0xffff) < stretch) accepted = false;
    picks[2 * lane] = low >>> 16;
    picks[2 * lane + 1] = high >>> 16;
  }
  return accepted;
}

/** Moves what stands in each topic's picked row to row `i`, and puts the scores of row `i` in its place. */
function dealRow(dealt: Float64Array, i: number, grouped: Float64Array, start: number, picks: Int32Array, at: number): void {
  for (let lane = 0; lane < 4; lane++) {
    const pick = picks[at + lane] * 4 + lane;
    dealt[i * 4 + lane] = dealt[pick];
    dealt[pick] = grouped[start + i * 4 + lane];
  }
}

function bootstrapExceedances(systems: readonly Values[], pairs: ObservedPairs, seed: number, from: number, to: number): Int32Array {
  const numSystems = systems.length;
  const topics = systems[0].length;
  const counts = new Int32Array(pairs.means.length); // fits: at most limits.resamples
  const sampleMeans = new Float64Array(numSystems);
  const times = new Float64Array(topics);
  const sample = new Uint32Array(topics); // fits: entries
  const share = 1 / topics;
  for (let resample = from; resample < to; resample++) {
    times.fill(0);
    drawTopics(seed, resample, sample);
    for (let draw = 0; draw < topics; draw++) times[sample[draw]]++;
    for (let s = 0; s < numSystems; s++) {
      let sum = 0;
      for (let t = 0; t < topics; t++) sum += systems[s][t] * times[t];
      sampleMeans[s] = sum * share;
    }
    let pair = 0;
    for (let i = 0; i < numSystems; i++) {
      const first = systems[i];
      for (let j = i + 1; j < numSystems; j++) {
        const second = systems[j];
        const mean = pairs.means[pair];
        let squares = 0;
        for (let t = 0; t < topics; t++) {
          const centred = first[t] - second[t] - mean;
          squares += centred * centred * times[t];
        }
        const sampleMean = sampleMeans[i] - sampleMeans[j] - mean;
        if (squares > 0 && sampleMean * sampleMean * pairs.ratios[pair] >= squares) counts[pair]++;
        pair++;
      }
    }
  }
  settleDegeneratePairs(pairs, counts, to - from);
  return counts;
}
