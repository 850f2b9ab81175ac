/** How the order of systems changes with the measure and with the rules. */
import { applyConvention, judgingRulesOf } from '../../conventions/convention.js';
import { definedFor, rulesFor } from '../../conventions/measures-of-tools.js';
import { conventions } from '../../conventions/registry.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import { evaluator } from '../../measures/evaluate.js';
import { type Measure, paramsOf, withParams } from '../../measures/measure.js';
import { poolToDepth } from '../../meta/index.js';
import { isQuality } from '../../report/quality.js';
import { kendallTau } from '../../stats/correlation/kendall-tau.js';
import type { ReadMaterial } from '../material.js';
import { type Plan, readMeasuresOfAll } from '../plan.js';
import { reasonAgainst } from './tool-values.js';

/** What is changed from one order to the next. */
export type OrdersBy = 'measures' | 'conventions' | 'ties' | 'depth' | 'pool';

/** The words that `OrdersBy` allows. */
export const ordersBy: readonly OrdersBy[] = ['measures', 'conventions', 'ties', 'depth', 'pool'];

/** The order of all systems under one condition. */
export interface SystemOrder {
  readonly name: string;
  /** What distinguishes it from the others, beneath the name. */
  readonly detail: string;
  /** The mean of each system. */
  readonly means: readonly number[];
  /** The place of each system, the best at 1; equal means stand in the order of the systems. */
  readonly places: readonly number[];
  /** Kendall's correlation with the first order; null where either has no order at all. */
  readonly tau: number | null;
}

/** Orders of the same systems; the first is the one that the others are compared with. */
export interface SystemOrders {
  readonly by: OrdersBy;
  readonly systems: readonly string[];
  readonly orders: readonly SystemOrder[];
}

