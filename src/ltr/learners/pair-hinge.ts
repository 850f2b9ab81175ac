/** Sums over all pairs of documents of one query with different labels, in O(n log n): of a loss and its derivatives. The
 *  document with the higher label should score at least 1 more than the other; what it falls short of that is h. Sorted by
 *  score, the pairs that fall short are, for each document, those within reach of a pointer that only moves forward; sums
 *  over lower or higher labels among them come from a binary indexed tree.
 *  Lee and Lin, Large-scale linear RankSVM, Neural Computation 26, 2014, doi:10.1162/NECO_a_00571.
 *
 *  The loss is the hinge h, softened: h² / (2 width) up to h = width, from there on h - width / 2. With an infinite width it
 *  is the squared hinge h². Either way it is made of squared hinges: the softened one is that of the margin 1, less that of
 *  the margin 1 - width, over 2 width. */
export class PairHinge {
  readonly numPairs: number;
  private readonly queryOffsets: Uint32Array;
  /** Place of each row's label among the labels of its query, from 1. */
  private readonly levels: Uint32Array;
  private readonly numLevels: Uint32Array;
  /** As of the last `loss`: rows of each query by score, ascending, with their scores and levels. */
  private readonly order: Uint32Array;
  private readonly ascending: Float64Array;
  private readonly levelsInOrder: Uint32Array;
  /** Per row, the number of its pairs on the curved part of the loss, as of the last `loss`. */
  private readonly bends: Float64Array;
  private readonly counts: Float64Array;
  private readonly sums: Float64Array;
  /** The width of the last `loss`. */
  private width = Number.POSITIVE_INFINITY;
  /** Sums of h and of its square over the pairs, as of the last `sumsAt`. */
  private short = 0;
  private shortSquared = 0;
  /** Sums over pairs as of the last `loss`: of the hinge, and of the derivative of the loss by h. */
  hinges = 0;
  pull = 0;

  constructor(labels: Float64Array, queryOffsets: Uint32Array) {
    const numQueries = queryOffsets.length - 1;
    this.queryOffsets = queryOffsets;
    this.levels = new Uint32Array(labels.length);
    this.numLevels = new Uint32Array(numQueries);
    this.order = new Uint32Array(labels.length);
    this.ascending = new Float64Array(labels.length);
    this.levelsInOrder = new Uint32Array(labels.length);
    this.bends = new Float64Array(labels.length);
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
  }

  /** The sum of the loss over pairs. Its derivative by each score goes to `gradient`. */
  loss(scores: Float64Array, width: number, gradient: Float64Array): number {
    this.width = width;
    const softened = Number.isFinite(width);
    const half = softened ? 0.5 / width : 1;
    let total = 0;
    this.hinges = 0;
    this.pull = 0;
    for (let q = 0; q < this.numLevels.length; q++) {
      const from = this.queryOffsets[q];
      const to = this.queryOffsets[q + 1];
      gradient.fill(0, from, to);
      this.bends.fill(0, from, to);
      if (this.numLevels[q] < 2) continue;
      this.sortRows(from, to, scores);
      this.sumsAt(q, 1, half, gradient);
      total += half * this.shortSquared;
      this.hinges += this.short;
      this.pull += 2 * half * this.short;
      if (!softened) continue;
      this.sumsAt(q, 1 - width, -half, gradient);
      total -= half * this.shortSquared;
      this.pull -= 2 * half * this.short;
    }
    return total;
  }

