/** The words of a command line that a call stands for. */
import { InputError, printable } from '../../core/index.js';
import type { OptionSpec } from '../parse/command.js';
import { type Fields, fieldsOf } from './inputs.js';

/** The words for the settings of a call: `{ perTopic: true, measure: ['AP', 'RR'] }` is `--per-topic --measure=AP --measure=RR`. Names may
 *  have dashes, underscores or capitals between their words. What is null or false is left out; a list is an option that is repeated, or
 *  one value with commas where the option cannot be; an object is `name=value` with commas, or the path of an input.
 *  @throws An `InputError` if a value is nothing that an option could have. */
export function wordsOf(settings: Fields, options: readonly OptionSpec[], pathOf: (input: number) => string): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const long = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
    if (value === null || value === undefined || value === false) return [];
    if (value === true) return [`--${long}`];
    const texts = (Array.isArray(value) ? value : [value]).map((one: unknown) => textOf(one, long, pathOf));
    const isRepeatable = options.find((option) => option.long === long)?.repeatable === true;
    return (isRepeatable ? texts : [texts.join(',')]).map((text) => `--${long}=${text}`);
  });
}

function textOf(value: unknown, name: string, pathOf: (input: number) => string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return plainText(value, name);
  const fields = fieldsOf(value, name);
  if (typeof fields.input === 'number') return pathOf(fields.input);
  return Object.entries(fields)
    .map(([key, one]) => `${key}=${plainText(one, name)}`)
    .join(',');
}

/** @throws An `InputError` for anything that is no text and no number, which could be of any depth. */
function plainText(value: unknown, name: string): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new InputError(`${printable(name)}: expected a text, a number, true or false, a list of them, or an object with texts and numbers`);
}
