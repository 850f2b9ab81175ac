/** A decoder of Zstandard streams (RFC 8878) that takes them as they come, and takes nothing that breaks a rule. */
import { InputError } from '../../core/problem.js';
import { ContentChecksum } from './content-checksum.js';
import { Damage, damaged } from './damage.js';
import { type FrameHeader, headerLength, readFrameHeader, Unsupported } from './frame-header.js';
import { Literals } from './literals.js';
import { LARGEST_BLOCK, PADDING, type PaddedBytes, paddedBytes } from './padded-bytes.js';
import { type Output, Sequences } from './sequences.js';

const MAGIC = 0xfd2fb528;
const FIRST_SKIPPABLE_MAGIC = 0x184d2a50;
/** Frames of versions before 0.8, of 2016, begin with these. */
const oldMagics: ReadonlySet<number> = new Set([0x1eb52ffd, 0xfd2fb522, 0xfd2fb523, 0xfd2fb524, 0xfd2fb525, 0xfd2fb526, 0xfd2fb527]);

const RAW = 0;
const REPEATED_BYTE = 1;
const COMPRESSED = 2;

/** What comes next in the stream. */
type Stage = 'magic' | 'descriptor' | 'header' | 'block header' | 'block' | 'checksum' | 'skippable size' | 'skippable content';

/** How much content is kept beyond the window before it is moved to the start of its buffer. */
function slackFor(window: number): number {
  return Math.max(LARGEST_BLOCK, Math.min(window, 1 << 20), window >> 2);
}

/** The content so far, as far as sequences may reach back to it, and room for a block. It grows with the content, not with the
 *  window that a frame asks for. */
class History implements Output {
  bytes: Uint8Array;
  view: DataView;
  end = 0;
  reach = 0;

  constructor() {
    ({ bytes: this.bytes, view: this.view } = paddedBytes(2 * LARGEST_BLOCK));
  }

  reset(): void {
    this.end = 0;
    this.reach = 0;
  }

  makeRoom(length: number, window: number): void {
    const capacity = this.bytes.length - PADDING;
    if (this.end + length <= capacity) return;
    const most = window + slackFor(window) + LARGEST_BLOCK;
    const kept = Math.min(this.reach, window);
    const from = this.end - kept;
    if (capacity < most && kept + length > capacity / 2) {
      const larger = paddedBytes(Math.min(most, Math.max(2 * capacity, kept + length)));
      larger.bytes.set(this.bytes.subarray(from, this.end));
      ({ bytes: this.bytes, view: this.view } = larger);
    } else this.bytes.copyWithin(0, from, this.end);
    this.end = kept;
    this.reach = kept;
  }
}

/** What a decoder needs to know for its messages. */
export interface ZstdOptions {
  /** What to call the data in messages. */
  readonly source?: string | undefined;
}

/** Decodes a stream of frames. The memory it takes is bounded by the window of the frames, which is at most 128 MiB. */
export class ZstdDecoder {
  private readonly source: string | undefined;
  private readonly input: PaddedBytes = paddedBytes(LARGEST_BLOCK);
  private readonly history: History = new History();
  private readonly literals: Literals = new Literals();
  private readonly sequences: Sequences = new Sequences();
  private readonly checksum: ContentChecksum = new ContentChecksum();
  private stage: Stage = 'magic';
  /** How many bytes the stage takes, and how many of them are there. */
  private needed = 4;
  private numHeld = 0;
  /** Bytes of the stream before the stage, and before the frame. */
  private position = 0;
  private frameStart = 0;
  private descriptor = 0;
  private frame: FrameHeader = { window: 0, largestBlock: 0, contentSize: 0, hasChecksum: false };
  private produced = 0;
  private blockKind = RAW;
  private blockSize = 0;
  private isLastBlock = false;

  constructor({ source }: ZstdOptions = {}) {
    this.source = source;
  }

  /** Takes the next part of the stream and gives what follows from it, block by block; each is only valid until the next.
   *  @throws An `InputError` that tells what is wrong with the data. */
  *push(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
    const { bytes } = this.input;
    let at = 0;
    while (at < chunk.length) {
      const taken = Math.min(this.needed - this.numHeld, chunk.length - at);
      if (this.stage !== 'skippable content')
        bytes.set(taken === chunk.length ? chunk : chunk.subarray(at, at + taken), PADDING + this.numHeld);
      at += taken;
      this.numHeld += taken;
      if (this.numHeld < this.needed) return;
      const start = this.step();
      if (start !== undefined && start < this.history.end) yield this.history.bytes.subarray(start, this.history.end);
    }
  }

  /** Says that the stream has ended.
   *  @throws An `InputError` if it has ended too early. */
  finish(): void {
    if (this.stage === 'magic' && this.numHeld === 0 && this.position > 0) return;
    throw this.error(
      this.stage === 'magic' && this.position > 0
        ? `there are ${this.numHeld} bytes that are no frame behind the last frame, at byte ${this.position}`
        : `the data end inside the frame at byte ${this.frameStart}`,
    );
  }

