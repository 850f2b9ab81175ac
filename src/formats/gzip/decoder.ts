/** A decoder of gzip files (RFC 1951 and 1952) of any number of members, for runtimes whose own one stops at the first. */
import { InputError } from '../../core/problem.js';
import { Crc32 } from './crc32.js';

const WINDOW = 32 << 10;
const ROOM = 256 << 10;
const LONGEST_MATCH = 258;
const LONGEST_CODE = 15;
/** A block header with its codes has at most 14 + 19 · 3 + 318 · 14 bits. */
const LONGEST_BLOCK_HEADER = 600;
/** Two codes and their extra bits have at most 48 bits. */
const LONGEST_STEP = 8;
const LONGEST_MEMBER_HEADER = 1 << 18;

const [HAS_TEXT_FLAG_ONLY, HAS_HEADER_CHECKSUM, HAS_EXTRA, HAS_NAME, HAS_COMMENT] = [1, 2, 4, 8, 16];

const lengthWidths = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceWidths = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
/** In which order the lengths of the codes for code lengths stand. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function basesOf(first: number, widths: readonly number[]): number[] {
  let base = first;
  return widths.map((width) => {
    base += 1 << width;
    return base - (1 << width);
  });
}
const lengthBases = basesOf(3, lengthWidths);
// the longest length has a code of its own
lengthBases[28] = LONGEST_MATCH;
const distanceBases = basesOf(1, distanceWidths);

class GzipDamage extends Error {}
function damaged(what: string): never {
  throw new GzipDamage(what);
}

/** For each 15 bits that follow, lowest first: the symbol times 16, and the length of its code; 0 if there is no such code. */
class Codes {
  private readonly entries: Uint16Array = new Uint16Array(1 << LONGEST_CODE); // fits: a symbol below 320 times 16, plus a length up to 15

  /** @param mayLack whether a single code may leave the rest unused, as it may for distances */
  fill(lengths: Uint8Array, start: number, end: number, mayLack: boolean): void {
    const numOf = new Uint16Array(LONGEST_CODE + 1); // fits: at most 320 codes
    for (let i = start; i < end; i++) numOf[lengths[i]]++;
    const numCodes = end - start - numOf[0];
    numOf[0] = 0;
    const next = new Uint32Array(LONGEST_CODE + 2); // fits: codes of up to 15 bits, and the one behind the last
    let left = 1;
    for (let length = 1; length <= LONGEST_CODE; length++) {
      left = left * 2 - numOf[length];
      if (left < 0) damaged('codes that do not fit into their tree');
      next[length + 1] = (next[length] + numOf[length]) << 1;
    }
    if (left > 0 && !(mayLack && numCodes <= 1 && (numCodes === 0 || numOf[1] === 1))) damaged('codes that do not fill their tree');
    this.entries.fill(0);
    for (let i = start; i < end; i++) {
      const length = lengths[i];
      if (length === 0) continue;
      let code = next[length]++;
      let reversed = 0;
      for (let bit = 0; bit < length; bit++, code >>= 1) reversed = (reversed << 1) | (code & 1);
      for (let at = reversed; at < 1 << LONGEST_CODE; at += 1 << length) this.entries[at] = ((i - start) << 4) | length;
    }
  }

  get table(): Uint16Array {
    return this.entries;
  }
}

type Stage = 'member' | 'block' | 'stored' | 'codes' | 'trailer' | 'padding';

/** Takes a gzip file as it comes. */
export class GzipDecoder {
  private readonly source: string | undefined;
  private input: Uint8Array = new Uint8Array(0);
  private inputAt = 0;
  private inputEnd = 0;
  private bits = 0;
  private numBits = 0;
  private readonly output: Uint8Array = new Uint8Array(WINDOW + ROOM); // fits: bytes
  private outputEnd = 0;
  private outputSent = 0;
  private produced = 0;
  private numMembers = 0;
  private stage: Stage = 'member';
  private isLastBlock = false;
  private storedLeft = 0;
  private readonly lengthCodes: Codes = new Codes();
  private readonly distanceCodes: Codes = new Codes();
  private readonly lengths: Uint8Array = new Uint8Array(320); // fits: lengths of codes, up to 15
  private readonly checksum: Crc32 = new Crc32();

