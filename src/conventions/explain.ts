import type { JudgingRules } from '../core/judging/judge.js';
import { aboutWhat, InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import { evaluator } from '../measures/evaluate.js';
import { aggregateOf, type Measure } from '../measures/measure.js';
import { applyConvention, type Convention, type ConventionRules, judgingRulesOf } from './convention.js';
import { ruleLabels, ruleReason } from './explain-words.js';
import { definedFor, refuseJudgements, rulesFor } from './measures-of-tools.js';
import { printedValue } from './printed-value.js';
import { withUnratedTopics } from './unrated-topics.js';

/** The rules in which conventions can differ. */
export type RuleName = keyof ConventionRules;

/** What one rule contributes to the difference between two conventions. */
export interface Contribution {
  readonly rule: RuleName;
  /** The rule in words, such as "empty queries". */
  readonly label: string;
  /** Its share of the difference; the shares of all rules add up to the difference. */
  readonly share: number;
  /** What changing this rule alone, from the first convention, would do. */
  readonly alone: number;
  /** Its share on each topic, as a part of the mean; empty where values do not add up over topics. */
  readonly perTopic: Float64Array;
  /** Why, in a clause that can be quoted. */
  readonly reason: string;
}

/** Why two conventions give different values to the same ranking. */
export interface Explanation {
  readonly measure: string;
  readonly from: string;
  readonly to: string;
  readonly fromValue: number;
  readonly toValue: number;
  readonly difference: number;
  /** Rules that matter, the largest share first. */
  readonly contributions: readonly Contribution[];
  /** The difference less what the rules do one at a time: how much they act on each other. The shares divide it fairly. */
  readonly interaction: number;
  /** *one at a time* if at most one rule matters; *Shapley* if all orders of changing them were averaged; *in order* if there
   *  were too many rules for that, and they were changed one after another. */
  readonly method: 'one at a time' | 'Shapley' | 'in order';
  readonly topics: readonly string[];
  /** The answer in one sentence. */
  readonly sentence: string;
}

/** The values that a measure has under several conventions. */
export interface ConventionValue {
  readonly convention: string;
  readonly measure: string;
  readonly value: number;
  /** As the tool itself would print it. */
  readonly printed: string;
  readonly numTopics: number;
}

/** All rules that are changed one at a time; `printed` acts on the final number only and is treated apart. */
const changeable: readonly RuleName[] = [
  'gain',
  'discount',
  'ideal',
  'idealDepth',
  'empty',
  'short',
  'precisionDivisor',
  'relevanceFloor',
  'threshold',
  'apDenominator',
  'ties',
  'depth',
  'topics',
  'unratedTopics',
  'scorePrecision',
  'recallRounding',
  'reciprocalPrecision',
  'negativeGrades',
  'gradeFractions',
  'ownDocument',
  'formulas',
  'unanswered',
  'topicDecimals',
  'lowestValue',
  'arithmetic',
  'term',
];

/** With more rules than this the orders are too many to go through. */
const MOST_RULES_FOR_ALL_ORDERS = 10;

/** With more rows to score than this, over all mixtures, rules that seem to have no effect are not followed up. */
const MOST_ROWS_FOR_ALL_MIXTURES = 20_000_000;

/** Scores one run under any mixture of two conventions' rules; each mixture is computed once. */
class Mixtures {
  private readonly run: Run;
  private readonly qrels: Qrels;
  /** The judgements with all topics that either convention evaluates. */
  private readonly allTopics: Qrels;
  private readonly measure: Measure;
  private readonly from: ConventionRules;
  private readonly to: ConventionRules;
  private readonly rules: readonly RuleName[];
  private readonly known: Map<string, Mixture> = new Map();
  private readonly byChoice: Map<number, Mixture> = new Map();
  private readonly topicIndex: Map<string, number> = new Map();

  constructor(qrels: Qrels, run: Run, measure: Measure, from: ConventionRules, to: ConventionRules, rules: readonly RuleName[]) {
    this.run = run;
    this.qrels = qrels;
    this.allTopics = allTopicsOf(qrels, run, [from, to]);
    this.measure = measure;
    this.from = from;
    this.to = to;
    this.rules = rules;
    for (const [index, topic] of this.topics.entries()) this.topicIndex.set(topic, index);
  }

  get topics(): string[] {
    const { topics } = this.allTopics;
    return Array.from({ length: topics.size }, (_, topic) => topics.text(topic));
  }

  /** The value with those rules taken from the second convention whose bit is set. */
  get(chosen: number): Mixture {
    const computed = this.byChoice.get(chosen);
    if (computed !== undefined) return computed;
    const { measure, judging, unratedTopics, key } = this.applied(chosen);
    let mixture = this.known.get(key);
    if (mixture === undefined) {
      const qrels = unratedTopics === 'count' ? this.allTopics : this.qrels;
      const table = evaluator(qrels, [measure], judging).evaluate(this.run);
      mixture = { value: table.aggregate(0), parts: this.parts(table, aggregateOf(measure)) };
      this.known.set(key, mixture);
    }
    this.byChoice.set(chosen, mixture);
    return mixture;
  }

  /** True if the measure is computed in another way when this rule is changed, whatever the others are. */
  concerns(rule: number): boolean {
    return this.applied(1 << rule).key !== this.applied(0).key;
  }

  private applied(
    chosen: number,
  ): Pick<ConventionRules, 'unratedTopics'> & { measure: Measure; judging: Partial<JudgingRules>; key: string } {
    let mixed: ConventionRules = this.from;
    for (const [i, rule] of this.rules.entries()) if (chosen & (1 << i)) mixed = { ...mixed, [rule]: this.to[rule] };
    const measure = applyConvention(this.measure, mixed);
    const judging = judgingRulesOf(mixed);
    const { unratedTopics } = mixed;
    return { measure, judging, unratedTopics, key: `${measure.text} ${unratedTopics} ${JSON.stringify(judging)}` };
  }

  /** What each judged topic adds to the aggregate. */
  private parts(table: ScoreTable, aggregate: string): Float64Array {
    if (aggregate !== 'mean' && aggregate !== 'sum') return new Float64Array(0);
    const values = table.column(0);
    const divisor = aggregate === 'sum' ? 1 : values.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
    const parts = new Float64Array(this.topicIndex.size);
    for (const [t, topic] of table.topics.entries()) {
      if (!Number.isNaN(values[t])) parts[this.topicIndex.get(topic) ?? 0] = values[t] / divisor;
    }
    return parts;
  }
}

/** The judgements with all topics that any of the rules evaluates. */
function allTopicsOf(qrels: Qrels, run: Run, rules: readonly ConventionRules[]): Qrels {
  return rules.some(({ unratedTopics }) => unratedTopics === 'count') ? withUnratedTopics(qrels, run) : qrels;
}

interface Mixture {
  readonly value: number;
  readonly parts: Float64Array;
}

/** Attributes the difference between two conventions to the rules that cause it. Rules are changed from the first
 *  convention to the second; where they act on each other, each gets the mean of its effects over all orders of changing
 *  them (Shapley's value, doi:10.1515/9781400881970-018), so that the shares add up to the difference. */
export function explain(qrels: Qrels, run: Run, asked: Measure, from: Convention, to: Convention): Explanation {
  const measure = definedFor([from, to], asked);
  for (const convention of [from, to]) refuseJudgements(convention, [measure], qrels);
  const toRules = rulesFor(to, measure);
  // a document that is ranked twice has no value under one that refuses it, and so no difference to explain
  const { repeatedDocuments } = [from.rules, toRules].find((rules) => rules.repeatedDocuments === 'refused') ?? toRules;
  const fromRules = { ...rulesFor(from, measure), repeatedDocuments };
  const differing = changeable.filter((rule) => !sameRule(fromRules[rule], toRules[rule]) && hasOccasion(rule, qrels));
  const mixed = (rules: readonly RuleName[]): Mixtures => new Mixtures(qrels, run, measure, fromRules, toRules, rules);
  const all = mixed(differing);
  let rules = differing.filter((_, i) => all.concerns(i));
  let mixtures = mixed(rules);
  const everything = 2 ** rules.length - 1;
  const first = mixtures.get(0);
  const last = mixtures.get(everything);
  if (rules.length > MOST_RULES_FOR_ALL_ORDERS || 2 ** rules.length * run.scores.length > MOST_ROWS_FOR_ALL_MIXTURES) {
    // rules that change nothing from either end are set aside, if those that are left account for everything
    const active = rules.filter(
      (_, i) => !sameMixture(mixtures.get(1 << i), first) || !sameMixture(mixtures.get(everything & ~(1 << i)), last),
    );
    const reduced = mixed(active);
    if (sameMixture(reduced.get(2 ** active.length - 1), last)) {
      rules = active;
      mixtures = reduced;
    }
  }

  const allOrders = rules.length <= MOST_RULES_FOR_ALL_ORDERS;
  const weigh = allOrders ? sharesOverAllOrders : sharesInOrder;
  const shares = weigh(rules.length, (chosen) => mixtures.get(chosen));
  const { topics } = all;
  const contributions = rules
    .map((rule, i): Contribution => {
      const { share, perTopic } = shares[i];
      const alone = mixtures.get(1 << i).value - first.value;
      const affected = perTopic.reduce((count, part) => count + (part !== 0 ? 1 : 0), 0);
      const context = {
        from: fromRules,
        to: toRules,
        measure,
        affected,
        numTopics: topics.length,
        numUnrated: topics.length - qrels.topics.size,
      };
      return { rule, label: ruleLabels[rule], share, alone, perTopic, reason: ruleReason(rule, context) };
    })
    .filter(({ share, alone, perTopic }) => share !== 0 || alone !== 0 || perTopic.some((part) => part !== 0))
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share));

  const method = contributions.length <= 1 ? 'one at a time' : allOrders ? 'Shapley' : 'in order';
  const difference = last.value - first.value;
  const interaction = difference - contributions.reduce((sum, { alone }) => sum + alone, 0);
  const partial = { measure: measure.text, from: from.name, to: to.name, fromValue: first.value, toValue: last.value, difference };
  return { ...partial, contributions, interaction, method, topics, sentence: sentenceFor(partial, contributions) };
}

