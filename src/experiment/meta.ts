/** Judging the measures themselves, from files. */
import { applyConvention, judgingRulesOf } from '../conventions/convention.js';
import { definedFor, refuseJudgements, rulesFor } from '../conventions/measures-of-tools.js';
import { findConvention, gradusConvention } from '../conventions/registry.js';
import { formatFixed } from '../core/numbers/print.js';
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import { joinSystems, type ScoreTable } from '../core/score-table.js';
import { evaluator, followsCommonRules } from '../measures/evaluate.js';
import { type Measure, withParams } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import {
  type CurvePoint,
  type DiscriminativePower,
  discriminativePower,
  forEachList,
  type InformativenessOptions,
  type InformativenessResult,
  inferList,
  informativeness,
  orderAgreements,
  type PowerOptions,
  poolsWithoutEach,
  poolToDepth,
  swapRates,
} from '../meta/index.js';
import type { ReadMaterial } from './material.js';
import { type Plan, readMeasuresOfAll } from './plan.js';
import type { ScoredRuns } from './score.js';

/** How many pairs of systems each measure can tell apart. */
export function powerOf({ tables }: ScoredRuns, options: PowerOptions): DiscriminativePower {
  return discriminativePower(joinSystems(tables), options);
}

/** What informativeness is asked with. */
export interface InformednessRequest {
  readonly depth?: number | undefined;
  readonly minPerGrade?: number | undefined;
  /** Also GAP for eleven shares of users at grades 1 and 2. */
  readonly sweep?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Measures with the rankings that were inferred from their values. */
export interface Informedness {
  readonly result: InformativenessResult;
  /** Shares of users at grade 1, for the measures behind those that were asked for. */
  readonly shares: readonly number[];
  /** The curves of the first list that every measure was asked about. */
  readonly example: ExampleCurves | undefined;
}

/** Precision by recall of one list. */
export interface ExampleCurves {
  readonly system: string;
  readonly topic: string;
  readonly actual: readonly CurvePoint[];
  readonly inferred: readonly { readonly measure: string; readonly curve: readonly CurvePoint[] }[];
}

/** How well rankings can be inferred from the values of measures. */
export function informednessOf(plan: Plan, { qrels, runs }: ReadMaterial, request: InformednessRequest = {}): Informedness {
  const { measures } = plan;
  const shares = request.sweep === true ? Array.from({ length: 11 }, (_, i) => i / 10) : [];
  const swept = shares.map((share) => parseMeasure(`GAP(g=[${share},${formatFixed(1 - share, 1)}])`));
  const highest = qrels.grades.reduce((most, grade) => Math.max(most, grade), 0);
  if (swept.length > 0 && highest !== 2) {
    throw new InputError({
      message: `--sweep divides users between grades 1 and 2, and the highest grade is ${highest}`,
      wayOut: 'give GAP with shares of your own by -m',
    });
  }
  const lists = listsOf(plan, request);
  const total = runs.reduce((sum, run) => sum + run.topics.size, 0);
  const result = informativeness(qrels, runs, [...measures, ...swept], {
    ...lists,
    onList: (done) => request.onProgress?.(done, total),
  });
  if (result.lists === 0) {
    throw new InputError({
      message: 'no list holds enough documents of every grade',
      wayOut: 'give runs that go deeper, judgements with fewer grades, or a lower --min-per-grade',
    });
  }
  let example: ExampleCurves | undefined;
  if (swept.length === 0) {
    forEachList(qrels, runs, lists, (list) => {
      if (list === undefined || example !== undefined) return;
      const curves = measures.map((measure) => ({ measure: measure.text, ...inferList(list, measure).curves.any }));
      example = {
        system: list.system,
        topic: list.topic,
        actual: curves[0].actual,
        inferred: curves.map(({ measure, inferred: curve }) => ({ measure, curve })),
      };
    });
  }
  return { result, shares, example };
}

/** The rules by which lists are made, which have to be one order for all measures. */
function listsOf({ convention, measures }: Plan, { depth = 1000, minPerGrade = 5 }: InformednessRequest): InformativenessOptions {
  const { missingTopics: _, ...rules } = judgingRulesOf(convention.rules);
  const ownOrder = measures.find((measure) => !followsCommonRules(measure));
  if (ownOrder !== undefined || rules.ties === 'expected') {
    throw new InputError({
      message:
        ownOrder === undefined
          ? `${convention.name} takes the mean over all orders of equal scores, and a ranking is inferred from one order`
          : `${ownOrder.text} has rules of its own about scores or judgements, and rankings are inferred by the same rules for all measures`,
      wayOut:
        convention === gradusConvention
          ? 'write the measure without rules of its own, as in AP'
          : 'ask by another convention, or leave --convention out',
    });
  }
  return { depth, minPerGrade, rules };
}

/** What stability is asked with. */
export interface StabilityRequest {
  /** 1 by default. */
  readonly seed?: number | undefined;
  /** How often topics are divided in two; 1,000 by default. */
  readonly splits?: number | undefined;
  /** Conventions to compare with. */
  readonly conventions?: readonly string[] | undefined;
  /** The measure that they score, as it was written. */
  readonly spelling?: readonly string[] | undefined;
  /** Also with judgements pooled to this depth only, and with each run left out of the pool. */
  readonly pool?: number | undefined;
  /** Which group each run belongs to, so that groups are left out and not single runs. */
  readonly groupOf?: ReadonlyMap<string, string> | undefined;
}

/** How much the order of systems depends on the measure, its rules and the topics. */
export interface Stability {
  readonly agreements: ReturnType<typeof orderAgreements>;
  readonly swaps: readonly { readonly measure: string; readonly sizes: ReturnType<typeof swapRates> }[];
  /** Each run's value with and without its own documents in the pool, or those of its group. */
  readonly leftOut: readonly {
    readonly run: string;
    readonly group?: string | undefined;
    readonly before: number;
    readonly without: number;
  }[];
  readonly numTopics: number;
  readonly seed: number;
  readonly notes: readonly string[];
}

/** How far measures, conventions, tie rules and pool depths agree about the order of systems. */
export function stabilityOf(plan: Plan, { qrels, runs, names }: ReadMaterial, request: StabilityRequest): Stability {
  const { measures, convention } = plan;
  const common = { ...judgingRulesOf(convention.rules), ...convention.planOptions, missingTopics: convention.missingTopicsOfAll };
  const notes = new Set<string>();
  type Rules = NonNullable<Parameters<typeof evaluator>[2]>;
  const scored = (judgements: Qrels, wanted: readonly Measure[], rules: Rules): ScoreTable => {
    const scoring = evaluator(judgements, wanted, { ...rules, ...(judgements === qrels ? {} : { unrelated: 'accept' }) });
    const joined = joinSystems(runs.map((run, r) => scoring.evaluate(run, names[r])));
    for (const note of joined.notes) notes.add(note);
    return joined;
  };
  const table = scored(qrels, measures, common);
  const sign = measures.map(({ def }) => (def.direction === 'lower' ? -1 : 1));
  const means = (of: ScoreTable, m: number): Float64Array => Float64Array.from(of.systems, (_, s) => sign[m] * of.aggregate(m, s));
  const conditions = measures.map((measure, m) => ({ name: measure.text, values: means(table, m) }));
  const [first] = measures;
  const under = (name: string, variant: Measure, judgements: Qrels, rules: Rules): void => {
    conditions.push({ name, values: means(scored(judgements, [variant], rules), 0) });
  };
  for (const ties of ['optimistic', 'pessimistic', 'expected'] as const) {
    under(`${first.text}, ties ${ties}`, withParams(first, { ties }), qrels, common);
  }
  const [plain] = readMeasuresOfAll(request.spelling ?? [first.text]);
  for (const name of request.conventions ?? []) {
    const other = findConvention(name);
    refuseJudgements(other, [plain], qrels);
    const rules = rulesFor(other, plain);
    under(`${plain.text} by ${name}`, applyConvention(definedFor([other], plain), rules), qrels, {
      ...judgingRulesOf(rules),
      ...other.planOptions,
    });
  }
  const { pool: depth, seed = 1, splits = 1000, groupOf } = request;
  const groups = groupOf && runs.map(({ name }, r) => groupOf.get(names[r]) ?? groupOf.get(name) ?? names[r]);
  if (depth !== undefined) under(`${first.text}, pool of depth ${depth}`, first, poolToDepth(qrels, runs, depth), common);
  return {
    agreements: orderAgreements(conditions),
    swaps: measures.map((measure, m) => ({ measure: measure.text, sizes: swapRates(table, m, { seed, splits }) })),
    leftOut:
      depth === undefined
        ? []
        : poolsWithoutEach(qrels, runs, depth, groups).map((judgements, r) => ({
            run: names[r],
            group: groups?.[r],
            before: table.aggregate(0, r),
            without: evaluator(judgements, [first], { ...common, unrelated: 'accept' })
              .evaluate(runs[r])
              .aggregate(0),
          })),
    numTopics: table.topics.length,
    seed,
    notes: [...notes],
  };
}
