import { judgingRulesOf } from '../../../conventions/convention.js';
import { aggregateValues } from '../../../core/aggregate.js';
import { defaultRules } from '../../../core/judging/judge.js';
import { seededRandom } from '../../../core/numbers/random.js';
import { InputError } from '../../../core/problem.js';
import type { DocumentLists, GradesByTopic } from '../../../judging/index.js';
import { followsCommonRules } from '../../../measures/evaluate.js';
import { aggregateOf, type Measure } from '../../../measures/measure.js';
import { EvaluationPlan } from '../../../measures/plan.js';
import type { Interval } from '../../../stats/moments.js';
import type { ReadMaterial } from '../../material.js';
import type { Plan } from '../../plan.js';
import { gradesOf, listsOf, namesOf } from '../pool-material.js';
import {
  additiveParts,
  boundsByShape,
  type CompletionBounds,
  canEnumerate,
  completedValueOf,
  forEachCompletion,
} from './completion-bounds.js';
import { CompletedTopic, type OpenTopic, openTopic } from './open-topic.js';
import { chancesByRank, constantChance, type RelevanceChances } from './relevance-chances.js';

/** What is assumed of documents that nobody judged. */
export interface CompletionRequest {
  /** Documents among the first so many of any run may turn out relevant; 100 by default. Deeper ones stay without a judgement. */
  readonly depth?: number | undefined;
  /** The chance that such a document is relevant; by default that of judged documents at its rank. */
  readonly chance?: number | undefined;
  /** Chances from a file, in the place of these. */
  readonly chances?: ((otherwise: RelevanceChances) => Promise<RelevanceChances>) | undefined;
  /** Completions that are drawn; 1,000 by default. */
  readonly draws?: number | undefined;
  readonly seed?: number | undefined;
  /** From which probability on a comparison counts as settled; 0.95 by default. */
  readonly confidence?: number | undefined;
  /** The lowest grade that is relevant; 1 by default. */
  readonly rel?: number | undefined;
}

/** What a value may be once all documents are judged. */
export interface CompletedScore extends CompletionBounds {
  /** The value as things are. */
  readonly value: number;
  readonly expected: number;
  /** The middle 95% of the completions that were drawn. */
  readonly interval: Interval;
}

/** One run's value. */
export interface CompletedRun extends CompletedScore {
  readonly run: string;
}

/** The difference of two runs. */
export interface CompletedPair extends CompletedScore {
  readonly first: string;
  readonly second: string;
  /** The share of completions in which the run that is ahead in most of them is ahead. */
  readonly probability: number;
  readonly ahead: string | null;
  /** *certain*: whatever the missing judgements say; *probable*: with the wanted confidence; *open*: judge on. */
  readonly settled: 'certain' | 'probable' | 'open';
}

/** Runs under one measure over all completions. */
export interface CompletedMeasureScores {
  readonly measure: string;
  readonly runs: readonly CompletedRun[];
  readonly pairs: readonly CompletedPair[];
  /** True if no comparison is open: judging can stop. */
  readonly canStop: boolean;
}

/** What missing judgements can change. */
export interface CompletedScores {
  readonly measures: readonly CompletedMeasureScores[];
  readonly topics: number;
  readonly openTopics: number;
  readonly openDocuments: number;
  readonly grades: readonly number[];
  readonly chances: string;
  readonly draws: number;
  readonly seed: number;
  readonly confidence: number;
}

/** With more runs than this, each is compared with the best one only. */
const MOST_PAIRED = 10;

