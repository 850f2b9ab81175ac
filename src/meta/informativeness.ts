import { defaultRules, emptyView, forEachJudgedTopic, type JudgingRules, type TopicView } from '../core/judging/judge.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { Measure } from '../measures/measure.js';
import { EvaluationPlan } from '../measures/plan.js';
import { expectedMeasure } from './expected-measure.js';
import { type EntropySolution, maximizeEntropy } from './maximum-entropy.js';

/** Which documents a precision-recall curve takes as relevant: those of the highest grade, or of any. */
export type Relevance = 'highest' | 'any';

/** A list on which measures are asked what they tell of it. */
export interface InferredList {
  readonly system: string;
  readonly topic: string;
  readonly measure: string;
  readonly value: number;
  readonly solution: Pick<EntropySolution, 'entropy' | 'residuals' | 'isMet' | 'iterations' | 'start'>;
  /** Root mean square of inferred minus actual precision, where actual recall changes. */
  readonly error: Readonly<Record<Relevance, number>>;
}

/** A point of a recall-precision curve. */
export interface CurvePoint {
  readonly rank: number;
  readonly recall: number;
  readonly precision: number;
}

/** The actual curve and the one that a measure's value lets infer. */
export interface InferredCurve {
  readonly actual: readonly CurvePoint[];
  readonly inferred: readonly CurvePoint[];
}

/** Which rankings are used, and how they are judged. */
export interface InformativenessOptions {
  /** Lists are cut here; 1,000 by default. */
  readonly depth?: number;
  /** Lists with fewer documents of some grade above 0 are left out; 5 by default. */
  readonly minPerGrade?: number;
  readonly rules?: Partial<JudgingRules>;
  readonly onList?: ((done: number) => void) | undefined;
}

/** How well the rankings that have a measure's value are like the ranking that gave it. */
export interface MeasureInformativeness {
  readonly measure: string;
  /** Mean over all lists. */
  readonly error: Readonly<Record<Relevance, number>>;
  /** Lists whose constraints could not be met to 1e-8. */
  readonly unmet: number;
}

/** How much of a ranking follows from each measure's value alone. */
export interface InformativenessResult {
  readonly lists: number;
  readonly leftOut: number;
  readonly largestResidual: number;
  readonly measures: readonly MeasureInformativeness[];
  readonly perList: readonly InferredList[];
}

/** How well the value of a measure predicts the ranked list it was computed from. From the value alone, and the number of
 *  documents of each grade, the most random list is inferred; the closer its precision-recall curve is to the real one, the
 *  more the measure tells. Aslam, Yilmaz and Pavlu, The maximum entropy method for analyzing retrieval measures, SIGIR 2005,
 *  doi 10.1145/1076034.1076042; for graded measures Robertson, Kanoulas and Yilmaz, SIGIR 2010, doi 10.1145/1835449.1835550. */
export function informativeness(
  qrels: Qrels,
  runs: readonly Run[],
  measures: readonly Measure[],
  options: InformativenessOptions = {},
): InformativenessResult {
  const perList: InferredList[] = [];
  let lists = 0;
  let leftOut = 0;
  forEachList(qrels, runs, options, (list) => {
    if (list === undefined) {
      leftOut++;
      return;
    }
    lists++;
    for (const measure of measures) perList.push(inferList(list, measure).summary);
    options.onList?.(lists + leftOut);
  });
  return {
    lists,
    leftOut,
    largestResidual: perList.reduce(
      (most, { solution: { residuals } }) => Math.max(most, residuals.value, residuals.counts, residuals.sums),
      0,
    ),
    measures: measures.map((measure) => {
      const own = perList.filter((list) => list.measure === measure.text);
      const mean = (relevance: Relevance): number => own.reduce((sum, { error }) => sum + error[relevance], 0) / own.length;
      return {
        measure: measure.text,
        error: { highest: mean('highest'), any: mean('any') },
        unmet: own.filter(({ solution }) => !solution.isMet).length,
      };
    }),
    perList,
  };
}

