import type { Values } from './checks.js';
import { drawTopics, generatorState, type Resampler } from './resampler.js';
import { observePairs, settleDegeneratePairs } from './resampling-pairs.js';

/** The resampler in plain TypeScript, for where WebAssembly is missing. It draws and adds in the same order as
 *  `kernels/resampling.as.ts`, so both give the same bits. */
export function createJsResampler(systems: readonly Values[]): Resampler {
  return {
    permutedRanges: (seed, from, to) => permutedRanges(systems, seed, from, to),
    bootstrapExceedances: (seed, from, to) => bootstrapExceedances(systems, seed, from, to),
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

export function numGroups(systems: readonly Values[]): number {
  return (systems[0].length + 3) >> 2;
}

function permutedRanges(systems: readonly Values[], seed: number, from: number, to: number): Float64Array {
  const numSystems = systems.length;
  const groups = numGroups(systems);
  const grouped = new Float64Array(groups * numSystems * 4);
  groupTopics(systems, grouped, 0);
  const work = new Float64Array(numSystems * 4);
  const sums = new Float64Array(numSystems);
  const state = new Int32Array(16);
  const ranges = new Float64Array(to - from);
  // for each lane and the two positions of a step: the row picked, four of each
  const picks = new Int32Array(8);
  for (let resample = from; resample < to; resample++) {
    generatorState(seed, resample, state, 0);
    sums.fill(0);
    for (let group = 0; group < groups; group++) {
      work.set(grouped.subarray(group * numSystems * 4, (group + 1) * numSystems * 4));
      let i = numSystems - 1;
      for (; i >= 1; i -= 2) {
        while (!drawPicks(state, i + 1, picks));
        sums[i] += dealPosition(work, i, picks, 0);
        sums[i - 1] += dealPosition(work, i - 1, picks, 4);
      }
      if (i === 0) sums[0] += work[0] + work[1] + (work[2] + work[3]);
    }
    let largest = sums[0];
    let smallest = sums[0];
    for (let s = 1; s < numSystems; s++) {
      largest = Math.max(largest, sums[s]);
      smallest = Math.min(smallest, sums[s]);
    }
    ranges[resample - from] = (largest - smallest) / systems[0].length;
  }
  return ranges;
}

/** One step of the four generators: four picks below `bound` and four below `bound − 1`, or false if any of the eight 16-bit
 *  halves fell into the incomplete last stretch and the step must be drawn again. */
function drawPicks(state: Int32Array, bound: number, picks: Int32Array): boolean {
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
    const choices = lane < 2 ? bound : bound - 1;
    const limit = 65536 % choices;
    const low = Math.imul(word & 0xffff, choices);
    const high = Math.imul(word >>> 16, choices);
    if ((low & 0xffff) < limit || (high & 0xffff) < limit) accepted = false;
    picks[2 * lane] = low >>> 16;
    picks[2 * lane + 1] = high >>> 16;
  }
  return accepted;
}

/** Takes each of the four topics' picked score for position `i`, leaves in its place what stood at `i`, and adds them up. */
function dealPosition(work: Float64Array, i: number, picks: Int32Array, at: number): number {
  const row = i * 4;
  const first = picks[at] * 4;
  const second = picks[at + 1] * 4 + 1;
  const third = picks[at + 2] * 4 + 2;
  const fourth = picks[at + 3] * 4 + 3;
  const sum = work[first] + work[second] + (work[third] + work[fourth]);
  work[first] = work[row];
  work[second] = work[row + 1];
  work[third] = work[row + 2];
  work[fourth] = work[row + 3];
  return sum;
}

function bootstrapExceedances(systems: readonly Values[], seed: number, from: number, to: number): Int32Array {
  const numSystems = systems.length;
  const topics = systems[0].length;
  const pairs = observePairs(systems);
  const counts = new Int32Array(pairs.means.length);
  const sampleMeans = new Float64Array(numSystems);
  const times = new Float64Array(topics);
  const sample = new Uint32Array(topics);
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
