import { type HingePower, PairHinge } from './pair-hinge.js';
import { queriesOf, queriesWithPairs, type TrainingData } from './training-data.js';

/** ½ |w|² + c · (sum over pairs of the hinge, or of its square), as its solvers ask for it. */
export class SvmProblem {
  readonly hinge: PairHinge;
  readonly power: HingePower;
  readonly numFeatures: number;
  readonly numRows: number;
  private readonly cells: Float64Array;

  constructor(all: TrainingData, power: HingePower) {
    // the other queries hold no pairs, and would only be carried along
    const holdsPairs = queriesWithPairs(all);
    const data = queriesOf(
      all,
      [...holdsPairs.keys()].filter((q) => holdsPairs[q] === 1),
    );
    this.hinge = new PairHinge(data.labels, data.queryOffsets);
    this.power = power;
    this.numFeatures = data.numFeatures;
    this.numRows = data.numRows;
    this.cells = data.cells;
  }

  /** scores = X w */
  times(weights: Float64Array, scores: Float64Array): void {
    const { cells, numFeatures, numRows } = this;
    for (let row = 0, i = 0; row < numRows; row++) {
      let sum = 0;
      for (let c = 0; c < numFeatures; c++) sum += cells[i++] * weights[c];
      scores[row] = sum;
    }
  }

  /** sums = X' values */
  timesTransposed(values: Float64Array, sums: Float64Array): void {
    const { cells, numFeatures, numRows } = this;
    sums.fill(0);
    for (let row = 0; row < numRows; row++) {
      const value = values[row];
      if (value === 0) continue;
      const base = row * numFeatures;
      for (let c = 0; c < numFeatures; c++) sums[c] += value * cells[base + c];
    }
  }
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

export interface SvmSolution {
  readonly weights: Float64Array;
  /** The value of the objective, and how many steps it took. */
  readonly objective: number;
  readonly steps: number;
}

export interface SolverControl {
  readonly tolerance: number;
  readonly maxSteps: number;
  /** Called between steps; true ends the work. */
  readonly stop: () => Promise<boolean>;
}
