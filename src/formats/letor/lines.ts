import { INFINITE_WAY_OUT } from '../../core/feature-matrix.js';
import { limits } from '../../core/limits.js';
import type { InputError } from '../../core/problem.js';
import { roomFor } from '../../core/room.js';
import { readText } from '../../core/text.js';
import { type ProblemKind, ReadingLog, shown } from '../reading-log.js';
import { CHECK_TEXT } from '../text/line-lengths.js';
import { parseLongDecimal } from '../text/long-decimal.js';
import { LetorColumns } from './columns.js';
import { ListCollector } from './lists.js';
import type { LetorOptions } from './options.js';
import type { LetorRowKernel } from './row.js';

const LF = 10;
const CR = 13;
const HASH_SIGN = 35;
const PLUS = 43;
const MINUS = 45;
/** `byte ^ 48` makes 0 to 9 of the digits and more than 9 of everything else; these are `:` and `.` so treated. */
const COLON_XOR = 10;
const POINT_XOR = 30;

const OTHER = 0;
const BLANK = 1;
/** LF, or the `#` that begins a comment. */
const STOP = 2;
const byteKinds = new Uint8Array(256); // fits: kinds of bytes, of which there are few
for (const blank of ' \t\v\f\r') byteKinds[blank.charCodeAt(0)] = BLANK;
byteKinds[LF] = STOP;
byteKinds[HASH_SIGN] = STOP;

/** What to do about a feature that is not a number. A document with an unknown feature is a document still; skipping its line would
 *  change the query. */
export const NAN_WAY_OUT = '--missing nan takes it for an unknown value';

