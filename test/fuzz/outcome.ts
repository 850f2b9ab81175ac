import { inspect, isDeepStrictEqual } from 'node:util';
import { InputError, problemText } from '../../src/core/problem.js';
import type { ChunkReader } from '../../src/formats/reader.js';
import type { Dice } from '../helpers/dice.js';
import { readInChunks } from '../helpers/rows.js';
import { shapeOf } from './shape.js';
import { Disagreement } from './target.js';

/** What the input is called in messages. */
export const SOURCE = 'FILE';

/** What came of an attempt: a value, or a refusal in words. Nothing else may come of it. */
export type Outcome<Value> =
  | { readonly value: Value; readonly refused?: undefined }
  | { readonly refused: string; readonly value?: undefined };

/** @param source What every refusal must name; null where there is no file. */
export function outcomeOf<Value>(work: () => Value, source: string | null = SOURCE): Outcome<Value> {
  try {
    return { value: work() };
  } catch (error) {
    return { refused: refusal(error, source) };
  }
}

export async function outcomeLater<Value>(work: () => Promise<Value>, source: string | null = SOURCE): Promise<Outcome<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { refused: refusal(error, source) };
  }
}

let inputText = '';

/** Tells which input is being checked, whose own words may be quoted. */
export function lookAt(input: Uint8Array): void {
  inputText = Buffer.from(input).toString('latin1');
}

let isThorough = false;

/** Lets checks that take long run on every input, not only now and then. */
export function beThorough(): void {
  isThorough = true;
}

/** Whether a check that takes long is due. */
export function isDue(dice: Dice, chance: number): boolean {
  return dice.chance(chance) || isThorough;
}

const jsWords =
  /\bundefined\b|(?<=found |is |holds )NaN\b|\[object \w+\]|not a function|Cannot read propert|is not iterable|Invalid array length/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The words of a refusal; anything but an `InputError` is thrown on. */
function refusal(error: unknown, source: string | null): string {
  if (!(error instanceof InputError)) throw error;
  if (error.problems.length === 0) throw new Disagreement('a refusal without a reason');
  for (const problem of error.problems) {
    const text = problemText(problem);
    if (control.test(text)) throw new Disagreement('a message with a control character', JSON.stringify(text));
    const [jsWord] = jsWords.exec(text.replace(/"[^"]*"/g, '')) ?? [];
    if (jsWord !== undefined && !inputText.includes(jsWord)) throw new Disagreement("a message in JavaScript's words", text);
    if (source !== null && problem.source !== source) throw new Disagreement('a message that does not name the file', text);
  }
  return error.message;
}

/** Throws unless both are the same to the last bit. */
export function agree(what: string, expected: unknown, found: unknown): void {
  if (isDeepStrictEqual(expected, found)) return;
  const show = (value: unknown): string =>
    inspect(value, { depth: 8, maxArrayLength: 60, maxStringLength: 2000, breakLength: 160 }).slice(0, 3000);
  throw new Disagreement(what, `expected: ${show(expected)}\nfound: ${show(found)}`);
}

/** What kind of outcome this was, to tell new ones from old ones. */
export function shapeOfOutcome(outcome: Outcome<unknown>, more = ''): string {
  return (outcome.refused === undefined ? 'read ' : shapeOf(outcome.refused)) + more;
}

/** A few ways to cut an input into chunks: byte by byte, in two, and at random. */
export function chunkings(length: number, dice: Dice): number[][] {
  const cut = dice.below(length + 1);
  const ways = [
    [Math.max(1, cut), Math.max(1, length)],
    [dice.between(1, 9), dice.between(1, 40), dice.between(1, 200)],
  ];
  if (length < 3000) ways.push([1]);
  return ways;
}

/** Checks that a reader of chunks gives the same however the input is cut. */
export function agreeInChunks<Reading>(
  what: string,
  expected: Outcome<unknown>,
  createReader: () => ChunkReader<Reading>,
  plain: (reading: Reading) => unknown,
  input: Uint8Array,
  dice: Dice,
): void {
  for (const sizes of chunkings(input.length, dice)) {
    const found = outcomeOf(() => plain(readInChunks(createReader(), input, sizes)));
    agree(`${what}: whole and in chunks`, expected, found);
  }
}
