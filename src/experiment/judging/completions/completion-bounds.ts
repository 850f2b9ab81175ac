import type { Measure } from '../../../measures/measure.js';
import type { EvaluationPlan } from '../../../measures/plan.js';
import { type CompletionShape, completionShapeOf } from './completion-shapes.js';
import type { CompletedTopic, OpenRanking, OpenTopic } from './open-topic.js';

/** Completions that are counted through one by one, whatever the measure. */
export const MOST_ENUMERATED = 4096;
/** Completions that are tried where the shape of a measure says which can be extreme. */
const MOST_TRIED = 10_000;

/** The lowest and the highest value over all completions. */
export interface CompletionBounds {
  readonly low: number;
  readonly high: number;
  /** False for outer bounds, which no completion may reach. */
  readonly attained: boolean;
}

/** The value of a run with given grades of the open documents.
 *  @param ideal Other grades for what is known of all documents, as opposed to those in the ranking. */
export type CompletedValue = (grades: Float64Array, ideal?: Float64Array) => number;

/** Calls back for every completion of the open documents, with how probable it is.
 *  @param chances chances[doc][grade], the chance of each grade of the scale. */
export function forEachCompletion(
  scale: readonly number[],
  chances: readonly ArrayLike<number>[],
  visit: (grades: Float64Array, probability: number) => void,
): void {
  const grades = new Float64Array(chances.length);
  const walk = (doc: number, probability: number): void => {
    if (doc === grades.length) {
      visit(grades, probability);
      return;
    }
    for (const [g, grade] of scale.entries()) {
      grades[doc] = grade;
      walk(doc + 1, probability * chances[doc][g]);
    }
  };
  walk(0, 1);
}

/** True if all completions of a topic can be counted through. */
export function canEnumerate(scale: readonly number[], { docs }: Pick<OpenTopic, 'docs'>): boolean {
  return scale.length ** docs.length <= MOST_ENUMERATED;
}

/** What the value of one measure can be, from the completions that the shape of the measure leaves to be tried.
 */
export function boundsByShape(
  measure: Measure,
  { docs, runs }: OpenTopic,
  run: number,
  scale: readonly number[],
  value: CompletedValue,
): CompletionBounds {
  const shape = completionShapeOf(measure);
  if (shape === undefined) return outerBounds(measure, docs.length, scale, value);
  const { inside, outside } = partsOf(measure, docs.length, runs[run]);
  const levels = shape.levels === 'relevance' ? [scale[0], scale[scale.length - 1]] : scale;
  const insideCounts = countsFor(shape.inside, inside.length, levels.length);
  const outsideCounts = countsFor(shape.outside, outside.length, levels.length);
  if (insideCounts === undefined || outsideCounts === undefined || insideCounts.length * outsideCounts.length * 2 > MOST_TRIED) {
    return outerBounds(measure, docs.length, scale, value);
  }
  const grades = new Float64Array(docs.length);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const look = (): void => {
    const found = value(grades);
    if (Number.isNaN(found)) return;
    least = Math.min(least, found);
    most = Math.max(most, found);
  };
  for (const outer of outsideCounts) {
    fill(grades, outside, outer, levels, true);
    for (const inner of insideCounts) {
      for (const isBestFirst of [true, false]) {
        fill(grades, inside, inner, levels, isBestFirst);
        look();
      }
    }
  }
  return Number.isFinite(least) ? { low: least, high: most, attained: true } : outerBounds(measure, docs.length, scale, value);
}

/** Bounds that no completion may reach: for a ratio of a ranking and the ideal one, the worst ranking over the best ideal and the other way
 *  round; for all others what the measure can be at all. */
function outerBounds(measure: Measure, numDocs: number, scale: readonly number[], value: CompletedValue): CompletionBounds {
  const [low, high] = measure.def.range;
  if (completionShapeOf(measure)?.isRatio !== true) return { low, high, attained: false };
  const all = (grade: number): Float64Array => new Float64Array(numDocs).fill(grade);
  const [worst, best] = [all(scale[0]), all(scale[scale.length - 1])];
  const [least, most] = [value(worst, best), value(best, worst)];
  // without anything relevant in the ideal ranking there is no ratio
  return { low: Number.isNaN(least) ? low : least, high: most > 0 ? Math.min(high, most) : high, attained: false };
}

/** The open documents that a measure sees in the ranking, by rank, and those of which it only knows that they exist. */
function partsOf({ params }: Measure, numDocs: number, { places, docs }: OpenRanking): { inside: number[]; outside: number[] } {
  const cutoff = typeof params.cutoff === 'number' ? params.cutoff : Number.POSITIVE_INFINITY;
  const inside = Array.from(docs).filter((_, i) => places[i] < cutoff);
  const seen = new Set(inside);
  return { inside, outside: Array.from({ length: numDocs }, (_, d) => d).filter((d) => !seen.has(d)) };
}

/** How many documents get each level: all the same extreme one, or every way to divide them; undefined where there are too many. */
function countsFor(kind: CompletionShape['inside'], size: number, levels: number): number[][] | undefined {
  if (size === 0) return [new Array<number>(levels).fill(0)];
  if (kind === 'monotone') return [0, levels - 1].map((level) => Array.from({ length: levels }, (_, l) => (l === level ? size : 0)));
  let ways = 1;
  for (let l = 1; l < levels; l++) ways = (ways * (size + l)) / l;
  if (ways > MOST_TRIED) return undefined;
  const found: number[][] = [];
  const walk = (counts: readonly number[], left: number): void => {
    if (counts.length === levels - 1) found.push([...counts, left]);
    else for (let count = 0; count <= left; count++) walk([...counts, count], left - count);
  };
  walk([], size);
  return found;
}

/** Gives documents their grades, the best first or last. */
function fill(
  grades: Float64Array,
  docs: readonly number[],
  counts: readonly number[],
  levels: readonly number[],
  isBestFirst: boolean,
): void {
  let at = isBestFirst ? docs.length - 1 : 0;
  for (let l = 0; l < levels.length; l++) {
    for (let i = 0; i < counts[l]; i++) {
      grades[docs[at]] = levels[l];
      at += isBestFirst ? -1 : 1;
    }
  }
}

/** What each open document adds to a measure that is a sum over documents; undefined where it is none. */
export function additiveParts(
  measure: Measure,
  { docs, runs }: OpenTopic,
  run: number,
  scale: readonly number[],
  value: CompletedValue,
): { readonly base: number; readonly parts: Float64Array } | undefined {
  if (completionShapeOf(measure)?.isSum !== true) return undefined;
  const grades = new Float64Array(docs.length).fill(scale[0]);
  const base = value(grades);
  const parts = new Float64Array(docs.length);
  for (const d of runs[run].docs) {
    grades[d] = scale[scale.length - 1];
    parts[d] = value(grades) - base;
    grades[d] = scale[0];
  }
  return { base, parts };
}

/** The value of the first measure of a plan for a run of a topic. */
export function completedValueOf(plan: EvaluationPlan, completed: CompletedTopic, run: number): CompletedValue {
  const out = new Float64Array(plan.measures.length);
  return (grades, ideal) => {
    plan.evaluate(completed.view(run, grades, ideal), out, 0);
    return out[0];
  };
}
