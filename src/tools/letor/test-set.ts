import type { LetorScript } from '../../conventions/letor-scripts.js';
import { type GrowingFloats, type GrowingInts, growingFloats, growingInts } from '../../core/growing-arrays.js';
import { InputError } from '../../core/problem.js';
import { perlNumber } from '../../formats/text/perl-number.js';
import { WholeLines } from '../../formats/text/whole-lines.js';
import { bytesOf, toByteText } from '../byte-text.js';
import { latin1Text, ToolExit, type ToolHost } from '../host.js';
import { DataLine } from './data-line.js';

/** A test file with its predictions, documents grouped by query and ranked. */
export interface RankedTestSet {
  /** Ids as written, one character per byte, in the order of evaluation. */
  readonly queries: readonly string[];
  /** Query q has documents offsets[q] to offsets[q + 1], best first. */
  readonly offsets: Uint32Array;
  /** Label of each document; 0 for one that the script does not know, which is worth nothing too. */
  readonly labels: Float64Array;
}

/** How the second file is read: *scores* as Perl reads numbers, or *ranks*, digits only. */
export type PredictionKind = 'scores' | 'ranks';

/** The files that a script is given, for its messages. */
export interface TestSetPaths {
  readonly test: string;
  readonly predictions: string;
}

const CR = 13;

/** Reads both files as the script does, line by line, and stops at its first complaint. A line that ends in CR and LF is
 *  read as Windows Perl does, without the CR, unless `strict`. */
export function readTestSet(
  script: LetorScript,
  kind: PredictionKind,
  paths: TestSetPaths,
  strict: boolean,
  host: ToolHost,
): RankedTestSet {
  const predictions = new PredictionLines(kind, strict, paths.predictions);
  const rows = new RowReader(script, strict, paths.test);
  const opened = host.read(paths.test, (chunk) => rows.push(chunk));
  if (!opened) throw new ToolExit(254, { out: 'Invalid command line.\nOpen $fnFeature" failed.\n' });
  if (!host.read(paths.predictions, (chunk) => predictions.push(chunk))) {
    throw new ToolExit(254, { out: `Invalid command line.\nOpen "${toByteText(paths.predictions)}" failed.\n` });
  }
  rows.finish();
  predictions.finish();
  // the script reads both files side by side, a line of predictions first
  const lineOfComplaint = rows.refused?.line ?? rows.numLines + 1;
  const needed = rows.refused === undefined ? rows.numLines : rows.refused.line;
  const missing = Math.min(predictions.firstBad, predictions.numbers.length + 1);
  if (missing <= needed && missing <= lineOfComplaint)
    throw new ToolExit(254, { out: `Error to read ${toByteText(paths.predictions)} at line ${missing}.\n` });
  if (rows.refused !== undefined) {
    throw new ToolExit(254, { out: `Error to parse ${toByteText(paths.test)} at line ${rows.refused.line}:\n${rows.refused.text}\n` });
  }
  return ranked(script, kind, rows, predictions.numbers.take(undefined));
}

class PredictionLines {
  readonly numbers: GrowingFloats = growingFloats();
  /** The first line that is refused, counted from 1. */
  firstBad: number = Infinity;
  private readonly lines: WholeLines;

  constructor(kind: PredictionKind, strict: boolean, path: string) {
    this.lines = new WholeLines(
      (bytes, start, end) => {
        for (let from = start; from < end; ) {
          const lineEnd = bytes.indexOf(10, from);
          if (kind === 'scores') this.numbers.push(perlNumber(bytes, from, lineEnd));
          else {
            const to = !strict && lineEnd > from && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
            const rank = digitsOnly(bytes, from, to);
            if (Number.isNaN(rank)) this.firstBad = Math.min(this.firstBad, this.numbers.length + 1);
            this.numbers.push(rank);
          }
          from = lineEnd + 1;
        }
      },
      (message) => new InputError({ source: path, line: this.numbers.length + 1, message }),
    );
  }

  push(chunk: Uint8Array): void {
    this.lines.push(chunk);
  }

  finish(): void {
    this.lines.finish();
  }
}

function digitsOnly(bytes: Uint8Array, start: number, end: number): number {
  let number = start === end ? Number.NaN : 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i] ^ 48;
    number = digit > 9 ? Number.NaN : number * 10 + digit;
  }
  return number;
}

/** The data lines of a test file, in its order. */
class RowReader {
  numLines = 0;
  refused: { readonly line: number; readonly text: string } | undefined;
  readonly queryIds: string[] = [];
  readonly queryOf: GrowingInts = growingInts();
  readonly labels: GrowingInts = growingInts();
  /** Rows that a later line with the same document has replaced. */
  readonly replaced: Set<number> = new Set();
  /** Document names by row, for complaints about ranks. */
  readonly keys: string[] = [];
  private readonly lines: WholeLines;
  private readonly queryNumbers: Map<string, number> = new Map();
  private readonly rowsByKey: Map<string, number>[] = [];
  private previousQuery: Uint8Array = new Uint8Array(0);
  private query = -1;

