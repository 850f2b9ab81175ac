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
    const solved = solveLinear(problem, weights, problem.value);
    return described(problem, solved.p, solved.iterations, 'uniform');
  }
  let best: EntropySolution | undefined;
  for (const [start, p] of starts(problem, uniform)) {
    const { p: found, iterations } = solveByTangents(problem, p);
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

/** Where the search begins: the same chances everywhere, and relevant documents towards the top or the bottom, one in e-th part
 *  of the list as likely as before. */
function starts(problem: EntropyProblem, uniform: Float64Array): [string, Float64Array][] {
  const { numRanks, counts } = problem;
  const sloped = (slope: number): Float64Array => {
    const weights = Float64Array.from(uniform, (_, at) =>
      at % counts.length === 0 ? 0 : (-slope * Math.floor(at / counts.length)) / numRanks,
    );
    return tilted(problem, weights, 1, { multipliers: new Float64Array(counts.length + 1), fixed: true }).p;
  };
  return [
    ['uniform', uniform],
    ['top', sloped(6)],
    ['bottom', sloped(-6)],
  ];
}

interface Tilt {
  readonly p: Float64Array;
  readonly multipliers: Float64Array;
  readonly iterations: number;
}

/** Solves for the multipliers under which the chances exp(λ_i + μ w_n(i)) have the wanted counts and the wanted sum of weights. */
function solveLinear(problem: EntropyProblem, weights: Float64Array, wanted: number, from?: Float64Array): Tilt {
  const multipliers = from?.slice() ?? firstMultipliers(problem);
  return tilted(problem, weights, wanted, { multipliers, fixed: false });
}

function firstMultipliers({ counts }: EntropyProblem): Float64Array {
  const multipliers = new Float64Array(counts.length + 1);
  for (let i = 1; i < counts.length; i++) multipliers[i] = counts[i] > 0 && counts[0] > 0 ? Math.log(counts[i] / counts[0]) : 0;
  return multipliers;
}

/** Newton's method on the dual. The multipliers are those of grade 1, 2, … and at last that of the measure, which stays where it
 *  is if it is `fixed`. Each step is halved until the dual falls. */
function tilted(
  problem: EntropyProblem,
  weights: Float64Array,
  wanted: number,
  start: { multipliers: Float64Array; fixed: boolean },
): Tilt {
  const { numRanks, counts } = problem;
  const numGrades = counts.length;
  // a grade that the list does not hold has no multiplier: its chance is 0
  const grades = counts.flatMap((count, grade) => (grade > 0 && count > 0 ? [grade] : []));
  const size = grades.length + (start.fixed ? 0 : 1);
  const scale = weightScale(weights);
  const lambda = new Float64Array(numGrades);
  for (const grade of grades) lambda[grade] = start.multipliers[grade];
  let mu = start.fixed ? 1 : start.multipliers[numGrades];
  const p = new Float64Array(numRanks * numGrades);
  const target = Float64Array.from([...grades.map((grade) => counts[grade]), ...(start.fixed ? [] : [wanted / scale])]);
  const gradient = new Float64Array(size);
  const hessian = new Float64Array(size * size);
  const statistic = new Float64Array(size);
  const mean = new Float64Array(size);

  const dual = (): number => {
    let sum = 0;
    for (let n = 0; n < numRanks; n++) sum += fillRank(p, n, lambda, start.fixed ? 1 : mu / scale, weights, counts);
    for (const grade of grades) sum -= lambda[grade] * counts[grade];
    return start.fixed ? sum : sum - (mu * wanted) / scale;
  };

  let current = dual();
  let iterations = 0;
  for (; iterations < 200; iterations++) {
    gradient.fill(0);
    hessian.fill(0);
    for (let n = 0; n < numRanks; n++) {
      mean.fill(0);
      for (const [a, grade] of grades.entries()) mean[a] = p[n * numGrades + grade];
      if (!start.fixed)
        for (let grade = 0; grade < numGrades; grade++)
          mean[size - 1] += (p[n * numGrades + grade] * weights[n * numGrades + grade]) / scale;
      for (let grade = 0; grade < numGrades; grade++) {
        const chance = p[n * numGrades + grade];
        if (chance === 0) continue;
        for (let a = 0; a < size; a++) {
          const own = a < grades.length ? (grades[a] === grade ? 1 : 0) : weights[n * numGrades + grade] / scale;
          statistic[a] = own - mean[a];
        }
        for (let a = 0; a < size; a++) for (let b = 0; b <= a; b++) hessian[a * size + b] += chance * statistic[a] * statistic[b];
      }
      for (let a = 0; a < size; a++) gradient[a] += mean[a];
    }
    let worst = 0;
    for (let a = 0; a < size; a++) {
      gradient[a] -= target[a];
      worst = Math.max(worst, Math.abs(gradient[a]));
    }
    if (worst < 1e-13 * numRanks) break;
    const step = solveSymmetric(hessian, gradient, size);
    const before = { lambda: lambda.slice(), mu };
    let length = Math.min(1, 20 / largest(step));
    for (let tries = 0; ; tries++) {
      for (const [a, grade] of grades.entries()) lambda[grade] = before.lambda[grade] - length * step[a];
      if (!start.fixed) mu = before.mu - length * step[size - 1];
      const next = dual();
      if (next <= current + 1e-13 * Math.abs(current) || tries > 40) {
        current = Math.min(current, next);
        break;
      }
      length /= 2;
    }
    if (length * largest(step) < 1e-15) break;
  }
  const multipliers = new Float64Array(numGrades + 1);
  multipliers.set(lambda);
  multipliers[numGrades] = mu;
  return { p, multipliers, iterations };
}

/** Weights are brought to a size of about one, so that one step fits all multipliers. */
function weightScale(weights: Float64Array): number {
  return largest(weights) || 1;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/** The chances of one rank, and the logarithm of the sum they were divided by. */
function fillRank(p: Float64Array, n: number, lambda: Float64Array, mu: number, weights: Float64Array, counts: readonly number[]): number {
  const at = n * counts.length;
  let top = -Infinity;
  for (let grade = 0; grade < counts.length; grade++) {
    p[at + grade] = counts[grade] > 0 ? lambda[grade] + mu * weights[at + grade] : -Infinity;
    top = Math.max(top, p[at + grade]);
  }
  let sum = 0;
  for (let grade = 0; grade < counts.length; grade++) {
    p[at + grade] = Math.exp(p[at + grade] - top);
    sum += p[at + grade];
  }
  for (let grade = 0; grade < counts.length; grade++) p[at + grade] /= sum;
  return top + Math.log(sum);
}

/** Solves a symmetric positive system whose lower half is given, with a little added to the diagonal where it is singular. */
function solveSymmetric(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  let trace = 0;
  for (let a = 0; a < size; a++) trace += matrix[a * size + a];
  for (let ridge = 1e-14 * trace + 1e-300; ; ridge = ridge * 100 + 1e-18) {
    const lower = new Float64Array(size * size);
    let isPositive = true;
    for (let a = 0; a < size && isPositive; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = matrix[a * size + b] + (a === b ? ridge : 0);
        for (let k = 0; k < b; k++) sum -= lower[a * size + k] * lower[b * size + k];
        if (a === b) {
          isPositive = sum > 0;
          lower[a * size + a] = Math.sqrt(sum);
        } else lower[a * size + b] = sum / lower[b * size + b];
      }
    }
    if (!isPositive) continue;
    const solution = right.slice();
    for (let a = 0; a < size; a++) {
      for (let k = 0; k < a; k++) solution[a] -= lower[a * size + k] * solution[k];
      solution[a] /= lower[a * size + a];
    }
    for (let a = size - 1; a >= 0; a--) {
      for (let k = a + 1; k < size; k++) solution[a] -= lower[k * size + a] * solution[k];
      solution[a] /= lower[a * size + a];
    }
    return solution;
  }
}

/** How much a constraint that is missed by 1 weighs against entropy when steps are judged. */
const FIRST_PENALTY = 10;

function solveByTangents(problem: EntropyProblem, start: Float64Array): { p: Float64Array; iterations: number } {
  const { measure, value } = problem;
  let p = start;
  const gradient = new Float64Array(p.length);
  let multipliers: Float64Array | undefined;
  let penalty = FIRST_PENALTY;
  let iterations = 0;
  let stalled = 0;
  for (; iterations < 400; iterations++) {
    const expected = measure.expectation(p);
    measure.gradient(p, gradient);
    let along = 0;
    for (let at = 0; at < p.length; at++) along += gradient[at] * p[at];
    const tangent = solveLinear(problem, gradient, value - expected + along, multipliers);
    multipliers = tangent.multipliers;
    penalty = Math.max(penalty, 2 * Math.abs(multipliers[multipliers.length - 1] / weightScale(gradient)));
    const merit = (q: Float64Array): number => penalty * Math.abs(measure.expectation(q) - value) - entropyOf(q);
    const before = merit(p);
    let change = 0;
    for (let at = 0; at < p.length; at++) change = Math.max(change, Math.abs(tangent.p[at] - p[at]));
    let next = tangent.p;
    for (let length = 1; length > 1e-4 && merit(next) > before; ) {
      length /= 2;
      next = between(p, tangent.p, length);
    }
    p = next;
    if (change < 1e-12) break;
    // entropy is flat at its top: many small steps there change nothing that could be told
    stalled = Math.abs(merit(p) - before) <= 1e-11 * (1 + Math.abs(before)) ? stalled + 1 : 0;
    if (stalled > 2 && Math.abs(measure.expectation(p) - value) <= TOLERANCE / 100) break;
  }
  return { p, iterations };
}

function between(a: Float64Array, b: Float64Array, share: number): Float64Array {
  return a.map((value, at) => value + share * (b[at] - value));
}

export function entropyOf(p: Float64Array): number {
  let sum = 0;
  for (const chance of p) if (chance > 0) sum -= chance * Math.log(chance);
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
