import type { ExpectedMeasure } from './expected-measure.js';

/** The most random grades of a ranked list that agree with what is known of it. */
export interface EntropyProblem {
  readonly numRanks: number;
  /** How many documents of each grade the list holds; those of grade 0 are the rest. */
  readonly counts: readonly number[];
  readonly measure: ExpectedMeasure;
  /** The value that the expectation of the measure shall have. */
  readonly value: number;
}

/** The least committed distribution of grades over ranks that meets the constraints, and how well it meets them. */
export interface EntropySolution {
  /** Rank n (from 0) has grade i with probability p[n * counts.length + i]. */
  readonly p: Float64Array;
  readonly entropy: number;
  /** How far the constraints are from being met, the worst of each kind. */
  readonly residuals: { readonly value: number; readonly counts: number; readonly sums: number };
  /** True if no residual is above the tolerance. */
  readonly isMet: boolean;
  readonly iterations: number;
  /** Which of several starts it came from. */
  readonly start: string;
}

/** Residuals up to this count as met. */
export const TOLERANCE = 1e-8;

/** Maximises the entropy of independent grades under the constraints. Where the measure is linear, the solution is that of a
 *  convex dual with one multiplier for each grade and one for the measure, found by Newton's method. Where it is not, the
 *  measure is replaced by its tangent again and again, each time with an exact solution, until the tangent is where the
 *  measure is; steps are shortened while they make things worse. Several starts are tried, and the best solution kept. */
export function maximizeEntropy(problem: EntropyProblem): EntropySolution {
  const { measure } = problem;
  const uniform = uniformGrades(problem);
  if (measure.isLinear) {
    const weights = new Float64Array(uniform.length);
    measure.gradient(uniform, weights);
    const dual = new EntropyDual(problem);
    const iterations = dual.solve(weights, problem.value, { mostSteps: 500, growth: 4 });
    return described(problem, dual.p, iterations, 'uniform');
  }
  // values at the edge of what can be need longer steps and steeper starts, which would only cost time elsewhere
  const first = bestOf(problem, startsAt(problem, uniform, [0, 6, -6]), 0);
  return first.isMet ? first : bestOf(problem, startsAt(problem, uniform, [0, 6, -6, 40, -40, 400, -400, 4000, -4000]), 4);
}

function bestOf(problem: EntropyProblem, starts: readonly [string, Float64Array][], growth: number): EntropySolution {
  let best: EntropySolution | undefined;
  for (const [start, p] of starts) {
    const { p: found, iterations } = solveByTangents(problem, p, growth);
    const solution = described(problem, found, iterations, start);
    if (best === undefined || isBetter(solution, best)) best = solution;
  }
  return best as EntropySolution;
}

function isBetter(a: EntropySolution, b: EntropySolution): boolean {
  if (a.isMet !== b.isMet) return a.isMet;
  return a.isMet ? a.entropy > b.entropy + 1e-10 : a.residuals.value < b.residuals.value;
}

/** The same chances at every rank. */
function uniformGrades({ numRanks, counts }: EntropyProblem): Float64Array {
  return Float64Array.from({ length: numRanks * counts.length }, (_, at) => counts[at % counts.length] / numRanks);
}

/** Where the search begins: the same chances everywhere (a slope of 0), and relevant documents towards the top or the bottom, over
 *  the whole list e^slope times as likely at one end as at the other. */
function startsAt(problem: EntropyProblem, uniform: Float64Array, slopes: readonly number[]): [string, Float64Array][] {
  const { numRanks, counts } = problem;
  return slopes.map((slope) => {
    if (slope === 0) return ['uniform', uniform];
    const weights = Float64Array.from(uniform, (_, at) =>
      at % counts.length === 0 ? 0 : (-slope * Math.floor(at / counts.length)) / numRanks,
    );
    const dual = new EntropyDual(problem);
    dual.solve(weights, 0, { mostSteps: 500, fixed: true });
    return [slope > 0 ? 'top' : 'bottom', dual.p];
  });
}

/** The grades exp(λ_i + μ w_n(i)) of one problem, and the multipliers λ and μ under which they have the wanted counts and the
 *  wanted sum of weights. Its room is used again from one set of weights to the next. */
