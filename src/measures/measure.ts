import type { TopicView } from '../core/judge.js';
import type { PreferenceTopic } from '../core/judge-preferences.js';
import { InputError } from '../core/problem.js';
import type { Passes } from './passes.js';

/** Grades and what each is worth, as in `nDCG(gains={1:1,2:3})`; the first pair of a grade counts. */
export type GainTable = readonly (readonly [grade: number, gain: number])[];
export type ParamValue = number | string | boolean | readonly number[] | GainTable | undefined;
export type Params = Readonly<Record<string, ParamValue>>;

/** What a parameter accepts, and what it means when it is not given. */
export interface ParamSpec {
  readonly type: 'integer' | 'real' | 'choice' | 'boolean' | 'reals' | 'gains';
  /** Left out when a measure is printed. `undefined` means that the parameter has no effect unless given. */
  readonly default: ParamValue;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The measure makes no sense without it: `P` alone is not a measure, `P@10` is. */
  readonly required?: boolean;
}

/** How a measure's values over topics become one number. */
export type Aggregate = 'mean' | 'sum' | 'geometric';

/** A publication, by what identifies it. */
export interface Citation {
  readonly text: string;
  readonly doi?: string;
}

/** Everything Gradus knows about a measure. Choosing, computing, averaging, printing and documenting go by this record
 *  and never by name, so that a new measure needs nothing else. */
export interface MeasureDef {
  readonly name: string;
  /** Other names for exactly the same measure. They are understood and never printed. */
  readonly aliases?: readonly string[];
  /** The name in words. */
  readonly title: string;
  /** What it is, what it is for, and what it does in awkward cases. */
  readonly help: string;
  /** The formula in one line. */
  readonly formula?: string;
  readonly cite?: readonly Citation[];
  readonly params: Readonly<Record<string, ParamSpec>>;
  /** Which parameter `@` sets; none if the measure takes no `@`. */
  readonly at?: string;
  /** The kind of judgements it is computed from. */
  readonly needs?: 'ranking' | 'preferences';
  /** How topics are averaged unless `agg` says otherwise. */
  readonly aggregate: Aggregate;
  readonly range: readonly [low: number, high: number];
  readonly direction: 'higher' | 'lower' | 'neither';
  /** The value where the definition gives 0/0. */
  readonly undefinedValue?: number;
  /** Prepares the computation for these parameters; the result is called once per topic. */
  bind?(params: Params, passes: Passes): (topic: TopicView) => number;
  /** The same for measures that need preferences. */
  bindPreferences?(params: Params): (topic: PreferenceTopic) => number;
}

/** A measure with its parameters: a value that compares by its text, and prints as it is written. */
export interface Measure {
  readonly def: MeasureDef;
  /** All parameters, defaults filled in. */
  readonly params: Params;
  /** The one canonical spelling: column name, argument, JSON key. */
  readonly text: string;
}

/** Parameters that every measure has; the evaluation applies them, not the measure. */
export const universalParams: Readonly<Record<string, ParamSpec>> = {
  agg: {
    type: 'choice',
    default: undefined,
    choices: ['mean', 'sum', 'geometric'],
    help: 'how the values of the topics become one: *mean*, *sum*, or *geometric* (values below 0.00001 count as that)',
  },
  groups: {
    type: 'choice',
    default: undefined,
    choices: ['mean'],
    help: '*mean* takes the measure once per group of judgements (second column of the judgements) and averages within the topic',
  },
};

export function aggregateOf(measure: Measure): Aggregate {
  return (measure.params.agg as Aggregate | undefined) ?? measure.def.aggregate;
}

/** A measure with these parameters, checked. */
export function makeMeasure(def: MeasureDef, given: Params = {}): Measure {
  const specs = paramsOf(def);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(specs, name)) continue;
    throw new InputError({
      message: `${def.name} has no parameter ${name}`,
      wayOut: `it has ${Object.keys(specs).join(', ')}`,
    });
  }
  const params: Record<string, ParamValue> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const value = given[name] ?? spec.default;
    if (value === undefined && spec.required) {
      const example = name === def.at ? `${def.name}@10` : `${def.name}(${name}=…)`;
      throw new InputError({ message: `${def.name} needs a ${name}`, wayOut: `write it as ${example}` });
    }
    if (value !== undefined) checkParam(def, name, spec, value);
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

export function paramsOf(def: MeasureDef): Readonly<Record<string, ParamSpec>> {
  return { ...def.params, ...universalParams };
}

function checkParam(def: MeasureDef, name: string, spec: ParamSpec, value: ParamValue): void {
  const refuse = (expected: string): never => {
    throw new InputError({ message: `${def.name}: ${name} must be ${expected}, found ${paramText(value)}` });
  };
  const { min = -Infinity, max = Infinity } = spec;
  const limits = `${min > -Infinity ? ` from ${min}` : ''}${max < Infinity ? ` up to ${max}` : ''}`;
  switch (spec.type) {
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) refuse(`a whole number${limits}`);
      break;
    case 'real':
      if (typeof value !== 'number' || !Number.isFinite(value) || value < min || value > max) refuse(`a number${limits}`);
      break;
    case 'boolean':
      if (typeof value !== 'boolean') refuse('true or false');
      break;
    case 'choice':
      if (typeof value !== 'string' || !spec.choices?.includes(value)) refuse(`one of ${spec.choices?.join(', ')}`);
      break;
    case 'reals':
      if (!Array.isArray(value) || !value.every((x) => typeof x === 'number' && Number.isFinite(x) && x >= min && x <= max)) {
        refuse(`a list of numbers${limits}, such as [0.5,0.5]`);
      }
      break;
    case 'gains':
      if (!isGainTable(value)) refuse('a table of grades and gains, such as {1:1,2:3}');
      break;
  }
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

export function paramText(value: ParamValue): string {
  if (typeof value === 'string') return `'${value}'`;
  if (isGainTable(value)) return `{${value.map(([grade, gain]) => `${grade}:${gain}`).join(',')}}`;
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  return String(value);
}

function isGainTable(value: ParamValue): value is GainTable {
  return Array.isArray(value) && value.length > 0 && value.every((pair) => Array.isArray(pair) && pair.every(Number.isFinite));
}

// the parameters that recur in most measures, in the same words everywhere

export function relParam(): ParamSpec {
  return { type: 'real', default: 1, help: 'the lowest grade that counts as relevant' };
}

/** A cutoff that may be left out: then the whole ranking counts. */
export function depthParam(): ParamSpec {
  return { type: 'integer', default: undefined, min: 1, help: 'how many documents of the ranking count; all of them if not given' };
}

/** A cutoff without which the measure means nothing. */
export function cutoffParam(): ParamSpec {
  return { type: 'integer', default: undefined, required: true, min: 1, help: 'how many documents of the ranking count' };
}

/** Trusted accessors: the values were checked by `makeMeasure`. */
export function numberParam(params: Params, name: string): number {
  return params[name] as number;
}

export function optionalNumber(params: Params, name: string): number | undefined {
  return params[name] as number | undefined;
}
