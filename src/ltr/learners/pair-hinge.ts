/** Sums over all pairs of documents of one query with different labels, in O(n log n): of the hinge loss, its square, and
 *  their derivatives. The document with the higher label should score at least 1 more than the other; a pair that falls
 *  short of that is *violated*. Sorted by score, the violated pairs of a document are those within reach of a pointer that
 *  only moves forward; sums over lower or higher labels among them come from a binary indexed tree.
 *  Lee and Lin, Large-scale linear RankSVM, Neural Computation 26, 2014, doi:10.1162/NECO_a_00571. */
export type HingePower = 1 | 2;

export class PairHinge {
  readonly numPairs: number;
  private readonly queryOffsets: Uint32Array;
  /** Place of each row's label among the labels of its query, from 1. */
  private readonly levels: Uint32Array;
  private readonly numLevels: Uint32Array;
  /** Rows of each query by score, ascending, as of the last `loss`. */
  private readonly order: Uint32Array;
  private readonly ascending: Float64Array;
  /** Per row, the number of its violated pairs, as of the last `loss`. */
  private readonly violated: Float64Array;
  private readonly counts: Float64Array;
  private readonly sums: Float64Array;
  private readonly squares: Float64Array;

  constructor(labels: Float64Array, queryOffsets: Uint32Array) {
    const numQueries = queryOffsets.length - 1;
    this.queryOffsets = queryOffsets;
    this.levels = new Uint32Array(labels.length);
    this.numLevels = new Uint32Array(numQueries);
    this.order = new Uint32Array(labels.length);
    this.ascending = new Float64Array(labels.length);
    this.violated = new Float64Array(labels.length);
    let most = 0;
    let numPairs = 0;
    for (let q = 0; q < numQueries; q++) {
      const from = queryOffsets[q];
      const to = queryOffsets[q + 1];
      const distinct = [...new Set(labels.subarray(from, to))].sort((a, b) => a - b);
      const levelOf = new Map(distinct.map((label, i) => [label, i + 1]));
      const counts = new Float64Array(distinct.length + 1);
      for (let row = from; row < to; row++) {
        this.levels[row] = levelOf.get(labels[row]) ?? 0;
        counts[this.levels[row]]++;
        this.order[row] = row;
      }
      for (let level = 1, below = 0; level < counts.length; level++) {
        numPairs += below * counts[level];
        below += counts[level];
      }
      this.numLevels[q] = distinct.length;
      most = Math.max(most, distinct.length);
    }
    this.numPairs = numPairs;
    this.counts = new Float64Array(most + 1);
    this.sums = new Float64Array(most + 1);
    this.squares = new Float64Array(most + 1);
  }

  /** The sum over pairs of max(0, 1 - (higher - lower))^power. Its derivative by each score goes to `gradient`. */
  loss(scores: Float64Array, power: HingePower, gradient: Float64Array): number {
    let total = 0;
    for (let q = 0; q < this.numLevels.length; q++) total += this.lossOfQuery(q, scores, power, gradient);
    return total;
  }