  /** Of the pairs of a query that fall short of a margin: sums of h and h², `weight` times the derivative of h² by each score, and
   *  (counted down if the weight is negative) the number of pairs of each row. */
  private sumsAt(q: number, margin: number, weight: number, gradient: Float64Array): void {
    const { levelsInOrder, order, ascending, bends, counts, sums } = this;
    const from = this.queryOffsets[q];
    const to = this.queryOffsets[q + 1];
    const n = this.numLevels[q];
    const one = Math.sign(weight);
    const force = 2 * weight;
    // scores are counted from here, so that large ones lose no digits in the squares
    const origin = ascending[(from + to) >> 1];
    let short = 0;
    let shortSquared = 0;
    // each row as the lower of its pairs: those with a higher label that score less than the margin more
    counts.fill(0, 0, n + 1);
    sums.fill(0, 0, n + 1);
    let seenCount = 0;
    let seenSum = 0;
    for (let i = from, reach = from; i < to; i++) {
      const limit = ascending[i] + margin;
      for (; reach < to && ascending[reach] < limit; reach++) {
        const other = ascending[reach] - origin;
        seenCount++;
        seenSum += other;
        for (let level = levelsInOrder[reach]; level <= n; level += level & -level) {
          counts[level]++;
          sums[level] += other;
        }
      }
      let count = seenCount;
      let sum = seenSum;
      for (let level = levelsInOrder[i]; level > 0; level -= level & -level) {
        count -= counts[level];
        sum -= sums[level];
      }
      if (count === 0) continue;
      const row = order[i];
      const shortHere = (limit - origin) * count - sum;
      short += shortHere;
      shortSquared += (limit - origin) * shortHere;
      bends[row] += one * count;
      gradient[row] += force * shortHere;
    }
    // each row as the higher of its pairs: those with a lower label that score more than this one less the margin
    counts.fill(0, 0, n + 1);
    sums.fill(0, 0, n + 1);
    for (let i = to - 1, reach = to - 1; i >= from; i--) {
      const score = ascending[i];
      for (; reach >= from && score < ascending[reach] + margin; reach--) {
        const other = ascending[reach] - origin;
        for (let level = levelsInOrder[reach]; level <= n; level += level & -level) {
          counts[level]++;
          sums[level] += other;
        }
      }
      let count = 0;
      let sum = 0;
      for (let level = levelsInOrder[i] - 1; level > 0; level -= level & -level) {
        count += counts[level];
        sum += sums[level];
      }
      if (count === 0) continue;
      const row = order[i];
      const shortHere = sum + (margin - (score - origin)) * count;
      // the square of h = (lower + margin) - higher, the first term of which is counted above
      shortSquared -= (score - origin) * shortHere;
      bends[row] += one * count;
      gradient[row] -= force * shortHere;
    }
    this.short = short;
    this.shortSquared = shortSquared;
  }

  /** How steep the curve of the loss is, where it is curved: its second derivative by h. */
  private get bend(): number {
    return Number.isFinite(this.width) ? 1 / this.width : 2;
  }

  /** The second derivative of the loss at the scores of the last `loss`, times a direction: what a small move of the scores
   *  along `direction` adds to the gradient. */
  curvature(direction: Float64Array, product: Float64Array): void {
    const { queryOffsets, numLevels, bends, bend } = this;
    for (let row = 0; row < product.length; row++) product[row] = bend * bends[row] * direction[row];
    for (let q = 0; q < numLevels.length; q++) {
      if (numLevels[q] < 2) continue;
      this.partnersAt(queryOffsets[q], queryOffsets[q + 1], numLevels[q], 1, -bend, direction, product);
      if (Number.isFinite(this.width))
        this.partnersAt(queryOffsets[q], queryOffsets[q + 1], numLevels[q], 1 - this.width, bend, direction, product);
    }
  }

  /** Adds to each row `weight` times the sum of the directions of those that it falls short with. */
  private partnersAt(
    from: number,
    to: number,
    n: number,
    margin: number,
    weight: number,
    direction: Float64Array,
    product: Float64Array,
  ): void {
    const { levelsInOrder, order, ascending, sums } = this;
    sums.fill(0, 0, n + 1);
    let seen = 0;
    for (let i = from, reach = from; i < to; i++) {
      const limit = ascending[i] + margin;
      for (; reach < to && ascending[reach] < limit; reach++) {
        const other = direction[order[reach]];
        seen += other;
        for (let level = levelsInOrder[reach]; level <= n; level += level & -level) sums[level] += other;
      }
      let sum = seen;
      for (let level = levelsInOrder[i]; level > 0; level -= level & -level) sum -= sums[level];
      product[order[i]] += weight * sum;
    }
    sums.fill(0, 0, n + 1);
    for (let i = to - 1, reach = to - 1; i >= from; i--) {
      const score = ascending[i];
      for (; reach >= from && score < ascending[reach] + margin; reach--) {
        const other = direction[order[reach]];
        for (let level = levelsInOrder[reach]; level <= n; level += level & -level) sums[level] += other;
      }
      let sum = 0;
      for (let level = levelsInOrder[i] - 1; level > 0; level -= level & -level) sum += sums[level];
      product[order[i]] += weight * sum;
    }
  }

