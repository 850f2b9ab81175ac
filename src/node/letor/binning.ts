import { readText } from '../../core/text.js';
import type { LetorLines } from '../../formats/letor/lines.js';
import type { LetorOptions } from '../../formats/letor/options.js';
import { type LetorPart, partOf } from '../../formats/letor/parts.js';
import { FingerprintHash } from '../../ltr/fingerprint.js';
import { MAX_BINS } from '../../ltr/trees/bin-edges.js';
import { edgesOf, SAMPLE_ROWS, writeEdges } from '../../ltr/trees/binned-data.js';
import { createKernel, type KernelMemory, type TreeKernel } from '../../ltr/trees/kernel.js';
import { BLOCK_ROWS } from '../../ltr/trees/layout.js';
import { DoubleSorter } from '../../ltr/trees/sort-doubles.js';
import { binColumn } from '../../ltr/trees/tree-thread.js';
import type { DividedFile, PartControl } from './letor-file-parts.js';

/** Bytes that the id of a query may have for its part in the fingerprint to be handed from thread to thread. */
const LONGEST_ID = 4096;

/** What becomes known of a file when it is read for the first time: everything but the values themselves. Shared by all threads; only the
 *  thread whose turn it is writes. */
export interface Survey {
  /** Features of each row. */
  readonly width: number;
  /** What a cell is that a line leaves out. */
  readonly missing: number;
  /** The named numbers of `STATE`. */
  readonly state: Float64Array;
  readonly lastId: Uint8Array;
  /** Values, least and greatest of each column. */
  readonly count: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** Every `step`-th row. */
  readonly sample: Float64Array;
}

const STATE = { numRows: 0, step: 1, numSampled: 2, first: 3, second: 4, idLength: 5, isOdd: 6, numGiven: 7 } as const;

/** Room for a survey of rows of so many features. */
export function createSurvey(width: number, missing: number): Survey {
  const shared = (length: number): Float64Array => new Float64Array(new SharedArrayBuffer(length * 8));
  const state = shared(Object.keys(STATE).length);
  const hash = new FingerprintHash();
  hash.begin(width);
  state[STATE.step] = 1;
  state[STATE.first] = hash.first;
  state[STATE.second] = hash.second;
  return {
    width,
    missing,
    state,
    lastId: new Uint8Array(new SharedArrayBuffer(LONGEST_ID)), // fits: bytes
    count: shared(width),
    least: shared(width).fill(Infinity),
    most: shared(width).fill(-Infinity),
    sample: shared(SAMPLE_ROWS * width),
  };
}

/** What a survey says when all parts have been taken. */
export interface SurveyResult {
  /** Whether there is something that only a reading of whole values can tell about. */
  readonly isOdd: boolean;
  readonly numRows: number;
  /** Values that the file gives. */
  readonly numGiven: number;
  readonly fingerprint: string;
  readonly sample: Float64Array;
}

/** The result of a survey of the whole file. */
export function surveyed({ state, width, sample }: Survey): SurveyResult {
  const hash = new FingerprintHash();
  hash.first = state[STATE.first];
  hash.second = state[STATE.second];
  return {
    isOdd: state[STATE.isOdd] === 1,
    numRows: state[STATE.numRows],
    numGiven: state[STATE.numGiven],
    fingerprint: hash.text(),
    sample: sample.subarray(0, state[STATE.numSampled] * width),
  };
}

/** The rows of a part side by side, cells that lines left out filled; undefined if a row has more features than that. */
export function rowsOfPart({ rows }: LetorLines, width: number, missing: number): Float64Array | Float32Array | undefined {
  const { numRows, rowOffsets, values, columns, numColumns } = rows;
  if (numColumns > width) return undefined;
  if (columns === undefined && (numRows === 0 || numColumns === width)) return values.subarray(0, rowOffsets[numRows]);
  const cells = new Float64Array(numRows * width).fill(missing);
  for (let row = 0; row < numRows; row++) {
    const start = rowOffsets[row];
    for (let i = start; i < rowOffsets[row + 1]; i++) cells[row * width + (columns === undefined ? i - start : columns[i])] = values[i];
  }
  return cells;
}

