import { dot, type SolverControl, type SvmProblem, type SvmSolution } from './svm-problem.js';

/** How far beyond the best point, towards the model's minimum, the next plane is laid. */
const LOOK_AHEAD = 0.1;

/** The hinge by cutting planes: a model made of tangent planes is solved exactly, the best point between its minimum and the
 *  best one so far is found, and a plane is added near it. The model's minimum is a lower bound, so that the gap to the
 *  true optimum is known; ends when it is at most `tolerance` of the objective.
 *  Joachims, Training linear SVMs in linear time, KDD 2006, doi:10.1145/1150402.1150429; Franc and Sonnenburg, Optimized
 *  cutting plane algorithm for large-scale risk minimization, JMLR 10, 2009. */
export async function solveByPlanes(
  problem: SvmProblem,
  model: PlaneModel,
  c: number,
  start: Float64Array,
  { tolerance, maxSteps, stop }: SolverControl,
): Promise<SvmSolution> {
  const { numFeatures, numRows, hinge } = problem;
  const best = start.slice();
  const bestScores = new Float64Array(numRows);
  const scores = new Float64Array(numRows);
  const moves = new Float64Array(numRows);
  const byScore = new Float64Array(numRows);
  const direction = new Float64Array(numFeatures);
  model.setTotal(c);

  problem.times(best, bestScores);
  let loss = hinge.loss(bestScores, 1, byScore);
  let objective = 0.5 * dot(best, best) + c * loss;
  const slopes = new Float64Array(numFeatures);
  problem.timesTransposed(byScore, slopes);
  model.add(slopes, loss - dot(slopes, best));
  let steps = 0;
  for (; steps < maxSteps; steps++) {
    if (await stop()) break;
    const { weights, bound } = model.solve(0.1 * tolerance * objective);
    if (objective - bound <= tolerance * objective) break;
    for (let k = 0; k < numFeatures; k++) direction[k] = weights[k] - best[k];
    problem.times(direction, moves);

    const length = bestLength(problem, c, best, direction, bestScores, moves, scores, byScore);
    if (length > 0) {
      for (let k = 0; k < numFeatures; k++) best[k] += length * direction[k];
      for (let row = 0; row < numRows; row++) bestScores[row] += length * moves[row];
      objective = 0.5 * dot(best, best) + c * hinge.loss(bestScores, 1, byScore);
    }
    // towards the model's minimum from the best point; from beyond it, backwards
    const ahead = LOOK_AHEAD * (1 - length);
    const at = new Float64Array(numFeatures);
    for (let k = 0; k < numFeatures; k++) at[k] = best[k] + ahead * direction[k];
    for (let row = 0; row < numRows; row++) scores[row] = bestScores[row] + ahead * moves[row];
    loss = hinge.loss(scores, 1, byScore);
    problem.timesTransposed(byScore, slopes);
    if (!model.add(slopes, loss - dot(slopes, at))) break;
    const objectiveThere = 0.5 * dot(at, at) + c * loss;
    if (objectiveThere < objective) {
      best.set(at);
      bestScores.set(scores);
      objective = objectiveThere;
    }
  }
  return { weights: best, objective, steps };
}

/** The length of the step along `direction` at which the objective is least: where its derivative, which only rises, passes 0. */
function bestLength(
  problem: SvmProblem,
  c: number,
  from: Float64Array,
  direction: Float64Array,
  fromScores: Float64Array,
  moves: Float64Array,
  scores: Float64Array,
  byScore: Float64Array,
): number {
  const linear = dot(from, direction);
  const quadratic = dot(direction, direction);
  const derivative = (length: number): number => {
    for (let row = 0; row < scores.length; row++) scores[row] = fromScores[row] + length * moves[row];
    problem.hinge.loss(scores, 1, byScore);
    return linear + length * quadratic + c * dot(byScore, moves);
  };
  let low = 0;
  let atLow = derivative(0);
  if (atLow >= 0) return 0;
  let high = 1;
  let atHigh = derivative(high);
  for (let i = 0; i < 10 && atHigh < 0; i++) {
    low = high;
    atLow = atHigh;
    high *= 2;
    atHigh = derivative(high);
  }
  for (let i = 0; i < 20 && high - low > 1e-4 * high; i++) {
    // the secant, kept away from the ends so that the stretch always shrinks
    const share = Math.min(0.9, Math.max(0.1, -atLow / (atHigh - atLow)));
    const middle = low + (high - low) * share;
    const value = derivative(middle);
    if (value < 0) {
      low = middle;
      atLow = value;
    } else {
      high = middle;
      atHigh = value;
    }
  }
  return low;
}

