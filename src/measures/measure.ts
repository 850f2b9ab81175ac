import { type AggregateName, aggregateNames } from '../core/aggregate.js';
import { evaluationLimits } from '../core/evaluation-limits.js';
import { type TieRule, type TopicView, tieRules } from '../core/judging/judge.js';
import type { PreferenceTopic } from '../core/judging/judge-preferences.js';
import { isGainTable, type ParamSpec, type ParamValue, requireParam, unknownParam } from '../core/params.js';
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Passes } from './passes.js';

/** The parameters of a measure by name, complete with defaults. */
export type Params = Readonly<Record<string, ParamValue>>;

/** A publication, by what identifies it. */
export interface Citation {
  readonly text: string;
  readonly doi?: string;
}

/** How a measure's values over topics become one number. */
export type Aggregate = AggregateName;

/** What a measure is computed from: a ranking with grades, preferences between documents, judgements per subtopic, or a
 *  ranking set against what its reader knows. */
export type Needs = 'ranking' | 'preferences' | 'subtopics' | 'users';

type Compute<Topic> = (topic: Topic) => number;

/** A measure that is put together from measures of rankings, each taken of several parts of a topic's judgements: of each
 *  subtopic; or of all judgements, and then of those about documents that each reader knows. */
export interface Composite {
  readonly each: readonly Measure[];
  /** The value, from the values of `each` for every part. */
  finish(parts: readonly (readonly number[])[], topic: CompositeTopic): number;
}

/** What a measure sees of a topic whose judgements have several parts, such as subtopics or readers. */
export interface CompositeTopic {
  readonly qrels: Qrels;
  readonly topic: number;
  /** The grades of the ranking by the first part of the judgements. */
  readonly codes: Float64Array;
  /** How many relevant documents the reader expects; undefined if nobody said. */
  readonly expected: number | undefined;
}

/** Everything the computation needs to know about a measure. Choosing, computing, averaging and printing go by this record
 *  and never by name, so that a new measure needs nothing else; its words are in the reference. */
export interface MeasureDef {
  readonly name: string;
  /** Other names for exactly the same measure. They are understood and never printed. */
  readonly aliases?: readonly string[];
  readonly params: Readonly<Record<string, ParamSpec>>;
  /** Which parameter `@` sets; none if the measure takes no `@`. */
  readonly at?: string;
  /** *ranking* by default. */
  readonly needs?: Needs;
  /** How topics are averaged unless `agg` says otherwise. */
  readonly aggregate: AggregateName;
  readonly range: readonly [low: number, high: number];
  readonly direction: 'higher' | 'lower' | 'neither';
  /** The value where the definition gives 0/0. */
  readonly undefinedValue?: number;
  /** What becomes of ties unless `ties` says otherwise, for a measure that is about ties; by default as the rules of judging have it. */
  readonly ties?: TieRule;
  /** Prepares the computation for these parameters; the result is called once per topic. */
  bind?(params: Params, passes: Passes): Compute<TopicView>;
  /** The same for measures of preferences … */
  bindPreferences?(params: Params): Compute<PreferenceTopic>;
  /** … and for measures that are put together from others: those of subtopics, and those that ask what the reader knows. */
  compose?(params: Params): Composite;
  /** The mean over all orders of equal scores in closed form. *linear*: the value is linear in what the passes hold, so that
   *  passes holding means give the mean. *set*: the value depends on which documents were retrieved and not on their order.
   *  Otherwise a computation of its own, on a topic that tells its ties; undefined where it has no closed form. */
  readonly expected?: 'linear' | 'set' | ((params: Params, passes: Passes) => ((topic: TopicView) => number | undefined) | undefined);
  /** Prepares the answer to the question whether a topic holds nothing to be found, for `empty`. By default that is a
   *  topic without a grade from `rel` up, or above 0 for a measure without `rel`. */
  isEmpty?(params: Params, passes: Passes): (topic: TopicView) => boolean;
  /** For a measure of one's own; those of the registry have their words in the reference. */
  readonly title?: string;
  readonly help?: string;
}

/** A measure with its parameters: a value that compares by its text, and prints as it is written. */
export interface Measure {
  readonly def: MeasureDef;
  /** All parameters, defaults filled in. */
  readonly params: Params;
  /** The one canonical spelling: column name, argument, JSON key. */
  readonly text: string;
  /** The parameters that the text it was read from has written out, whatever their values; undefined if it was not read from a text. */
  readonly written?: readonly string[];
}