/** What the values of a part are like, found before it is its turn. */
export interface PartFacts {
  readonly cells: Float64Array | Float32Array | undefined;
  readonly count: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** Looks at the values of a part. */
export function factsOfPart(lines: LetorLines, { width, missing }: Survey): PartFacts {
  const cells = rowsOfPart(lines, width, missing);
  const count = new Float64Array(width);
  const least = new Float64Array(width).fill(Infinity);
  const most = new Float64Array(width).fill(-Infinity);
  for (let i = 0; cells !== undefined && i < cells.length; ) {
    for (let c = 0; c < width; c++, i++) {
      const value = cells[i];
      if (Number.isNaN(value)) continue;
      count[c]++;
      if (value < least[c]) least[c] = value;
      if (value > most[c]) most[c] = value;
    }
  }
  return { cells, count, least, most };
}

/** Adds a part, whose turn it must be, to the survey; returns what is kept of it. */
export function surveyPart(part: number, lines: LetorLines, facts: PartFacts, survey: Survey, { turn }: PartControl): LetorPart {
  const { state, width } = survey;
  const { cells } = facts;
  if (cells === undefined || lines.log.count > 0) state[STATE.isOdd] = 1;
  else if (state[STATE.isOdd] === 0) {
    for (let c = 0; c < width; c++) {
      survey.count[c] += facts.count[c];
      survey.least[c] = Math.min(survey.least[c], facts.least[c]);
      survey.most[c] = Math.max(survey.most[c], facts.most[c]);
      // where such a value is, the usual reading tells
      if (facts.least[c] === -Infinity || facts.most[c] === Infinity) state[STATE.isOdd] = 1;
    }
    addToFingerprint(lines, cells, survey);
    addToSample(cells, lines.rows.numRows, survey);
    state[STATE.numRows] += lines.rows.numRows;
    state[STATE.numGiven] += lines.rows.rowOffsets[lines.rows.numRows];
  }
  turn.replace(part, part + 1);
  turn.notify();
  const kept = partOf(lines, true);
  // of the values nothing is kept, so that nobody needs to know where they would be
  return { ...kept, hasColumns: false, width: 0, numColumns: 0, rowOffsets: new Uint32Array(kept.numRows + 1) }; // fits: entries
}

function addToFingerprint(lines: LetorLines, cells: Float64Array | Float32Array, { state, lastId, width }: Survey): void {
  const { numRows, labels } = lines.rows;
  const { starts, idOf, idBytes, idOffsets } = lines.lists.listStarts();
  const hash = new FingerprintHash();
  hash.first = state[STATE.first];
  hash.second = state[STATE.second];
  for (let row = 0, list = 0; row < numRows; row++) {
    if (list < starts.length && starts[list] === row) {
      const id = idBytes.subarray(idOffsets[idOf[list]], idOffsets[idOf[list] + 1]);
      const before = lastId.subarray(0, state[STATE.idLength]);
      const goesOn = row === 0 && id.length === before.length && id.every((byte, i) => byte === before[i]);
      if (!goesOn) hash.addQuery(readText(id, 0, id.length));
      list++;
      if (id.length > LONGEST_ID) state[STATE.isOdd] = 1;
      else if (list === starts.length) {
        lastId.set(id);
        state[STATE.idLength] = id.length;
      }
    }
    hash.add(labels, row, row + 1, undefined);
    hash.add(cells, row * width, (row + 1) * width, undefined);
  }
  state[STATE.first] = hash.first;
  state[STATE.second] = hash.second;
}

/** Keeps every `step`-th row; when there is no room left, every second one of those is given up, and the step doubles. */
function addToSample(cells: Float64Array | Float32Array, numRows: number, { state, sample, width }: Survey): void {
  const firstRow = state[STATE.numRows];
  for (let row = Math.ceil(firstRow / state[STATE.step]) * state[STATE.step]; row < firstRow + numRows; row += state[STATE.step]) {
    if (state[STATE.numSampled] === SAMPLE_ROWS) {
      for (let k = 1; k < SAMPLE_ROWS / 2; k++) sample.copyWithin(k * width, 2 * k * width, (2 * k + 1) * width);
      state[STATE.numSampled] = SAMPLE_ROWS / 2;
      state[STATE.step] *= 2;
      if (row % state[STATE.step] !== 0) row += state[STATE.step] / 2;
      if (row >= firstRow + numRows) break;
    }
    sample.set(cells.subarray((row - firstRow) * width, (row - firstRow + 1) * width), state[STATE.numSampled]++ * width);
  }
}

/** Where bins go: plain data for all threads. */
export interface BinTarget {
  readonly memory: KernelMemory;
  readonly width: number;
  readonly missing: number;
  readonly bins: number;
  readonly stride: number;
  readonly edges: number;
  readonly numBins: Uint16Array;
  /** Each thread has room for one block of rows. */
  readonly scratch: number;
  /** The first row of each part, and behind the last one the number of rows. */
  readonly firstRows: Uint32Array;
}

/** Bytes that a thread needs to put rows of so many features into bins. */
export function scratchBytes(width: number): number {
  return width * BLOCK_ROWS * 8;
}

/** Bytes of the edges of so many features. */
export function edgeBytes(width: number): number {
  return width * MAX_BINS * 8;
}

/** Finds edges from the sample of a survey; a part of the work is one feature. */
export class EdgeFinder {
  private readonly sorter = new DoubleSorter();
  private readonly reals: Float64Array;
  private readonly column: Float64Array;
  private readonly sample: Float64Array;
  private readonly target: BinTarget;
  private readonly maxValueBins: number;