/** False if a rule is about grades that the judgements do not have. */
function hasOccasion(rule: RuleName, { grades }: Qrels): boolean {
  if (rule === 'negativeGrades') return grades.some((grade) => grade < 0);
  return rule !== 'gradeFractions' || grades.some((grade) => !Number.isInteger(grade));
}

/** The values of a measure under each convention, as computed and as each tool would print them. */
export function valuesUnder(qrels: Qrels, run: Run, measure: Measure, conventions: readonly Convention[]): ConventionValue[] {
  return conventions.map((convention) => {
    refuseJudgements(convention, [measure], qrels);
    const rules = rulesFor(convention, measure);
    const defined = definedFor([convention], measure);
    const evaluated = allTopicsOf(qrels, run, [rules]);
    const table = aboutWhat(
      () => `under ${convention.name}`,
      () => evaluator(evaluated, [applyConvention(defined, rules)], judgingRulesOf(rules)).evaluate(run),
    );
    const value = table.aggregate(0);
    const printed = printedValue(value, rules.printed);
    return { convention: convention.name, measure: measure.text, value, printed, numTopics: table.topics.length };
  });
}

interface Share {
  readonly share: number;
  readonly perTopic: Float64Array;
}

/** Shapley's values: the effect of each rule, averaged over all orders in which the rules can be changed. */
function sharesOverAllOrders(numRules: number, get: (chosen: number) => Mixture): Share[] {
  // how often a set of this size comes before a given rule, among all orders
  const weights = Array.from({ length: numRules }, (_, size) => 1 / (numRules * binomial(numRules - 1, size)));
  return Array.from({ length: numRules }, (_, rule) => {
    let share = 0;
    const perTopic = new Float64Array(get(0).parts.length);
    for (let before = 0; before < 2 ** numRules; before++) {
      if (before & (1 << rule)) continue;
      const weight = weights[bitCount(before)];
      const without = get(before);
      const withRule = get(before | (1 << rule));
      share += weight * (withRule.value - without.value);
      for (let t = 0; t < perTopic.length; t++) perTopic[t] += weight * (withRule.parts[t] - without.parts[t]);
    }
    return { share, perTopic };
  });
}