/** So many digits fit into 31 bits. */
const SHORT_DIGITS = 9;
const powersOfTen = Float64Array.from({ length: SHORT_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** Reads whole lines `label qid:id feature:value … # comment`. LETOR 3.0 and 4.0, MSLR and SVMlight files are all of this
 *  kind. Blank lines and lines that begin with `#` are skipped; any white space parts words; a comment begins at the first
 *  `#`. */
export class LetorLines {
  readonly options: LetorOptions;
  readonly rows: LetorColumns;
  log: ReadingLog;
  lists: ListCollector = new ListCollector();
  /** Lines read so far, and how many of them were neither blank nor comments. */
  line = 0;
  numRecords = 0;
  /** How many values each row has, as long as all have the same columns. */
  width = -1;
  private readonly firstFeature: number;
  /** Values read, including those of the row at hand. */
  private numValues = 0;
  /** What to add to an index into the bytes at hand for its place in the whole input. */
  private inputOffset = 0;
  /** While features are skipped: the next `#` in the bytes at hand. */
  private nextHashSign = -1;

  private readonly kernel: LetorRowKernel | undefined;

  /** @param kernel  reads rows in the plainest form, as long as text and values are in its memory */
  constructor(options: LetorOptions = {}, kernel?: LetorRowKernel) {
    this.options = options;
    this.log = new ReadingLog(options);
    this.rows = new LetorColumns(options.precision === 'single');
    this.kernel = options.precision === 'single' ? undefined : kernel;
    this.useKernelMemory();
    this.firstFeature = options.firstFeature ?? 1;
  }

  /** Forgets what was read and keeps the memory. */
  reset(): void {
    this.rows.reset();
    this.useKernelMemory();
    this.log = new ReadingLog(this.options);
    this.lists = new ListCollector();
    this.line = 0;
    this.numRecords = 0;
    this.width = -1;
    this.numValues = 0;
    this.inputOffset = 0;
  }

  private useKernelMemory(): void {
    const { kernel, rows } = this;
    if (kernel === undefined) return;
    rows.values = kernel.values;
    rows.spareColumns = kernel.columns;
  }

  /** The last of bytes[start..end) is a LF, so no walk along a line needs to look for the end. */
  parseLines(bytes: Uint8Array, start: number, end: number): void {
    this.nextHashSign = -1;
    this.inputOffset -= start;
    let i = start;
    while (i < end) i = this.parseLine(bytes, i);
    // the numbers of lines are kept in as many bits as those of rows; blank lines make them larger
    roomFor(this.line, 0, 'lines');
    this.inputOffset += end;
  }

  /** Reads one line and returns where the next begins. */
  private parseLine(bytes: Uint8Array, start: number): number {
    const { rows, options, lists } = this;
    this.line++;
    let i = start;
    if (options.checkLine !== undefined) {
      const complaint = options.checkLine(bytes, i, bytes.indexOf(LF, i));
      if (complaint !== undefined) {
        this.numRecords++;
        this.refuseRow('wrong shape', complaint);
        return bytes.indexOf(LF, i) + 1;
      }
    }
    while (byteKinds[bytes[i]] === BLANK) i++;
    if (bytes[i] === LF) return i + 1;
    if (bytes[i] === HASH_SIGN) return bytes.indexOf(LF, i) + 1;
    const record = this.numRecords++;

    const labelStart = i;
    while (byteKinds[bytes[i]] === OTHER) i++;
    const label = (options.readLabel ?? parseLongDecimal)(bytes, labelStart, i);
    if (!Number.isFinite(label)) return this.refuse(bytes, labelStart, 'not a number', 'expected a number as label');

    while (byteKinds[bytes[i]] === BLANK) i++;
    const wordStart = i;
    let idStart = i;
    if (bytes[i] === 113 && bytes[i + 1] === 105 && bytes[i + 2] === 100 && bytes[i + 3] === 58) {
      idStart = i += 4; // qid:
      while (byteKinds[bytes[i]] === OTHER) i++;
    }
    const idEnd = i;
    let newList = false;
    if (options.groupSizes === undefined) {
      if (idStart === idEnd) {
        const wayOut =
          'write qid: and the id of the query behind each label, or the number of rows of each query to a file of the same name with .query behind it';
        return this.refuse(bytes, wordStart, 'missing field', 'expected qid: and an id after the label', wayOut);
      }
      newList = !lists.isCurrent(bytes, idStart, idEnd);
      if (newList && options.scattered === 'refuse' && lists.isKnown(bytes, idStart, idEnd)) {
        return this.refuse(bytes, idStart, 'wrong shape', 'expected the lines of each query to stand together');
      }
    }

    i = options.features === false ? this.skipFeatures(bytes, i) : this.readFeatures(bytes, i);
    if (i < 0) return bytes.indexOf(LF, idEnd) + 1;

    // the line is good and becomes a row
    const row = rows.numRows;
    if (newList) lists.startList(row, bytes, idStart, idEnd);
    if (row === rows.labels.length) rows.growRows();
    rows.labels[row] = label;
    rows.lines[row] = this.line;
    rows.records[row] = record;
    rows.rowOffsets[row + 1] = this.numValues;
    if (bytes[i] === LF) {
      rows.commentOffsets[row + 1] = rows.commentOffsets[row];
      rows.numRows = row + 1;
      return i + 1;
    }
    const lineEnd = bytes.indexOf(LF, i);
    if (options.comments ?? true) rows.appendComment(bytes, i + 1, bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd);
    rows.numRows = row + 1;
    return lineEnd + 1;
  }

  /** The error for the line after those that have been read. */
  tooLong(message: string): InputError {
    return this.log.fatal(`${message}, expected label, qid:id and feature:value`, CHECK_TEXT, this.line + 1);
  }

  // Problems are reported through these, not through closures: a captured variable would make the loops slow.

  /** Notes that something else was expected than the word at `at`, and returns where the next line begins. */
  private refuse(bytes: Uint8Array, at: number, kind: ProblemKind, expected: string, wayOut?: string): number {
    this.log.add(kind, this.line, () => `${expected}, found ${word(bytes, at)}`, wayOut);
    return bytes.indexOf(LF, at) + 1;
  }

  /** The same from among the features, where -1 stands for a line given up. */
  private refuseFeature(bytes: Uint8Array, at: number, kind: ProblemKind, expected: string, wayOut?: string): -1 {
    this.log.add(kind, this.line, () => `${expected}, found ${word(bytes, at)}`, wayOut);
    return -1;
  }

  /** Whether a value that is not finite may be a feature. */
  private takes(value: number): boolean {
    const { nonFinite } = this.options;
    return nonFinite === true || (nonFinite === 'nan' && Number.isNaN(value));
  }

  private refuseRow(kind: ProblemKind, message: string): -1 {
    this.log.add(kind, this.line, () => message);
    return -1;
  }

  /** The end of the line, or the `#` before it if comments are wanted. */
  private skipFeatures(bytes: Uint8Array, start: number): number {
    const lineEnd = bytes.indexOf(LF, start);
    if (this.options.comments === false) return lineEnd;
    if (this.nextHashSign < start) {
      const found = bytes.indexOf(HASH_SIGN, start);
      this.nextHashSign = found < 0 ? bytes.length : found;
    }
    return Math.min(lineEnd, this.nextHashSign);
  }

  /** Reads the `feature:value` words of a line into the columns. Returns where they stop, at LF or `#`; -1 after noting a
   *  problem. When the arrays are replaced it begins the line anew, so that within the loop they stay the same. */
  private readFeatures(bytes: Uint8Array, start: number): number {
    const { rows, firstFeature } = this;
    const { values, columns } = rows;
    const rowStart = rows.rowOffsets[rows.numRows];
    let count = rowStart;
    let nextId = firstFeature;
    let sorted = true;
    let i = start;
    const { kernel } = this;
    if (kernel !== undefined && bytes === kernel.text && values === kernel.values) {
      if (columns === undefined) {
        i = kernel.read(start, rowStart);
        count += kernel.told[0];
        nextId += kernel.told[0];
      } else if (columns === kernel.columns) {
        i = kernel.readSparse(start, rowStart);
        count += kernel.told[0];
        nextId = kernel.told[1];
      }
    }
    for (;;) {
      let digit = bytes[i] ^ 48;
      if (digit > 9) {
        const kind = byteKinds[digit ^ 48];
        if (kind === BLANK) {
          i++;
          continue;
        }
        if (kind === STOP) break;
      }
      // the id: digits up to a colon
      const wordStart = i;
      let id = 0;
      while (digit < 10) {
        id = (Math.imul(id, 10) + digit) | 0;
        digit = bytes[++i] ^ 48;
      }
      if (digit !== COLON_XOR || i === wordStart || i - wordStart > SHORT_DIGITS) {
        return this.refuseFeature(bytes, wordStart, 'wrong shape', 'expected feature:value');
      }
      // the value: a plain decimal of up to nine digits is read here, anything else by the general way below
      const valueStart = ++i;
      const sign = bytes[i];
      if (sign === MINUS || sign === PLUS) i++;
      const digitsStart = i;
      let mantissa = 0;
      digit = bytes[i] ^ 48;
      while (digit < 10) {
        mantissa = (Math.imul(mantissa, 10) + digit) | 0;
        digit = bytes[++i] ^ 48;
      }
      let numDigits = i - digitsStart;
      let places = 0;
      if (digit === POINT_XOR) {
        const fractionStart = ++i;
        digit = bytes[i] ^ 48;
        while (digit < 10) {
          mantissa = (Math.imul(mantissa, 10) + digit) | 0;
          digit = bytes[++i] ^ 48;
        }
        places = i - fractionStart;
        numDigits += places;
      }
      let value: number;
      if (numDigits <= SHORT_DIGITS && numDigits > 0 && byteKinds[digit ^ 48] !== OTHER) {
        value = mantissa / powersOfTen[places];
        if (sign === MINUS) value = -value;
      } else {
        while (byteKinds[bytes[i]] === OTHER) i++;
        value = parseLongDecimal(bytes, valueStart, i);
        if (this.options.precision === 'single') value = Math.fround(value);
        if (!Number.isFinite(value)) {
          const odd = nonFiniteNumber(bytes, valueStart, i, value);
          if (odd === undefined || !this.takes(odd)) {
            const wayOut = odd === undefined ? undefined : Number.isNaN(odd) ? NAN_WAY_OUT : INFINITE_WAY_OUT;
            return this.refuseFeature(bytes, valueStart, 'not a number', `expected a number as feature ${id}`, wayOut);
          }
          value = odd;
        }
      }
      if (id !== nextId) {
        if (id < nextId) {
          if (id < firstFeature) {
            const scikit = firstFeature === 1 ? ' (in scikit-learn: zero_based=False)' : '';
            const otherwise = id === 0 ? ', or have gradus train and score count from 0: --first-feature 0' : '';
            const wayOut = `number the features from ${firstFeature}${scikit}${otherwise}`;
            return this.refuseFeature(bytes, wordStart, 'wrong shape', `expected feature ids from ${firstFeature} on`, wayOut);
          }
          sorted = false;
        }
        if (columns === undefined) {
          rows.makeColumnsExplicit(rowStart);
          return this.readFeatures(bytes, start);
        }
      }
      nextId = id + 1;
      if (count === values.length) {
        rows.growValues((this.inputOffset + i) / (this.options.expectedBytes ?? Number.POSITIVE_INFINITY));
        return this.readFeatures(bytes, start);
      }
      // narrows: single precision rounds, as was asked for
      values[count] = value;
      if (columns !== undefined) columns[count] = id - firstFeature;
      count++;
    }
    this.numValues = count;
    return this.completeRow(rowStart, sorted) ? i : -1;
  }

  /** Puts the columns of the row just read in order and checks them. */
  private completeRow(rowStart: number, sorted: boolean): boolean {
    const { rows, numValues } = this;
    const numGiven = numValues - rowStart;
    if (rows.columns === undefined) {
      // all rows so far have the features 1, 2, 3 …; does this one have as many?
      if (rows.numRows === 0) this.width = numGiven;
      else if (numGiven !== this.width) rows.makeColumnsExplicit(numValues);
    } else if (!sorted) {
      const repeated = rows.sortRow(rows.columns, rowStart, numValues);
      if (repeated >= 0) {
        this.refuseRow('repeated field', `expected each feature once, found ${repeated + this.firstFeature} twice`);
        return false;
      }
    }
    const numColumns = numGiven === 0 ? 0 : rows.columns === undefined ? numGiven : rows.columns[numValues - 1] + 1;
    if (numColumns > limits.features) {
      const message = `expected at most ${limits.features} features, found feature ${numColumns + this.firstFeature - 1}`;
      this.log.add('wrong shape', this.line, () => message, 'number the features without gaps');
      return false;
    }
    const { numFeatures = numColumns } = this.options;
    if (numColumns > numFeatures) {
      const last = this.firstFeature - 1;
      this.refuseRow('wrong shape', `expected feature ids up to ${numFeatures + last}, found ${numColumns + last}`);
      return false;
    }
    rows.numColumns = Math.max(rows.numColumns, numColumns);
    return true;
  }
}

/** The word that starts here, for a message. */
function word(bytes: Uint8Array, start: number): string {
  let end = start;
  while (byteKinds[bytes[end]] === OTHER) end++;
  return end === start ? 'nothing' : shown(bytes, start, end);
}

/** `nan`, `inf` and `infinity` in any case, with or without a sign, and decimals beyond the range of the floats kept. */
function nonFiniteNumber(bytes: Uint8Array, start: number, end: number, decimal: number): number | undefined {
  if (!Number.isNaN(decimal)) return decimal;
  const word = readText(bytes, start, end).toLowerCase();
  if (/^[+-]?nan$/.test(word)) return Number.NaN;
  if (/^[+-]?inf(inity)?$/.test(word)) return word[0] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return undefined;
}
