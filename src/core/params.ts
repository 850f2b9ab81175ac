import { closest } from './closest.js';
import { InputError, type Problem } from './problem.js';

/** Grades and what each is worth, as in `nDCG(gains={1:1,2:3})`; the first pair of a grade counts. */
export type GainTable = readonly (readonly [grade: number, gain: number])[];
/** A value that a parameter can have; undefined where there is no value and no default. */
export type ParamValue = number | string | boolean | readonly number[] | GainTable | undefined;

/** What a parameter of a measure, a learner or a method of fusion accepts, and so what an option or a setting does. */
export interface ParamSpec {
  readonly type: 'integer' | 'number' | 'choice' | 'boolean' | 'numbers' | 'gains' | 'text';
  /** What holds if nothing is said; `undefined` means that the parameter has no effect then. */
  readonly default?: ParamValue;
  /** The words it accepts; a number may be given as a word too. */
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The limits themselves are not allowed. */
  readonly exclusive?: boolean;
  /** It has to stay below this number. */
  readonly below?: number;
  /** How many numbers a list must have; any number by default. */
  readonly length?: number;
  /** Nothing makes sense without it: `P` alone is not a measure, `P@10` is. */
  readonly required?: boolean;
}

/** Longer lists of choices are not printed where one of them was meant. */
const MOST_LISTED = 20;

/** What is wrong with a value, and what is allowed in its place; undefined if nothing is.
 *  @param where What the value is for: an option, or a parameter of something.
 *  @param lists How a list of numbers is written. */
export function paramProblem(where: string, spec: ParamSpec, value: unknown, lists?: string): Problem | undefined {
  if (fits(spec, value)) return undefined;
  const { choices = [] } = spec;
  const close = typeof value === 'string' ? closest(value, choices) : undefined;
  if (close !== undefined) {
    // a long list would hide what was found and what was meant
    const expected = choices.length > MOST_LISTED ? `one of ${choices.length} names` : expectationOf(spec, lists);
    return { message: `${where}: expected ${expected}, found ${foundText(value)}`, wayOut: `did you mean ${close}?` };
  }
  return { message: `${where}: expected ${expectationOf(spec, lists)}, found ${foundText(value)}`, wayOut: undefined };
}

/** Refuses a value that a parameter does not take.
 *  @throws An `InputError` */
export function requireParam(where: string, spec: ParamSpec, value: unknown, lists?: string): void {
  const problem = paramProblem(where, spec, value, lists);
  if (problem !== undefined) throw new InputError(problem);
}

/** What is wrong with a name that something has no parameter or option of. */
export function unknownParam(owner: string, noun: 'option' | 'parameter', name: string, names: readonly string[]): Problem {
  const close = closest(name, names);
  return {
    message: `${owner} has no ${noun} ${name}`,
    wayOut: `${close === undefined ? '' : `did you mean ${close}? `}${names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`}`,
  };
}

/** The value that a text stands for; the text itself if it stands for none, so that it can be shown as it was written. */
export function readParam({ type, choices }: ParamSpec, text: string): ParamValue {
  if (type === 'choice' || type === 'text' || choices?.includes(text)) return text;
  if (type === 'boolean') return text === 'true' || text === '' ? true : text === 'false' ? false : text;
  if (type === 'numbers') {
    const numbers = text === '' ? [] : text.split(',').map(numberIn);
    return numbers.some(Number.isNaN) ? text : numbers;
  }
  const number = numberIn(text);
  return Number.isNaN(number) ? text : number;
}

function numberIn(text: string): number {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
}

function fits(spec: ParamSpec, value: unknown): boolean {
  const { type, choices, min = -Infinity, max = Infinity, below = Infinity, exclusive, length } = spec;
  const isInRange = (x: unknown): boolean =>
    typeof x === 'number' && Number.isFinite(x) && x < below && (exclusive === true ? x > min && x < max : x >= min && x <= max);
  if (type !== 'boolean' && typeof value === 'string' && choices?.includes(value)) return true;
  switch (type) {
    case 'integer':
      return isInRange(value) && Number.isInteger(value);
    case 'number':
      return isInRange(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'numbers':
      return Array.isArray(value) && value.every(isInRange) && (length === undefined || value.length === length);
    case 'gains':
      return isGainTable(value);
    case 'choice':
      return false;
    case 'text':
      return typeof value === 'string';
  }
}

/** Whether a value is a table of grades and gains. */
export function isGainTable(value: unknown): value is GainTable {
  return Array.isArray(value) && value.length > 0 && value.every((pair) => Array.isArray(pair) && pair.every(Number.isFinite));
}

/** What a parameter takes, in words: `a whole number from 1 to 1000`.
 *  @param lists How a list of numbers is written. */
export function expectationOf(spec: ParamSpec, lists = 'separated by commas'): string {
  const { type, choices = [] } = spec;
  const or = choices.length === 0 ? '' : `, or ${choices.join(' or ')}`;
  switch (type) {
    case 'integer':
      return `a whole number${rangeText(spec)}${or}`;
    case 'number':
      return `a number${rangeText(spec)}${or}`;
    case 'boolean':
      return 'true or false';
    case 'choice':
      return choices.length === 1 ? choices[0] : `one of ${choices.join(', ')}`;
    case 'numbers':
      // an example of another length would confuse
      return spec.length === undefined ? `numbers${rangeText(spec)}, ${lists}` : `${spec.length} numbers${rangeText(spec)}`;
    case 'gains':
      return 'a table of grades and gains, such as {1:1,2:3}';
    case 'text':
      return 'a text';
  }
}

function rangeText({ min, max, exclusive, below }: ParamSpec): string {
  if (below !== undefined) return `${min === undefined ? '' : ` from ${min}`} to below ${below}`;
  if (exclusive === true && min !== undefined && max !== undefined) return ` between ${min} and ${max}, both excluded`;
  if (exclusive === true) return min === undefined ? ` below ${max}` : ` above ${min}`;
  if (min === undefined) return max === undefined ? '' : ` up to ${max}`;
  return max === undefined ? ` from ${min}` : ` from ${min} to ${max}`;
}

/** A value as messages show it. Quotes distinguish a text that looks like a number from a number. */
function foundText(value: unknown): string {
  if (value === '') return 'nothing';
  if (typeof value === 'string') return Number.isNaN(numberIn(value)) ? value : `'${value}'`;
  if (isGainTable(value)) return `{${value.map((pair) => pair.join(':')).join(',')}}`;
  return Array.isArray(value) ? `[${value.join(',')}]` : String(value);
}