/** A plane that got no share in so many solutions makes room for another; there is room for MOST_PLANES. */
const IDLE = 40;
const MOST_PLANES = 1000;

/** min ½ |w|² + c · max(0, max over planes of slopes·w + offset), solved through its dual: a share of c for each plane and
 *  for 0, the minimum being minus the mix of slopes. Shares go from the plane that is lowest there to the one that is highest.
 *  Planes say nothing about c, so that one model serves all values of it in turn. */
export class PlaneModel {
  private readonly numFeatures: number;
  private numPlanes = 1;
  private total = 0;
  private readonly slopes: Float64Array[] = [];
  private readonly offsets = new Float64Array(MOST_PLANES);
  private readonly shares = new Float64Array(MOST_PLANES);
  /** How high each plane is at the minimum of the current shares. */
  private readonly heights = new Float64Array(MOST_PLANES);
  /** Solutions since each plane had a share. */
  private readonly idle = new Float64Array(MOST_PLANES);
  /** products[i][j] of slopes i and j. */
  private readonly products: Float64Array[] = [];

  /** Plane 0 is the constant 0, which no loss falls below. */
  constructor(numFeatures: number) {
    this.numFeatures = numFeatures;
    this.slopes.push(new Float64Array(numFeatures));
    this.products.push(new Float64Array(MOST_PLANES));
  }

  /** Sets c, and keeps the proportions of the shares. */
  setTotal(c: number): void {
    const { shares, heights, numPlanes } = this;
    if (this.total === 0) shares[0] = c;
    else for (let i = 0; i < numPlanes; i++) shares[i] *= c / this.total;
    this.total = c;
    for (let i = 0; i < numPlanes; i++) heights[i] = this.heightOf(i);
  }

  /** Lays a plane; false if all places are taken by planes that matter. */
  add(slopes: Float64Array, offset: number): boolean {
    const place = this.freePlace();
    if (place < 0) return false;
    this.slopes[place] = slopes.slice();
    this.offsets[place] = offset;
    this.shares[place] = 0;
    this.idle[place] = 0;
    this.products[place] ??= new Float64Array(MOST_PLANES);
    for (let j = 0; j < this.numPlanes; j++) {
      const product = dot(slopes, this.slopes[j]);
      this.products[place][j] = product;
      this.products[j][place] = product;
    }
    this.heights[place] = this.heightOf(place);
    return true;
  }

  private freePlace(): number {
    for (let i = 1; i < this.numPlanes; i++) if (this.idle[i] >= IDLE) return i;
    return this.numPlanes < MOST_PLANES ? this.numPlanes++ : -1;
  }

  private heightOf(i: number): number {
    const { shares, products, numPlanes } = this;
    let height = this.offsets[i];
    for (let j = 0; j < numPlanes; j++) height -= shares[j] * products[i][j];
    return height;
  }

  /** The minimum, up to `accuracy` of the dual's value, and a lower bound for the true objective. */
  solve(accuracy: number): { readonly weights: Float64Array; readonly bound: number } {
    const { shares, heights, products, total, numPlanes, idle } = this;
    for (let i = 0; i < 50 * numPlanes + 1000; i++) {
      let high = 0;
      let low = -1;
      for (let p = 0; p < numPlanes; p++) {
        if (heights[p] > heights[high]) high = p;
        if (shares[p] > 0 && (low < 0 || heights[p] < heights[low])) low = p;
      }
      const rise = heights[high] - heights[low];
      if (rise * total <= accuracy) break;
      const ofHigh = products[high];
      const ofLow = products[low];
      const bend = ofHigh[high] - 2 * ofHigh[low] + ofLow[low];
      const moved = bend > 0 ? Math.min(shares[low], rise / bend) : shares[low];
      shares[low] -= moved;
      shares[high] += moved;
      for (let p = 0; p < numPlanes; p++) heights[p] -= moved * (ofHigh[p] - ofLow[p]);
    }
    const weights = new Float64Array(this.numFeatures);
    let bound = 0;
    for (let p = 0; p < numPlanes; p++) {
      idle[p] = shares[p] > 0 ? 0 : idle[p] + 1;
      if (shares[p] === 0) continue;
      const slopes = this.slopes[p];
      for (let k = 0; k < weights.length; k++) weights[k] -= shares[p] * slopes[k];
      bound += shares[p] * this.offsets[p];
    }
    return { weights, bound: bound - 0.5 * dot(weights, weights) };
  }
}
