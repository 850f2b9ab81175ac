/** A decoder of LZ4 frames that takes them as they come, and takes nothing that breaks a rule. */
import { InputError } from '../../core/problem.js';
import { Damage } from '../zstd/damage.js';
import { decodeBlock, WINDOW } from './block.js';
import { Checksum32 } from './checksum.js';

const MAGIC = 0x184d2204;
const FIRST_SKIPPABLE_MAGIC = 0x184d2a50;
const STORED = 0x80000000;

/** What comes next in the stream. */
type Stage =
  | 'magic'
  | 'descriptor'
  | 'header'
  | 'block size'
  | 'block'
  | 'block checksum'
  | 'content checksum'
  | 'skippable size'
  | 'skippable content';

/** What the header of a frame says. */
interface FrameHeader {
  readonly isLinked: boolean;
  readonly hasBlockChecksums: boolean;
  readonly hasContentChecksum: boolean;
  readonly hasContentSize: boolean;
  readonly hasDictionary: boolean;
  readonly largestBlock: number;
}

/** Whether bytes begin with a frame. */
export function isLz4Frame(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === MAGIC;
}

/** Decodes a stream of frames, in memory that the largest block bounds: 4 MiB. */
export class Lz4Decoder {
  private readonly source: string | undefined;
  private input: Uint8Array = new Uint8Array(16);
  /** The window, and a block behind it. */
  private output: Uint8Array = new Uint8Array(0);
  private outputEnd = 0;
  private readonly headerChecksum: Checksum32 = new Checksum32();
  private readonly blockChecksum: Checksum32 = new Checksum32();
  private readonly contentChecksum: Checksum32 = new Checksum32();
  private stage: Stage = 'magic';
  /** How many bytes the stage takes, and how many of them are there. */
  private needed = 4;
  private numHeld = 0;
  private position = 0;
  private frame: FrameHeader | undefined;
  private contentSize: number | undefined;
  private produced = 0;
  private isStored = false;

  /** @param source What to call the data in messages. */
  constructor({ source }: { readonly source?: string | undefined } = {}) {
    this.source = source;
  }

