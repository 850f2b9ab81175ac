/** The weights of RankBoost's pairs without the pairs. The pair of a document and one with a lower label weighs
 *  exp(score of the lower - score of the higher), a product of one factor per document, so that sums over pairs come from
 *  sums per label: a round takes time linear in the documents, whatever the number of pairs. */
export class PairWeights {
  private readonly queryOffsets: Uint32Array;
  /** Place of each row's label among the labels of its query, ascending. Labels may be any numbers, and each of a query's rows may
   *  have one of its own. */
  private readonly levels: Uint32Array;
  private readonly numLevels: Uint32Array;
  private readonly scores: Float64Array;
  private readonly values: Float64Array;
  private readonly up: Float64Array;
  private readonly down: Float64Array;
  private readonly upSums: Float64Array;
  private readonly downSums: Float64Array;
  private readonly numPairs: number;

  constructor(labels: Float64Array, queryOffsets: Uint32Array) {
    const numRows = labels.length;
    const numQueries = queryOffsets.length - 1;
    this.queryOffsets = queryOffsets;
    this.levels = new Uint32Array(numRows); // fits: entries
    this.numLevels = new Uint32Array(numQueries); // fits: entries
    this.scores = new Float64Array(numRows);
    this.values = new Float64Array(numRows);
    this.up = new Float64Array(numRows);
    this.down = new Float64Array(numRows);
    let most = 0;
    let numPairs = 0;
    for (let q = 0; q < numQueries; q++) {
      const from = queryOffsets[q];
      const to = queryOffsets[q + 1];
      const ascending = [...new Set(labels.subarray(from, to))].sort((a, b) => a - b);
      const levelOf = new Map(ascending.map((label, level) => [label, level]));
      const counts = new Float64Array(ascending.length);
      for (let row = from; row < to; row++) {
        const level = levelOf.get(labels[row]) ?? 0;
        this.levels[row] = level;
        counts[level]++;
      }
      this.numLevels[q] = ascending.length;
      most = Math.max(most, ascending.length);
      for (let level = 1, below = counts[0]; level < counts.length; level++) {
        numPairs += counts[level] * below;
        below += counts[level];
      }
    }
    this.upSums = new Float64Array(most + 1);
    this.downSums = new Float64Array(most + 1);
    this.numPairs = numPairs;
  }

  /** The exponential loss per pair, and for each document the weight of the pairs in which it should come first minus that
   *  of the pairs in which it should not, all weights summing to 1. */
  compute(): { readonly loss: number; readonly values: Float64Array } {
    const { queryOffsets, levels, numLevels, scores, values, up, down, upSums, downSums } = this;
    let total = 0;
    for (let q = 0; q < numLevels.length; q++) {
      const from = queryOffsets[q];
      const to = queryOffsets[q + 1];
      const n = numLevels[q];
      if (n < 2) continue;
      // differences are all that counts; from the middle, neither factor grows out of range
      let least = Number.POSITIVE_INFINITY;
      let greatest = Number.NEGATIVE_INFINITY;
      for (let row = from; row < to; row++) {
        if (scores[row] < least) least = scores[row];
        if (scores[row] > greatest) greatest = scores[row];
      }
      const middle = (least + greatest) / 2;
      upSums.fill(0, 0, n);
      downSums.fill(0, 0, n);
      for (let row = from; row < to; row++) {
        up[row] = Math.exp(scores[row] - middle);
        down[row] = 1 / up[row];
        upSums[levels[row]] += up[row];
        downSums[levels[row]] += down[row];
      }
      // make each a sum over all lower levels, and over all higher ones
      for (let level = 0, below = 0; level < n; level++) {
        const own = upSums[level];
        upSums[level] = below;
        below += own;
      }
      for (let level = n - 1, above = 0; level >= 0; level--) {
        const own = downSums[level];
        downSums[level] = above;
        above += own;
      }
      for (let row = from; row < to; row++) {
        const won = down[row] * upSums[levels[row]];
        values[row] = won - up[row] * downSums[levels[row]];
        total += won;
      }
    }
    if (total > 0) for (let row = 0; row < values.length; row++) values[row] /= total;
    return { loss: total / this.numPairs, values };
  }

  /** Adds alpha to the score of every document whose bin is at least `bin`. */
  raise(bins: Uint16Array, bin: number, alpha: number): void {
    const { scores } = this;
    for (let row = 0; row < scores.length; row++) if (bins[row] >= bin) scores[row] += alpha;
  }
}