/** Bounds, expected values and settled comparisons of runs over all completions of the missing judgements. */
export async function completedScoresOf(plan: Plan, material: ReadMaterial, request: CompletionRequest = {}): Promise<CompletedScores> {
  const { depth = 100, draws = 1000, seed = 1, confidence = 0.95, rel = 1 } = request;
  const rules = { ...defaultRules, ...judgingRulesOf(plan.convention.rules), ...plan.rules };
  for (const measure of plan.measures) refuseOther(measure);
  const lists = listsOf(plan, material, rules.depth);
  const grades = knownGrades(gradesOf(material.qrels), rules.negativeGrades);
  const scale = scaleOf(grades);
  const ranked = request.chance === undefined ? chancesByRank(lists, grades, rel) : constantChance(request.chance);
  const chances = (await request.chances?.(ranked)) ?? ranked;
  const topics = openTopicsOf(lists, grades, { depth, judgedOnly: rules.judgedOnly });
  const shares = gradeShares(grades, scale, rel);
  const pool = topics.map((topic) => new TopicCompletions(topic, scale, shares(topic, chances)));
  const names = namesOf(material);
  const measures = plan.measures.map((measure) => {
    const evaluation = new EvaluationPlan([measure], { ...plan.planOptions, highestGrade: scale[scale.length - 1] });
    return new MeasureCompletions(measure, evaluation, pool, names, { draws, seed, confidence }).result();
  });
  return {
    measures,
    topics: topics.length,
    openTopics: topics.filter(({ docs }) => docs.length > 0).length,
    openDocuments: topics.reduce((sum, { docs }) => sum + docs.length, 0),
    grades: scale,
    chances: chances.words,
    draws,
    seed,
    confidence,
  };
}

function refuseOther(measure: Measure): void {
  if (measure.def.bind !== undefined && followsCommonRules(measure)) return;
  const ofRankings = measure.def.bind !== undefined;
  throw new InputError({
    message: ofRankings
      ? `${measure.text} has rules of its own about ties or judgements, and missing judgements are completed by the same rules for all measures`
      : `${measure.text} is not computed from grades of documents, so that missing ones cannot be completed`,
    wayOut: ofRankings ? `write ${measure.def.name} without them` : 'ask for a measure of rankings, such as AP or nDCG@10',
  });
}

/** Judgements that say something: where negative grades stand for missing ones, they are open too. */
function knownGrades(grades: GradesByTopic, negativeGrades: 'unjudged' | 'judged' | 'graded'): Map<string, Map<string, number>> {
  return new Map(
    [...grades].map(([topic, own]) => [
      topic,
      new Map(
        [...own].flatMap(([doc, grade]) =>
          grade >= 0 ? [[doc, grade] as const] : negativeGrades === 'unjudged' ? [] : [[doc, 0] as const],
        ),
      ),
    ]),
  );
}

/** The grades a document may get: all that occur, and 0 and 1 where nothing else does. */
function scaleOf(grades: GradesByTopic): number[] {
  const found = new Set([0]);
  for (const own of grades.values()) for (const grade of own.values()) found.add(grade);
  if (found.size === 1) found.add(1);
  return [...found].sort((a, b) => a - b);
}

function openTopicsOf(
  lists: readonly DocumentLists[],
  grades: ReadonlyMap<string, ReadonlyMap<string, number>>,
  { depth, judgedOnly }: { readonly depth: number; readonly judgedOnly: boolean },
): OpenTopic[] {
  return [...grades].map(([topic, known]) => {
    const own = lists.map((list) => list.get(topic) ?? []);
    const open = new Set(own.flatMap((list) => list.slice(0, depth).filter((doc) => !known.has(doc))));
    const kept = judgedOnly ? own.map((list) => list.filter((doc) => known.has(doc) || open.has(doc))) : own;
    return openTopic(topic, kept, known, [...open].sort());
  });
}

/** The chance of each grade of a document: relevant ones get grades as often as judged documents do. */
function gradeShares(
  grades: GradesByTopic,
  scale: readonly number[],
  rel: number,
): (topic: OpenTopic, chances: RelevanceChances) => Float64Array[] {
  const counts = new Float64Array(scale.length);
  for (const own of grades.values()) for (const grade of own.values()) counts[scale.indexOf(grade)]++;
  const isRelevant = scale.map((grade) => grade >= rel);
  // where no judged document is of a side, its lowest grade stands for it
  for (const side of [true, false]) {
    const own = isRelevant.flatMap((is, g) => (is === side ? [g] : []));
    if (own.length > 0 && own.every((g) => counts[g] === 0)) counts[own[0]] = 1;
  }
  const total = (side: boolean): number => counts.reduce((sum, count, g) => sum + (isRelevant[g] === side ? count : 0), 0);
  const [relevant, others] = [total(true), total(false)];
  return (topic, chances) =>
    topic.docs.map((doc) => {
      const chance = relevant === 0 ? 0 : chances.of(topic.topic, doc);
      return counts.map((count, g) => (isRelevant[g] ? (chance * count) / relevant : ((1 - chance) * count) / others));
    });
}

