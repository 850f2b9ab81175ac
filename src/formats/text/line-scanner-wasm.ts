import { kernelLoader, kernelMemory, PAGE_BYTES, startKernel } from '../../core/kernel.js';
import { lineScannerWasm } from './kernels/line-scanner.wasm.js';
import type { LineScanner, LineScannerOptions } from './line-scanner.js';
import { checkLayout, outOfMemory, ScannerState } from './scanner-state.js';

// words of the kernel's header and addresses of its tables, as `kernels/line-scanner.as.ts` has them
const POSITION = 0;
const END = 1;
const NUM_LINES = 2;
const MAX_LINES = 3;
const NUM_ODD = 4;
const TOPIC_START = 5;
const TOPIC_END = 6;
const TAG_START = 7;
const TAG_END = 8;
const COMMENT_END = 9;
const NEW_RECORDS = 10;
const NEW_LINES = 11;
const LAYOUT = 12;
const COLUMNS = 26;
const HEADER_WORDS = 64;
const CONSTANTS = 4096;
const MASKS = 4160;
const POWERS_OF_TEN = 4224;
const SIGN_LENGTHS = 4416;
const SIGNS = 4672;
const POWERS_OF_FIVE = 6720;
const MIN_POWER = -128;
const MAX_POWER = 64;
const TEXT = 13056;

const PLUS = 43;
const MINUS = 45;
const HASH_SIGN = 35;
const NO_BYTE = 256;
/** The kernel reads whole windows, so the memory goes on a little behind the text. */
const READ_AHEAD = 256;

const loadKernel = kernelLoader(lineScannerWasm);
let filledTables: Uint8Array | undefined;

/** The scanner on the WebAssembly kernel, or undefined where WebAssembly or its SIMD instructions are missing, or there is no
 *  memory left for it. */
export function createWasmLineScanner(options: LineScannerOptions): LineScanner | undefined {
  checkLayout(options);
  const module = loadKernel();
  const room = { ...options, capacity: roundUp(options.capacity ?? PAGE_BYTES, 8), lines: roundUp(options.lines ?? 1024, 2) };
  const memory = module && kernelMemory(numBytesNeeded(room.capacity, room.lines, options.kept?.length ?? 0));
  return module === undefined || memory === undefined ? undefined : new WasmLineScanner(room, module, memory);
}

/** Memory holds the kernel's header and tables, the text at a fixed address, and the columns behind it. */
class WasmLineScanner extends ScannerState {
  private readonly memory: WebAssembly.Memory;
  private readonly runKernel: () => number;
  private readonly numKept: number;
  /** Addresses of up to 32 bits are stored as signed words and read back as unsigned ones; no end of a comment is -1. */
  private header: Int32Array = new Int32Array(0);
  private capacity: number;
  private maxLines: number;

  constructor(
    options: LineScannerOptions & { readonly capacity: number; readonly lines: number },
    kernel: WebAssembly.Module,
    memory: WebAssembly.Memory,
  ) {
    super();
    this.numKept = options.kept?.length ?? 0;
    this.capacity = options.capacity;
    this.maxLines = options.lines;
    this.memory = memory;
    this.runKernel = startKernel<{ scan(): number }>(kernel, this.memory).scan;
    filledTables ??= fillTables();
    new Uint8Array(this.memory.buffer).set(filledTables, CONSTANTS); // fits: bytes
    this.renewViews();
    this.writeLayout(options);
  }

  scan(end: number): number {
    const { header } = this;
    header[POSITION] = this.position | 0;
    header[END] = end | 0;
    header[NUM_LINES] = this.numLines;
    header[NUM_ODD] = this.numOdd;
    header[TOPIC_START] = this.topicStart | 0;
    header[TOPIC_END] = this.topicEnd | 0;
    header[TAG_START] = this.tagStart | 0;
    header[TAG_END] = this.tagEnd | 0;
    header[COMMENT_END] = this.commentEnd | 0;
    const stop = this.runKernel();
    this.position = header[POSITION] >>> 0;
    this.numLines = header[NUM_LINES];
    this.numOdd = header[NUM_ODD];
    this.topicStart = header[TOPIC_START] >>> 0;
    this.topicEnd = header[TOPIC_END] >>> 0;
    this.tagStart = header[TAG_START] >>> 0;
    this.tagEnd = header[TAG_END] >>> 0;
    this.commentEnd = header[COMMENT_END] >>> 0;
    this.recordsSeen += header[NEW_RECORDS] >>> 0;
    this.linesSeen += header[NEW_LINES] >>> 0;
    return stop;
  }

  reserve(numBytes: number): void {
    if (numBytes > this.capacity) this.grow(roundUp(numBytes, 8), this.maxLines);
  }

  reserveLines(numLines: number): void {
    if (numLines > this.maxLines) this.grow(this.capacity, roundUp(numLines, 2));
  }

  private grow(capacity: number, maxLines: number): void {
    const missing = Math.ceil((numBytesNeeded(capacity, maxLines, this.numKept) - this.memory.buffer.byteLength) / PAGE_BYTES);
    try {
      if (missing > 0) this.memory.grow(missing);
    } catch {
      throw outOfMemory(capacity);
    }
    const oldLines = this.maxLines;
    const oldColumns = this.columnAddresses();
    this.capacity = capacity;
    this.maxLines = maxLines;
    // every column moves up, so the last goes first
    const all = new Uint8Array(this.memory.buffer);
    const newColumns = this.columnAddresses();
    for (let k = newColumns.length - 1; k >= 0; k--) {
      all.copyWithin(newColumns[k], oldColumns[k], oldColumns[k] + oldLines * (k === 0 ? 8 : 4));
    }
    this.renewViews();
  }