  constructor(script: LetorScript, strict: boolean, path: string) {
    const { gains, line: grammar } = script;
    const line = new DataLine(grammar);
    this.lines = new WholeLines(
      (bytes, start, end) => {
        for (let from = start; from < end && this.refused === undefined; ) {
          const lineEnd = bytes.indexOf(10, from);
          const to = !strict && lineEnd > from && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
          this.numLines++;
          if (line.read(bytes, from, to)) {
            this.findQuery(bytes, line.queryStart, line.queryEnd);
            if (grammar.keyed) this.replaceEarlier(latin1Text(bytes, line.keyStart, line.keyEnd));
            this.queryOf.push(this.query);
            this.labels.push(line.label >= 0 && line.label < gains.length ? line.label : 0);
          } else this.refused = { line: this.numLines, text: latin1Text(bytes, from, to) };
          from = lineEnd + 1;
        }
      },
      (message) => new InputError({ source: path, line: this.numLines + 1, message }),
    );
  }

  push(chunk: Uint8Array): void {
    if (this.refused === undefined) this.lines.push(chunk);
  }

  finish(): void {
    if (this.refused === undefined) this.lines.finish();
  }

  private findQuery(bytes: Uint8Array, start: number, end: number): void {
    const { previousQuery } = this;
    let same = this.query >= 0 && end - start === previousQuery.length;
    for (let i = 0; same && i < previousQuery.length; i++) same = previousQuery[i] === bytes[start + i];
    if (same) return;
    this.previousQuery = bytes.slice(start, end);
    const id = latin1Text(bytes, start, end);
    const known = this.queryNumbers.get(id);
    this.query = known ?? this.queryIds.length;
    if (known === undefined) {
      this.queryNumbers.set(id, this.query);
      this.queryIds.push(id);
      this.rowsByKey.push(new Map());
    }
  }

  private replaceEarlier(key: string): void {
    const rows = this.rowsByKey[this.query];
    const row = this.labels.length;
    const earlier = rows.get(key);
    if (earlier !== undefined) this.replaced.add(earlier);
    rows.set(key, row);
    this.keys.push(key);
  }
}

function ranked(script: LetorScript, kind: PredictionKind, rows: RowReader, predictions: Float64Array): RankedTestSet {
  const queryOf = rows.queryOf.take(undefined);
  const labels = rows.labels.take(undefined);
  const numQueries = rows.queryIds.length;
  const order = evaluationOrder(script, rows.queryIds);
  const place = new Uint32Array(numQueries); // fits: entries
  for (let i = 0; i < numQueries; i++) place[order[i]] = i;

  const offsets = new Uint32Array(numQueries + 1); // fits: entries
  for (let row = 0; row < labels.length; row++) if (!rows.replaced.has(row)) offsets[place[queryOf[row]] + 1]++;
  for (let q = 0; q < numQueries; q++) offsets[q + 1] += offsets[q];
  const documents = new Uint32Array(offsets[numQueries]); // fits: entries
  const next = offsets.slice();
  for (let row = 0; row < labels.length; row++) if (!rows.replaced.has(row)) documents[next[place[queryOf[row]]]++] = row;

  // equal predictions keep the order of the file, and so do those that compare with nothing (NaN)
  const byScore = (a: number, b: number): number => predictions[b] - predictions[a] || a - b;
  const byRank = (a: number, b: number): number => predictions[a] - predictions[b] || a - b;
  const queries = Array.from(order, (q) => rows.queryIds[q]);
  for (let q = 0; q < numQueries; q++) {
    const list = documents.subarray(offsets[q], offsets[q + 1]).sort(kind === 'scores' ? byScore : byRank);
    if (kind === 'ranks') checkRanks(list, predictions, queries[q], rows.keys);
  }
  const rankedLabels = new Float64Array(documents.length);
  for (let i = 0; i < documents.length; i++) rankedLabels[i] = labels[documents[i]];
  return { queries, offsets, labels: rankedLabels };
}

/** Numbers of the queries in the order of evaluation; queries with equal numbers stay in the order of the file, where Perl
 *  leaves it to chance. */
function evaluationOrder(script: LetorScript, ids: readonly string[]): Uint32Array {
  const order = Uint32Array.from(ids.keys()); // fits: entries
  if (script.queryOrder === 'file') return order;
  const numbers = Float64Array.from(ids, (id) => perlNumber(bytesOf(id), 0, id.length));
  return order.sort((a, b) => numbers[a] - numbers[b] || a - b);
}

/** Every rank but the last must be there; the script never looks at the last. */
function checkRanks(list: Uint32Array, ranks: Float64Array, query: string, keys: readonly string[]): void {
  for (let i = 0; i + 1 < list.length; i++) {
    if (ranks[list[i]] !== i + 1) {
      throw new ToolExit(254, { out: `Rank input error for query ${query}, doc ${keys[list[i]]}, and line number ${list[i] + 1}\n` });
    }
  }
}
