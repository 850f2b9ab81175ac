import { growingFloats } from '../../core/growing-arrays.js';
import { InputError } from '../../core/problem.js';
import { type ChunkReader, type ReadOptions, readAll } from '../reader.js';
import { ReadingLog, shown } from '../reading-log.js';
import { ByteWriter, joinChunks } from '../text/byte-writer.js';
import { CHECK_TEXT } from '../text/line-lengths.js';
import { parseLongDecimal } from '../text/long-decimal.js';
import { checkingStart } from '../text/text-start.js';
import { WholeLines } from '../text/whole-lines.js';

/** How files with one number per line are read. There is no lenient way: every number belongs to the data line of the
 *  same place, so that leaving one out would give all further ones to the wrong lines. */
export interface NumberLinesOptions extends Pick<ReadOptions, 'source' | 'maxProblems'> {
  /** Another reading of bytes[start..end), a line without its LF, blank ones included; NaN refuses it. */
  readonly read?: ((bytes: Uint8Array, start: number, end: number) => number) | undefined;
  /** Whether lines of white space only are passed over, as RankLib does; otherwise they are refused. */
  readonly skipBlank?: boolean | undefined;
}

/** The largest rank or number of rows: they are kept in 32 bits. */
const LARGEST_WHOLE = 2 ** 32 - 1;

/** Reads predictions: one number per data line of a feature file. Infinite ones are allowed, NaN is not. */
export function parsePredictions(content: Uint8Array | string, options: NumberLinesOptions = {}): Float64Array {
  return readAll(createPredictionsReader(options), content);
}

/** Reads predictions, one number on each line, chunk by chunk. */
export function createPredictionsReader(options: NumberLinesOptions = {}): ChunkReader<Float64Array> {
  return reader('a number as prediction', options.read ?? readPrediction, options);
}

/** Reads ranks: one whole number per data line, its document's place in the ranking of its query. */
export function parseRanks(content: Uint8Array | string, options: NumberLinesOptions = {}): Float64Array {
  return readAll(reader('a whole number as rank', options.read ?? readWhole, options), content);
}

/** Reads the sizes of groups, such as LightGBM's `.query` files hold them: the number of rows of each query, in order. */
export function parseGroupSizes(content: Uint8Array | string, options: NumberLinesOptions = {}): Uint32Array {
  const given = options.read ?? readWhole;
  const read = (bytes: Uint8Array, start: number, end: number): number => {
    const size = given(bytes, start, end);
    return Number.isInteger(size) && size >= 0 && size <= LARGEST_WHOLE ? size : Number.NaN;
  };
  // fits: at most LARGEST_WHOLE, which read checks
  return Uint32Array.from(readAll(reader('a number of rows', read, { skipBlank: true, ...options }), content));
}

/** Writes one number per line, in the shortest spelling that reads back as the same number. */
export function formatNumberLines(numbers: ArrayLike<number>): Uint8Array {
  return joinChunks(writeNumberLines(numbers));
}

/** Writes numbers one to a line, chunk by chunk, so that they read back the same. */
export function* writeNumberLines(numbers: ArrayLike<number>): Generator<Uint8Array> {
  const writer = new ByteWriter();
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (Number.isNaN(number)) throw new InputError(`number ${i + 1} of ${numbers.length}: cannot write NaN, which could not be read back`);
    if (Number.isFinite(number)) writer.number(number);
    else writer.text(number < 0 ? '-inf' : 'inf');
    writer.byte(10);
    const full = writer.takeFull();
    if (full !== undefined) yield full;
  }
  yield writer.take();
}

function reader(expected: string, read: NonNullable<NumberLinesOptions['read']>, options: NumberLinesOptions): ChunkReader<Float64Array> {
  const numbers = growingFloats();
  const log = new ReadingLog({ source: options.source, maxProblems: options.maxProblems });
  let line = 0;
  const lines = new WholeLines(
    (bytes, start, end) => {
      for (let lineStart = start; lineStart < end; ) {
        const lineEnd = bytes.indexOf(10, lineStart);
        line++;
        if (!(options.skipBlank && isBlank(bytes, lineStart, lineEnd))) {
          const number = read(bytes, lineStart, lineEnd);
          numbers.push(number);
          if (Number.isNaN(number)) refuse(log, line, expected, bytes, lineStart, lineEnd);
        }
        lineStart = lineEnd + 1;
      }
    },
    (message) => log.fatal(`${message}, expected ${expected}`, CHECK_TEXT, line + 1),
  );
  const unchecked: ChunkReader<Float64Array> = {
    push: (chunk) => lines.push(chunk),
    finish() {
      lines.finish();
      log.close(1, '', lines.sawBytes);
      return numbers.take(undefined);
    },
  };
  return checkingStart(unchecked, options);
}

function refuse(log: ReadingLog, line: number, expected: string, bytes: Uint8Array, start: number, end: number): void {
  const from = trimStart(bytes, start, end);
  const to = trimEnd(bytes, from, end);
  const found = (): string => `expected ${expected}, found ${from === to ? 'a blank line' : shown(bytes, from, to)}`;
  log.add('not a number', line, found, 'each line must hold one number and nothing else');
}

function readPrediction(bytes: Uint8Array, start: number, end: number): number {
  const from = trimStart(bytes, start, end);
  const to = trimEnd(bytes, from, end);
  const number = parseLongDecimal(bytes, from, to);
  return Number.isNaN(number) ? infinity(bytes, from, to) : number;
}

/** `inf` or `infinity` in any case, with or without a sign; NaN for anything else. */
function infinity(bytes: Uint8Array, start: number, end: number): number {
  let word = '';
  for (let i = start; i < Math.min(end, start + 10); i++) word += String.fromCharCode(bytes[i]);
  if (!/^[+-]?inf(inity)?$/i.test(word)) return Number.NaN;
  return word[0] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function readWhole(bytes: Uint8Array, start: number, end: number): number {
  const from = trimStart(bytes, start, end);
  const to = trimEnd(bytes, from, end);
  let number = 0;
  for (let i = from; i < to; i++) {
    const digit = bytes[i] ^ 48;
    if (digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return from < to && number <= LARGEST_WHOLE ? number : Number.NaN;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  return trimStart(bytes, start, end) === end;
}

function trimStart(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && isWhite(bytes[i])) i++;
  return i;
}

function trimEnd(bytes: Uint8Array, start: number, end: number): number {
  let i = end;
  while (i > start && isWhite(bytes[i - 1])) i--;
  return i;
}

function isWhite(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}