  constructor({ source }: { readonly source?: string | undefined } = {}) {
    this.source = source;
  }

  /** Takes the next part and gives what follows from it; each piece is only valid until the next.
   *  @throws An `InputError` that tells what is wrong with the data. */
  *push(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
    this.append(chunk);
    yield* this.run(false);
  }

  /** Says that the file has ended, and gives the rest.
   *  @throws An `InputError` if it has ended too early. */
  *finish(): Generator<Uint8Array, void, undefined> {
    yield* this.run(true);
    const isWhole = this.stage === 'padding' || (this.stage === 'member' && this.numMembers > 0 && this.available === 0);
    if (!isWhole) throw this.error('unexpected end of file');
  }

  private get available(): number {
    return this.inputEnd - this.inputAt;
  }

  /** Whole bytes that were taken too early are given back. */
  private giveBack(): void {
    this.inputAt -= this.numBits >> 3;
    this.numBits &= 7;
    this.bits &= (1 << this.numBits) - 1;
  }

  /** On to the next whole byte. */
  private alignToByte(): void {
    this.giveBack();
    this.bits = 0;
    this.numBits = 0;
  }

  private append(chunk: Uint8Array): void {
    this.giveBack();
    const kept = this.input.subarray(this.inputAt, this.inputEnd);
    // whole words are read a little beyond the end
    if (kept.length + chunk.length + 8 > this.input.length) {
      const larger = new Uint8Array(2 * (kept.length + chunk.length) + 8);
      larger.set(kept);
      this.input = larger;
    } else this.input.copyWithin(0, this.inputAt, this.inputEnd);
    this.input.set(chunk, kept.length);
    this.inputAt = 0;
    this.inputEnd = kept.length + chunk.length;
    this.input.fill(0, this.inputEnd, this.inputEnd + 8);
  }

  private *run(isEnd: boolean): Generator<Uint8Array, void, undefined> {
    for (;;) {
      let goesOn: boolean;
      try {
        goesOn = this.step(isEnd);
      } catch (error) {
        if (error instanceof GzipDamage) throw this.error(error.message);
        throw error;
      }
      if (this.outputEnd - this.outputSent > 0 && (!goesOn || this.output.length - this.outputEnd < 2 * LONGEST_MATCH)) {
        yield this.output.subarray(this.outputSent, this.outputEnd);
        this.makeRoom();
      }
      if (!goesOn) return;
    }
  }

  private makeRoom(): void {
    const kept = Math.min(WINDOW, this.outputEnd);
    this.output.copyWithin(0, this.outputEnd - kept, this.outputEnd);
    this.outputEnd = kept;
    this.outputSent = kept;
  }

  /** Goes on as far as it can in a stage; false if more input is needed first. */
  private step(isEnd: boolean): boolean {
    switch (this.stage) {
      case 'member':
        return this.readMember(isEnd);
      case 'block':
        if (!isEnd && this.available < LONGEST_BLOCK_HEADER) return false;
        this.readBlock();
        return true;
      case 'stored':
        return this.copyStored();
      case 'codes':
        return this.decodeCodes(isEnd);
      case 'trailer':
        return this.readTrailer();
      case 'padding':
        while (this.inputAt < this.inputEnd) if (this.input[this.inputAt++] !== 0) damaged('data behind the zeros at its end');
        return false;
    }
  }