/** A judged ranking with whole grades. */
export interface GradedList {
  readonly system: string;
  readonly topic: string;
  /** The grade at each rank; documents that nobody judged have 0. */
  readonly grades: Float64Array;
  /** Documents of each grade in the list, and among the judged. */
  readonly counts: readonly number[];
  readonly judgedCounts: readonly number[];
}

/** Visits the rankings of all runs, `undefined` for those that hold too few documents of some grade. */
export function forEachList(
  qrels: Qrels,
  runs: readonly Run[],
  { depth = 1000, minPerGrade = 5, rules }: InformativenessOptions,
  visit: (list: GradedList | undefined) => void,
): void {
  let highest = 0;
  for (const grade of qrels.grades) highest = Math.max(highest, Math.floor(grade));
  for (const run of runs) {
    forEachJudgedTopic(qrels, run, { ...defaultRules, missingTopics: 'skip', ...rules, depth }, (topic, view) => {
      // a list shorter than that lacks some grade, however high the highest is
      if (view.numRetrieved < highest * minPerGrade) {
        visit(undefined);
        return;
      }
      const grades = Float64Array.from({ length: view.numRetrieved }, (_, n) => Math.max(0, Math.floor(view.codes[view.start + n])));
      const counts = Array.from({ length: highest + 1 }, () => 0);
      const judgedCounts = counts.slice();
      for (const grade of grades) counts[grade]++;
      for (let i = 0; i < view.numJudged; i++) judgedCounts[Math.max(0, Math.floor(view.judged[view.judgedStart + i]))]++;
      const isFull = counts.slice(1).every((count) => count >= minPerGrade);
      visit(isFull ? { system: run.name, topic: qrels.topics.text(topic), grades, counts, judgedCounts } : undefined);
    });
  }
}

/** What one measure tells of one list. */
export function inferList(
  list: GradedList,
  measure: Measure,
): { summary: InferredList; curves: Readonly<Record<Relevance, InferredCurve>> } {
  const { grades, counts, judgedCounts } = list;
  const numRanks = grades.length;
  const value = measuredValue(list, measure);
  const { p, ...solution } = maximizeEntropy({ numRanks, counts, measure: expectedMeasure(measure, { numRanks, judgedCounts }), value });
  const numGrades = counts.length;
  const curves = {
    highest: inferredCurve(grades, p, numGrades, numGrades - 1),
    any: inferredCurve(grades, p, numGrades, 1),
  };
  return {
    summary: {
      system: list.system,
      topic: list.topic,
      measure: measure.text,
      value,
      solution,
      error: { highest: curveError(curves.highest), any: curveError(curves.any) },
    },
    curves,
  };
}

function measuredValue({ grades, judgedCounts }: GradedList, measure: Measure): number {
  const judged = Float64Array.from(judgedCounts.flatMap((count, grade) => Array.from({ length: count }, () => grade))).reverse();
  const view: TopicView = { ...emptyView(), codes: grades, numRetrieved: grades.length, judged, numJudged: judged.length };
  const value = new Float64Array(1);
  new EvaluationPlan([measure], { highestGrade: judgedCounts.length - 1 }).evaluate(view, value, 0);
  return value[0];
}

/** Both curves at the ranks where actual recall changes. */
function inferredCurve(grades: Float64Array, p: Float64Array, numGrades: number, from: number): InferredCurve {
  const total = grades.reduce((sum, grade) => sum + (grade >= from ? 1 : 0), 0);
  const actual: CurvePoint[] = [];
  const inferred: CurvePoint[] = [];
  let found = 0;
  let expected = 0;
  for (let n = 0; n < grades.length; n++) {
    for (let grade = from; grade < numGrades; grade++) expected += p[n * numGrades + grade];
    if (grades[n] < from) continue;
    found++;
    const rank = n + 1;
    actual.push({ rank, recall: found / total, precision: found / rank });
    inferred.push({ rank, recall: expected / total, precision: expected / rank });
  }
  return { actual, inferred };
}

function curveError({ actual, inferred }: InferredCurve): number {
  let sum = 0;
  for (const [i, { precision }] of actual.entries()) sum += (precision - inferred[i].precision) ** 2;
  return actual.length > 0 ? Math.sqrt(sum / actual.length) : 0;
}