  /** Works on the bytes of a stage, which are all there, and goes on to the next one. Returns where in the history new content
   *  begins, if there is any. */
  private step(): number | undefined {
    try {
      const { stage } = this;
      if (stage === 'block') return this.readBlock();
      this.readOther(stage);
      return undefined;
    } catch (error) {
      if (error instanceof Unsupported) throw this.error(error.message, error.wayOut);
      if (!(error instanceof Damage)) throw error;
      const where = this.stage === 'block' || this.stage === 'block header' ? 'block' : 'frame';
      throw this.error(`the ${where} at byte ${where === 'block' ? this.position : this.frameStart} has ${error.message}`);
    }
  }

  private readOther(stage: Stage): void {
    const { view } = this.input;
    switch (stage) {
      case 'magic':
        this.readMagic(view.getUint32(PADDING, true));
        break;
      case 'descriptor':
        this.descriptor = view.getUint8(PADDING);
        this.next('header', headerLength(this.descriptor));
        break;
      case 'header':
        this.beginFrame(readFrameHeader(this.descriptor, view, PADDING));
        break;
      case 'block header':
        this.readBlockHeader(view.getUint8(PADDING) | (view.getUint16(PADDING + 1, true) << 8));
        break;
      case 'checksum':
        if (view.getUint32(PADDING, true) !== this.checksum.low32()) damaged('content that does not match its checksum');
        this.next('magic', 4);
        break;
      case 'skippable size': {
        const size = view.getUint32(PADDING, true);
        if (size === 0) this.next('magic', 4);
        else this.next('skippable content', size);
        break;
      }
      default:
        this.next('magic', 4);
    }
  }

  private next(stage: Stage, needed: number): void {
    this.position += this.numHeld;
    this.numHeld = 0;
    this.stage = stage;
    this.needed = needed;
  }

  private readMagic(magic: number): void {
    this.frameStart = this.position;
    if (magic === MAGIC) this.next('descriptor', 1);
    else if ((magic & 0xfffffff0) === FIRST_SKIPPABLE_MAGIC) this.next('skippable size', 4);
    else if (oldMagics.has(magic)) {
      throw new Unsupported('it has the format of a zstd before 0.8', 'decompress it with zstd -d, and compress it again');
    } else throw this.error(`what begins at byte ${this.position} is no frame`);
  }

  private beginFrame(frame: FrameHeader): void {
    this.frame = frame;
    this.produced = 0;
    this.history.reset();
    this.literals.reset();
    this.sequences.reset();
    if (frame.hasChecksum) this.checksum.reset();
    this.next('block header', 3);
  }

  private readBlockHeader(header: number): void {
    this.isLastBlock = (header & 1) !== 0;
    this.blockKind = (header >> 1) & 3;
    this.blockSize = header >> 3;
    const { largestBlock } = this.frame;
    if (this.blockKind > COMPRESSED) damaged('a reserved type');
    if (this.blockSize > largestBlock) damaged(`${this.blockSize} bytes, where at most ${largestBlock} are allowed`);
    if (this.blockSize > 0 || this.blockKind === REPEATED_BYTE) this.next('block', this.blockKind === REPEATED_BYTE ? 1 : this.blockSize);
    else if (this.blockKind === COMPRESSED) damaged('no content, although it is compressed');
    else this.endBlock();
  }

  private readBlock(): number {
    const { history, input, frame, blockSize } = this;
    history.makeRoom(frame.largestBlock, frame.window);
    const start = history.end;
    if (this.blockKind === COMPRESSED) {
      const end = PADDING + blockSize;
      const at = this.literals.read(input, PADDING, end, frame.largestBlock);
      this.sequences.execute(input, at, end, this.literals, history, frame.largestBlock, frame.window);
    } else {
      if (this.blockKind === RAW) history.bytes.set(input.bytes.subarray(PADDING, PADDING + blockSize), start);
      else history.bytes.fill(input.bytes[PADDING], start, start + blockSize);
      history.end += blockSize;
      history.reach += blockSize;
    }
    this.produced += history.end - start;
    if (frame.contentSize !== undefined && this.produced > frame.contentSize) damaged('content beyond the size that its frame states');
    if (frame.hasChecksum) this.checksum.update(history.bytes, start, history.end, history.view);
    this.endBlock();
    return start;
  }

  private endBlock(): void {
    const { contentSize, hasChecksum } = this.frame;
    if (!this.isLastBlock) this.next('block header', 3);
    else if (contentSize !== undefined && this.produced !== contentSize) {
      damaged(`an end after ${this.produced} bytes, where its frame states ${contentSize}`);
    } else if (hasChecksum) this.next('checksum', 4);
    else this.next('magic', 4);
  }

  private error(reason: string, wayOut = 'the file is damaged or incomplete; fetch or make it again'): InputError {
    return new InputError({ source: this.source, message: `cannot be decompressed as zstd: ${reason}`, wayOut });
  }
}

/** Decodes data that are all there, of which the length after decompression is known. */
export function decompressZstd(bytes: Uint8Array, length: number, options: ZstdOptions = {}): Uint8Array {
  const decoder = new ZstdDecoder(options);
  const content = new Uint8Array(length);
  let at = 0;
  const wrongLength = (found: string): InputError =>
    new InputError({
      source: options.source,
      message: `the zstd data give ${found} bytes, expected ${length}`,
      wayOut: 'make the file again',
    });
  for (const part of decoder.push(bytes)) {
    if (at + part.length > length) throw wrongLength('more');
    content.set(part, at);
    at += part.length;
  }
  decoder.finish();
  if (at < length) throw wrongLength(String(at));
  return content;
}