  /** The second derivative of the loss by the weights of a linear score, at the scores of the last `loss`: column k of row r is
   *  cells[r * numFeatures + k]. */
  curvatureMatrix(cells: Float64Array, numFeatures: number, matrix: Float64Array): void {
    const { queryOffsets, numLevels, order, ascending, levelsInOrder, bends, bend } = this;
    const inner = Number.isFinite(this.width) ? 1 - this.width : Number.NEGATIVE_INFINITY;
    const ofLevels = new Float64Array(this.counts.length * numFeatures);
    const halves = new Float64Array(BLOCK * numFeatures);
    const rows = new Uint32Array(BLOCK);
    let filled = 0;
    matrix.fill(0);
    for (let q = 0; q < numLevels.length; q++) {
      const n = numLevels[q];
      if (n < 2) continue;
      const from = queryOffsets[q];
      const to = queryOffsets[q + 1];
      ofLevels.fill(0, 0, (n + 1) * numFeatures);
      for (let i = from, reach = from, left = from; i < to; i++) {
        for (; reach < to && ascending[reach] < ascending[i] + 1; reach++) {
          const base = order[reach] * numFeatures;
          const at = levelsInOrder[reach] * numFeatures;
          for (let k = 0; k < numFeatures; k++) ofLevels[at + k] += cells[base + k];
        }
        for (; left < reach && ascending[left] < ascending[i] + inner; left++) {
          const base = order[left] * numFeatures;
          const at = levelsInOrder[left] * numFeatures;
          for (let k = 0; k < numFeatures; k++) ofLevels[at + k] -= cells[base + k];
        }
        const row = order[i];
        if (bends[row] === 0) continue;
        // the sum over pairs of (x - y)(x - y)' is that over rows x of x u' + u x', u being x for half of its pairs less the
        // sum of the y above it
        const half = 0.5 * bend * bends[row];
        const base = row * numFeatures;
        const at = filled * numFeatures;
        for (let k = 0; k < numFeatures; k++) halves[at + k] = half * cells[base + k];
        for (let level = levelsInOrder[i] + 1; level <= n; level++) {
          for (let k = 0; k < numFeatures; k++) halves[at + k] -= bend * ofLevels[level * numFeatures + k];
        }
        rows[filled++] = row;
        if (filled === BLOCK) {
          addProducts(cells, rows, halves, numFeatures, matrix);
          filled = 0;
        }
      }
    }
    halves.fill(0, filled * numFeatures);
    rows.fill(0, filled);
    addProducts(cells, rows, halves, numFeatures, matrix);
    for (let k = 0; k < numFeatures; k++) {
      for (let l = 0; l <= k; l++) {
        const sum = matrix[k * numFeatures + l] + matrix[l * numFeatures + k];
        matrix[k * numFeatures + l] = sum;
        matrix[l * numFeatures + k] = sum;
      }
    }
  }

  /** By insertion from the order of the last time, which is nearly right near the solution; if it is not, by a full sort. */
  private sortRows(from: number, to: number, scores: Float64Array): void {
    const { order, ascending, levels, levelsInOrder } = this;
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
        break;
      }
    }
    for (let i = from; i < to; i++) levelsInOrder[i] = levels[order[i]];
  }
}

/** Rows that go into the matrix at a time, because to read and write it costs more than to multiply. */
const BLOCK = 4;

/** matrix += sum over the block of x u' */
function addProducts(cells: Float64Array, rows: Uint32Array, halves: Float64Array, numFeatures: number, matrix: Float64Array): void {
  const x0 = rows[0] * numFeatures;
  const x1 = rows[1] * numFeatures;
  const x2 = rows[2] * numFeatures;
  const x3 = rows[3] * numFeatures;
  for (let k = 0, at = 0; k < numFeatures; k++) {
    const a = cells[x0 + k];
    const b = cells[x1 + k];
    const c = cells[x2 + k];
    const d = cells[x3 + k];
    for (let u0 = 0, u1 = numFeatures, u2 = 2 * numFeatures, u3 = 3 * numFeatures; u0 < numFeatures; u0++, u1++, u2++, u3++, at++) {
      matrix[at] += a * halves[u0] + b * halves[u1] + c * halves[u2] + d * halves[u3];
    }
  }
}