class EntropyDual {
  /** The chances under the multipliers found last; overwritten by the next search. */
  readonly p: Float64Array;
  /** One multiplier per grade, that of grade 0 being 0, and that of the weights, which are brought to a size of one first. */
  readonly multipliers: Float64Array;
  private readonly numRanks: number;
  private readonly counts: Float64Array;
  private readonly lambda: Float64Array;
  private mu = 0;
  private readonly target: Float64Array;
  private readonly gradient: Float64Array;
  private readonly hessian: Float64Array;

  constructor({ numRanks, counts }: EntropyProblem) {
    this.numRanks = numRanks;
    this.counts = Float64Array.from(counts);
    const numGrades = counts.length;
    this.p = new Float64Array(numRanks * numGrades);
    this.multipliers = new Float64Array(numGrades + 1);
    this.forget();
    this.lambda = new Float64Array(numGrades);
    this.target = new Float64Array(numGrades);
    this.gradient = new Float64Array(numGrades);
    this.hessian = new Float64Array(numGrades * numGrades);
  }

  /** Goes back to the multipliers of the same chances at every rank. */
  forget(): void {
    const { counts, multipliers } = this;
    multipliers.fill(0);
    for (let i = 1; i < counts.length; i++) multipliers[i] = counts[i] > 0 && counts[0] > 0 ? Math.log(counts[i] / counts[0]) : 0;
  }

  /** Newton's method on the dual, from the multipliers found before. Each step is halved until the dual falls. Returns how many
   *  steps it took. With `fixed`, the multiplier of the weights stays 1, and only the counts are met. */
  solve(
    weights: Float64Array,
    wanted: number,
    { mostSteps, growth = 0, fixed = false }: { mostSteps: number; growth?: number; fixed?: boolean },
  ): number {
    const { counts, lambda, multipliers, gradient, target } = this;
    const numGrades = counts.length;
    const scale = fixed ? 1 : largest(weights) || 1;
    // the unknowns are λ of grade 1, 2, … and then μ in the place of grade 0, whose λ is 0
    for (let grade = 1; grade < numGrades; grade++) {
      lambda[grade] = counts[grade] > 0 ? multipliers[grade] : 0;
      target[grade] = counts[grade];
    }
    this.mu = fixed ? 1 : multipliers[numGrades];
    target[0] = wanted / scale;
    let current = this.fill(weights, scale);
    let steps = 0;
    for (; steps < mostSteps; steps++) {
      let worst = 0;
      for (let a = 0; a < numGrades; a++) {
        if (this.isFree(a, fixed)) gradient[a] -= target[a];
        else this.pin(a);
        worst = Math.max(worst, Math.abs(gradient[a]));
      }
      if (worst < 1e-13 * this.numRanks) break;
      const step = solveSymmetric(this.hessian, gradient, numGrades);
      const most = largest(step);
      if (!(most > 0 && most < Infinity)) break;
      // multipliers may have far to go, but not all at once
      let length = Math.min(1, (20 + growth * Math.max(largest(lambda), Math.abs(this.mu))) / most);
      let taken = 0;
      let next = Number.NaN;
      for (let tries = 0; tries <= 20; tries++, length /= 2) {
        this.move(step, length - taken);
        taken = length;
        next = this.fill(weights, scale);
        if (next <= current + 1e-13 * Math.abs(current)) break;
        next = Number.NaN;
      }
      if (Number.isNaN(next)) {
        this.move(step, -taken);
        this.fill(weights, scale);
        break;
      }
      current = Math.min(current, next);
      if (taken * most < 1e-15) break;
    }
    multipliers.set(lambda);
    multipliers[numGrades] = this.mu;
    return steps;
  }

  private move(step: Float64Array, length: number): void {
    for (let grade = 1; grade < step.length; grade++) this.lambda[grade] -= length * step[grade];
    this.mu -= length * step[0];
  }

  /** A grade that the list does not hold has no multiplier: its chance is 0. */
  private isFree(unknown: number, fixed: boolean): boolean {
    return unknown === 0 ? !fixed : this.counts[unknown] > 0;
  }

