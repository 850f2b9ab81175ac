import { dot, type SvmProblem } from './problem.js';

/** With at most so many features the second derivatives are worked out and the system is solved at once; with more, by
 *  conjugate gradients, which never see the matrix. */
const MOST_SOLVED_AT_ONCE = 100;
/** Rows per feature from which the second derivatives are about right. */
const ROUGH_ROWS = 16;
/** How exactly conjugate gradients solve, against the size of the right side, and in how many steps. */
const SYSTEM_TOLERANCE = 0.1;
const MAX_SYSTEM_STEPS = 250;

/** Newton's direction: -(I + c X'LX)⁻¹ gradient, where L is the curvature of the loss at the scores it was last asked for. */
export class NewtonDirection {
  readonly direction: Float64Array;
  private readonly problem: SvmProblem;
  private readonly matrix: Float64Array;
  private readonly residual: Float64Array;
  private readonly probe: Float64Array;
  private readonly product: Float64Array;
  private readonly moves: Float64Array;
  private readonly curved: Float64Array;

  constructor(problem: SvmProblem) {
    const { numFeatures, numRows } = problem;
    this.problem = problem;
    const atOnce = numFeatures <= MOST_SOLVED_AT_ONCE;
    this.direction = new Float64Array(numFeatures);
    this.matrix = new Float64Array(atOnce ? numFeatures * numFeatures : 0);
    this.residual = new Float64Array(numFeatures);
    this.probe = new Float64Array(numFeatures);
    this.product = new Float64Array(numFeatures);
    this.moves = new Float64Array(atOnce ? 0 : numRows);
    this.curved = new Float64Array(atOnce ? 0 : numRows);
  }

  /** `rough` if a direction that is about right will do. */
  find(gradient: Float64Array, c: number, rough: boolean): void {
    if (this.matrix.length > 0) this.solve(gradient, c, rough ? ROUGH_ROWS * gradient.length : Number.POSITIVE_INFINITY);
    else this.approach(gradient, c);
  }

  /** By Cholesky's factors. */
  private solve(gradient: Float64Array, c: number, enoughRows: number): void {
    const { problem, matrix, direction } = this;
    const n = problem.numFeatures;
    problem.hinge.curvatureMatrix(problem.cells, n, matrix, enoughRows);
    for (let i = 0; i < matrix.length; i++) matrix[i] *= c;
    for (let k = 0; k < n; k++) matrix[k * n + k] += 1;
    factorise(matrix, n);
    solveFactorised(matrix, n, gradient, direction);
  }

  private approach(gradient: Float64Array, c: number): void {
    const { problem, direction, residual, probe, product, moves, curved } = this;
    const n = problem.numFeatures;
    direction.fill(0);
    for (let k = 0; k < n; k++) residual[k] = -gradient[k];
    probe.set(residual);
    let squared = dot(residual, residual);
    const wanted = SYSTEM_TOLERANCE ** 2 * squared;
    for (let i = 0; i < MAX_SYSTEM_STEPS && squared > wanted; i++) {
      problem.times(probe, moves);
      problem.hinge.curvature(moves, curved);
      problem.timesTransposed(curved, product);
      for (let k = 0; k < n; k++) product[k] = probe[k] + c * product[k];
      const length = squared / dot(probe, product);
      for (let k = 0; k < n; k++) {
        direction[k] += length * probe[k];
        residual[k] -= length * product[k];
      }
      const next = dot(residual, residual);
      const turn = next / squared;
      for (let k = 0; k < n; k++) probe[k] = residual[k] + turn * probe[k];
      squared = next;
    }
  }
}

/** Cholesky's factor of a positive definite matrix, in its lower half. */
function factorise(matrix: Float64Array, n: number): void {
  for (let k = 0; k < n; k++) {
    const whole = matrix[k * n + k];
    for (let l = 0; l <= k; l++) {
      const rest = matrix[k * n + l] - rowProduct(matrix, k * n, l * n, l);
      // features that depend on each other leave nothing but rounding
      matrix[k * n + l] = l < k ? rest / matrix[l * n + l] : Math.sqrt(Math.max(rest, 1e-14 * whole));
    }
  }
}

function rowProduct(matrix: Float64Array, a: number, b: number, length: number): number {
  let sum = 0;
  for (let j = 0; j < length; j++) sum += matrix[a + j] * matrix[b + j];
  return sum;
}

/** The solution for minus the right side. */
function solveFactorised(factor: Float64Array, n: number, right: Float64Array, solution: Float64Array): void {
  for (let k = 0; k < n; k++) {
    let sum = -right[k];
    for (let j = 0; j < k; j++) sum -= factor[k * n + j] * solution[j];
    solution[k] = sum / factor[k * n + k];
  }
  for (let k = n - 1; k >= 0; k--) {
    let sum = solution[k];
    for (let j = k + 1; j < n; j++) sum -= factor[j * n + k] * solution[j];
    solution[k] = sum / factor[k * n + k];
  }
}
