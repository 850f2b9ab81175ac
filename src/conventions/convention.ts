import type { JudgingRules, TieRule } from '../core/judging/judge.js';
import type { GainTable, ParamValue } from '../core/params.js';
import type { Measure, MeasureDef, Params } from '../measures/measure.js';
import { paramsOf, withParams } from '../measures/measure.js';
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
  /** What the tool computes, and by which rules where one of its parts has rules of its own; the first entry that fits a measure holds.
   *  A measure that none fits is refused, because no number could be that of the tool. Everything by default. */
  readonly computes?: readonly ComputedMeasures[];
  /** Measures that can be computed in more ways than those of the same name elsewhere, because the tool does. */
  readonly definitions?: readonly MeasureDef[];
  /** Names of measures mean what this tool means by them, before anybody else's meaning is tried. */
  readonly names?: 'ranx';
  /** What becomes of a topic the run does not answer when all judged topics are asked for. */
  readonly missingTopicsOfAll: 'empty' | 'placeholder';
  readonly planOptions?: PlanOptions;
}

/** Measures that one part of a tool computes. */
export interface ComputedMeasures {
  /** Our names. */
  readonly measures: readonly string[];
  /** Parameters that have to be given or left out for the entry to fit. */
  readonly fits?: Readonly<Record<string, 'given' | 'left out'>>;
  /** The part of the tool, such as a provider of ir_measures. */
  readonly by?: string;
  /** The rules by which this part differs from the rest. */
  readonly rules?: Partial<ConventionRules>;
  /** A parameter that the tool wants written out, where Gradus has a usual value for it. */
  readonly writtenOut?: string;
  /** Why no value is given after all: a clause that begins with the tool's name. */
  readonly refused?: string;
  /** How many decimals of a parameter count; a value with more is refused. */
  readonly decimals?: Readonly<Record<string, number>>;
  /** Grades that this part does not take. */
  readonly grades?: GradeLimits;
  /** This part takes only topics whose names are whole numbers. */
  readonly topics?: 'numbers';
  /** This part fails on a topic without a relevant document, and takes others with it. */
  readonly needsRelevant?: boolean;
}

