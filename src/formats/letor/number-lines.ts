import { growingFloats } from '../../core/growing-arrays.js';
import { formatShortest } from '../../core/numbers/print.js';
import { InputError } from '../../core/problem.js';
import { isWhite } from '../../core/text.js';
import { type ChunkReader, nothingSkipped, type ReadOptions, type RunReading, readAll } from '../reader.js';
import { ReadingLog, shown } from '../reading-log.js';
import { ByteWriter } from '../text/byte-writer.js';
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

/** Reads predictions: one number per data line of a feature file. Infinite ones are allowed, NaN is not. */
export function parsePredictions(content: Uint8Array | string, options: NumberLinesOptions = {}): Float64Array {
  return readAll(createPredictionsReader(options), content);
}

/** Reads predictions, one number on each line, chunk by chunk. */
export function createPredictionsReader(options: NumberLinesOptions = {}): ChunkReader<Float64Array> {
  return reader('a number as prediction', options.read ?? readPrediction, options);
}

/** Reads predictions as the run that they make of the lists of a test file. */
export function createPredictedRunReader({ lists, name = 'run', ...options }: ReadOptions = {}): ChunkReader<RunReading> {
  if (lists === undefined) {
    throw new InputError({
      source: options.source,
      message: 'holds one number per line, which is a prediction for a learning-to-rank test file',
      wayOut: 'give that test file instead of judgements',
    });
  }
  const numbers = createPredictionsReader(options);
  return {
    push: (chunk) => numbers.push(chunk),
    finish: () => ({ run: lists.ranked(numbers.finish(), name), skipped: nothingSkipped }),
  };
}

/** Writes one number to a line, with as many digits as it takes to read it back. */
export function* writePredictions(predictions: Iterable<number>): Generator<Uint8Array> {
  const writer = new ByteWriter();
  for (const prediction of predictions) {
    writer.text(`${formatShortest(prediction)}\n`);
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