  constructor(sample: Float64Array, target: BinTarget, maxValueBins: number) {
    this.sample = sample;
    this.target = target;
    this.maxValueBins = maxValueBins;
    this.reals = new Float64Array(target.memory.buffer);
    this.column = new Float64Array(sample.length / target.width);
  }

  find(feature: number): void {
    const { sample, target, column } = this;
    for (let k = 0; k < column.length; k++) column[k] = sample[k * target.width + feature];
    writeEdges(this.reals, target.edges, target.numBins, feature, edgesOf(column, this.maxValueBins, this.sorter));
  }
}

/** Puts the rows of parts into bins. */
export class PartBinner {
  private readonly target: BinTarget;
  private readonly kernel: TreeKernel;
  private readonly scratch: number;
  private readonly room: Float64Array;

  /** @param number  which thread this is, from 0 */
  constructor(target: BinTarget, number: number) {
    this.target = target;
    this.kernel = createKernel(target.memory);
    this.scratch = target.scratch + number * scratchBytes(target.width);
    this.room = new Float64Array(target.memory.buffer, this.scratch, target.width * BLOCK_ROWS);
  }

  bin(part: number, lines: LetorLines): void {
    const { target, kernel, scratch, room } = this;
    const { width, missing, stride, edges, numBins, firstRows } = target;
    const { numRows } = lines.rows;
    const cells = rowsOfPart(lines, width, missing);
    if (cells === undefined || numRows !== firstRows[part + 1] - firstRows[part]) throw new RangeError('the file has changed');
    for (let row = 0; row < numRows; row += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, numRows - row);
      room.set(cells.subarray(row * width, (row + count) * width));
      const bins = target.bins + (firstRows[part] + row) * stride;
      for (let f = 0; f < width; f++) {
        const column = { values: scratch + f * 8, valueStride: width * 8, edges: edges + f * MAX_BINS * 8, numBins: numBins[f] };
        binColumn(kernel, column, count, bins + f, stride);
      }
    }
  }
}

/** What threads are asked to do with a file. */
export interface BinningTask {
  readonly source: DividedFile;
  readonly options: LetorOptions;
  readonly control: Int32Array;
  readonly job:
    | { readonly kind: 'survey'; readonly survey: Survey }
    | { readonly kind: 'edges'; readonly sample: Float64Array; readonly target: BinTarget; readonly maxValueBins: number }
    | { readonly kind: 'bins'; readonly target: BinTarget };
}
