import { discountAt, gainsOf, haveDifferentLabels, idealSum, logistic, type QueryObjective } from './query-objective.js';

/** nDCG with ranks that are smooth functions of the scores: 1 + the sum of the chances that others are above (Qin, Liu and Li 2010,
 *  doi:10.1007/s10791-009-9124-x). Its curvature can be negative; the Hessian given is that of the smoothed steps with the weights held,
 *  which bounds the step by the temperature. */
export function approxNdcgLoss({ temperature = 0.1 }: { readonly temperature?: number | undefined } = {}): QueryObjective {
  return {
    name: 'ApproxNDCG',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels }) => {
      const count = scores.length;
      const gains = gainsOf(labels);
      const ideal = idealSum(gains);
      const gradient = new Float64Array(count);
      const hessian = new Float64Array(count);
      if (!(ideal > 0)) return { gradient, hessian, loss: 0 };
      const ranks = new Float64Array(count).fill(1);
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < i; j++) {
          const above = logistic((scores[j] - scores[i]) / temperature);
          ranks[i] += above;
          ranks[j] += 1 - above;
        }
      }
      let loss = 0;
      // what the loss gains when a document sinks by one rank
      const slopes = ranks.map((rank, i) => {
        loss -= (gains[i] * discountAt(rank)) / ideal;
        const log = Math.log(1 + rank);
        return (gains[i] * Math.LN2) / (ideal * (1 + rank) * log * log);
      });
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < i; j++) {
          const above = logistic((scores[j] - scores[i]) / temperature);
          const steepness = (above * (1 - above)) / temperature;
          const force = (slopes[i] - slopes[j]) * steepness;
          gradient[i] -= force;
          gradient[j] += force;
          const bend = Math.abs(force) / temperature;
          hessian[i] += bend;
          hessian[j] += bend;
        }
      }
      return { gradient, hessian, loss };
    },
  };
}

/** How NeuralNDCG sorts. */
export interface NeuralNdcgOptions {
  /** The smaller, the nearer to sorting. */
  readonly temperature?: number | undefined;
  /** Rounds in which columns and rows are brought to sums of 1 (Sinkhorn); 0 leaves the columns as they are. */
  readonly rounds?: number | undefined;
  /** Column and row sums this near to 1 need no further round. */
  readonly balanced?: number | undefined;
}

/** nDCG of a smooth permutation (NeuralSort), which Sinkhorn's scaling makes doubly stochastic (Pobrotyn and Białobrzeski 2021,
 *  arXiv:2102.07831). The loss is not convex; the size of the gradient stands for the Hessian. */
export function neuralNdcgLoss({ temperature = 1, rounds = 50, balanced }: NeuralNdcgOptions = {}): QueryObjective {
  return {
    name: 'NeuralNDCG',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels }) => {
      const count = scores.length;
      const gains = gainsOf(labels);
      const ideal = idealSum(gains);
      if (!(ideal > 0)) return { gradient: new Float64Array(count), hessian: new Float64Array(count), loss: 0 };
      const sorting = softPermutation(scores, { temperature, rounds, balanced });
      const byEntry = new Float64Array(count * count);
      let loss = 0;
      for (let k = 0; k < count; k++) {
        for (let j = 0; j < count; j++) {
          byEntry[k * count + j] = (-gains[j] * discountAt(k + 1)) / ideal;
          loss += byEntry[k * count + j] * sorting.matrix[k * count + j];
        }
      }
      const gradient = sorting.backward(byEntry);
      return { gradient, hessian: gradient.map((value) => Math.abs(value) / temperature + 1e-6), loss };
    },
  };
}

/** A matrix whose row k holds the chances of each document to be at rank k, and the way back from derivatives by its entries. */
export interface SoftPermutation {
  /** Row by row. */
  readonly matrix: Float64Array;
  /** Derivatives by the scores, from those by the entries, which are changed. */
  backward(byEntry: Float64Array): Float64Array;
}

