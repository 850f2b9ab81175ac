import { dot, type SolverControl, type SvmProblem, type SvmSolution } from './svm-problem.js';

/** How exactly each system is solved, against the size of its right side. */
const SYSTEM_TOLERANCE = 0.1;
const MAX_SYSTEM_STEPS = 250;
const MAX_HALVINGS = 40;

/** The squared hinge by truncated Newton steps: each direction from a few conjugate gradient steps, then halved until it
 *  pays. Ends when the gradient has shrunk to `tolerance` of its size at weights 0.
 *  Chapelle and Keerthi, Efficient algorithms for ranking with SVMs, Information Retrieval 13, 2010, doi:10.1007/s10791-009-9109-9. */
export async function solveByNewton(
  problem: SvmProblem,
  c: number,
  start: Float64Array,
  { tolerance, maxSteps, stop }: SolverControl,
): Promise<SvmSolution> {
  const { numFeatures, numRows, hinge } = problem;
  const weights = start.slice();
  const gradient = new Float64Array(numFeatures);
  const direction = new Float64Array(numFeatures);
  const residual = new Float64Array(numFeatures);
  const probe = new Float64Array(numFeatures);
  const product = new Float64Array(numFeatures);
  const scores = new Float64Array(numRows);
  const tried = new Float64Array(numRows);
  const byScore = new Float64Array(numRows);
  const moves = new Float64Array(numRows);
  const curved = new Float64Array(numRows);

  hinge.loss(scores, 2, byScore);
  problem.timesTransposed(byScore, gradient);
  const enough = tolerance * c * Math.sqrt(dot(gradient, gradient));

  problem.times(weights, scores);
  let objective = 0.5 * dot(weights, weights) + c * hinge.loss(scores, 2, byScore);
  let steps = 0;
  for (; steps < maxSteps; steps++) {
    problem.timesTransposed(byScore, gradient);
    for (let k = 0; k < numFeatures; k++) gradient[k] = weights[k] + c * gradient[k];
    const size = Math.sqrt(dot(gradient, gradient));
    if (size <= enough || (await stop())) break;

    direction.fill(0);
    for (let k = 0; k < numFeatures; k++) residual[k] = -gradient[k];
    probe.set(residual);
    let squared = size * size;
    const wanted = (SYSTEM_TOLERANCE * size) ** 2;
    for (let i = 0; i < MAX_SYSTEM_STEPS && squared > wanted; i++) {
      problem.times(probe, moves);
      hinge.curvature(moves, curved);
      problem.timesTransposed(curved, product);
      for (let k = 0; k < numFeatures; k++) product[k] = probe[k] + c * product[k];
      const length = squared / dot(probe, product);
      for (let k = 0; k < numFeatures; k++) {
        direction[k] += length * probe[k];
        residual[k] -= length * product[k];
      }
      const next = dot(residual, residual);
      const turn = next / squared;
      for (let k = 0; k < numFeatures; k++) probe[k] = residual[k] + turn * probe[k];
      squared = next;
    }

    problem.times(direction, moves);
    const slope = dot(gradient, direction);
    const along = dot(weights, direction);
    const directionSquared = dot(direction, direction);
    const weightsSquared = dot(weights, weights);
    let length = 1;
    let halvings = 0;
    for (; halvings < MAX_HALVINGS; halvings++, length /= 2) {
      for (let row = 0; row < numRows; row++) tried[row] = scores[row] + length * moves[row];
      const norm = 0.5 * weightsSquared + length * along + 0.5 * length * length * directionSquared;
      const value = norm + c * hinge.loss(tried, 2, byScore);
      if (value <= objective + 1e-4 * length * slope) {
        objective = value;
        break;
      }
    }
    // no step pays any more: this is as far as doubles go
    if (halvings === MAX_HALVINGS) {
      hinge.loss(scores, 2, byScore);
      break;
    }
    for (let k = 0; k < numFeatures; k++) weights[k] += length * direction[k];
    scores.set(tried);
  }
  return { weights, objective, steps };
}
