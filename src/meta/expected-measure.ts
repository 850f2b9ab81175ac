import { emptyView, type TopicView } from '../core/judging/judge.js';
import { InputError } from '../core/problem.js';
import { thresholdsOf } from '../measures/families/graded.js';
import type { Measure } from '../measures/measure.js';
import { EvaluationPlan } from '../measures/plan.js';

/** What is known of a ranked list whose grades are not: how long it is, and how many documents of each grade were judged.
 *  Grades are the whole numbers 0 to the highest. */
export interface ListFacts {
  readonly numRanks: number;
  /** judgedCounts[i] documents of the topic have grade i. */
  readonly judgedCounts: readonly number[];
}

/** The expectation of a measure when the grade at each rank is drawn by itself: rank n has grade i with probability
 *  p[n * numGrades + i], ranks counted from 0. */
export interface ExpectedMeasure {
  readonly name: string;
  readonly numGrades: number;
  /** The expectation is a weighted sum of the probabilities, so that its gradient is the same everywhere. */
  readonly isLinear: boolean;
  expectation(p: Float64Array): number;
  /** Writes the derivative by each probability. */
  gradient(p: Float64Array, out: Float64Array): void;
}

/** The expectation of nDCG, DCG, CG, RBP or P in any of their forms, of AP, or of GAP. */
export function expectedMeasure(measure: Measure, facts: ListFacts): ExpectedMeasure {
  const { name } = measure.def;
  if (name === 'AP' && measure.params.cutoff === undefined) return expectedAveragePrecision(measure, facts);
  if (name === 'GAP' && measure.params.cutoff === undefined) return expectedGradedPrecision(measure, facts);
  if (linearMeasures.includes(name)) return expectedLinear(measure, facts);
  throw new InputError({
    message: `the expectation of ${measure.text} over random grades is not known here`,
    wayOut: `choose AP, GAP, or one of ${linearMeasures.join(', ')}`,
  });
}

const linearMeasures: readonly string[] = ['nDCG', 'DCG', 'CG', 'RBP', 'P', 'R', 'SDCG', 'INSQ'];

/** Judged grades from the highest down, as measures want them. */
function judgedGrades({ judgedCounts }: ListFacts): Float64Array {
  return Float64Array.from(judgedCounts.flatMap((count, grade) => Array.from({ length: count }, () => grade))).reverse();
}

/** A measure that adds up over ranks tells its weights itself: it is asked about lists with a single document of some grade. */
function expectedLinear(measure: Measure, facts: ListFacts): ExpectedMeasure {
  const { numRanks, judgedCounts } = facts;
  const numGrades = judgedCounts.length;
  const highestGrade = numGrades - 1;
  const plan = new EvaluationPlan([measure], { highestGrade });
  const judged = judgedGrades(facts);
  const view: TopicView = { ...emptyView(), codes: new Float64Array(numRanks), numRetrieved: numRanks, judged, numJudged: judged.length };
  const value = new Float64Array(1);
  const weights = new Float64Array(numRanks * numGrades);
  for (let n = 0; n < numRanks; n++) {
    for (let grade = 1; grade < numGrades; grade++) {
      view.codes[n] = grade;
      plan.evaluate(view, value, 0);
      weights[n * numGrades + grade] = value[0];
    }
    view.codes[n] = 0;
  }
  return {
    name: measure.text,
    numGrades,
    isLinear: true,
    expectation: (p) => {
      let sum = 0;
      for (let at = 0; at < weights.length; at++) sum += weights[at] * p[at];
      return sum;
    },
    gradient: (_, out) => out.set(weights),
  };
}

/** E[AP] = 1/R Σ q_n / n (1 + Σ_{m<n} q_m), where q_n is the probability of a relevant document at rank n. */
function expectedAveragePrecision(measure: Measure, facts: ListFacts): ExpectedMeasure {
  const rel = measure.params.rel as number;
  const shares = facts.judgedCounts.map((_, grade) => (grade >= rel ? 1 : 0));
  const numRelevant = facts.judgedCounts.reduce<number>((sum, count, grade) => sum + shares[grade] * count, 0);
  return pairwisePrecision(measure.text, facts, [{ mass: 1, from: Math.max(1, Math.ceil(rel)) }], numRelevant);
}

/** E[GAP] sums the same over users, each of whom takes documents from one grade up as relevant. */
function expectedGradedPrecision(measure: Measure, facts: ListFacts): ExpectedMeasure {
  const { shares, grades } = thresholdsOf(measure.params, () => facts.judgedCounts.length - 1, [...facts.judgedCounts.keys()]);
  const users = shares.map((mass, j) => ({ mass, from: Math.ceil(grades[j]) }));
  const worth = facts.judgedCounts.map((_, grade) => users.reduce((sum, { mass, from }) => sum + (grade >= from ? mass : 0), 0));
  const total = facts.judgedCounts.reduce((sum, count, grade) => sum + count * worth[grade], 0);
  return pairwisePrecision(measure.text, facts, users, total);
}

interface User {
  /** Share of the users. */
  readonly mass: number;
  /** The lowest grade they take as relevant. */
  readonly from: number;
}

function pairwisePrecision(name: string, { numRanks, judgedCounts }: ListFacts, users: readonly User[], total: number): ExpectedMeasure {
  const numGrades = judgedCounts.length;
  const relevant = users.map(() => new Float64Array(numRanks));
  const fill = (p: Float64Array): void => {
    for (const [u, { from }] of users.entries()) {
      for (let n = 0; n < numRanks; n++) {
        let sum = 0;
        for (let grade = from; grade < numGrades; grade++) sum += p[n * numGrades + grade];
        relevant[u][n] = sum;
      }
    }
  };
  return {
    name,
    numGrades,
    isLinear: false,
    expectation: (p) => {
      fill(p);
      let sum = 0;
      for (const [u, { mass }] of users.entries()) {
        let before = 0;
        for (let n = 0; n < numRanks; n++) {
          sum += ((mass * relevant[u][n]) / (n + 1)) * (1 + before);
          before += relevant[u][n];
        }
      }
      return total > 0 ? sum / total : 0;
    },
    gradient: (p, out) => {
      fill(p);
      out.fill(0);
      if (total <= 0) return;
      for (const [u, { mass, from }] of users.entries()) {
        let behind = 0;
        for (let n = 0; n < numRanks; n++) behind += relevant[u][n] / (n + 1);
        let before = 0;
        for (let n = 0; n < numRanks; n++) {
          behind -= relevant[u][n] / (n + 1);
          const slope = (mass * ((1 + before) / (n + 1) + behind)) / total;
          for (let grade = from; grade < numGrades; grade++) out[n * numGrades + grade] += slope;
          before += relevant[u][n];
        }
      }
    },
  };
}
