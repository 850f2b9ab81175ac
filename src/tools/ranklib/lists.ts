import { growingFloats } from '../../core/growing-arrays.js';
import { checkFilledCells, limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import { isWhite } from '../../core/text.js';
import { parseLongDecimal } from '../../formats/text/long-decimal.js';
import { WholeLines } from '../../formats/text/whole-lines.js';
import { toByteText } from '../byte-text.js';
import { latin1Text, ToolExit, type ToolHost, wordsOf } from '../host.js';
import type { Normalization } from './options.js';

/** One ranked list: adjacent lines with one query id. */
export interface RankList {
  readonly id: string;
  readonly labels: Float64Array;
  /** What follows `#` on each line, the `#` included. */
  readonly comments: readonly string[];
  /** Feature f of document d at d * numFeatures + f - 1, missing ones 0; undefined if no features were asked for. */
  readonly features: Float32Array | undefined;
  readonly numFeatures: number;
}

/** Reads a feature file as RankLib does: any white space separates, lines that are blank or begin with `#` are passed over,
 *  and a new list begins wherever the query id changes. */
export function readRankLists(host: ToolHost, path: string, withFeatures: boolean): RankList[] {
  const lists: RankList[] = [];
  let id: string | undefined;
  let labels: number[] = [];
  let comments: string[] = [];
  let rows: Float32Array[] = [];
  let numDocs = 0;
  let numCells = 0;
  let numGiven = 0;
  const head = new LineHead();
  const close = (): void => {
    if (id === undefined) return;
    const numFeatures = rows.reduce((most, { length }) => Math.max(most, length), 0);
    // fits: single precision, which was asked for; stores that round say so
    const features = withFeatures ? new Float32Array(rows.length * numFeatures) : undefined;
    for (const [d, row] of rows.entries()) features?.set(row, d * numFeatures);
    lists.push({ id, labels: Float64Array.from(labels), comments, features, numFeatures });
    labels = [];
    comments = [];
    rows = [];
  };
  const lines = new WholeLines(
    (bytes, start, end) => {
      // looked for once per hash and not once per line, because most files have none
      let hash = -1;
      for (let from = start; from < end; ) {
        const lineEnd = bytes.indexOf(10, from);
        if (hash < from) hash = positionOrEnd(bytes, 35, from);
        const dataEnd = Math.min(hash, lineEnd);
        if (head.read(bytes, from, dataEnd)) {
          const label = head.label;
          if (label < 0) throw new ToolExit(1, { out: 'Relevance label cannot be negative. System will now exit.\n' });
          if (head.query !== id) close();
          id = head.query;
          labels.push(label);
          if (withFeatures) {
            const words = wordsOf(latin1Text(bytes, head.end, dataEnd));
            const row = featureRow(words);
            rows.push(row);
            numDocs++;
            numCells += row.length;
            numGiven += words.length;
            checkFilledCells(numDocs, Math.ceil(numCells / numDocs), numGiven);
            comments.push(dataEnd === lineEnd ? '' : latin1Text(bytes, dataEnd, lineEnd).replace(/[ \t\r]+$/, ''));
          }
        }
        from = lineEnd + 1;
      }
    },
    (message) => new InputError({ source: path, message: `has a line that ${message}` }),
  );
  const opened = host.read(path, (chunk) => lines.push(chunk));
  if (!opened) throw new ToolExit(1, { err: `Error reading file: ${toByteText(path)}\n` });
  lines.finish();
  close();
  return lists;
}

function positionOrEnd(bytes: Uint8Array, byte: number, from: number): number {
  const position = bytes.indexOf(byte, from);
  return position < 0 ? bytes.length : position;
}

/** The first two words of a line: label and query id. The id becomes a text only when it changes. */
class LineHead {
  label = 0;
  query = '';
  /** Where the second word ends. */
  end = 0;
  private previous: Uint8Array = new Uint8Array(0);

  /** Reads bytes[start..end); false if there is no word. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    let i = start;
    while (i < end && isWhite(bytes[i])) i++;
    if (i === end) return false;
    const labelStart = i;
    while (i < end && !isWhite(bytes[i])) i++;
    const digit = bytes[labelStart] ^ 48;
    this.label = i - labelStart === 1 && digit <= 9 ? digit : floatOf(latin1Text(bytes, labelStart, i));
    while (i < end && isWhite(bytes[i])) i++;
    let queryStart = i;
    for (; i < end && !isWhite(bytes[i]); i++) if (bytes[i] === COLON) queryStart = i + 1;
    this.end = i;
    if (!this.isSame(bytes, queryStart, i)) {
      this.previous = bytes.slice(queryStart, i);
      this.query = latin1Text(bytes, queryStart, i);
    }
    return true;
  }

  private isSame(bytes: Uint8Array, start: number, end: number): boolean {
    const { previous } = this;
    if (end - start !== previous.length) return false;
    for (let i = 0; i < previous.length; i++) if (previous[i] !== bytes[start + i]) return false;
    return true;
  }
}

const COLON = 58;

function floatOf(text: string): number {
  return Math.fround(javaNumber(text));
}

function featureRow(words: readonly string[]): Float32Array {
  const ids: number[] = [];
  const values: number[] = [];
  let last = 0;
  for (const word of words) {
    const colon = word.indexOf(':');
    const feature = Number(word.slice(0, colon));
    if (colon < 1 || !Number.isInteger(feature)) throw numberFormat(word);
    if (feature <= 0)
      throw new ToolExit(1, { out: 'Cannot use feature numbering less than or equal to zero. Start your features at 1.\n' });
    ids.push(feature);
    values.push(floatOf(word.slice(colon + 1)));
    last = Math.max(last, feature);
  }
  if (last > limits.features) throw new InputError(`expected at most ${limits.features} features, found feature ${last}`);
  const row = new Float32Array(last); // fits: single precision, which was asked for; stores that round say so
  for (const [i, feature] of ids.entries()) row[feature - 1] = values[i];
  return row;
}

/** A number as Java's `Double.parseDouble` reads a trimmed text. */
export function javaNumber(text: string): number {
  const trimmed = text.trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?$/.test(trimmed)) return Number(trimmed.replace(/[dDfF]$/, ''));
  if (/^[+-]?(NaN|Infinity)$/.test(trimmed)) return Number(trimmed.replace('+', ''));
  throw numberFormat(trimmed);
}

function numberFormat(text: string): ToolExit {
  return new ToolExit(1, { err: `Exception in thread "main" java.lang.NumberFormatException: For input string: "${text}"\n` });
}

/** One number for each line of a score file that is not blank. */
export function readScores(host: ToolHost, path: string): Float64Array {
  const scores = growingFloats();
  const lines = new WholeLines(
    (bytes, start, end) => {
      for (let from = start; from < end; ) {
        const lineEnd = bytes.indexOf(10, from);
        let first = from;
        let last = lineEnd;
        while (first < last && isWhite(bytes[first])) first++;
        while (last > first && isWhite(bytes[last - 1])) last--;
        if (first < last) {
          // what is no plain decimal is left to Java's own grammar
          const plain = parseLongDecimal(bytes, first, last);
          scores.push(Number.isNaN(plain) ? javaNumber(latin1Text(bytes, first, last)) : plain);
        }
        from = lineEnd + 1;
      }
    },
    (message) => new InputError({ source: path, message: `has a line that ${message}` }),
  );
  if (!host.read(path, (chunk) => lines.push(chunk))) throw new ToolExit(1, { err: `Error reading file: ${toByteText(path)}\n` });
  lines.finish();
  return scores.take(undefined);
}

/** Scales the features of one list, which stay 32 bits wide. */
export function normalize(list: RankList, how: Normalization): void {
  const { features, numFeatures } = list;
  if (features === undefined) return;
  const n = list.labels.length;
  const column = new Float32Array(n); // fits: single precision, which was asked for; stores that round say so
  for (let f = 0; f < numFeatures; f++) {
    for (let d = 0; d < n; d++) column[d] = features[d * numFeatures + f];
    normalizers[how](column);
    for (let d = 0; d < n; d++) features[d * numFeatures + f] = column[d];
  }
}

const normalizers: Readonly<Record<Normalization, (column: Float32Array) => void>> = {
  sum(column) {
    let sum = 0;
    for (const value of column) sum += Math.abs(value);
    // narrows: as RankLib's features do
    if (sum > 0) for (let d = 0; d < column.length; d++) column[d] /= sum;
  },
  zscore(column) {
    const n = column.length;
    let mean = 0;
    for (const value of column) mean += value;
    mean /= n;
    let squares = 0;
    for (const value of column) squares += (value - mean) ** 2;
    const deviation = Math.sqrt(squares / (n - 1));
    // narrows: as RankLib's features do
    if (deviation > 0) for (let d = 0; d < n; d++) column[d] = (column[d] - mean) / deviation;
  },
  linear(column) {
    let low = Infinity;
    let high = -Infinity;
    for (const value of column) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    // here differences are rounded to 32 bits as well
    const width = Math.fround(high - low);
    // narrows: as RankLib's features do
    for (let d = 0; d < column.length; d++) column[d] = high > low ? Math.fround(column[d] - low) / width : 0;
  },
};