/** Changes the rules one after another. */
function sharesInOrder(numRules: number, get: (chosen: number) => Mixture): Share[] {
  return Array.from({ length: numRules }, (_, rule) => {
    const without = get((1 << rule) - 1);
    const withRule = get((1 << (rule + 1)) - 1);
    return { share: withRule.value - without.value, perTopic: withRule.parts.map((part, t) => part - without.parts[t]) };
  });
}

function binomial(n: number, k: number): number {
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function sameRule(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function sameMixture(a: Mixture, b: Mixture): boolean {
  return Object.is(a.value, b.value) && a.parts.every((part, t) => part === b.parts[t]);
}

function sentenceFor(
  {
    measure,
    from,
    to,
    difference,
    fromValue,
    toValue,
  }: Pick<Explanation, 'measure' | 'from' | 'to' | 'difference' | 'fromValue' | 'toValue'>,
  contributions: readonly Contribution[],
): string {
  if (Number.isNaN(difference)) {
    throw new InputError({ message: `${measure} has no value under ${Number.isNaN(fromValue) ? from : to}: no topic was evaluated` });
  }
  if (difference === 0 && contributions.length === 0) return `${from} and ${to} give ${measure} the same value, ${toValue.toFixed(4)}.`;
  const size = Math.abs(difference) < 0.00005 ? Math.abs(difference).toExponential(1) : Math.abs(difference).toFixed(4);
  const verb =
    difference === 0
      ? `gives ${measure} the same value as ${from}`
      : `is ${size} ${difference > 0 ? 'higher' : 'lower'} than ${from} on ${measure}`;
  const main = contributions.filter(({ share }) => Math.abs(share) >= 0.05 * Math.abs(difference)).slice(0, 4);
  const reasons = main.map(({ reason, share }) =>
    main.length === 1 ? reason : `${reason} (${share >= 0 ? '+' : '-'}${Math.abs(share).toFixed(4)})`,
  );
  return `${to} ${verb} because ${listed(reasons)}.`;
}

function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? 'small effects of several rules add up';
  return `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}