/** What is asked. */
export interface OrdersRequest {
  readonly by: OrdersBy;
  /** The measure whose rules are changed; the first that says which system is better by default. */
  readonly measure?: string | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Measures by which a system can be better: how much was judged is no quality of it. */
export function qualityMeasures({ measures }: Pick<Plan, 'measures'>): Measure[] {
  return measures.filter(({ text, def }) => def.direction !== 'neither' && isQuality(text));
}

const DEPTHS = [1, 3, 5, 10, 20, 50, 100, 1000];
const POOL_DEPTHS = [100, 50, 20, 10, 5, 1];

type Rules = NonNullable<Parameters<typeof evaluator>[2]>;

interface Condition {
  readonly name?: string;
  readonly detail: string;
  readonly measure: Measure;
  /** In the place of those of the plan. */
  readonly rules?: Rules;
  readonly judgements?: () => Qrels;
}

/** Orders the systems by one thing after another. */
export function systemOrders(plan: Plan, material: ReadMaterial, { by, measure: asked, onProgress }: OrdersRequest): SystemOrders {
  const { qrels, runs, names } = material;
  const deciding = qualityMeasures(plan);
  const measure = deciding.find(({ text }) => text === asked) ?? deciding[0];
  if (measure === undefined) {
    throw new InputError({ message: 'none of these measures says which system is better', wayOut: 'add one such as nDCG@10' });
  }
  const common = { ...plan.rules, ...plan.planOptions };
  const conditions = conditionsOf[by](measure, plan, material);
  const found = conditions.map(({ measure: own, rules = common, judgements }, c) => {
    onProgress?.(c, conditions.length);
    const scoring = evaluator(judgements?.() ?? qrels, [own], { ...rules, unrelated: 'accept' });
    return runs.map((run) => scoring.evaluate(run).aggregate(0));
  });
  const turned = found.map((means, c) => {
    const sign = conditions[c].measure.def.direction === 'lower' ? -1 : 1;
    return Float64Array.from(means, (mean) => sign * mean);
  });
  const orders = conditions.map(
    ({ name = measure.text, detail }, c): SystemOrder => ({
      name,
      detail,
      means: found[c],
      places: placesOf(turned[c]),
      tau: tauOf(turned[0], turned[c]),
    }),
  );
  return { by, systems: names, orders: by === 'conventions' ? withoutRepeats(orders) : orders };
}

/** What the systems are ordered by, the usual first. */
const conditionsOf: Readonly<Record<OrdersBy, (measure: Measure, plan: Plan, material: ReadMaterial) => Condition[]>> = {
  measures: (measure, plan) => {
    const others = qualityMeasures(plan).filter((one) => one !== measure);
    return [measure, ...others].map((one) => ({ name: one.text, detail: '', measure: one }));
  },
  conventions: (measure, { convention }, { qrels }) => {
    const [plain] = readMeasuresOfAll([measure.text]);
    const others = conventions.filter((other) => other !== convention && reasonAgainst(other, plain, qrels) === undefined);
    return [
      { detail: `rules of ${convention.title}`, measure },
      ...others.map((other) => {
        const rules = rulesFor(other, plain);
        return {
          detail: `rules of ${other.title}`,
          measure: applyConvention(definedFor([other], plain), rules),
          rules: { ...judgingRulesOf(rules), ...other.planOptions },
        };
      }),
    ];
  },
  ties: (measure) => [
    { detail: 'as it is', measure },
    ...(['file', 'optimistic', 'pessimistic', 'expected'] as const).map((ties) => ({
      detail: tieWords[ties],
      measure: withParams(measure, { ties }),
    })),
  ],
  depth: (measure) => {
    if (!('cutoff' in paramsOf(measure.def)))
      throw new InputError({ message: `${measure.text} has no cutoff`, wayOut: 'look by another measure' });
    return [
      { detail: 'as it is', measure },
      ...DEPTHS.filter((depth) => depth !== measure.params.cutoff).map((depth) => {
        const cut = withParams(measure, { cutoff: depth });
        return { name: cut.text, detail: depth === 1 ? 'first document' : `first ${depth.toLocaleString('en')}`, measure: cut };
      }),
    ];
  },
  pool: (measure, _, { qrels, runs }) => [
    { detail: 'all judgements', measure },
    ...POOL_DEPTHS.map((depth) => ({ detail: `pool of depth ${depth}`, measure, judgements: () => poolToDepth(qrels, runs, depth) })),
  ],
};

const tieWords = {
  file: 'equal scores in file order',
  optimistic: 'the best order of equal scores',
  pessimistic: 'the worst order of equal scores',
  expected: 'mean over orders of equal scores',
} as const;

/** Tools that give every system the same mean are one order. */
function withoutRepeats(orders: readonly SystemOrder[]): SystemOrder[] {
  const kept: SystemOrder[] = [];
  const repeats: number[] = [];
  for (const order of orders) {
    const same = kept.findIndex(({ means }) => means.every((mean, s) => Math.abs(mean - order.means[s]) < 1e-9));
    if (same >= 0) repeats[same]++;
    else {
      kept.push(order);
      repeats.push(0);
    }
  }
  return kept.map((order, k) => (repeats[k] === 0 ? order : { ...order, detail: `${order.detail} and ${repeats[k]} more` }));
}

function placesOf(means: Float64Array): number[] {
  // what has no mean stands last
  const value = (s: number): number => (Number.isNaN(means[s]) ? Number.NEGATIVE_INFINITY : means[s]);
  const order = Array.from(means, (_, s) => s).sort((a, b) => (value(a) === value(b) ? a - b : value(b) - value(a)));
  const places = new Array<number>(means.length);
  order.forEach((s, place) => {
    places[s] = place + 1;
  });
  return places;
}

function tauOf(first: Float64Array, second: Float64Array): number | null {
  const isFlat = (values: Float64Array): boolean => values.every((value) => value === values[0]) || values.some(Number.isNaN);
  return first.length < 2 || isFlat(first) || isFlat(second) ? null : kendallTau({ first, second }).tau;
}