  private readMember(isEnd: boolean): boolean {
    const { input } = this;
    if (this.available === 0) return false;
    if (this.numMembers > 0 && input[this.inputAt] === 0) {
      this.stage = 'padding';
      return true;
    }
    const end = this.headerEnd();
    if (end === undefined) {
      if (this.available > LONGEST_MEMBER_HEADER) damaged('a header that is too long');
      if (isEnd) damaged('unexpected end of file');
      return false;
    }
    this.inputAt = end;
    this.bits = 0;
    this.numBits = 0;
    this.produced = 0;
    this.checksum.reset();
    this.stage = 'block';
    return true;
  }

  /** Where the header of a member ends; undefined if it is not all there. */
  private headerEnd(): number | undefined {
    const { input, inputAt: start, inputEnd } = this;
    const isWrong = (at: number, byte: number): boolean => start + at < inputEnd && input[start + at] !== byte;
    if (isWrong(0, 0x1f) || isWrong(1, 0x8b)) damaged('incorrect header check');
    if (isWrong(2, 8)) damaged('unknown compression method');
    if (inputEnd - start < 10) return undefined;
    const flags = input[start + 3];
    if ((flags & ~(HAS_TEXT_FLAG_ONLY | HAS_HEADER_CHECKSUM | HAS_EXTRA | HAS_NAME | HAS_COMMENT)) !== 0)
      damaged('unknown header flags set');
    let at = start + 10;
    if ((flags & HAS_EXTRA) !== 0) at += 2 + (input[at] | (input[at + 1] << 8));
    for (const flag of [HAS_NAME, HAS_COMMENT]) {
      if ((flags & flag) === 0 || at > inputEnd) continue;
      const zero = input.indexOf(0, at);
      if (zero < 0 || zero >= inputEnd) return undefined;
      at = zero + 1;
    }
    if ((flags & HAS_HEADER_CHECKSUM) !== 0) {
      if (at + 2 > inputEnd) return undefined;
      const header = new Crc32();
      header.update(input, start, at);
      if ((header.value() & 0xffff) !== (input[at] | (input[at + 1] << 8))) damaged('header crc mismatch');
      at += 2;
    }
    return at > inputEnd ? undefined : at;
  }

  private take(width: number): number {
    while (this.numBits < width) {
      if (this.inputAt >= this.inputEnd) damaged('unexpected end of file');
      this.bits |= this.input[this.inputAt++] << this.numBits;
      this.numBits += 8;
    }
    const value = this.bits & ((1 << width) - 1);
    this.bits >>>= width;
    this.numBits -= width;
    return value;
  }

