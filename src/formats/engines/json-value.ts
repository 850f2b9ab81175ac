/** JSON as a tree, for files whose meaning depends on more than one place in them. `JSON.parse` will not do: numbers that are ids would lose
 *  digits, and of equal keys all but the last would be dropped. */
import { readText } from '../../core/text.js';
import { JsonError, type JsonHandler, JsonTokens } from '../tables/json-tokens.js';

/** A number, or one of the words true, false and null, as it is spelt. */
export class JsonWord {
  readonly spelling: string;

  constructor(spelling: string) {
    this.spelling = spelling;
  }
}

/** An object, whose keys keep their order. */
export type JsonTable = ReadonlyMap<string, JsonValue>;
/** Any value. */
export type JsonValue = string | JsonWord | readonly JsonValue[] | JsonTable;

/** A JSON text among others in a file. */
export interface JsonDocument {
  readonly value: JsonValue;
  /** Where it begins, from 1. */
  readonly line: number;
}

/** What is wrong with a text that is not JSON. */
export class BrokenJson extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

type Container = Map<string, JsonValue> | JsonValue[];

class TreeBuilder implements JsonHandler {
  root: JsonValue | undefined;
  /** A key that an object has twice. */
  repeated: string | undefined;
  private readonly open: Container[] = [];
  private readonly keys: string[] = [];

  get isComplete(): boolean {
    return this.root !== undefined && this.open.length === 0;
  }

  reset(): void {
    this.root = undefined;
    this.open.length = 0;
    this.keys.length = 0;
  }

  begin(container: 'object' | 'array'): void {
    const value: Container = container === 'object' ? new Map() : [];
    this.put(value);
    this.open.push(value);
    this.keys.push('');
  }

  end(): void {
    this.open.pop();
    this.keys.pop();
  }

  key(bytes: Uint8Array, start: number, end: number): void {
    this.keys[this.keys.length - 1] = readText(bytes, start, end);
  }

  scalar(isString: boolean, bytes: Uint8Array, start: number, end: number): void {
    const text = readText(bytes, start, end);
    this.put(isString ? text : new JsonWord(text));
  }

  private put(value: JsonValue): void {
    const parent = this.open.at(-1);
    if (parent === undefined) this.root = value;
    else if (Array.isArray(parent)) parent.push(value);
    else {
      const key = this.keys[this.keys.length - 1];
      if (parent.has(key)) this.repeated ??= key;
      parent.set(key, value);
    }
  }
}

const LF = 10;

/** All JSON texts in a file: one, or one on each line.
 *  @throws `BrokenJson` with the line. */
export function jsonDocuments(bytes: Uint8Array): JsonDocument[] {
  const tree = new TreeBuilder();
  const tokens = new JsonTokens(tree);
  const documents: JsonDocument[] = [];
  let line = 0;
  let began = 1;
  let onePerLine = false;
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw new BrokenJson(error.message, line);
    }
  };
  const take = (): void => {
    if (tree.repeated !== undefined) throw new BrokenJson(`the key ${tree.repeated} occurs twice in one object`, began);
    if (tree.root !== undefined) documents.push({ value: tree.root, line: began });
    tree.reset();
    tokens.restart();
  };
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let from = start; from < bytes.length; ) {
    const found = bytes.indexOf(LF, from);
    const to = found < 0 ? bytes.length : found + 1;
    line++;
    let first = from;
    while (first < to && bytes[first] <= 32) first++;
    if (first < to) {
      if (tree.isComplete) {
        guarded(() => tokens.end());
        onePerLine ||= documents.length === 0 && began === line - 1;
        take();
      }
      if (tree.root === undefined) began = line;
      guarded(() => tokens.push(bytes, from, to));
      // behind a line that was whole, one that is not has been cut off
      if (onePerLine && !tree.isComplete) guarded(() => tokens.end());
    }
    from = to;
  }
  if (tree.root !== undefined || documents.length === 0) guarded(() => tokens.end());
  if (tree.root !== undefined) take();
  return documents;
}

/** The first JSON text in the beginning of a file, as far as it goes; undefined if it is none. */
export function startOfJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const tree = new TreeBuilder();
  const tokens = new JsonTokens(tree);
  const bytes = new TextEncoder().encode(text);
  try {
    for (let from = 0; from < bytes.length && !tree.isComplete; ) {
      const found = bytes.indexOf(LF, from);
      const to = found < 0 ? bytes.length : found + 1;
      tokens.push(bytes, from, to);
      from = to;
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  return tree.root;
}

/** Tells an object. */
export function isObject(value: JsonValue | undefined): value is JsonTable {
  return value instanceof Map;
}

/** Tells an array. */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** What stands at the end of a path of keys and places. */
export function at(value: JsonValue | undefined, ...path: readonly (string | number)[]): JsonValue | undefined {
  let here = value;
  for (const step of path) {
    if (typeof step === 'number') here = isArray(here) ? here[step] : undefined;
    else here = isObject(here) ? here.get(step) : undefined;
  }
  return here;
}

/** The items of an array; none of anything else. */
export function items(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}

/** The entries of an object; none of anything else. */
export function entries(value: JsonValue | undefined): Iterable<readonly [string, JsonValue]> {
  return isObject(value) ? value : [];
}

/** Whether a number stands here. */
export function isNumber(value: JsonValue | undefined): boolean {
  return value instanceof JsonWord && /^-?\d/.test(value.spelling);
}

/** Tells one of the words. */
export function isWord(value: JsonValue | undefined, word: 'true' | 'false' | 'null'): boolean {
  return value instanceof JsonWord && value.spelling === word;
}

/** Whether there is nothing, or null. */
export function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || isWord(value, 'null');
}

/** A text, or a number as it is spelt; of a list with one element, as Solr has them, that one. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof JsonWord) return isNumber(value) ? value.spelling : undefined;
  return isArray(value) && value.length === 1 ? textOf(value[0]) : undefined;
}

/** A finite number, given as such or as text; NaN for anything else. */
export function numberOf(value: JsonValue | undefined): number {
  const text = typeof value === 'string' ? value.trim() : value instanceof JsonWord ? value.spelling : '';
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

/** A value for a message, on one line. */
export function shownValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof JsonWord) return value.spelling;
  return isArray(value) ? 'an array' : 'an object';
}
