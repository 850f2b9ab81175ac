import { InputError } from '../../core/problem.js';

/** Reading of parsed JSON whose shape nobody has promised: every function says in one sentence what it found at which place. */

const dangerous = new Set(['__proto__', 'constructor', 'prototype']);

/** Ends reading with what was found at a place of the document and what was expected there. */
export function refuse(path: string, found: string, expected: string): never {
  throw new InputError({ message: `${path}: found ${found}, expected ${expected}` });
}

/** The text as JSON, or a sentence that it is none. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // where it is, if JavaScript tells; its words differ from version to version
    const place = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = place === undefined ? '' : ` at character ${Number(place) + 1}`;
    throw new InputError({ message: `${what} is not valid JSON${where}`, wayOut: 'the file may have been cut off' });
  }
}

/** What a value is, for sentences: `an array`, `"text"`, `null`. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return String(value);
}

/** An object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object; arrays and null are not. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a place; refuses anything else. */
export function objectAt(value: unknown, path: string): JsonObject {
  return isObject(value) ? value : refuse(path, shown(value), 'an object');
}

/** The object has no other members than these, so that a misspelt one cannot pass unseen. */
export function onlyMembers(object: JsonObject, path: string, known: readonly string[]): void {
  const stranger = Object.keys(object).find((name) => !known.includes(name));
  if (stranger !== undefined) refuse(path, `an unknown member ${shown(stranger)}`, known.join(', '));
}

/** A member, if the object itself has it; inherited names do not count. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The array at a place; refuses anything else. */
export function arrayAt(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(path, shown(value), 'an array');
}

/** The text at a place; refuses anything else. */
export function textAt(value: unknown, path: string): string {
  return typeof value === 'string' ? value : refuse(path, shown(value), 'text');
}

/** The array of texts at a place; refuses anything else. */
export function textsAt(value: unknown, path: string): string[] {
  return arrayAt(value, path).map((item, i) => textAt(item, `${path}[${i}]`));
}

/** The finite number at a place; refuses anything else. */
export function numberAt(value: unknown, path: string): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse(path, shown(value), 'a number');
}

/** The whole number at a place, within limits; refuses anything else. */
export function wholeAt(value: unknown, path: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(path, shown(value), most === Infinity ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`);
}

/** One of several words at a place; refuses anything else and lists them. */
export function choiceAt<T extends string>(value: unknown, path: string, choices: readonly T[]): T {
  return choices.find((choice) => choice === value) ?? refuse(path, shown(value), `one of ${choices.join(', ')}`);
}

/** Numbers, as many as `length` says if it is given. */
export function numbersAt(value: unknown, path: string, length?: number, infinite = false): Float64Array {
  const items = arrayAt(value, path);
  if (length !== undefined && items.length !== length) refuse(path, `${items.length} numbers`, String(length));
  return Float64Array.from(items, (item, i) => {
    if (infinite && (item === 'Infinity' || item === '-Infinity')) return Number(item);
    return numberAt(item, `${path}[${i}]`);
  });
}

/** The array of whole numbers at a place, of this length if one is given; refuses anything else. */
export function wholesAt(value: unknown, path: string, least: number, most: number, length?: number): number[] {
  const items = arrayAt(value, path);
  if (length !== undefined && items.length !== length) refuse(path, `${items.length} numbers`, String(length));
  return items.map((item, i) => wholeAt(item, `${path}[${i}]`, least, most));
}

/** Names that would reach into an object's prototype are refused wherever a file chooses its own names. */
export function checkedName(name: string, path: string): string {
  return dangerous.has(name) ? refuse(path, shown(name), 'the name of an option') : name;
}