/** Which grades a tool takes; others it refuses or fails on. */
export interface GradeLimits {
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** A measure whose value of a topic is something else in the tool than here, although what it prints over all topics is the same. */
export interface KnownDeviation {
  /** As the tool writes it. */
  readonly measure: string;
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
  /** Where the ideal ranking is cut: at the cutoff, at the number of documents retrieved if that is smaller, or nowhere (*all*). */
  readonly idealDepth: 'cutoff' | 'retrieved' | 'all';
  /** The value of a query without anything to find, by measure; measures that are not named keep their own (0). */
  readonly empty: Readonly<Record<string, number | 'skip' | 'error'>>;
  /** The measures that are 0 at a cutoff which the ranking does not reach. */
  readonly short: readonly string[];
  /** What precision at a cutoff is divided by: the cutoff, or the length of a shorter ranking. */
  readonly precisionDivisor: 'cutoff' | 'retrieved';
  /** The lowest grade that counts as relevant. */
  readonly relevanceFloor: number;
  /** Whether the lowest relevant grade is the same for all topics, or found from the grades of each (*upper*: half of the highest or the
   *  90th percentile, whichever is higher). */
  readonly threshold: 'fixed' | 'upper';
  /** What average precision is divided by: all relevant documents (*R*), at most as many as the cutoff (*min*), those
   *  of the ranking (*list*), at most as many of them as the cutoff (*list-min*), or those above the cutoff (*found*). */
  readonly apDenominator: 'R' | 'min' | 'list' | 'list-min' | 'found';
  /** How equal scores are ordered. */
  readonly ties: TieRule;
  /** Only this many documents of each ranking are looked at. */
  readonly depth: number;
  /** What becomes of a judged topic that the run does not answer. */
  readonly topics: JudgingRules['missingTopics'];
  /** What becomes of a topic that the run answers, or the judgements name, and for which there is no judgement: it is left out (*skip*),
   *  or averaged like any other (*count*). */
  readonly unratedTopics: 'skip' | 'count';
  readonly scorePrecision: JudgingRules['scorePrecision'];
  /** How a recall level becomes a number of documents in interpolated precision. */
  readonly recallRounding: 'exact' | 'up' | 'nearest';
  /** In which precision a reciprocal rank is computed. */
  readonly reciprocalPrecision: 'double' | 'float32';
  /** Whether a document with a negative grade counts as judged. */
  readonly negativeGrades: JudgingRules['negativeGrades'];
  /** Whether grades are cut to whole numbers. */
  readonly gradeFractions: JudgingRules['gradeFractions'];
  /** What becomes of a document that a ranking holds twice. */
  readonly repeatedDocuments: JudgingRules['repeatedDocuments'];
  /** What becomes of a ranked document whose id is that of the query. */
  readonly ownDocument: JudgingRules['ownDocument'];
  /** Parameters of measures that the tool computes by a formula of its own, by measure. */
  readonly formulas: Readonly<Record<string, Params>>;
  /** The value of a topic that the run does not answer, whatever the measure makes of an empty ranking. */
  readonly unanswered: number | undefined;
  /** How many decimals the value of each topic has before topics are averaged, halves to even unless a rule says otherwise; all if
   *  undefined. */
  readonly topicDecimals: number | PrintedRule | undefined;
  /** Smaller values of a topic count as this. */
  readonly lowestValue: number | undefined;
  /** Numbers are those of the processor, or decimal ones that are rounded after each step (*decimal*). */
  readonly arithmetic: 'binary' | 'decimal';
  /** How many decimals the tool prints and how it rounds to them; all digits if undefined. */
  readonly printed: PrintedRule | undefined;
}

/** How a tool rounds the values that it prints. */
export interface PrintedRule {
  readonly decimals: number;
  /** What becomes of a value exactly between two decimals; or every value that has more decimals goes up (*all-up*). */
  readonly halves: 'even' | 'up' | 'all-up';
}

/** Gradus' own rules. Other conventions are described by how they differ from them. */
export const plainRules: ConventionRules = {
  gain: 'linear',
  discount: 'log2',
  term: 'divide',
  ideal: 'judged',
  idealDepth: 'cutoff',
  empty: {},
  short: [],
  precisionDivisor: 'cutoff',
  relevanceFloor: 1,
  threshold: 'fixed',
  apDenominator: 'R',
  ties: 'docno',
  depth: Infinity,
  topics: 'empty',
  unratedTopics: 'skip',
  scorePrecision: 'double',
  recallRounding: 'exact',
  reciprocalPrecision: 'double',
  negativeGrades: 'unjudged',
  gradeFractions: 'kept',
  repeatedDocuments: 'refused',
  ownDocument: 'ranked',
  formulas: {},
  unanswered: undefined,
  topicDecimals: undefined,
  lowestValue: undefined,
  arithmetic: 'binary',
  printed: undefined,
};

/** The part of the rules that decides how a ranking meets its judgements. */
export function judgingRulesOf(rules: ConventionRules): Partial<JudgingRules> {
  const { ties, depth, topics, scorePrecision, negativeGrades, gradeFractions, repeatedDocuments, ownDocument } = rules;
  return { ties, depth, missingTopics: topics, scorePrecision, negativeGrades, gradeFractions, repeatedDocuments, ownDocument };
}

/** The measure as a convention computes it: every parameter that its text does not spell out follows the rules. A parameter
 *  written out with its usual value looks the same as one left out; whoever reads texts takes `conventionParams` as defaults. */
export function applyConvention(measure: Measure, rules: ConventionRules): Measure {
  const { def, params } = measure;
  const changes: Record<string, ParamValue> = {};
  for (const [name, value] of Object.entries(conventionParams(def, rules))) {
    if (params[name] === paramsOf(def)[name]?.default) changes[name] = value;
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
    ideal_depth: rules.idealDepth,
    threshold: rules.threshold,
    lowest: rules.lowestValue,
    arithmetic: rules.arithmetic,
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
  // a definition that other tools share need not have the parameters of this one
  const specs = paramsOf(def);
  if (Object.hasOwn(rules.formulas, def.name)) {
    for (const [name, value] of Object.entries(rules.formulas[def.name])) if (Object.hasOwn(specs, name)) params[name] = value;
  }
  if (Object.hasOwn(rules.empty, def.name)) params.empty = rules.empty[def.name];
  if (rules.unanswered !== undefined) params.unanswered = rules.unanswered;
  const { topicDecimals } = rules;
  if (typeof topicDecimals === 'number') params.decimals = topicDecimals;
  else if (topicDecimals !== undefined) params[roundingParam(def, topicDecimals)] = topicDecimals.decimals;
  return params;
}

/** Halves go up only where a definition knows it; rounding that every measure has puts them to even. */
function roundingParam(def: MeasureDef, { halves }: PrintedRule): string {
  return halves === 'up' && Object.hasOwn(def.params, 'half_up') ? 'half_up' : 'decimals';
}
