import type { TopicView } from '../core/judging/judge.js';
import type { TieGroups } from '../core/judging/tie-groups.js';
import { seededIntegers } from '../core/numbers/random.js';
import { ExpectedPasses } from './expected-passes.js';
import type { Measure } from './measure.js';
import { EvaluationPlan, type PlanOptions, undefinedValueOf, withEmptyRule } from './plan.js';
import { tieOrders } from './tie-orders.js';
import { isCut } from './tied.js';

/** Up to this many orders are all looked at: those of eight documents. */
const MOST_ORDERS = 40_320;

/** How means over all orders of equal scores are found where the orders are too many to list. */
export interface ExpectedOptions extends PlanOptions {
  /** How many orders of equal scores are drawn where there are too many to look at all of them; 2,000 by default. */
  readonly orders?: number | undefined;
  /** What the draws depend on; 1 by default. */
  readonly seed?: number | undefined;
}

/** The means of measures over all orders of equal scores. */
export interface ExpectedPlan {
  /** Writes the topic's means to out[at], out[at + 1] … The topic has to tell its ties; `stream` tells the topics' random draws
   *  apart. */
  evaluate(topic: TopicView, out: Float64Array, at: number, stream: number): void;
  /** How the means were found, a note for each measure that met ties. */
  notes(): string[];
}

type ClosedForm = (topic: TopicView) => number | undefined;

/** Makes measures ready for the mean over all orders of equal scores: in closed form where there is one, otherwise from all
 *  orders if they are few, otherwise from orders drawn at random. `names` is what the notes call the measures; undefined for
 *  those they do not mention. */
export function expectedPlan(
  measures: readonly Measure[],
  judgedOnly: boolean,
  options: ExpectedOptions = {},
  names: readonly (string | undefined)[] = measures.map(({ text }) => text),
): ExpectedPlan {
  const { orders = 2000, seed = 1 } = options;
  const passes = new ExpectedPasses(options);
  const forms = measures.map((measure) => {
    const form = closedForm(measure, passes);
    return form && withEmptyRule(measure, passes, form);
  });
  const everything = measures.map((_, m) => m);
  const formless = everything.filter((m) => forms[m] === undefined);
  // one given order of all measures, or only of those that never have a closed form
  const all = new EvaluationPlan(measures, options);
  const some = new EvaluationPlan(
    formless.map((m) => measures[m]),
    options,
  );
  const one = new Float64Array(measures.length);
  // on how many topics with ties each mean was found in which way, and the largest standard error
  const accounts = measures.map(() => ({ closed: 0, counted: 0, drawn: 0, error: 0 }));

  /** Fills in what has a closed form; the answer is what has none on this topic. */
  const evaluateForms = (topic: TopicView, out: Float64Array, at: number): number[] => {
    passes.update(topic);
    return everything.filter((m) => {
      const value = forms[m]?.(topic);
      if (value === undefined) return true;
      out[at + m] = Number.isNaN(value) ? undefinedValueOf(measures[m], options) : value;
      accounts[m].closed++;
      return false;
    });
  };

  const averageOrders = (
    topic: TopicView,
    ties: TieGroups,
    open: readonly number[],
    out: Float64Array,
    at: number,
    stream: number,
  ): void => {
    const isFormless = open.every((m) => forms[m] === undefined);
    const plan = isFormless ? some : all;
    const computed = isFormless ? formless : everything;
    const tied = tieOrders(topic, ties, judgedOnly);
    const means = new Float64Array(computed.length);
    const squares = new Float64Array(computed.length);
    let count = 0;
    const visit = (): void => {
      plan.evaluate(tied.view, one, 0);
      count++;
      // Welford's update, so that the spread of nearly equal values does not drown
      for (let k = 0; k < computed.length; k++) {
        const difference = one[k] - means[k];
        means[k] += difference / count;
        squares[k] += difference * (one[k] - means[k]);
      }
    };
    const isExact = tied.count(MOST_ORDERS) <= MOST_ORDERS;
    if (isExact) tied.forEach(visit);
    else {
      const random = seededIntegers(seed, stream);
      while (count < orders) tied.shuffled(random, visit);
    }
    for (const [k, m] of computed.entries()) {
      if (!open.includes(m)) continue;
      out[at + m] = means[k];
      accounts[m][isExact ? 'counted' : 'drawn']++;
      if (!isExact) accounts[m].error = Math.max(accounts[m].error, Math.sqrt(squares[k] / (count - 1) / count));
    }
  };

  return {
    evaluate(topic, out, at, stream) {
      const { ties } = topic;
      if (ties === undefined) throw new Error('the ties of the topic are not known');
      // unjudged documents can be taken out first, unless the depth lets the order decide how many there are
      const isOpen = judgedOnly && isCut(topic);
      const judged = judgedOnly && !isOpen ? condense(topic, ties) : topic;
      if (ties.count === ties.starts[ties.count]) all.evaluate(judged, out, at);
      else {
        const open = isOpen ? everything : evaluateForms(judged, out, at);
        if (open.length > 0) averageOrders(topic, ties, open, out, at, stream);
      }
    },
    notes: () =>
      names.flatMap((name, m) => {
        const { closed, counted, drawn, error } = accounts[m];
        const ways: string[] = [];
        if (closed > 0) ways.push(`in closed form on ${closed}`);
        if (counted > 0) ways.push(`from all orders on ${counted}`);
        if (drawn > 0) ways.push(`from ${orders} random orders on ${drawn} (seed ${seed}, standard error up to ${error.toExponential(1)})`);
        if (name === undefined || ways.length === 0) return [];
        return [`${name}: mean over all orders of equal scores; of the topics with ties ${ways.join(', ')}`];
      }),
  };
}

function closedForm({ def, params }: Measure, passes: ExpectedPasses): ClosedForm | undefined {
  if (typeof def.expected === 'function') return def.expected(params, passes);
  const compute = def.expected && def.bind?.(params, passes);
  return def.expected === 'set' && compute ? (topic) => (isCut(topic) ? undefined : compute(topic)) : compute;
}

/** The topic without its unjudged documents, and without their places in the groups. */
function condense(topic: TopicView, ties: TieGroups): TopicView {
  const { codes, start } = topic;
  const kept: number[] = [];
  const starts = [0];
  for (let g = 0; g < ties.count; g++) {
    for (let i = ties.starts[g]; i < ties.starts[g + 1]; i++) if (codes[start + i] >= 0) kept.push(codes[start + i]);
    if (kept.length > starts[starts.length - 1]) starts.push(kept.length);
  }
  const groups = { starts: Uint32Array.from(starts), count: starts.length - 1 }; // fits: entries
  return { ...topic, codes: Float64Array.from(kept), start: 0, numRetrieved: kept.length, ties: groups };
}
