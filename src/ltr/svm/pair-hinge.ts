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
  derivatives = 0;

  constructor(labels: Float64Array, queryOffsets: Uint32Array) {
    const numQueries = queryOffsets.length - 1;
    this.queryOffsets = queryOffsets;
    this.levels = new Uint32Array(labels.length); // fits: entries
    this.numLevels = new Uint32Array(numQueries); // fits: entries
    this.order = new Uint32Array(labels.length); // fits: entries
    this.ascending = new Float64Array(labels.length);
    this.levelsInOrder = new Uint32Array(labels.length); // fits: entries
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
    this.derivatives = 0;
    gradient.fill(0);
    this.bends.fill(0);
    for (let q = 0; q < this.numLevels.length; q++) {
      if (this.numLevels[q] < 2) continue;
      this.sortRows(this.queryOffsets[q], this.queryOffsets[q + 1], scores);
      this.sumsAt(q, 1, half, gradient);
      total += half * this.shortSquared;
      this.hinges += this.short;
      this.derivatives += 2 * half * this.short;
      if (!softened) continue;
      this.sumsAt(q, 1 - width, -half, gradient);
      total -= half * this.shortSquared;
      this.derivatives -= 2 * half * this.short;
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
    this.short = 0;
    this.shortSquared = 0;
    // with a margin below 0, a pair has to be the wrong way round by more than that
    if (ascending[to - 1] - ascending[from] <= -margin) return;
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
   *  cells[r * numFeatures + k]. If `enoughRows` will do, it is worked out from every so many queries that have that many rows. */
  curvatureMatrix(cells: Float64Array, numFeatures: number, matrix: Float64Array, enoughRows: number): void {
    const stride = this.strideFor(enoughRows);
    const bend = this.bend * this.shareOfQueries(stride);
    const ofLevels = new Float64Array(this.counts.length * numFeatures);
    const block: Block = { rows: new Uint32Array(BLOCK), halves: new Float64Array(BLOCK * numFeatures), filled: 0 }; // fits: entries
    matrix.fill(0);
    for (let q = 0; q < this.numLevels.length; q += stride) {
      if (this.numLevels[q] > 1) this.addCurvatureOf(q, bend, cells, numFeatures, ofLevels, block, matrix);
    }
    block.halves.fill(0, block.filled * numFeatures);
    block.rows.fill(0, block.filled);
    addProducts(cells, block, numFeatures, matrix);
    addTransposed(matrix, numFeatures);
  }

  /** Half of the curvature of a query; the other half is the same, transposed. */
  private addCurvatureOf(
    q: number,
    bend: number,
    cells: Float64Array,
    numFeatures: number,
    ofLevels: Float64Array,
    block: Block,
    matrix: Float64Array,
  ): void {
    const { order, ascending, levelsInOrder, bends } = this;
    const inner = Number.isFinite(this.width) ? 1 - this.width : Number.NEGATIVE_INFINITY;
    const from = this.queryOffsets[q];
    const to = this.queryOffsets[q + 1];
    const n = this.numLevels[q];
    const { rows, halves } = block;
    ofLevels.fill(0, 0, (n + 1) * numFeatures);
    for (let i = from, reach = from, left = from; i < to; i++) {
      for (; reach < to && ascending[reach] < ascending[i] + 1; reach++) {
        addRow(ofLevels, levelsInOrder[reach] * numFeatures, 1, cells, order[reach] * numFeatures, numFeatures);
      }
      for (; left < reach && ascending[left] < ascending[i] + inner; left++) {
        addRow(ofLevels, levelsInOrder[left] * numFeatures, -1, cells, order[left] * numFeatures, numFeatures);
      }
      const row = order[i];
      if (bends[row] === 0) continue;
      // the sum over pairs of (x - y)(x - y)' is that over rows x of x u' + u x', u being x for half of its pairs less the sum of
      // the y that belong above it
      const at = block.filled * numFeatures;
      halves.fill(0, at, at + numFeatures);
      addRow(halves, at, 0.5 * bend * bends[row], cells, row * numFeatures, numFeatures);
      for (let level = levelsInOrder[i] + 1; level <= n; level++) addRow(halves, at, -bend, ofLevels, level * numFeatures, numFeatures);
      rows[block.filled++] = row;
      if (block.filled === BLOCK) {
        addProducts(cells, block, numFeatures, matrix);
        block.filled = 0;
      }
    }
  }

  private strideFor(enoughRows: number): number {
    if (enoughRows === Number.POSITIVE_INFINITY) return 1;
    let rows = 0;
    for (let row = 0; row < this.bends.length; row++) if (this.bends[row] > 0) rows++;
    return Math.min(this.numLevels.length, Math.max(1, Math.floor(rows / enoughRows)));
  }

  /** How many times as many pairs on the curved part there are as in every so many queries. */
  private shareOfQueries(stride: number): number {
    if (stride === 1) return 1;
    let all = 0;
    let taken = 0;
    for (let q = 0; q < this.numLevels.length; q++) {
      for (let row = this.queryOffsets[q]; row < this.queryOffsets[q + 1]; row++) {
        all += this.bends[row];
        if (q % stride === 0) taken += this.bends[row];
      }
    }
    return taken > 0 ? all / taken : 1;
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
        this.sortAnew(from, to, scores);
        break;
      }
    }
    for (let i = from; i < to; i++) levelsInOrder[i] = levels[order[i]];
  }

  private sortAnew(from: number, to: number, scores: Float64Array): void {
    this.order.subarray(from, to).sort((a, b) => scores[a] - scores[b] || a - b);
    for (let at = from; at < to; at++) this.ascending[at] = scores[this.order[at]];
  }
}

/** Rows that go into a matrix at a time, because to read and write it costs more than to multiply. */
const BLOCK = 4;

interface Block {
  readonly rows: Uint32Array;
  readonly halves: Float64Array;
  filled: number;
}

/** matrix += sum over the block of x u' */
function addProducts(cells: Float64Array, { rows, halves }: Block, numFeatures: number, matrix: Float64Array): void {
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

function addRow(to: Float64Array, at: number, weight: number, from: Float64Array, base: number, length: number): void {
  for (let k = 0; k < length; k++) to[at + k] += weight * from[base + k];
}

function addTransposed(matrix: Float64Array, n: number): void {
  for (let k = 0; k < n; k++) {
    for (let l = 0; l <= k; l++) {
      const sum = matrix[k * n + l] + matrix[l * n + k];
      matrix[k * n + l] = sum;
      matrix[l * n + k] = sum;
    }
  }
}