  /** Numbers first, because they take eight bytes, then the columns of four bytes in the order of the kernel's header. */
  private columnAddresses(): number[] {
    const first = TEXT + this.capacity;
    const addresses = [first];
    for (let k = 0; k < 6 + 2 * this.numKept; k++) addresses.push(first + this.maxLines * (8 + 4 * k));
    return addresses;
  }

  /** After the memory has grown, or the columns have moved in it. */
  private renewViews(): void {
    const { buffer } = this.memory;
    const addresses = this.columnAddresses();
    // fits: words of 32 bits; addresses are stored as signed ones and read back as unsigned
    this.header = new Int32Array(buffer, 0, HEADER_WORDS);
    this.header[MAX_LINES] = this.maxLines;
    this.header.set(addresses, COLUMNS);
    this.bytes = new Uint8Array(buffer, TEXT, this.capacity); // fits: bytes
    this.numbers = new Float64Array(buffer, addresses[0], this.maxLines);
    // fits: places in the memory of the kernel, at most 4 GiB, hashes of 32 bits, and line counts of one stretch
    const columns = addresses.slice(1).map((address) => new Uint32Array(buffer, address, this.maxLines));
    [this.docStart, this.docEnd, this.docHash, this.odd, this.oddStart, this.oddEnd] = columns;
    const kept = columns.slice(6);
    this.keptStart = kept.filter((_, k) => k % 2 === 0);
    this.keptEnd = kept.filter((_, k) => k % 2 === 1);
  }

  private writeLayout(options: LineScannerOptions): void {
    const { topic, doc, number, tag, fields, exact, integers, blankIsBad, comments } = options;
    const kept = options.kept ?? [];
    const isPlain = topic === 0 && doc === 2 && (number === 3 || number === 4) && kept.length === 0;
    // the edges of a field are two words
    const at = (field: number | undefined): number => (field === undefined ? -1 : field * 8);
    const words = [fields * 2, exact ? 0 : 0x7fffffff, at(topic), at(doc), at(number), at(tag), at(kept[0]), at(kept[1]), kept.length];
    const rules = [+integers, +blankIsBad, comments === 'none' ? NO_BYTE : HASH_SIGN, +(comments === 'single'), +isPlain];
    this.header.set([...words, ...rules], LAYOUT);
  }
}

function numBytesNeeded(capacity: number, maxLines: number, numKept: number): number {
  return TEXT + capacity + maxLines * (8 + 4 * (6 + 2 * numKept)) + READ_AHEAD;
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}

/** The tables the kernel reads text and numbers with, from CONSTANTS to TEXT. */
function fillTables(): Uint8Array {
  const tables = new Uint8Array(TEXT - CONSTANTS); // fits: kinds of bytes, and numbers that the DataView lays out
  const view = new DataView(tables.buffer, 0);
  const at = (address: number): number => address - CONSTANTS;

  // space; what turns 9 to 13 into the smallest signed bytes, and the bound above these; LF, point, 0, and the value 9
  tables.set([32, 119, 133, 10, 46, 48, 9]);
  // pairs of weights by which neighbouring digits are joined
  view.setUint16(8, 255, true);
  view.setUint16(10, 10, true);
  view.setUint32(12, 100 | (1 << 16), true);
  view.setUint32(16, 10000 | (1 << 16), true);
  tables.fill(255, at(MASKS) + 32, at(MASKS) + 64);
  for (let exponent = 0; exponent <= 22; exponent++) view.setFloat64(at(POWERS_OF_TEN) + 8 * exponent, Number(`1e${exponent}`), true);
  tables[at(SIGN_LENGTHS) + PLUS] = 1;
  tables[at(SIGN_LENGTHS) + MINUS] = 1;
  for (let byte = 0; byte < 256; byte++) view.setFloat64(at(SIGNS) + 8 * byte, byte === MINUS ? -1 : 1, true);

  // the first 128 bits of 5^q and of 5^-q; the method wants the latter rounded up as long as 5^q fits into 64 bits
  let power = 1n;
  let width = 1;
  for (let q = 0; q <= -MIN_POWER; q++) {
    while (power >> BigInt(width) > 0n) width++;
    if (q <= MAX_POWER) setPower(view, q, width <= 128 ? power << BigInt(128 - width) : power >> BigInt(width - 128));
    if (q > 0) setPower(view, -q, (1n << BigInt(width + 127)) / power + (q <= 27 ? 1n : 0n));
    power *= 5n;
  }
  return tables;
}

function setPower(tables: DataView, q: number, leadingBits: bigint): void {
  const entry = POWERS_OF_FIVE - CONSTANTS + 32 * (MAX_POWER - q);
  tables.setBigUint64(entry, leadingBits >> 64n, true);
  tables.setBigUint64(entry + 8, leadingBits & 0xffffffffffffffffn, true);
  // the binary exponent of 10^q (217706 / 65536 is log2 of 10, close enough here) with the bias of a double, for a
  // product whose leading bit is bit 62
  tables.setInt32(entry + 16, ((217706 * q) >> 16) + 1085, true);
}
