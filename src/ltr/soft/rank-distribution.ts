import { normalAt } from './normal.js';

/** Scores as SoftRank sees them: each is the mean of a normal distribution of deviation sigma, so that each document beats
 *  each other one with a certain probability. */
export class WinProbabilities {
  n = 0;
  /** beats[i]: the probability that document i comes before the document that was asked for. */
  beats: Float64Array = new Float64Array(0);
  /** The derivative of that by the score of i, and minus that by the score of the document that was asked for. */
  slopes: Float64Array = new Float64Array(0);
  private gaps: Float64Array = new Float64Array(0);
  private scores: Float64Array = new Float64Array(0);
  private start = 0;
  private readonly scale: number;

  constructor(sigma: number) {
    this.scale = 1 / (Math.SQRT2 * sigma);
  }

  /** Takes the scores of one query, scores[start … end). */
  update(scores: Float64Array, start: number, end: number): void {
    this.n = end - start;
    this.scores = scores;
    this.start = start;
    if (this.beats.length < this.n) {
      this.beats = new Float64Array(this.n);
      this.slopes = new Float64Array(this.n);
      this.gaps = new Float64Array(this.n);
    }
  }

  /** The chances of all against one document. Only those that are needed are worked out: documents without any gain are most. */
  against(j: number): void {
    const { beats, slopes, gaps, scores, start, scale, n } = this;
    const own = scores[start + j];
    for (let i = 0; i < n; i++) gaps[i] = (scores[start + i] - own) * scale;
    normalAt(gaps, n, beats, slopes);
    for (let i = 0; i < n; i++) slopes[i] *= scale;
  }
}

/** Chances below this are taken for 0: what they could change is far below the rounding of what is computed from them. */
const NEGLIGIBLE = 1e-20;

/** The distribution of one document's rank when every other document comes before it independently, with a probability of
 *  its own, and the way back from a function of the rank to those probabilities. Ranks from `depth` on are left out.
 *  Taylor, Guiver, Robertson and Minka, SoftRank: optimizing non-smooth rank metrics, WSDM 2008, doi:10.1145/1341531.1341544.
 *
 *  Only ranks that can be reached with a chance worth speaking of are kept after each comparison: at first few, since each comparison
 *  moves the document down by one at most, and later those around the expected rank. */
export class RankDistribution {
  /** The distribution before each comparison, `depth` numbers each, the final one last. */
  private states: Float64Array = new Float64Array(0);
  /** The first and the last rank that counts in each of them. */
  private firsts: Uint32Array = new Uint32Array(0);
  private lasts: Uint32Array = new Uint32Array(0);
  private back: Float64Array = new Float64Array(0);

  /** probability[r] = the chance of exactly r of the others coming first, for r below depth, after `chances.against(j)`. */
  compute({ beats, n }: WinProbabilities, j: number, depth: number): Float64Array {
    this.reserve(n, depth);
    const { states, firsts, lasts } = this;
    states[0] = 1;
    let first = 0;
    let last = 0;
    let row = 0;
    for (let i = 0, k = 0; i < n; i++) {
      if (i === j) continue;
      firsts[k] = first;
      lasts[k++] = last;
      const chance = beats[i];
      const to = row + depth;
      let before = 0;
      for (let r = first; r <= last; r++) {
        const state = states[row + r];
        states[to + r] = state + chance * (before - state);
        before = state;
      }
      if (last + 1 < depth) states[to + ++last] = chance * before;
      while (first < last && states[to + first] < NEGLIGIBLE) first++;
      while (last > first && states[to + last] < NEGLIGIBLE) last--;
      row = to;
    }
    states.fill(0, row, row + first);
    states.fill(0, row + last + 1, row + depth);
    return states.subarray(row, row + depth);
  }

  private reserve(n: number, depth: number): void {
    if (this.states.length < n * depth) this.states = new Float64Array(n * depth);
    if (this.firsts.length < n) {
      this.firsts = new Uint32Array(n); // fits: entries
      this.lasts = new Uint32Array(n); // fits: entries
    }
  }

  /** Adds factor times the derivative of Σ weights[r] probability[r] by each score, after `compute` of the same arguments. */
  addGradient(
    chances: WinProbabilities,
    j: number,
    depth: number,
    weights: Float64Array,
    factor: number,
    byScore: Float64Array,
    start: number,
  ): void {
    const { beats, slopes, n } = chances;
    if (this.back.length < depth + 1) this.back = new Float64Array(depth + 1);
    const { states, firsts, lasts, back } = this;
    // what a rank is worth after the comparisons that are still to come; where a rank cannot be reached any more it stays what it was,
    // which weighs nothing
    for (let r = 0; r < depth; r++) back[r] = weights[r];
    // nothing is gained from beyond the depth
    back[depth] = 0;
    let ownChange = 0;
    for (let i = n - 1, k = n - 2; i >= 0; i--) {
      if (i === j) continue;
      const from = k * depth;
      const last = lasts[k];
      const first = firsts[k--];
      const chance = beats[i];
      // a win of i moves the document one rank down, from r to r + 1
      let byChance = 0;
      let worth = back[first];
      for (let r = first; r <= last; r++) {
        const below = back[r + 1];
        const step = below - worth;
        byChance += states[from + r] * step;
        back[r] = worth + chance * step;
        worth = below;
      }
      const change = factor * byChance * slopes[i];
      byScore[start + i] += change;
      ownChange -= change;
    }
    byScore[start + j] += ownChange;
  }
}
