import type { TopicView } from '../core/judge.js';
import { seededRandom } from '../core/random.js';
import { cutsThroughTie, type TieGroups } from '../core/tie-groups.js';
import { ExpectedPasses } from './expected-passes.js';
import type { Measure } from './measure.js';
import { EvaluationPlan, type PlanOptions, undefinedValueOf, withEmptyRule } from './plan.js';
import { TieOrders } from './tie-orders.js';

/** Up to this many orders are all looked at: those of eight documents. */
const MOST_ORDERS = 40_320;

export interface ExpectedOptions extends PlanOptions {
  /** How many orders of equal scores are drawn where there are too many to look at all of them; 2,000 if not given. */
  readonly orders?: number;
  /** What the draws depend on; 1 if not given. */
  readonly seed?: number;
}

/** On how many topics with ties the mean of a measure was found in which way. */
export interface TieAccount {
  closedForm: number;
  allOrders: number;
  simulated: number;
  /** The largest standard error of a simulated value. */
  standardError: number;
}

type ClosedForm = (topic: TopicView) => number | undefined;

/** Computes the means of measures over all orders of equal scores: in closed form where there is one, otherwise from all
 *  orders if they are few, otherwise from orders drawn at random. The topics have to tell their ties. */
export class ExpectedPlan {
  readonly measures: readonly Measure[];
  readonly accounts: readonly TieAccount[];
  /** What the notes call the measures; undefined for those they do not mention. */
  private readonly names: readonly (string | undefined)[];
  private readonly options: ExpectedOptions;
  private readonly judgedOnly: boolean;
  private readonly passes: ExpectedPasses;
  private readonly closedForms: readonly (ClosedForm | undefined)[];
  private readonly undefinedValues: readonly number[];
  /** All measures in one given order, and only those that never have a closed form. */
  private readonly plain: EvaluationPlan;
  private readonly formless: { readonly plan: EvaluationPlan; readonly indices: readonly number[] };
  private readonly one: Float64Array;

  constructor(
    measures: readonly Measure[],
    judgedOnly: boolean,
    options: ExpectedOptions = {},
    names: readonly (string | undefined)[] = measures.map(({ text }) => text),
  ) {
    this.measures = measures;
    this.names = names;
    this.options = options;
    this.judgedOnly = judgedOnly;
    this.passes = new ExpectedPasses(options);
    this.closedForms = measures.map((measure) => {
      const form = closedForm(measure, this.passes);
      return form && withEmptyRule(measure, this.passes, form);
    });
    this.undefinedValues = measures.map((measure) => undefinedValueOf(measure, options));
    this.accounts = measures.map(() => ({ closedForm: 0, allOrders: 0, simulated: 0, standardError: 0 }));
    this.plain = new EvaluationPlan(measures, options);
    const indices = measures.flatMap((_, m) => (this.closedForms[m] === undefined ? [m] : []));
    const formless = indices.map((m) => measures[m]);
    this.formless = { plan: new EvaluationPlan(formless, options), indices };
    this.one = new Float64Array(measures.length);
  }

  /** Writes the topic's means to out[at], out[at + 1] … `stream` tells the topics' random draws apart. */
  evaluate(topic: TopicView, out: Float64Array, at: number, stream: number): void {
    const { ties } = topic;
    if (ties === undefined) throw new Error('the ties of the topic are not known');
    const hasTies = ties.count < ties.starts[ties.count];
    const isCut = cutsThroughTie(ties, topic.numRetrieved);
    // unjudged documents can be taken out first, unless the depth lets the order decide how many there are
    const judged = this.judgedOnly && !isCut ? condense(topic, ties) : topic;
    if (!hasTies) {
      this.plain.evaluate({ ...judged, ties: undefined }, out, at);
      return;
    }
    const open = this.judgedOnly && isCut ? this.measures.map((_, m) => m) : this.evaluateForms(judged, out, at);
    if (open.length === 0) return;
    const onlyFormless = open.every((m) => this.closedForms[m] === undefined);
    const { plan, indices } = onlyFormless ? this.formless : { plan: this.plain, indices: this.measures.map((_, m) => m) };
    this.averageOrders(topic, ties, plan, open, indices, out, at, stream);
  }

