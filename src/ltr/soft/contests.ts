import { normalDensity, normalProbability } from './normal.js';

/** Scores as SoftRank sees them: each is the mean of a normal distribution of deviation sigma, so that each document beats
 *  each other one with a certain probability. */
export class Contests {
  n = 0;
  /** beats[i * n + j]: the probability that document i comes before document j. */
  beats: Float64Array = new Float64Array(0);
  /** The derivative of that by the score of i (and minus that by the score of j). */
  slopes: Float64Array = new Float64Array(0);
  private readonly scale: number;

  constructor(sigma: number) {
    this.scale = 1 / (Math.SQRT2 * sigma);
  }

  /** Takes the scores of one query, scores[start … end). */
  update(scores: Float64Array, start: number, end: number): void {
    const n = end - start;
    this.n = n;
    if (this.beats.length < n * n) {
      this.beats = new Float64Array(n * n);
      this.slopes = new Float64Array(n * n);
    }
    const { beats, slopes, scale } = this;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const z = (scores[start + i] - scores[start + j]) * scale;
        const probability = normalProbability(z);
        const slope = normalDensity(z) * scale;
        beats[i * n + j] = probability;
        beats[j * n + i] = 1 - probability;
        slopes[i * n + j] = slope;
        slopes[j * n + i] = slope;
      }
    }
  }
}

/** The distribution of one document's rank when every other document comes before it independently, with a probability of
 *  its own, and the way back from a function of the rank to those probabilities. Ranks from `depth` on are left out.
 *  Taylor, Guiver, Robertson and Minka, SoftRank: optimizing non-smooth rank metrics, WSDM 2008, doi:10.1145/1341531.1341544. */
export class RankDistribution {
  /** The distribution before each contest, `depth` numbers each, the final one last. */
  private states: Float64Array = new Float64Array(0);
  private back: Float64Array = new Float64Array(0);

  /** probability[r] = the chance of exactly r of the others coming first, for r below depth. Reads beats[i * n + j] of all i. */
  compute({ beats, n }: Contests, j: number, depth: number): Float64Array {
    const numStates = n * depth;
    if (this.states.length < numStates) this.states = new Float64Array(numStates);
    const { states } = this;
    states.fill(0, 0, depth);
    states[0] = 1;
    let from = 0;
    for (let i = 0; i < n; i++) {
      if (i === j) continue;
      const chance = beats[i * n + j];
      const to = from + depth;
      states[to] = states[from] * (1 - chance);
      for (let r = 1; r < depth; r++) states[to + r] = states[from + r - 1] * chance + states[from + r] * (1 - chance);
      from = to;
    }
    return states.subarray(from, from + depth);
  }

  /** Adds factor times the derivative of Σ weights[r] probability[r] by each score, after `compute` of the same arguments. */
  addGradient(
    contests: Contests,
    j: number,
    depth: number,
    weights: Float64Array,
    factor: number,
    byScore: Float64Array,
    start: number,
  ): void {
    const { beats, slopes, n } = contests;
    if (this.back.length < depth) this.back = new Float64Array(depth);
    const { states, back } = this;
    for (let r = 0; r < depth; r++) back[r] = weights[r];
    let from = (n - 1) * depth;
    let ownChange = 0;
    for (let i = n - 1; i >= 0; i--) {
      if (i === j) continue;
      from -= depth;
      const chance = beats[i * n + j];
      // a win of i moves the document one rank down
      let byChance = -back[0] * states[from];
      for (let r = 1; r < depth; r++) byChance += back[r] * (states[from + r - 1] - states[from + r]);
      for (let r = 0; r < depth; r++) back[r] = back[r] * (1 - chance) + (r + 1 < depth ? back[r + 1] * chance : 0);
      const change = factor * byChance * slopes[i * n + j];
      byScore[start + i] += change;
      ownChange -= change;
    }
    byScore[start + j] += ownChange;
  }
}
