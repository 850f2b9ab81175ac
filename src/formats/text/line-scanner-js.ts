import { evaluationLimits } from '../../core/evaluation-limits.js';
import { lengthened } from '../../core/growing-arrays.js';
import { hashBytes } from '../../core/hash.js';
import { equalBytes } from '../../core/text.js';
import { parseDecimal } from './decimal.js';
import { type LineScanner, type LineScannerOptions, SCAN_BAD, SCAN_END, SCAN_FULL, SCAN_TOPIC } from './line-scanner.js';
import { checkLayout, outOfMemory, ScannerState } from './scanner-state.js';

const OTHER = 0;
const WHITE = 1;
const LINE_END = 2;
const LF = 10;
const SPACE = 32;
const HASH_SIGN = 35;

const byteKinds = new Uint8Array(256); // fits: kinds of bytes, of which there are few
for (const white of ' \t\v\f\r') byteKinds[white.charCodeAt(0)] = WHITE;
byteKinds[LF] = LINE_END;

/** The scanner in plain TypeScript: for places without WebAssembly SIMD, and the measure of what the kernel must do. */
export function createJsLineScanner(options: LineScannerOptions): LineScanner {
  return new JsLineScanner(options);
}

class JsLineScanner extends ScannerState {
  private readonly options: LineScannerOptions;
  /** Where the fields of the line at hand start and end. */
  private readonly fieldStart: Uint32Array;
  private readonly fieldEnd: Uint32Array;

  constructor(options: LineScannerOptions) {
    super();
    checkLayout(options);
    this.options = options;
    // fits: places in the bytes at hand, for which `reserve` has a limit, hashes of 32 bits, and line counts of one stretch
    this.fieldStart = new Uint32Array(options.fields);
    // fits: places in the bytes at hand, for which `reserve` has a limit, hashes of 32 bits, and line counts of one stretch
    this.fieldEnd = new Uint32Array(options.fields);
    for (const _ of options.kept ?? []) {
      this.keptStart.push(new Uint32Array(0));
      this.keptEnd.push(new Uint32Array(0));
    }
    this.reserve(options.capacity ?? 65536);
    this.reserveLines(options.lines ?? 1024);
  }

  scan(end: number): number {
    const { bytes, fieldStart, fieldEnd, docStart, docEnd, docHash, numbers, keptStart, keptEnd } = this;
    const { topic, doc, number, tag, fields, exact, integers, blankIsBad, comments } = this.options;
    const kept = this.options.kept ?? [];
    // every line up to the last LF is complete, so the walk along a line needs no look at the end
    const lastLineEnd = end > this.position ? bytes.lastIndexOf(LF, end - 1) : -1;
    const oldLines = this.numLines;
    let line = oldLines;
    let lineStart = this.position;
    let numSkipped = 0;
    let stop = SCAN_END;

    while (lineStart <= lastLineEnd) {
      let i = lineStart;
      let numFields = 0;
      let byte: number;
      do {
        do byte = bytes[i++];
        while (byte <= SPACE && byteKinds[byte] === WHITE);
        if (byte === LF) break;
        // further fields are counted but not recorded: writes past the end of a typed array are dropped
        fieldStart[numFields] = i - 1;
        do byte = bytes[i++];
        while (byte > SPACE || byteKinds[byte] === OTHER);
        fieldEnd[numFields++] = i - 1;
      } while (byte !== LF);

      if (comments !== 'none' && numFields > 0 && bytes[fieldStart[0]] === HASH_SIGN) {
        if (comments === 'any' || (fieldStart[0] === lineStart && this.commentEnd !== lineStart)) {
          lineStart = this.commentEnd = i;
          numSkipped++;
          continue;
        }
      }
      if (numFields < fields || (exact && numFields > fields)) {
        if (numFields > 0 || blankIsBad) {
          stop = SCAN_BAD;
          break;
        }
        lineStart = i;
        numSkipped++;
        continue;
      }
      if (topic === undefined) {
        // lines of any topic go together
      } else if (line === 0) {
        this.topicStart = fieldStart[topic];
        this.topicEnd = fieldEnd[topic];
      } else if (!equalBytes(bytes, this.topicStart, this.topicEnd, bytes, fieldStart[topic], fieldEnd[topic])) {
        stop = SCAN_TOPIC;
        break;
      }
      if (line === docStart.length) {
        stop = SCAN_FULL;
        break;
      }

      const docFrom = fieldStart[doc];
      const docTo = fieldEnd[doc];
      docStart[line] = docFrom;
      docEnd[line] = docTo;
      docHash[line] = hashBytes(bytes, docFrom, docTo);
      for (let k = 0; k < kept.length; k++) {
        keptStart[k][line] = fieldStart[kept[k]];
        keptEnd[k][line] = fieldEnd[kept[k]];
      }
      if (tag !== undefined) {
        this.tagStart = fieldStart[tag];
        this.tagEnd = fieldEnd[tag];
      }
      const numberFrom = fieldStart[number];
      const numberTo = fieldEnd[number];
      const value = integers ? parseShortInteger(bytes, numberFrom, numberTo) : parseDecimal(bytes, numberFrom, numberTo);
      numbers[line] = value;
      // the difference is 0 for finite numbers only
      if (value - value !== 0) this.addOdd(line, numberFrom, numberTo);
      line++;
      lineStart = i;
    }
    this.numLines = line;
    this.recordsSeen += line - oldLines;
    this.linesSeen += line - oldLines + numSkipped;
    this.position = lineStart;
    return stop;
  }

  private addOdd(line: number, start: number, end: number): void {
    this.numbers[line] = Number.NaN;
    this.odd[this.numOdd] = line;
    this.oddStart[this.numOdd] = start;
    this.oddEnd[this.numOdd++] = end;
  }

  reserve(numBytes: number): void {
    if (numBytes <= this.bytes.length) return;
    if (numBytes > evaluationLimits.entries) throw outOfMemory(numBytes);
    let larger: Uint8Array;
    try {
      larger = new Uint8Array(numBytes);
    } catch {
      throw outOfMemory(numBytes);
    }
    larger.set(this.bytes);
    this.bytes = larger;
  }

  reserveLines(numLines: number): void {
    if (numLines <= this.docStart.length) return;
    const grow = (column: Uint32Array): Uint32Array => lengthened(column, numLines);
    this.docStart = grow(this.docStart);
    this.docEnd = grow(this.docEnd);
    this.docHash = grow(this.docHash);
    this.keptStart = this.keptStart.map(grow);
    this.keptEnd = this.keptEnd.map(grow);
    this.odd = grow(this.odd);
    this.oddStart = grow(this.oddStart);
    this.oddEnd = grow(this.oddEnd);
    this.numbers = lengthened(this.numbers, numLines);
  }
}

/** An integer of at most 15 digits with an optional sign, NaN for anything else. */
function parseShortInteger(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  const first = bytes[i];
  if (first === 43 || first === 45) i++;
  if (i === end || end - i > 15) return Number.NaN;
  let value = 0;
  for (; i < end; i++) {
    const digit = bytes[i] - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  // a C integer has no negative zero
  return first === 45 ? 0 - value : value;
}