  private pin(unknown: number): void {
    const numGrades = this.counts.length;
    this.gradient[unknown] = 0;
    for (let b = 0; b < numGrades; b++) {
      this.hessian[unknown * numGrades + b] = unknown === b ? 1 : 0;
      this.hessian[b * numGrades + unknown] = unknown === b ? 1 : 0;
    }
  }

  /** Writes the chances, the sums of the statistics and their covariance, and returns the dual: one pass over the ranks. */
  private fill(weights: Float64Array, scale: number): number {
    const { numRanks, counts, lambda, p, gradient, hessian } = this;
    const numGrades = counts.length;
    const mu = this.mu / scale;
    gradient.fill(0);
    hessian.fill(0);
    let dual = 0;
    // the sums of chances are multiplied, and their logarithm taken once in a while
    let product = 1;
    for (let n = 0, at = 0; n < numRanks; n++, at += numGrades) {
      let top = -Infinity;
      for (let grade = 0; grade < numGrades; grade++) {
        if (counts[grade] === 0) continue;
        const exponent = lambda[grade] + mu * weights[at + grade];
        p[at + grade] = exponent;
        if (exponent > top) top = exponent;
      }
      let sum = 0;
      for (let grade = 0; grade < numGrades; grade++) {
        if (counts[grade] === 0) continue;
        // one of them is e^0, which need not be computed
        const chance = p[at + grade] === top ? 1 : Math.exp(p[at + grade] - top);
        p[at + grade] = chance;
        sum += chance;
      }
      dual += top;
      product *= sum;
      if (product > 1e200) {
        dual += Math.log(product);
        product = 1;
      }
      let mean = 0;
      for (let grade = 0; grade < numGrades; grade++) {
        const chance = p[at + grade] / sum;
        p[at + grade] = chance;
        mean += chance * weights[at + grade];
      }
      gradient[0] += mean;
      let spread = 0;
      for (let a = 0; a < numGrades; a++) {
        const chance = p[at + a];
        const off = weights[at + a] - mean;
        spread += chance * off * off;
        if (a === 0) continue;
        gradient[a] += chance;
        const row = a * numGrades;
        hessian[row] += chance * off;
        for (let b = 1; b < a; b++) hessian[row + b] -= chance * p[at + b];
        hessian[row + a] += chance * (1 - chance);
      }
      hessian[0] += spread;
    }
    gradient[0] /= scale;
    hessian[0] /= scale * scale;
    for (let a = 1; a < numGrades; a++) hessian[a * numGrades] /= scale;
    dual += Math.log(product) - this.mu * this.target[0];
    for (let grade = 1; grade < numGrades; grade++) dual -= lambda[grade] * counts[grade];
    return dual;
  }
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let at = 0; at < values.length; at++) {
    const size = Math.abs(values[at]);
    if (size > most) most = size;
  }
  return most;
}

/** Solves a symmetric positive system whose lower half is given, with a little added to the diagonal where it is singular.
 *  Rows and columns are first brought to a diagonal of ones: the chances of a measure may hardly vary where the counts do. */
function solveSymmetric(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  const scale = Float64Array.from({ length: size }, (_, a) => (matrix[a * size + a] > 0 ? 1 / Math.sqrt(matrix[a * size + a]) : 1));
  const lower = new Float64Array(size * size);
  for (let ridge = 1e-14; ridge < 1; ridge *= 100) {
    let isPositive = true;
    for (let a = 0; a < size && isPositive; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = matrix[a * size + b] * scale[a] * scale[b] + (a === b ? ridge : 0);
        for (let k = 0; k < b; k++) sum -= lower[a * size + k] * lower[b * size + k];
        if (a === b) {
          isPositive = sum > 0;
          lower[a * size + a] = Math.sqrt(sum);
        } else lower[a * size + b] = sum / lower[b * size + b];
      }
    }
    if (!isPositive) continue;
    const solution = right.map((value, a) => value * scale[a]);
    for (let a = 0; a < size; a++) {
      for (let k = 0; k < a; k++) solution[a] -= lower[a * size + k] * solution[k];
      solution[a] /= lower[a * size + a];
    }
    for (let a = size - 1; a >= 0; a--) {
      for (let k = a + 1; k < size; k++) solution[a] -= lower[k * size + a] * solution[k];
      solution[a] /= lower[a * size + a];
    }
    return solution.map((value, a) => value * scale[a]);
  }
  // nothing that could be solved: no step
  return new Float64Array(size);
}