  private lossOfQuery(q: number, scores: Float64Array, power: HingePower, gradient: Float64Array): number {
    const { levels, order, ascending, violated, counts, sums, squares } = this;
    const from = this.queryOffsets[q];
    const to = this.queryOffsets[q + 1];
    const n = this.numLevels[q];
    if (n < 2) {
      gradient.fill(0, from, to);
      return 0;
    }
    this.sortRows(from, to, scores);
    let total = 0;
    // each row as the lower of its pairs: those with a higher label that score less than 1 more
    this.clear(n);
    let seenCount = 0;
    let seenSum = 0;
    let seenSquares = 0;
    for (let i = from, reach = from; i < to; i++) {
      const score = ascending[i];
      for (; reach < to && ascending[reach] < score + 1; reach++) {
        const other = ascending[reach];
        seenCount++;
        seenSum += other;
        seenSquares += other * other;
        for (let level = levels[order[reach]]; level <= n; level += level & -level) {
          counts[level]++;
          sums[level] += other;
          squares[level] += other * other;
        }
      }
      let count = seenCount;
      let sum = seenSum;
      let square = seenSquares;
      for (let level = levels[order[i]]; level > 0; level -= level & -level) {
        count -= counts[level];
        sum -= sums[level];
        square -= squares[level];
      }
      const row = order[i];
      violated[row] = count;
      const margin = 1 + score;
      // sum over them of (margin - other)^power
      const short = margin * count - sum;
      total += power === 1 ? short : margin * margin * count - 2 * margin * sum + square;
      gradient[row] = power === 1 ? count : 2 * short;
    }
    // each row as the higher of its pairs: those with a lower label that score more than 1 less
    this.clear(n);
    for (let i = to - 1, reach = to - 1; i >= from; i--) {
      const score = ascending[i];
      for (; reach >= from && score < ascending[reach] + 1; reach--) {
        const other = ascending[reach];
        for (let level = levels[order[reach]]; level <= n; level += level & -level) {
          counts[level]++;
          sums[level] += other;
        }
      }
      const row = order[i];
      let count = 0;
      let sum = 0;
      for (let level = levels[row] - 1; level > 0; level -= level & -level) {
        count += counts[level];
        sum += sums[level];
      }
      violated[row] += count;
      gradient[row] -= power === 1 ? count : 2 * (sum + (1 - score) * count);
    }
    return total;
  }

  /** The second derivative of the squared hinge at the scores of the last `loss`, times a direction: what a small move of
   *  the scores along `direction` adds to the gradient. */
  curvature(direction: Float64Array, product: Float64Array): void {
    const { levels, order, ascending, violated, sums } = this;
    for (let q = 0; q < this.numLevels.length; q++) {
      const from = this.queryOffsets[q];
      const to = this.queryOffsets[q + 1];
      const n = this.numLevels[q];
      if (n < 2) {
        product.fill(0, from, to);
        continue;
      }
      sums.fill(0, 0, n + 1);
      let seen = 0;
      for (let i = from, reach = from; i < to; i++) {
        for (; reach < to && ascending[reach] < ascending[i] + 1; reach++) {
          const other = direction[order[reach]];
          seen += other;
          for (let level = levels[order[reach]]; level <= n; level += level & -level) sums[level] += other;
        }
        const row = order[i];
        let sum = seen;
        for (let level = levels[row]; level > 0; level -= level & -level) sum -= sums[level];
        product[row] = violated[row] * direction[row] - sum;
      }
      sums.fill(0, 0, n + 1);
      for (let i = to - 1, reach = to - 1; i >= from; i--) {
        for (; reach >= from && ascending[i] < ascending[reach] + 1; reach--) {
          const other = direction[order[reach]];
          for (let level = levels[order[reach]]; level <= n; level += level & -level) sums[level] += other;
        }
        const row = order[i];
        let sum = 0;
        for (let level = levels[row] - 1; level > 0; level -= level & -level) sum += sums[level];
        product[row] = 2 * (product[row] - sum);
      }
    }
  }

  private clear(numLevels: number): void {
    this.counts.fill(0, 0, numLevels + 1);
    this.sums.fill(0, 0, numLevels + 1);
    this.squares.fill(0, 0, numLevels + 1);
  }

  /** By insertion from the order of the last time, which is nearly right near the solution; if it is not, by a full sort. */
  private sortRows(from: number, to: number, scores: Float64Array): void {
    const { order, ascending } = this;
    const enough = 6 * (to - from) + 16;
    let moves = 0;
    for (let i = from; i < to; i++) {
      const row = order[i];
      const score = scores[row];
      let hole = i;
      while (hole > from && (ascending[hole - 1] > score || (ascending[hole - 1] === score && order[hole - 1] > row))) {
        ascending[hole] = ascending[hole - 1];
        order[hole] = order[hole - 1];
        hole--;
      }
      ascending[hole] = score;
      order[hole] = row;
      moves += i - hole;
      if (moves > enough) {
        order.subarray(from, to).sort((a, b) => scores[a] - scores[b] || a - b);
        for (let at = from; at < to; at++) ascending[at] = scores[order[at]];
        return;
      }
    }
  }
}
