import { NewtonDirection } from './direction.js';
import { dot, type SolverControl, type SvmProblem, type SvmSolution, sumWith } from './problem.js';

/** Where to begin: weights, and how widely to soften the hinge there if they are near the solution. */
export interface Start {
  readonly weights: Float64Array;
  readonly width?: number;
}

/** The hinge is softened: widely at first, so that steps are well led, then as little as the tolerance asks for. */
const FIRST_WIDTH = 2;
const LEAST_WIDTH = 1e-7;
/** By how much it is narrowed at a time, at most. */
const MOST_NARROWING = 32;
/** A step that has to be cut shorter than this went astray: the width to begin with was too narrow to lead it. */
const ASTRAY = 0.02;
/** As long as steps gain more than this share of the objective, they need no more than a rough direction. */
const ROUGH_GAIN = 0.02;
/** A step ends where the slope is at most this share of what it was. */
const FLAT = 0.3;
const MAX_TRIES = 40;

/** RankSVM by Newton's method. Ends when the gap to the least value is at most `tolerance` of the objective: the derivatives of the
 *  loss by pair are a point of the dual problem, and what that is worth bounds the objective from below. For the squared hinge the
 *  gap is ½ |gradient|²; for the hinge, what the softening hides comes on top.
 *  Chapelle and Keerthi, Efficient algorithms for ranking with SVMs, Information Retrieval 13, 2010, doi:10.1007/s10791-009-9109-9. */
export async function solveByNewton(
  problem: SvmProblem,
  c: number,
  start: Start,
  { tolerance, maxSteps, stop }: SolverControl,
): Promise<SvmSolution> {
  const { numFeatures, numRows, hinge } = problem;
  const weights = start.weights.slice();
  const gradient = new Float64Array(numFeatures);
  const scores = new Float64Array(numRows);
  const tried = new Float64Array(numRows);
  const byScore = new Float64Array(numRows);
  const moves = new Float64Array(numRows);
  const newton = new NewtonDirection(problem);
  const { direction } = newton;
  const soft = problem.loss === 'hinge';
  let width = soft ? Math.min(FIRST_WIDTH, start.width ?? FIRST_WIDTH) : Number.POSITIVE_INFINITY;

  problem.times(weights, scores);
  let best = { weights: start.weights, objective: Number.POSITIVE_INFINITY };
  let bound = 0;
  let steps = 0;
  let before = Number.POSITIVE_INFINITY;
  let stuck = false;
  for (;;) {
    const softened = c * hinge.loss(scores, width, byScore);
    problem.timesTransposed(byScore, gradient);
    sumWith(weights, c, gradient, gradient);
    const norm = 0.5 * dot(weights, weights);
    const objective = norm + (soft ? c * hinge.hinges : softened);
    if (objective < best.objective) best = { weights: weights.slice(), objective };
    // each pair's derivative is a share of c in the dual problem: by it the pair costs less than it does, and this is how much
    const hidden = soft ? Math.max(0, c * (hinge.hinges - hinge.derivatives - dot(byScore, scores))) : 0;
    bound = Math.max(bound, objective - hidden - 0.5 * dot(gradient, gradient));
    const allowed = tolerance * best.objective;
    if (best.objective - bound <= allowed) break;

    const gain = before - norm - softened;
    if (hidden > 0.5 * allowed && width > LEAST_WIDTH && (stuck || gain <= hidden)) {
      // what is hidden falls with the square of the width
      const narrower = 0.9 * width * Math.sqrt((0.5 * allowed) / hidden);
      width = Math.max(LEAST_WIDTH, width / MOST_NARROWING, narrower);
      before = Number.POSITIVE_INFINITY;
      stuck = false;
      continue;
    }
    if (stuck || steps >= maxSteps || (await stop())) break;
    steps++;
    before = norm + softened;
    newton.find(gradient, c, gain > ROUGH_GAIN * objective && (steps > 1 || start.width === undefined));
    problem.times(direction, moves);
    const length = lineSearch(before, dot(gradient, direction));
    stuck = length === 0;
    if (length < ASTRAY && width === start.width && width < FIRST_WIDTH) {
      width = FIRST_WIDTH;
      before = Number.POSITIVE_INFINITY;
      stuck = false;
    }
    sumWith(weights, length, direction, weights);
    sumWith(scores, length, moves, scores);
  }
  return { weights: best.weights, objective: best.objective, gap: Math.max(0, best.objective - bound), steps, width };

  /** How far to go along the direction: to where it is much less steep, and lower than here; 0 if there is no such place. */
  function lineSearch(here: number, slope: number): number {
    const linear = dot(weights, direction);
    const quadratic = dot(direction, direction);
    const norm = 0.5 * dot(weights, weights);
    let low = 0;
    let atLow = slope;
    let high = Number.POSITIVE_INFINITY;
    let atHigh = 0;
    let length = 1;
    for (let tries = 0; tries < MAX_TRIES && slope < 0; tries++) {
      sumWith(scores, length, moves, tried);
      const value = norm + length * (linear + 0.5 * length * quadratic) + c * hinge.loss(tried, width, byScore);
      const steepness = linear + length * quadratic + c * dot(byScore, moves);
      if (value < here && Math.abs(steepness) <= FLAT * -slope) return length;
      // an end that stays where it is counts for half each time, or the secant would creep towards it
      if (steepness < 0) {
        low = length;
        atLow = steepness;
        atHigh /= 2;
      } else {
        high = length;
        atHigh = steepness;
        atLow /= 2;
      }
      const share = Math.min(0.95, Math.max(0.05, atLow / (atLow - atHigh)));
      length = high === Number.POSITIVE_INFINITY ? 2 * length : low + (high - low) * share;
    }
    return low;
  }
}
