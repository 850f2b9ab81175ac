import type { JudgingRules, TieRule } from '../core/judge.js';
import type { GainTable, Measure, MeasureDef, Params, ParamValue } from '../measures/measure.js';
import { withParams } from '../measures/measure.js';
import type { PlanOptions } from '../measures/plan.js';

/** A tool's way of judging and scoring, as data. It computes nothing itself. */
export interface Convention {
  /** `trec_eval@9.0.8` */
  readonly name: string;
  /** Other spellings of the same. */
  readonly aliases?: readonly string[];
  readonly title: string;
  /** What is special about it, for people who have to choose. */
  readonly help: string;
  /** Which release the rules describe. */
  readonly version?: string;
  /** What was compared with the real thing, and how closely. */
  readonly verified?: string;
  /** What was not. */
  readonly unverified?: string;
  /** Where its numbers are not what its names say here, found by comparing the two, with the reason. */
  readonly deviations?: readonly KnownDeviation[];
  readonly rules: ConventionRules;
  /** What becomes of a topic the run does not answer when all judged topics are asked for. */
  readonly missingTopicsOfAll: 'empty' | 'placeholder';
  readonly planOptions?: PlanOptions;
}

/** A measure by which a tool means something else than Gradus does by the same spelling, or does not compute everywhere. */
export interface KnownDeviation {
  /** As the tool writes it. */
  readonly measure: string;
  /** Our spelling of what the tool computes. */
  readonly ours?: string;
  /** How far apart the values may be. */
  readonly within?: number;
  /** The topics on which the two cannot be compared. */
  readonly except?: 'unanswered' | 'nothing relevant' | 'everywhere';
  readonly reason: string;
}

/** Everything in which tools are known to differ, one field for each rule, so that two conventions can be compared rule by
 *  rule and one rule exchanged at a time. */
export interface ConventionRules {
  /** What a grade is worth in measures of discounted gain: itself, 2^grade - 1 (of the grade, or of its whole part), or what
   *  a table says, and nothing if the table does not have it. */
  readonly gain: 'linear' | 'exp' | 'exp-floor' | GainTable;
  /** *log2*: log2(rank + 1); *jk*: log2(rank), and nothing at ranks 1 and 2; *ln*: ln(rank + 1). */
  readonly discount: 'log2' | 'jk' | 'ln';
  /** In which order a discounted gain is computed; it matters in the last bit only. */
  readonly term: 'divide' | 'ratio' | 'inverse' | 'product';
  /** What the ideal ranking is made of: all judged documents, or those of the ranking. */
  readonly ideal: 'judged' | 'list';
  /** The value of a query without anything to find, by measure; measures that are not named keep their own (0). */
  readonly empty: Readonly<Record<string, number>>;
  /** The measures that are 0 at a cutoff which the ranking does not reach. */
  readonly short: readonly string[];
  /** What precision at a cutoff is divided by: the cutoff, or the length of a shorter ranking. */
  readonly precisionDivisor: 'cutoff' | 'retrieved';
  /** The lowest grade that counts as relevant. */
  readonly relevanceFloor: number;
  /** What average precision is divided by: all relevant documents (*R*), at most as many as the cutoff (*min*), those
   *  of the ranking (*list*), or those above the cutoff (*found*). */
  readonly apDenominator: 'R' | 'min' | 'list' | 'found';
  /** How equal scores are ordered. */
  readonly ties: TieRule;
  /** Only this many documents of each ranking are looked at. */
  readonly depth: number;
  /** What becomes of a judged topic that the run does not answer. */
  readonly topics: JudgingRules['missingTopics'];
  readonly scorePrecision: JudgingRules['scorePrecision'];
  /** How a recall level becomes a number of documents in interpolated precision. */
  readonly recallRounding: 'up' | 'nearest';
  /** In which precision a reciprocal rank is computed. */
  readonly reciprocalPrecision: 'double' | 'float32';
  /** How many decimals the tool prints and how it rounds to them; all digits if undefined. */
  readonly printed: PrintedRule | undefined;
}

export interface PrintedRule {
  readonly decimals: number;
  /** What becomes of a value exactly between two decimals. */
  readonly halves: 'even' | 'up';
}

/** Gradus' own rules, from which conventions are told by what is different. */
export const plainRules: ConventionRules = {
  gain: 'linear',
  discount: 'log2',
  term: 'divide',
  ideal: 'judged',
  empty: {},
  short: [],
  precisionDivisor: 'cutoff',
  relevanceFloor: 1,
  apDenominator: 'R',
  ties: 'docno',
  depth: Infinity,
  topics: 'empty',
  scorePrecision: 'double',
  recallRounding: 'up',
  reciprocalPrecision: 'double',
  printed: undefined,
};

/** The part of the rules that decides how a ranking meets its judgements. */
export function judgingRulesOf({ ties, depth, topics, scorePrecision }: ConventionRules): Partial<JudgingRules> {
  return { ties, depth, missingTopics: topics, scorePrecision };
}

/** The measure as a convention computes it: every parameter that its text does not spell out follows the rules. A parameter
 *  written out with its usual value looks the same as one left out; whoever reads texts takes `conventionParams` as defaults. */
export function applyConvention(measure: Measure, rules: ConventionRules): Measure {
  const { def, params } = measure;
  const changes: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(conventionParams(def, rules))) {
    if (params[name] === def.params[name]?.default) changes[name] = value;
  }
  return withParams(measure, changes);
}

/** The parameters of a measure that the rules are about. A measure has a rule's parameter or it does not; the gain of a
 *  convention is about discounted gain only, because other measures use grades in ways of their own. */
export function conventionParams(def: MeasureDef, rules: ConventionRules): Params {
  const table = typeof rules.gain === 'string' ? undefined : rules.gain;
  const candidates: Params = {
    ...(Object.hasOwn(def.params, 'discount') ? { gain: table === undefined ? (rules.gain as string) : 'table', gains: table } : {}),
    discount: rules.discount,
    term: rules.term,
    ideal: rules.ideal,
    short: rules.short.includes(def.name) ? 'zero' : 'as-is',
    divisor: rules.precisionDivisor,
    // where no level is meant unless one is given, none is
    rel: def.params.rel?.default === undefined ? undefined : rules.relevanceFloor,
    denominator: rules.apDenominator,
    rounding: rules.recallRounding,
    precision: rules.reciprocalPrecision,
  };
  const params: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(candidates)) if (Object.hasOwn(def.params, name) && value !== undefined) params[name] = value;
  if (Object.hasOwn(rules.empty, def.name)) params.empty = rules.empty[def.name];
  return params;
}
