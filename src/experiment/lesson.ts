import { InputError } from '../core/problem.js';
import { evaluator } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { computed, lastStep, type WorkedExpression } from '../measures/worked/expression.js';
import { type WorkedList, workedFormula } from '../measures/worked/formulas.js';
import { type Plan, planOf } from './plan.js';

/** A document of a small ranking that somebody plays with. */
export interface LessonDocument {
  readonly id: string;
  readonly grade: number;
}

/** One topic to learn from: a ranking from the top, and relevant documents that it lacks. */
export interface Lesson {
  readonly ranking: readonly LessonDocument[];
  readonly missed: readonly LessonDocument[];
}

/** What a measure says of the ranking, and how it comes to it. */
export interface LessonMeasure {
  /** The measure as it is written. */
  readonly measure: string;
  /** Null where the measure has no value for such a ranking. */
  readonly value: number | null;
  /** Why there is no value. */
  readonly reason?: string | undefined;
  /** The formula with the numbers of the ranking, where it can be written down. */
  readonly formula?: WorkedExpression | undefined;
  /** The formula with its parts worked out. */
  readonly lastStep?: WorkedExpression | undefined;
}

/** A point of the recall-precision graph, after so many documents. */
export interface LessonPoint {
  readonly recall: number;
  readonly precision: number;
}

/** What is to be learnt from a ranking. */
export interface LessonResult {
  readonly measures: readonly LessonMeasure[];
  /** Recall and precision after each document; empty where nothing is relevant. */
  readonly curve: readonly LessonPoint[];
  /** The best precision at recall 0, 0.1 … 1 or above. */
  readonly interpolated: readonly number[];
  readonly numRelevant: number;
}

/** Whose rules hold, and what is computed. */
export interface LessonSettings {
  readonly convention?: string | undefined;
  readonly measures: readonly string[];
  /** The lowest grade that counts as relevant. */
  readonly rel?: number | undefined;
}

const levels: readonly number[] = Array.from({ length: 11 }, (_, i) => i / 10);
const TOPIC = 'topic';

/** Works out what measures say of a ranking, with their formulas filled in. A measure that the convention does not have gets no value. */
export function lessonOf(lesson: Lesson, { convention, measures, rel }: LessonSettings): LessonResult {
  const { ranking, missed } = lesson;
  const list: WorkedList = { ranking: ranking.map(({ grade }) => grade), judged: [...ranking, ...missed].map(({ grade }) => grade) };
  const level = rel ?? 1;
  const numRelevant = list.judged.filter((grade) => grade >= level).length;
  let hits = 0;
  const curve = list.ranking.map((grade, i) => {
    if (grade >= level) hits++;
    return { recall: hits / numRelevant, precision: hits / (i + 1) };
  });
  return {
    measures: measures.flatMap((measure) => measured(lesson, list, { convention, measures: [measure], rel })),
    curve: numRelevant > 0 ? curve : [],
    interpolated: valuesOf(lesson, planOf({ measures: levels.map((recall) => `IPrec(rel=${level})@${recall}`) })).map(
      (value) => value ?? 0,
    ),
    numRelevant,
  };
}

function measured(lesson: Lesson, list: WorkedList, settings: LessonSettings): LessonMeasure[] {
  try {
    const plan = planOf(settings);
    const values = valuesOf(lesson, plan);
    // what was asked for is shorter than what the rules make of it
    const named = plan.measures.length === 1 ? settings.measures : plan.measures.map(({ text }) => text);
    return plan.measures.map((measure, m) => ({ measure: named[m], value: values[m], ...worked(measure, list, values[m]) }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return settings.measures.map((measure) => ({ measure, value: null, reason: error.message }));
  }
}

function valuesOf({ ranking, missed }: Lesson, { measures, rules, planOptions }: Plan): (number | null)[] {
  const qrels = { [TOPIC]: Object.fromEntries([...ranking, ...missed].map(({ id, grade }) => [id, grade])) };
  const run = { [TOPIC]: Object.fromEntries(ranking.map(({ id }, i) => [id, ranking.length - i])) };
  const table = evaluator(qrels, measures, { ...rules, ...planOptions, unrelated: 'accept' }).evaluate(run);
  return measures.map((_, m) => {
    const value = table.value(0, m);
    return Number.isFinite(value) ? value : null;
  });
}

/** The formula, where it is the one that the convention goes by: rules may round or cut where the textbook does not. */
function worked(measure: Measure, list: WorkedList, value: number | null): Pick<LessonMeasure, 'formula' | 'lastStep'> {
  const formula = workedFormula(measure, list);
  if (formula === undefined || value === null || !(Math.abs(computed(formula) - value) < 1e-9)) return {};
  return { formula, lastStep: lastStep(formula) };
}