/** Parameters that every measure has; the evaluation applies them, not the measure. */
export const universalParams: Readonly<Record<string, ParamSpec>> = {
  agg: { type: 'choice', default: undefined, choices: aggregateNames },
  floor: { type: 'number', default: undefined, min: 0 },
  empty: { type: 'number', default: undefined, choices: ['skip', 'error'] },
  judged_only: { type: 'boolean', default: false },
  groups: { type: 'choice', default: undefined, choices: ['mean'] },
  ties: { type: 'choice', default: undefined, choices: tieRules },
  scores: { type: 'choice', default: undefined, choices: ['double', 'float32'] },
  negatives: { type: 'choice', default: undefined, choices: ['unjudged', 'judged'] },
  unanswered: { type: 'number', default: undefined },
  least: { type: 'integer', default: undefined, min: 1 },
  decimals: { type: 'integer', default: undefined, min: 0, max: 15 },
};

/** How the values of topics become one: as the parameter `agg` says, or else as the measure declares. */
export function aggregateOf(measure: Measure): AggregateName {
  return (measure.params.agg as AggregateName | undefined) ?? measure.def.aggregate;
}

/** A measure with these parameters, checked. */
export function makeMeasure(def: MeasureDef, given: Params = {}): Measure {
  const specs = paramsOf(def);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(specs, name)) continue;
    throw new InputError(unknownParam(def.name, 'parameter', name, Object.keys(specs)));
  }
  const params: Record<string, ParamValue> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const value = given[name] ?? spec.default;
    if (value === undefined && spec.required) {
      // what stands behind @ may be a share, such as a level of recall
      const example = name === def.at ? `${def.name}@${spec.type === 'number' ? '0.5' : '10'}` : `${def.name}(${name}=…)`;
      throw new InputError({ message: `${def.name} needs a ${name}`, wayOut: `write it as ${example}` });
    }
    if (value !== undefined) requireParam(`${name} of ${def.name}`, spec, value, 'such as [0.5,0.5]');
    params[name] = value;
  }
  return { def, params, text: measureText(def, params) };
}

/** The same measure with some parameters changed, and nothing checked: for a tool whose command line lets through what our
 *  own spelling would refuse, such as a cutoff of infinity. */
export function withParams(measure: Measure, changes: Params): Measure {
  const params = { ...measure.params, ...changes };
  return { def: measure.def, params, text: measureText(measure.def, params) };
}

/** The parameters that a measure takes, those that every measure has included. */
export function paramsOf(def: MeasureDef): Readonly<Record<string, ParamSpec>> {
  return { ...def.params, ...universalParams };
}

/** `P(rel=2)@5`: parameters in declared order, defaults left out. */
function measureText(def: MeasureDef, params: Params): string {
  const inside: string[] = [];
  let at = '';
  for (const [name, spec] of Object.entries(paramsOf(def))) {
    const value = params[name];
    if (name === def.at) {
      if (value !== undefined && paramText(value) !== paramText(spec.default)) at = `@${paramText(value)}`;
    } else if (value !== undefined && paramText(value) !== paramText(spec.default)) inside.push(`${name}=${paramText(value)}`);
  }
  return def.name + (inside.length > 0 ? `(${inside.join(',')})` : '') + at;
}

/** How "any grade above 0" is written, for which the smallest number stands. */
export const ABOVE_ZERO = "'>0'";

/** A value as it is written in a measure's name. */
export function paramText(value: ParamValue): string {
  if (value === Number.MIN_VALUE) return ABOVE_ZERO;
  if (typeof value === 'string') return `'${value}'`;
  if (isGainTable(value)) return `{${value.map(([grade, gain]) => `${grade}:${gain}`).join(',')}}`;
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  return String(value);
}

// the parameters that recur in most measures

/** The parameter `rel`: from which grade on a document is relevant. */
export const relParam: ParamSpec = { type: 'number', default: 1 };
/** A cutoff that may be left out: then the whole ranking counts. */
export const depthParam: ParamSpec = { type: 'integer', default: undefined, min: 1, max: evaluationLimits.cutoff };
/** A cutoff without which the measure means nothing. */
export const cutoffParam: ParamSpec = { ...depthParam, required: true };
/** The parameter `beta`: how much more recall counts than precision. */
export const betaParam: ParamSpec = { type: 'number', default: 1, min: 0 };
/** A number between 0 and 1. */
export function fractionParam(otherwise: number): ParamSpec {
  return { type: 'number', default: otherwise, min: 0, max: 1 };
}

/** A parameter with a fixed set of words; the first is the default. */
export function choiceParam(...choices: readonly string[]): ParamSpec {
  return { type: 'choice', default: choices[0], choices };
}

/** Trusted accessors: the values were checked by `makeMeasure`. */
export function numberParam(params: Params, name: string): number {
  return params[name] as number;
}

/** The value of a parameter that need not have one. */
export function optionalNumber(params: Params, name: string): number | undefined {
  return params[name] as number | undefined;
}

/** The cutoff as a depth: infinite if there is none. */
export function depthOf(params: Params): number {
  return (params.cutoff as number | undefined) ?? Infinity;
}

/** The value of an empty topic under `empty`: a number, or NaN for *skip* and *error*. */
export function emptyValue(empty: ParamValue): number {
  return typeof empty === 'number' ? empty : Number.NaN;
}