/** NeuralSort's relaxation of sorting (Grover et al. 2019, arXiv:1903.08850), scaled in rounds. */
export function softPermutation(
  scores: Float64Array,
  { temperature = 1, rounds = 0, balanced = 1e-6 }: NeuralNdcgOptions = {},
): SoftPermutation {
  const count = scores.length;
  const rows = new Float64Array(count * count);
  for (let j = 0; j < count; j++) {
    let distance = 0;
    for (let m = 0; m < count; m++) distance += Math.abs(scores[j] - scores[m]);
    for (let k = 0; k < count; k++) rows[k * count + j] = ((count - 1 - 2 * k) * scores[j] - distance) / temperature;
  }
  for (let k = 0; k < count; k++) {
    const row = rows.subarray(k * count, (k + 1) * count);
    let greatest = Number.NEGATIVE_INFINITY;
    for (const value of row) if (value > greatest) greatest = value;
    let sum = 0;
    for (let j = 0; j < count; j++) {
      row[j] = Math.exp(row[j] - greatest);
      sum += row[j];
    }
    for (let j = 0; j < count; j++) row[j] /= sum;
  }
  // the matrix after each step is rows[k, j] · up[k] · across[j]; one of the two changes in each step
  const steps: { readonly kind: 'columns' | 'rows'; readonly sums: Float64Array }[] = [];
  const matrix = rows.slice();
  for (let round = 0; round < rounds; round++) {
    const columnSums = sumsOf(matrix, count, 'columns');
    const rowSums = sumsOf(matrix, count, 'rows');
    if ([...columnSums, ...rowSums].every((sum) => Math.abs(sum - 1) < balanced)) break;
    steps.push({ kind: 'columns', sums: columnSums });
    divide(matrix, count, columnSums, 'columns');
    const after = sumsOf(matrix, count, 'rows');
    steps.push({ kind: 'rows', sums: after });
    divide(matrix, count, after, 'rows');
  }
  return { matrix, backward: (byEntry) => backward(scores, temperature, rows, matrix.slice(), steps, byEntry) };
}

function sumsOf(matrix: Float64Array, count: number, kind: 'columns' | 'rows'): Float64Array {
  const sums = new Float64Array(count);
  for (let k = 0; k < count; k++) for (let j = 0; j < count; j++) sums[kind === 'rows' ? k : j] += matrix[k * count + j];
  // a document far below all others may have chances that are rounded to 0
  return sums.map((sum) => Math.max(sum, 1e-300));
}

function divide(matrix: Float64Array, count: number, sums: Float64Array, kind: 'columns' | 'rows'): void {
  for (let k = 0; k < count; k++) for (let j = 0; j < count; j++) matrix[k * count + j] /= sums[kind === 'rows' ? k : j];
}

function backward(
  scores: Float64Array,
  temperature: number,
  rows: Float64Array,
  current: Float64Array,
  steps: readonly { readonly kind: 'columns' | 'rows'; readonly sums: Float64Array }[],
  byEntry: Float64Array,
): Float64Array {
  const count = scores.length;
  for (const { kind, sums } of [...steps].reverse()) {
    const inner = new Float64Array(count);
    const at = (k: number, j: number): number => (kind === 'rows' ? k : j);
    for (let k = 0; k < count; k++) {
      for (let j = 0; j < count; j++) inner[at(k, j)] += byEntry[k * count + j] * current[k * count + j];
    }
    for (let k = 0; k < count; k++) {
      for (let j = 0; j < count; j++) {
        const entry = k * count + j;
        byEntry[entry] = (byEntry[entry] - inner[at(k, j)]) / sums[at(k, j)];
        current[entry] *= sums[at(k, j)];
      }
    }
  }
  const gradient = new Float64Array(count);
  const byDistance = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    let inner = 0;
    for (let j = 0; j < count; j++) inner += byEntry[k * count + j] * rows[k * count + j];
    for (let j = 0; j < count; j++) {
      const byPower = (rows[k * count + j] * (byEntry[k * count + j] - inner)) / temperature;
      gradient[j] += byPower * (count - 1 - 2 * k);
      byDistance[j] -= byPower;
    }
  }
  for (let j = 0; j < count; j++) {
    for (let m = 0; m < count; m++) {
      const sign = Math.sign(scores[j] - scores[m]);
      gradient[j] += byDistance[j] * sign;
      gradient[m] -= byDistance[j] * sign;
    }
  }
  return gradient;
}
