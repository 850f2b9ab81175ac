import { queriesOf, queriesWithPairs, type TrainingCells } from '../training/training-cells.js';
import { PairHinge } from './pair-hinge.js';

/** What a pair costs: how far it falls short of the margin, or the square of that. */
export type PairLoss = 'hinge' | 'squared-hinge';

/** ½ |w|² + c · (sum over pairs of the loss), as its solver asks for it. */
export class SvmProblem {
  readonly hinge: PairHinge;
  readonly loss: PairLoss;
  readonly numFeatures: number;
  readonly numRows: number;
  readonly cells: Float64Array;

  constructor(all: TrainingCells, loss: PairLoss) {
    // the other queries hold no pairs, and would only be carried along
    const holdsPairs = queriesWithPairs(all);
    const data = queriesOf(
      all,
      [...holdsPairs.keys()].filter((q) => holdsPairs[q] === 1),
    );
    this.hinge = new PairHinge(data.labels, data.queryOffsets);
    this.loss = loss;
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

/** The inner product, summed from the first to the last so that results do not depend on the machine. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** out = a + length * b */
export function sumWith(a: Float64Array, length: number, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i] + length * b[i];
}

/** The weights that a solver found, and how close to the best they are known to be. */
export interface SvmSolution {
  readonly weights: Float64Array;
  /** The value of the objective; by how much it may be above the least one, at most; and how many steps it took. */
  readonly objective: number;
  readonly gap: number;
  readonly steps: number;
  /** How widely the loss was softened in the end. */
  readonly width: number;
}

/** When a solver has done enough. */
export interface SolverControl {
  /** The share of the objective that the gap may be. */
  readonly tolerance: number;
  readonly maxSteps: number;
  /** Called between steps; true ends the work. */
  readonly stop: () => Promise<boolean>;
}