  /** Notes for the reader of the results, one for each measure that met ties. */
  notes(): string[] {
    const { orders = 2000, seed = 1 } = this.options;
    return this.names.flatMap((name, m) => {
      const { closedForm: closed, allOrders, simulated, standardError } = this.accounts[m];
      if (name === undefined || closed + allOrders + simulated === 0) return [];
      const ways: string[] = [];
      if (closed > 0) ways.push(`in closed form on ${closed}`);
      if (allOrders > 0) ways.push(`from all orders on ${allOrders}`);
      if (simulated > 0) {
        ways.push(`from ${orders} random orders on ${simulated} (seed ${seed}, standard error up to ${standardError.toExponential(1)})`);
      }
      return [`${name}: mean over all orders of equal scores; of the topics with ties ${ways.join(', ')}`];
    });
  }

  /** Fills in what has a closed form; the answer is what has none on this topic. */
  private evaluateForms(topic: TopicView, out: Float64Array, at: number): number[] {
    this.passes.update(topic);
    return this.closedForms.flatMap((form, m) => {
      const value = form?.(topic);
      if (value === undefined) return [m];
      out[at + m] = Number.isNaN(value) ? this.undefinedValues[m] : value;
      this.accounts[m].closedForm++;
      return [];
    });
  }

  private averageOrders(
    topic: TopicView,
    ties: TieGroups,
    plan: EvaluationPlan,
    open: readonly number[],
    indices: readonly number[],
    out: Float64Array,
    at: number,
    stream: number,
  ): void {
    const tieOrders = new TieOrders(topic, ties, this.judgedOnly);
    const { one } = this;
    const sums = new Float64Array(open.length);
    const squares = new Float64Array(open.length);
    const places = open.map((m) => indices.indexOf(m));
    let count = 0;
    const visit = (): void => {
      plan.evaluate(tieOrders.view, one, 0);
      count++;
      // Welford's update, so that the spread of nearly equal values does not drown
      for (const [k, place] of places.entries()) {
        const difference = one[place] - sums[k];
        sums[k] += difference / count;
        squares[k] += difference * (one[place] - sums[k]);
      }
    };
    const { orders = 2000, seed = 1 } = this.options;
    const exact = tieOrders.count(MOST_ORDERS) <= MOST_ORDERS;
    if (exact) tieOrders.forEach(visit);
    else {
      const random = seededRandom(seed, stream);
      for (let draw = 0; draw < orders; draw++) tieOrders.shuffled(random, visit);
    }
    for (const [k, m] of open.entries()) {
      out[at + m] = sums[k];
      const account = this.accounts[m];
      if (exact) account.allOrders++;
      else {
        account.simulated++;
        account.standardError = Math.max(account.standardError, Math.sqrt(squares[k] / (count - 1) / count));
      }
    }
  }
}

function closedForm({ def, params }: Measure, passes: ExpectedPasses): ClosedForm | undefined {
  if (def.expected === undefined || def.bind === undefined) return undefined;
  if (typeof def.expected === 'function') return def.expected(params, passes);
  const compute = def.bind(params, passes);
  if (def.expected === 'linear') return compute;
  return (topic) => (topic.ties !== undefined && cutsThroughTie(topic.ties, topic.numRetrieved) ? undefined : compute(topic));
}

/** The topic without its unjudged documents, and without their places in the groups. */
function condense(topic: TopicView, ties: TieGroups): TopicView {
  const { codes, start } = topic;
  const kept = new Float64Array(ties.starts[ties.count]);
  const starts = new Uint32Array(ties.count + 1);
  let at = 0;
  let count = 0;
  for (let g = 0; g < ties.count; g++) {
    const from = at;
    for (let i = ties.starts[g]; i < ties.starts[g + 1]; i++) if (codes[start + i] >= 0) kept[at++] = codes[start + i];
    if (at > from) starts[count++] = from;
  }
  starts[count] = at;
  return { ...topic, codes: kept, start: 0, numRetrieved: at, ties: { starts, count } };
}
