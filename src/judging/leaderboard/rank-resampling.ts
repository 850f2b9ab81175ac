import { seededRandom } from '../../core/numbers/random.js';
import { requireFraction, requireResamples, requireSeed } from '../../stats/checks.js';
import { ranksInto, type ScoreMatrix, TIED_MEANS } from './ranks.js';

/** How topics are drawn. */
export interface RankResamplingOptions {
  /** 10,000 by default. */
  readonly resamples?: number | undefined;
  /** 1 by default. */
  readonly seed?: number | undefined;
  /** 0.95 by default. */
  readonly level?: number | undefined;
}

/** What became of the ranks when topics were drawn again. It describes resampling; as a confidence set it is too narrow where systems are
 *  close to each other. */
export interface ResampledRanks {
  /** How often each system was best, a tie divided equally. */
  readonly probabilityBest: Float64Array;
  /** How often system j had rank r + 1, at j * systems + r. */
  readonly distribution: Float64Array;
  readonly percentileLow: Uint32Array;
  readonly percentileHigh: Uint32Array;
  readonly meanRank: Float64Array;
  /** Samples of topics: all of them where *exact* says so. */
  readonly resamples: number;
  readonly exact: boolean;
}

/** Tables with at most this many samples of topics are counted through. */
const MOST_ENUMERATED = 50_000;

/** Ranks over samples of topics; all samples where there are few. */
export function resampleRanks(scores: ScoreMatrix, options: RankResamplingOptions = {}): ResampledRanks {
  const { resamples = 10_000, seed = 1, level = 0.95 } = options;
  requireResamples(resamples);
  requireSeed(seed);
  requireFraction('level', level);
  const { numSystems: p, numTopics } = scores;
  const tally = new RankTally(scores);
  const all = numTopics ** numTopics;
  const exact = all <= MOST_ENUMERATED;
  const times = new Uint32Array(numTopics); // fits: entries
  if (exact) {
    for (let sample = 0; sample < all; sample++) {
      times.fill(0);
      for (let t = 0, rest = sample; t < numTopics; t++, rest = Math.floor(rest / numTopics)) times[rest % numTopics]++;
      tally.add(times);
    }
  } else {
    const random = seededRandom(seed);
    for (let draw = 0; draw < resamples; draw++) {
      times.fill(0);
      for (let t = 0; t < numTopics; t++) times[random.below(numTopics)]++;
      tally.add(times);
    }
  }
  const drawn = exact ? all : resamples;
  const distribution = Float64Array.from(tally.counts, (count) => count / drawn);
  const tail = (1 - level) / 2;
  const percentile = (share: number): Uint32Array =>
    // fits: entries
    Uint32Array.from({ length: p }, (_, j) => {
      let cumulated = 0;
      for (let r = 0; r < p; r++) {
        cumulated += tally.counts[j * p + r];
        if (cumulated >= share * drawn - 1e-9) return r + 1;
      }
      return p;
    });
  return {
    probabilityBest: tally.best.map((count) => count / drawn),
    distribution,
    percentileLow: percentile(tail),
    percentileHigh: percentile(1 - tail),
    meanRank: Float64Array.from({ length: p }, (_, j) => {
      let sum = 0;
      for (let r = 0; r < p; r++) sum += (r + 1) * distribution[j * p + r];
      return sum;
    }),
    resamples: drawn,
    exact,
  };
}

class RankTally {
  readonly counts: Uint32Array;
  readonly best: Float64Array;
  private readonly scores: ScoreMatrix;
  private readonly sums: Float64Array;
  private readonly sorted: Float64Array;
  private readonly ranks: Uint32Array;

  constructor(scores: ScoreMatrix) {
    const p = scores.numSystems;
    this.scores = scores;
    this.counts = new Uint32Array(p * p); // fits: entries
    this.best = new Float64Array(p);
    this.sums = new Float64Array(p);
    this.sorted = new Float64Array(p);
    this.ranks = new Uint32Array(p); // fits: entries
  }

  /** Counts the ranks of a sample, given how often each topic is in it. */
  add(times: Uint32Array): void {
    const { numSystems: p, numTopics, values } = this.scores;
    const { sums, ranks, counts } = this;
    sums.fill(0);
    for (let t = 0; t < numTopics; t++) {
      const weight = times[t];
      if (weight === 0) continue;
      for (let j = 0, at = t * p; j < p; j++, at++) sums[j] += weight * values[at];
    }
    ranksInto(sums, this.sorted, TIED_MEANS * numTopics, ranks);
    let first = 0;
    for (let j = 0; j < p; j++) {
      counts[j * p + ranks[j] - 1]++;
      if (ranks[j] === 1) first++;
    }
    for (let j = 0; j < p; j++) if (ranks[j] === 1) this.best[j] += 1 / first;
  }
}