  /** Takes the next part of the stream and gives what follows from it, block by block; each is only valid until the next.
   *  @throws An `InputError` that tells what is wrong with the data. */
  *push(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(this.needed - this.numHeld, chunk.length - at);
      if (this.stage !== 'skippable content') this.input.set(chunk.subarray(at, at + taken), this.numHeld);
      at += taken;
      this.numHeld += taken;
      if (this.numHeld < this.needed) return;
      const start = this.step();
      if (start < this.outputEnd) yield this.output.subarray(start, this.outputEnd);
    }
  }

  /** Says that the stream has ended.
   *  @throws An `InputError` if it has ended too early. */
  finish(): void {
    if (this.stage === 'magic' && this.numHeld === 0 && this.position > 0) return;
    if (this.stage === 'magic' && this.position > 0) {
      throw this.error(`there are ${this.numHeld} bytes behind the last LZ4 frame, at byte ${this.position}`);
    }
    throw this.error('the LZ4 frame is cut off');
  }

  /** Works on the bytes of a stage, which are all there, and goes on to the next one. Returns where new content begins. */
  private step(): number {
    const { stage, input } = this;
    const view = new DataView(input.buffer);
    switch (stage) {
      case 'magic':
        this.readMagic(view.getUint32(0, true));
        break;
      case 'descriptor':
        this.readDescriptor(input[0], input[1]);
        break;
      case 'header':
        this.readHeader(view);
        break;
      case 'block size':
        this.readBlockSize(view.getUint32(0, true));
        break;
      case 'block':
        return this.readBlock();
      case 'block checksum':
        if (view.getUint32(0, true) !== this.blockChecksum.value()) throw this.error(`${this.where()} does not match its checksum`);
        this.next('block size', 4);
        break;
      case 'content checksum':
        if (view.getUint32(0, true) !== this.contentChecksum.value()) throw this.error('the LZ4 frame does not match its checksum');
        this.next('magic', 4);
        break;
      case 'skippable size': {
        const size = view.getUint32(0, true);
        if (size === 0) this.next('magic', 4);
        else this.next('skippable content', size);
        break;
      }
      case 'skippable content':
        this.next('magic', 4);
    }
    return this.outputEnd;
  }

  private next(stage: Stage, needed: number): void {
    this.position += this.numHeld;
    this.numHeld = 0;
    this.stage = stage;
    this.needed = needed;
  }

  private readMagic(magic: number): void {
    if (magic === MAGIC) this.next('descriptor', 2);
    else if ((magic & 0xfffffff0) === FIRST_SKIPPABLE_MAGIC) this.next('skippable size', 4);
    else throw this.error(`what begins at byte ${this.position} is no LZ4 frame`);
  }

  private readDescriptor(flags: number, sizes: number): void {
    if (flags >> 6 !== 1) throw this.error(`the LZ4 frame has version ${flags >> 6}, expected 1`);
    const sizeCode = (sizes >> 4) & 7;
    if ((flags & 2) !== 0 || (sizes & 0x8f) !== 0 || sizeCode < 4) throw this.error('the LZ4 frame has a header with reserved bits set');
    const frame: FrameHeader = {
      isLinked: (flags & 0x20) === 0,
      hasBlockChecksums: (flags & 0x10) !== 0,
      hasContentSize: (flags & 8) !== 0,
      hasContentChecksum: (flags & 4) !== 0,
      hasDictionary: (flags & 1) !== 0,
      largestBlock: 1 << (8 + 2 * sizeCode),
    };
    if (frame.hasDictionary) throw this.error('the LZ4 frame needs a dictionary', 'decompress it with lz4 -dc -D DICTIONARY');
    this.frame = frame;
    this.headerChecksum.reset();
    this.headerChecksum.update(this.input, 0, 2);
    this.next('header', (frame.hasContentSize ? 8 : 0) + 1);
  }

  private readHeader(view: DataView): void {
    const sumAt = this.needed - 1;
    this.headerChecksum.update(this.input, 0, sumAt);
    if (((this.headerChecksum.value() >>> 8) & 0xff) !== this.input[sumAt]) {
      throw this.error('the header of the LZ4 frame does not match its checksum');
    }
    this.contentSize = sumAt === 8 ? view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32 : undefined;
    this.produced = 0;
    this.outputEnd = 0;
    this.contentChecksum.reset();
    this.next('block size', 4);
  }

  private readBlockSize(word: number): void {
    const { largestBlock = 0, hasContentChecksum } = this.frame ?? {};
    const size = word & ~STORED;
    this.isStored = word >= STORED;
    if (word === 0) {
      if (this.contentSize !== undefined && this.produced !== this.contentSize) {
        throw this.error(`the LZ4 frame gives ${this.produced} bytes, and says that they are ${this.contentSize}`);
      }
      if (hasContentChecksum) this.next('content checksum', 4);
      else this.next('magic', 4);
      return;
    }
    if (size === 0 || size > largestBlock) throw this.error(`${this.where()} has ${size} bytes, expected 1 to ${largestBlock}`);
    if (this.input.length < size) this.input = new Uint8Array(size);
    this.next('block', size);
  }

  private readBlock(): number {
    const { input, needed } = this;
    const { largestBlock = 0, isLinked, hasBlockChecksums, hasContentChecksum } = this.frame ?? {};
    this.makeRoom(largestBlock);
    const start = this.outputEnd;
    const { output } = this;
    if (this.isStored) {
      output.set(input.subarray(0, needed), start);
      this.outputEnd += needed;
    } else {
      try {
        const lowest = isLinked ? Math.max(0, start - WINDOW) : start;
        this.outputEnd = decodeBlock(input, needed, output, start, lowest, start + largestBlock);
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        throw this.error(`${this.where()} has ${error.message}`);
      }
    }
    this.produced += this.outputEnd - start;
    if (hasContentChecksum) this.contentChecksum.update(output, start, this.outputEnd);
    if (hasBlockChecksums) {
      this.blockChecksum.reset();
      this.blockChecksum.update(input, 0, needed);
      this.next('block checksum', 4);
    } else this.next('block size', 4);
    return start;
  }

  /** Keeps the window in front of a block, wherever that has to be. */
  private makeRoom(largestBlock: number): void {
    if (this.outputEnd + largestBlock <= this.output.length) return;
    const kept = this.output.subarray(Math.max(0, this.outputEnd - WINDOW), this.outputEnd);
    const target = this.output.length >= 2 * WINDOW + largestBlock ? this.output : new Uint8Array(2 * WINDOW + largestBlock);
    if (target === this.output) target.copyWithin(0, this.outputEnd - kept.length, this.outputEnd);
    else target.set(kept);
    this.output = target;
    this.outputEnd = kept.length;
  }

  private where(): string {
    return `the LZ4 block at byte ${this.position}`;
  }

  private error(reason: string, wayOut = 'the file is damaged or incomplete; fetch or make the file again'): InputError {
    return new InputError({ source: this.source, message: `cannot be decompressed: ${reason}`, wayOut });
  }
}