/** How much a constraint that is missed by 1 weighs against entropy when steps are judged. */
const FIRST_PENALTY = 10;

/** Newton's method takes three or four steps to a tangent, and more than so many only towards weights that no chances can have; then
 *  it is as far as it will get. */
const TANGENT_STEPS = 20;

/** A start takes 10 to 60 tangents, or never settles and is left to the others. */
const MOST_TANGENTS = 100;

function solveByTangents(problem: EntropyProblem, start: Float64Array, growth: number): { p: Float64Array; iterations: number } {
  const { measure, value } = problem;
  const dual = new EntropyDual(problem);
  let p = start.slice();
  let next = new Float64Array(p.length);
  const gradient = new Float64Array(p.length);
  let expected = measure.expectation(p);
  let entropy = entropyOf(p);
  let penalty = FIRST_PENALTY;
  let iterations = 0;
  let stalled = 0;
  let outOfReach = 0;
  const meritOf = (length: number): number => {
    between(p, dual.p, length, next);
    expected = measure.expectation(next);
    entropy = entropyOf(next);
    return penalty * Math.abs(expected - value) - entropy;
  };
  for (; iterations < MOST_TANGENTS; iterations++) {
    measure.gradient(p, gradient);
    let along = 0;
    for (let at = 0; at < p.length; at++) along += gradient[at] * p[at];
    outOfReach =
      dual.solve(gradient, value - expected + along, { mostSteps: TANGENT_STEPS, growth }) === TANGENT_STEPS ? outOfReach + 1 : 0;
    if (outOfReach > 10) break;
    const price = 2 * Math.abs(dual.multipliers[dual.multipliers.length - 1] / (largest(gradient) || 1));
    penalty = Math.max(penalty, price);
    const before = penalty * Math.abs(expected - value) - entropy;
    let change = 0;
    for (let at = 0; at < p.length; at++) change = Math.max(change, Math.abs(dual.p[at] - p[at]));
    let merit = Infinity;
    for (let length = 1; merit > before && length > 1e-3; length /= 2) merit = meritOf(length);
    if (merit > before) {
      // no step is good when each leaves the curve of the constraint: the whole one comes back to it at the next tangent
      penalty = Math.max(FIRST_PENALTY, price);
      merit = meritOf(1);
    }
    [p, next] = [next, p];
    if (change < 1e-12) break;
    // entropy is flat at its top: many small steps there change nothing that could be seen
    stalled = Math.abs(merit - before) <= 1e-11 * (1 + Math.abs(before)) ? stalled + 1 : 0;
    if (stalled > 2 && Math.abs(expected - value) <= TOLERANCE / 100) break;
  }
  return { p, iterations };
}

function between(a: Float64Array, b: Float64Array, share: number, out: Float64Array): void {
  if (share === 1) out.set(b);
  else for (let at = 0; at < a.length; at++) out[at] = a[at] + share * (b[at] - a[at]);
}

/** The entropy of independent choices with these probabilities, in nats. */
export function entropyOf(p: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < p.length; at++) if (p[at] > 0) sum -= p[at] * Math.log(p[at]);
  return sum;
}

function described(problem: EntropyProblem, p: Float64Array, iterations: number, start: string): EntropySolution {
  const { numRanks, counts, measure, value } = problem;
  const found = counts.map(() => 0);
  let sums = 0;
  for (let n = 0; n < numRanks; n++) {
    let sum = 0;
    for (let grade = 0; grade < counts.length; grade++) {
      sum += p[n * counts.length + grade];
      found[grade] += p[n * counts.length + grade];
    }
    sums = Math.max(sums, Math.abs(sum - 1));
  }
  const missed = Math.abs(measure.expectation(p) - value);
  const countsMissed = Math.max(...counts.map((count, grade) => Math.abs(count - found[grade])));
  return {
    p,
    entropy: entropyOf(p),
    residuals: { value: missed, counts: countsMissed, sums },
    isMet: missed <= TOLERANCE && countsMissed <= TOLERANCE && sums <= TOLERANCE,
    iterations,
    start,
  };
}