/** A topic with what may become of it. */
class TopicCompletions {
  readonly topic: OpenTopic;
  readonly scale: readonly number[];
  readonly chances: readonly Float64Array[];
  readonly completed: CompletedTopic;
  private readonly drawn: Float64Array;

  constructor(topic: OpenTopic, scale: readonly number[], chances: readonly Float64Array[]) {
    this.topic = topic;
    this.scale = scale;
    this.chances = chances;
    this.completed = new CompletedTopic(topic, scale);
    this.drawn = new Float64Array(topic.docs.length);
  }

  /** Draws a grade for every open document. */
  draw(float: () => number): Float64Array {
    for (let d = 0; d < this.drawn.length; d++) {
      const chances = this.chances[d];
      let at = 0;
      let left = float() - chances[0];
      while (left >= 0 && at < chances.length - 1) left -= chances[++at];
      this.drawn[d] = this.scale[at];
    }
    return this.drawn;
  }
}

/** Values of all runs under one measure. */
class MeasureCompletions {
  private readonly measure: Measure;
  private readonly plan: EvaluationPlan;
  private readonly pool: readonly TopicCompletions[];
  private readonly names: readonly string[];
  private readonly settings: { readonly draws: number; readonly seed: number; readonly confidence: number };

  constructor(
    measure: Measure,
    plan: EvaluationPlan,
    pool: readonly TopicCompletions[],
    names: readonly string[],
    settings: MeasureCompletions['settings'],
  ) {
    this.measure = measure;
    this.plan = plan;
    this.pool = pool;
    this.names = names;
    this.settings = settings;
  }

  result(): CompletedMeasureScores {
    const { names, pool, settings, measure } = this;
    const now = names.map((_, r) => this.aggregate(pool.map((topic) => this.judgedValue(topic, r))));
    const bounds = pool.map((topic) => this.topicBounds(topic));
    const drawn = this.drawnMeans();
    const runs = names.map((run, r): CompletedRun => {
      const own = bounds.map(({ runs: of }) => of[r]);
      return {
        run,
        value: now[r],
        low: this.aggregate(own.map(({ low }) => low)),
        high: this.aggregate(own.map(({ high }) => high)),
        attained: own.every(({ attained }) => attained),
        ...this.expectation(
          drawn[r],
          own.map(({ expected }) => expected),
        ),
      };
    });
    if (aggregateOf(measure) !== 'mean') return { measure: measure.text, runs, pairs: [], canStop: false };
    const sign = measure.def.direction === 'lower' ? -1 : 1;
    const best = now.reduce((most, value, r) => (sign * value > sign * now[most] ? r : most), 0);
    const pairs = pairsOf(names.length, best).map(([a, b]): CompletedPair => {
      const own = bounds.map(({ differences }) => differences(a, b));
      const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
      const [low, high] = [mean(own.map((range) => range.low)), mean(own.map((range) => range.high))];
      const between = drawn[a].map((value, d) => value - drawn[b][d]);
      const share = (wanted: (value: number) => boolean): number => between.filter(wanted).length / between.length;
      const [above, below] = [share((value) => sign * value > 1e-12), share((value) => sign * value < -1e-12)];
      const probability = Math.max(above, below);
      const isCertain = low > 1e-12 || high < -1e-12 || pool.every(({ topic }) => topic.docs.length === 0);
      return {
        first: names[a],
        second: names[b],
        value: now[a] - now[b],
        low,
        high,
        attained: own.every(({ attained }) => attained),
        ...this.expectation(
          between,
          own.map(({ expected }) => expected),
        ),
        probability,
        ahead: above === below ? null : above > below ? names[a] : names[b],
        settled: isCertain ? 'certain' : probability >= settings.confidence ? 'probable' : 'open',
      };
    });
    return { measure: measure.text, runs, pairs, canStop: pairs.every(({ settled }) => settled !== 'open') };
  }

  private judgedValue({ completed }: TopicCompletions, run: number): number {
    const out = new Float64Array(1);
    this.plan.evaluate(completed.judgedView(run), out, 0);
    return out[0];
  }

  private aggregate(values: readonly number[]): number {
    const defined = Float64Array.from(values.filter((value) => !Number.isNaN(value)));
    return aggregateValues(aggregateOf(this.measure), defined, 0, 1, defined.length, this.measure.params.floor as number | undefined);
  }