  private readBlock(): void {
    this.isLastBlock = this.take(1) === 1;
    const kind = this.take(2);
    if (kind === 0) {
      this.alignToByte();
      const length = this.take(16);
      if (length !== (this.take(16) ^ 0xffff)) damaged('invalid stored block lengths');
      this.storedLeft = length;
      this.stage = 'stored';
    } else if (kind === 1) {
      this.lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288);
      this.lengthCodes.fill(this.lengths, 0, 288, false);
      this.lengths.fill(5, 0, 32);
      this.distanceCodes.fill(this.lengths, 0, 32, false);
      this.stage = 'codes';
    } else if (kind === 2) {
      this.readCodes();
      this.stage = 'codes';
    } else damaged('invalid block type');
  }

  private readCodes(): void {
    const { lengths } = this;
    const numLengths = this.take(5) + 257;
    const numDistances = this.take(5) + 1;
    const numOrder = this.take(4) + 4;
    if (numLengths > 286 || numDistances > 30) damaged('too many length or distance symbols');
    const orders = new Uint8Array(19); // fits: numbers of 3 bits
    for (let i = 0; i < numOrder; i++) orders[lengthOrder[i]] = this.take(3);
    this.lengthCodes.fill(orders, 0, 19, false);
    const { table } = this.lengthCodes;
    const total = numLengths + numDistances;
    for (let i = 0; i < total; ) {
      const symbol = this.takeSymbol(table);
      if (symbol < 16) lengths[i++] = symbol;
      else {
        if (symbol === 16 && i === 0) damaged('invalid bit length repeat');
        const value = symbol === 16 ? lengths[i - 1] : 0;
        const times = symbol === 16 ? 3 + this.take(2) : symbol === 17 ? 3 + this.take(3) : 11 + this.take(7);
        if (i + times > total) damaged('invalid bit length repeat');
        lengths.fill(value, i, i + times);
        i += times;
      }
    }
    if (lengths[256] === 0) damaged('invalid code -- missing end-of-block');
    this.lengthCodes.fill(lengths, 0, numLengths, true);
    this.distanceCodes.fill(lengths, numLengths, total, true);
  }

  private takeSymbol(table: Uint16Array): number {
    while (this.numBits < LONGEST_CODE && this.inputAt < this.inputEnd) {
      this.bits |= this.input[this.inputAt++] << this.numBits;
      this.numBits += 8;
    }
    const entry = table[this.bits & 0x7fff];
    const width = entry & 15;
    if (width === 0) damaged('an invalid code');
    if (width > this.numBits) damaged('unexpected end of file');
    this.bits >>>= width;
    this.numBits -= width;
    return entry >> 4;
  }

  private copyStored(): boolean {
    const length = Math.min(this.storedLeft, this.available, this.output.length - this.outputEnd);
    this.output.set(this.input.subarray(this.inputAt, this.inputAt + length), this.outputEnd);
    this.inputAt += length;
    this.storedLeft -= length;
    this.advance(this.outputEnd, this.outputEnd + length);
    if (this.storedLeft === 0) {
      this.stage = this.isLastBlock ? 'trailer' : 'block';
      return true;
    }
    return this.available > 0;
  }

  private decodeCodes(isEnd: boolean): boolean {
    const { output } = this;
    const lengthTable = this.lengthCodes.table;
    const distanceTable = this.distanceCodes.table;
    const start = this.outputEnd;
    const room = output.length - LONGEST_MATCH;
    let end = start;
    let isDone = false;
    while (end < room && (isEnd || this.available >= LONGEST_STEP)) {
      const symbol = this.takeSymbol(lengthTable);
      if (symbol < 256) output[end++] = symbol;
      else if (symbol === 256) {
        isDone = true;
        break;
      } else {
        if (symbol > 285) damaged('invalid literal/length code');
        const length = lengthBases[symbol - 257] + this.take(lengthWidths[symbol - 257]);
        const which = this.takeSymbol(distanceTable);
        if (which > 29) damaged('invalid distance code');
        const distance = distanceBases[which] + this.take(distanceWidths[which]);
        if (distance > this.produced + end - start) damaged('invalid distance too far back');
        for (const stop = end + length; end < stop; end++) output[end] = output[end - distance];
      }
    }
    this.advance(start, end);
    if (isDone) this.stage = this.isLastBlock ? 'trailer' : 'block';
    return isDone || end >= room;
  }

  private advance(start: number, end: number): void {
    this.checksum.update(this.output, start, end);
    this.produced += end - start;
    this.outputEnd = end;
  }

  private readTrailer(): boolean {
    this.alignToByte();
    if (this.available < 8) return false;
    const { input, inputAt: at } = this;
    const word = (from: number): number => (input[from] | (input[from + 1] << 8) | (input[from + 2] << 16) | (input[from + 3] << 24)) >>> 0;
    if (word(at) !== this.checksum.value()) damaged('incorrect data check');
    if (word(at + 4) !== this.produced % 2 ** 32) damaged('incorrect length check');
    this.inputAt += 8;
    this.numMembers++;
    this.stage = 'member';
    return true;
  }

  private error(reason: string): InputError {
    const wayOut = 'the file is damaged or incomplete; fetch or make it again';
    return new InputError({ source: this.source, message: `cannot be decompressed as gzip: ${reason}`, wayOut });
  }
}
