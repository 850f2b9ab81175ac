import { hashBytes } from '../core/hash.js';
import { equalBytes } from '../core/text.js';
import { parseDecimal } from './decimal.js';
import { type LineScanner, type LineScannerOptions, SCAN_BAD, SCAN_END, SCAN_FULL, SCAN_TOPIC } from './line-scanner.js';
import { checkLayout, outOfMemory, ScannerState } from './scanner-state.js';

const OTHER = 0;
const WHITE = 1;
const LINE_END = 2;
const HASH_SIGN = 35;

const byteKinds = new Uint8Array(256);
for (const white of ' \t\v\f\r') byteKinds[white.charCodeAt(0)] = WHITE;
byteKinds[10] = LINE_END;

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
    this.fieldStart = new Uint32Array(options.fields);
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
    const lastLineEnd = end > this.position ? bytes.lastIndexOf(10, end - 1) : -1;

    while (this.position <= lastLineEnd) {
      const lineStart = this.position;
      let i = lineStart;
      let numFields = 0;
      let byte: number;
      do {
        do byte = bytes[i++];
        while (byteKinds[byte] === WHITE);
        if (byte === 10) break;
        // further fields are counted but not recorded: writes past the end of a typed array are dropped
        fieldStart[numFields] = i - 1;
        do byte = bytes[i++];
        while (byteKinds[byte] === OTHER);
        fieldEnd[numFields++] = i - 1;
      } while (byte !== 10);

      if (comments !== 'none' && numFields > 0 && bytes[fieldStart[0]] === HASH_SIGN) {
        if (comments === 'any' || (fieldStart[0] === lineStart && this.commentEnd !== lineStart)) {
          this.position = this.commentEnd = i;
          this.linesSeen++;
          continue;
        }
      }
      if (numFields < fields || (exact && numFields > fields)) {
        if (numFields > 0 || blankIsBad) return SCAN_BAD;
        this.position = i;
        this.linesSeen++;
        continue;
      }

      const line = this.numLines;
      if (line === 0) {
        this.topicStart = fieldStart[topic];
        this.topicEnd = fieldEnd[topic];
      } else if (!equalBytes(bytes, this.topicStart, this.topicEnd, bytes, fieldStart[topic], fieldEnd[topic])) return SCAN_TOPIC;
      if (line === docStart.length) return SCAN_FULL;
      docStart[line] = fieldStart[doc];
      docEnd[line] = fieldEnd[doc];
      docHash[line] = hashBytes(bytes, fieldStart[doc], fieldEnd[doc]);
      for (let k = 0; k < kept.length; k++) {
        keptStart[k][line] = fieldStart[kept[k]];
        keptEnd[k][line] = fieldEnd[kept[k]];
      }
      if (tag !== undefined) {
        this.tagStart = fieldStart[tag];
        this.tagEnd = fieldEnd[tag];
      }
      const value = integers
        ? parseShortInteger(bytes, fieldStart[number], fieldEnd[number])
        : parseDecimal(bytes, fieldStart[number], fieldEnd[number]);
      numbers[line] = value;
      if (!Number.isFinite(value)) this.addOdd(line, fieldStart[number], fieldEnd[number]);
      this.numLines++;
      this.recordsSeen++;
      this.linesSeen++;
      this.position = i;
    }
    return SCAN_END;
  }

  private addOdd(line: number, start: number, end: number): void {
    this.numbers[line] = Number.NaN;
    this.odd[this.numOdd] = line;
    this.oddStart[this.numOdd] = start;
    this.oddEnd[this.numOdd++] = end;
  }

  reserve(numBytes: number): void {
    if (numBytes <= this.bytes.length) return;
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
    const grow = (column: Uint32Array): Uint32Array => {
      const larger = new Uint32Array(numLines);
      larger.set(column);
      return larger;
    };
    this.docStart = grow(this.docStart);
    this.docEnd = grow(this.docEnd);
    this.docHash = grow(this.docHash);
    this.keptStart = this.keptStart.map(grow);
    this.keptEnd = this.keptEnd.map(grow);
    this.odd = grow(this.odd);
    this.oddStart = grow(this.oddStart);
    this.oddEnd = grow(this.oddEnd);
    const numbers = new Float64Array(numLines);
    numbers.set(this.numbers);
    this.numbers = numbers;
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
