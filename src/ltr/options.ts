import { closest } from '../core/closest.js';
import { InputError, type Problem } from '../core/problem.js';
import type { Learner, LearnerOption, OptionValue } from './ranker.js';

/** What a learner is asked to do: values, or texts as a command line has them. */
export type GivenOptions = Readonly<Record<string, OptionValue>>;

/** The options of a learner, complete: what was given, checked, and the defaults for the rest. An option that the learner
 *  does not have is refused rather than ignored.
 *  @throws An `InputError` that tells everything that is wrong at once. */
export function checkOptions(learner: Pick<Learner, 'name' | 'options'>, given: GivenOptions = {}): Record<string, OptionValue> {
  const problems: Problem[] = [];
  const names = Object.keys(learner.options);
  const complete: Record<string, OptionValue> = {};
  for (const name of names) complete[name] = learner.options[name].default;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(learner.options, name)) {
      problems.push(unknownOption(learner.name, name, names));
      continue;
    }
    const spec = learner.options[name];
    const read = typeof value === 'string' && spec.type !== 'choice' ? readOption(spec, value) : value;
    const expected = read === undefined || !fits(spec, read) ? expectationOf(spec) : undefined;
    if (expected === undefined && read !== undefined) complete[name] = read;
    else problems.push({ message: `${learner.name}: ${name} must be ${expected}, found ${shownValue(value)}` });
  }
  if (problems.length > 0) throw new InputError(problems);
  return complete;
}

function unknownOption(learner: string, name: string, names: readonly string[]): Problem {
  const close = closest(name, names);
  return {
    message: `${learner} has no option ${name}`,
    wayOut: `${close === undefined ? '' : `did you mean ${close}? `}${names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`}`,
  };
}

/** The value that a text stands for; undefined if it stands for none. */
function readOption({ type }: LearnerOption, text: string): OptionValue | undefined {
  if (type === 'boolean') return text === 'true' || text === '' ? true : text === 'false' ? false : undefined;
  if (type === 'numbers') {
    const numbers = text === '' ? [] : text.split(',').map(numberIn);
    return numbers.some(Number.isNaN) ? undefined : numbers;
  }
  const number = numberIn(text);
  return Number.isNaN(number) ? undefined : number;
}

function numberIn(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function fits(spec: LearnerOption, value: OptionValue): boolean {
  const { type, choices, min = -Infinity, max = Infinity } = spec;
  const inRange = (x: unknown): boolean => typeof x === 'number' && Number.isFinite(x) && x >= min && x <= max;
  switch (type) {
    case 'number':
      return inRange(value);
    case 'integer':
      return inRange(value) && Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return typeof value === 'string' && choices?.includes(value) === true;
    case 'numbers':
      return Array.isArray(value) && value.every(inRange);
  }
}

/** What an option takes, in words: `a whole number from 1 to 1000`. */
export function expectationOf({ type, choices, min, max }: LearnerOption): string {
  const limits = `${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` ${min === undefined ? 'up ' : ''}to ${max}`}`;
  switch (type) {
    case 'number':
      return `a number${limits}`;
    case 'integer':
      return `a whole number${limits}`;
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `one of ${choices?.join(', ')}`;
    case 'numbers':
      return `numbers${limits}, separated by commas`;
  }
}

function shownValue(value: OptionValue): string {
  return value === '' ? 'nothing' : Array.isArray(value) ? `[${value.join(',')}]` : String(value);
}