  /** The mean of what was counted through, where that was possible, or of what was drawn. */
  private expectation(drawn: Float64Array, exact: readonly (number | undefined)[]): Pick<CompletedScore, 'expected' | 'interval'> {
    const sorted = drawn.slice().sort();
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
    const isExact = aggregateOf(this.measure) === 'mean' && exact.every((value) => value !== undefined && !Number.isNaN(value));
    const values = isExact ? Float64Array.from(exact, (value) => value ?? Number.NaN) : drawn;
    return {
      expected: values.reduce((sum, value) => sum + value, 0) / values.length,
      interval: { low: at(0.025), high: at(0.975), level: 0.95 },
    };
  }

  /** Means of the runs in every completion that is drawn. */
  private drawnMeans(): Float64Array[] {
    const { pool, names, plan, settings } = this;
    const random = seededRandom(settings.seed);
    const values = names.map(() => new Float64Array(pool.length));
    for (const [t, topic] of pool.entries()) for (const r of names.keys()) values[r][t] = this.judgedValue(topic, r);
    const open = pool.flatMap((topic, t) => (topic.topic.docs.length === 0 ? [] : [{ topic, t }]));
    const found = names.map(() => new Float64Array(settings.draws));
    const out = new Float64Array(1);
    for (let draw = 0; draw < settings.draws; draw++) {
      for (const { topic, t } of open) {
        const grades = topic.draw(() => random.float());
        for (const r of names.keys()) {
          plan.evaluate(topic.completed.view(r, grades), out, 0);
          values[r][t] = out[0];
        }
      }
      for (const r of names.keys()) found[r][draw] = this.aggregate(Array.from(values[r]));
    }
    return found;
  }

  /** Bounds of the runs and of their differences on one topic. */
  private topicBounds(own: TopicCompletions): {
    readonly runs: readonly (CompletionBounds & { readonly expected: number | undefined })[];
    differences(a: number, b: number): CompletionBounds & { readonly expected: number | undefined };
  } {
    const { topic, scale, chances, completed } = own;
    const values = topic.runs.map((_, r) => completedValueOf(this.plan, completed, r));
    if (canEnumerate(scale, topic)) return enumeratedBounds(values, scale, chances);
    const runs = topic.runs.map((_, r) => ({ ...boundsByShape(this.measure, topic, r, scale, values[r]), expected: undefined }));
    const parts = topic.runs.map((_, r) => additiveParts(this.measure, topic, r, scale, values[r]));
    return {
      runs,
      differences(a, b) {
        const [first, second] = [parts[a], parts[b]];
        if (first === undefined || second === undefined) {
          return { low: runs[a].low - runs[b].high, high: runs[a].high - runs[b].low, attained: false, expected: undefined };
        }
        const between = first.parts.map((part, d) => part - second.parts[d]);
        const side = (sign: number): number => between.reduce((sum, part) => sum + (sign * part > 0 ? part : 0), first.base - second.base);
        return { low: side(-1), high: side(1), attained: true, expected: undefined };
      },
    };
  }
}

/** All completions of one topic, counted through. */
function enumeratedBounds(
  values: readonly ((grades: Float64Array) => number)[],
  scale: readonly number[],
  chances: readonly Float64Array[],
): ReturnType<MeasureCompletions['topicBounds']> {
  const found: Float64Array[] = [];
  const weights: number[] = [];
  forEachCompletion(scale, chances, (grades, probability) => {
    found.push(Float64Array.from(values, (value) => value(grades)));
    weights.push(probability);
  });
  const range = (of: (row: Float64Array) => number): CompletionBounds & { readonly expected: number | undefined } => {
    let [low, high, expected] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for (const [i, row] of found.entries()) {
      const value = of(row);
      low = Math.min(low, value);
      high = Math.max(high, value);
      expected += weights[i] * value;
    }
    return { low, high, attained: true, expected };
  };
  return { runs: values.map((_, r) => range((row) => row[r])), differences: (a, b) => range((row) => row[a] - row[b]) };
}

function pairsOf(runs: number, best: number): [number, number][] {
  const all = Array.from({ length: runs }, (_, r) => r);
  if (runs > MOST_PAIRED) return all.filter((r) => r !== best).map((r) => [best, r]);
  return all.flatMap((a) => all.slice(a + 1).map((b): [number, number] => [a, b]));
}
