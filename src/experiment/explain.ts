/** Why tools give different numbers to the same ranking. */
import type { Convention } from '../conventions/convention.js';
import { type ConventionValue, type Explanation, explain, valuesUnder } from '../conventions/explain.js';
import { findConvention } from '../conventions/registry.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { Measure } from '../measures/measure.js';
import { type Plan, planOf } from './plan.js';

/** Which tools are compared, and by which measures. */
export interface ExplainRequest {
  readonly measures: readonly Measure[];
  /** The names of two conventions or more. */
  readonly conventions: readonly string[];
  /** The first convention against the others (*first*, the default), or every pair (*all*). */
  readonly pairs?: 'first' | 'all' | undefined;
}

/** What each tool would say, and which of its rules make the difference. */
export interface Explained {
  /** For each measure its values under all conventions. */
  readonly values: readonly (readonly ConventionValue[])[];
  /** For each measure every pair. */
  readonly explanations: readonly Explanation[];
}

/** How files are read that several tools are to judge: a document that a ranking holds twice is taken only if all of them take it. */
export function planOfAll(conventions: readonly string[]): Plan {
  const ranked = conventions.every((name) => findConvention(name).rules.repeatedDocuments === 'ranked');
  return planOf({ rules: { repeatedDocuments: ranked ? 'ranked' : 'refused' } });
}

/** Scores a run under the rules of several tools, and says which rules make how much of each difference. */
export function explainRun(qrels: Qrels, run: Run, { measures, conventions: names, pairs: which = 'first' }: ExplainRequest): Explained {
  const conventions = names.map(findConvention);
  const pairs = conventions.flatMap((from, i) =>
    which === 'all' || i === 0 ? conventions.slice(i + 1).map((to): [Convention, Convention] => [from, to]) : [],
  );
  return {
    values: measures.map((measure) => valuesUnder(qrels, run, measure, conventions)),
    explanations: measures.flatMap((measure) => pairs.map(([from, to]) => explain(qrels, run, measure, from, to))),
  };
}

/** A topic on which two conventions differ. */
export interface DifferingTopic {
  readonly topic: string;
  /** Its part of the difference. */
  readonly part: number;
  /** The rule that matters most there. */
  readonly rule: string;
}

/** The topics on which two conventions differ most, with the rule that matters most there. */
export function topicsThatMatter({ topics, contributions }: Pick<Explanation, 'topics' | 'contributions'>, most: number): DifferingTopic[] {
  const part = (t: number): number => contributions.reduce((sum, { perTopic }) => sum + (perTopic[t] ?? 0), 0);
  return topics
    .map((topic, t) => ({ topic, t, part: part(t) }))
    .filter((one) => one.part !== 0)
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part) || a.t - b.t)
    .slice(0, most)
    .map(({ topic, t, part: share }) => {
      const main = contributions.reduce((best, other) => (Math.abs(other.perTopic[t]) > Math.abs(best.perTopic[t]) ? other : best));
      return { topic, part: share, rule: main.label };
    });
}
