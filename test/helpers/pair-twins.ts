/** Slow and obvious versions of what the learners of pairs compute: they go through the pairs. */

export interface Pair {
  readonly higher: number;
  readonly lower: number;
}

export function allPairs(labels: ArrayLike<number>, queryOffsets: ArrayLike<number>): Pair[] {
  const pairs: Pair[] = [];
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    for (let a = queryOffsets[q]; a < queryOffsets[q + 1]; a++) {
      for (let b = queryOffsets[q]; b < queryOffsets[q + 1]; b++) if (labels[a] > labels[b]) pairs.push({ higher: a, lower: b });
    }
  }
  return pairs;
}

/** What a pair costs that falls short by h, and the first and second derivative of that: the square for an infinite width, the
 *  hinge for 0, and in between the hinge with its corner rounded off over the width. */
function costOf(h: number, width: number): readonly [number, number, number] {
  if (!(h > 0)) return [0, 0, 0];
  if (width === Number.POSITIVE_INFINITY) return [h * h, 2 * h, 2];
  if (h <= width) return [(h * h) / (2 * width), h / width, 1 / width];
  return [h - width / 2, 1, 0];
}

function shortfall({ higher, lower }: Pair, scores: ArrayLike<number>): number {
  return 1 - (scores[higher] - scores[lower]);
}

export function slowLoss(pairs: readonly Pair[], scores: ArrayLike<number>, width: number): number {
  return pairs.reduce((sum, pair) => sum + costOf(shortfall(pair, scores), width)[0], 0);
}

/** The sum of the first derivatives. */
export function slowDerivatives(pairs: readonly Pair[], scores: ArrayLike<number>, width: number): number {
  return pairs.reduce((sum, pair) => sum + costOf(shortfall(pair, scores), width)[1], 0);
}

/** The derivative of the sum by each score, pair by pair. */
export function slowLossGradient(pairs: readonly Pair[], scores: ArrayLike<number>, width: number): number[] {
  const gradient = Array.from({ length: scores.length }, () => 0);
  for (const pair of pairs) {
    const force = costOf(shortfall(pair, scores), width)[1];
    gradient[pair.higher] -= force;
    gradient[pair.lower] += force;
  }
  return gradient;
}

/** The second derivatives of the sum, a row per score. */
export function slowLossCurvature(pairs: readonly Pair[], scores: ArrayLike<number>, width: number): number[][] {
  const matrix = Array.from({ length: scores.length }, () => Array.from({ length: scores.length }, () => 0));
  for (const pair of pairs) {
    const bend = costOf(shortfall(pair, scores), width)[2];
    matrix[pair.higher][pair.higher] += bend;
    matrix[pair.lower][pair.lower] += bend;
    matrix[pair.higher][pair.lower] -= bend;
    matrix[pair.lower][pair.higher] -= bend;
  }
  return matrix;
}

/** The least value of ½ |w|² + c Σ hinge^power over differences of rows, by going round the dual's variables one at a time, each
 *  set to its best value, until primal and dual meet: their gap bounds the error. */
export function exactSvm(
  rows: readonly (readonly number[])[],
  pairs: readonly Pair[],
  c: number,
  power: 1 | 2,
): { readonly objective: number; readonly gap: number } {
  const differences = pairs.map(({ higher, lower }) => rows[higher].map((value, k) => value - rows[lower][k]));
  const numFeatures = rows[0].length;
  const w = new Array<number>(numFeatures).fill(0);
  const shares = differences.map(() => 0);
  const most = power === 1 ? c : Number.POSITIVE_INFINITY;
  const ridge = power === 1 ? 0 : 1 / (2 * c);
  const product = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, k) => sum + value * b[k], 0);
  let objective = 0;
  let gap = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 200_000 && gap > 1e-10 * Math.max(1, objective); round++) {
    differences.forEach((d, i) => {
      const bend = product(d, d) + ridge;
      if (bend === 0) return;
      const wanted = shares[i] - (product(w, d) - 1 + ridge * shares[i]) / bend;
      const share = Math.min(most, Math.max(0, wanted));
      d.forEach((value, k) => {
        w[k] += (share - shares[i]) * value;
      });
      shares[i] = share;
    });
    const loss = differences.reduce((sum, d) => sum + Math.max(0, 1 - product(w, d)) ** power, 0);
    objective = 0.5 * product(w, w) + c * loss;
    const dual = shares.reduce((sum, share) => sum + share - 0.5 * ridge * share * share, 0) - 0.5 * product(w, w);
    gap = objective - dual;
  }
  return { objective, gap };
}
