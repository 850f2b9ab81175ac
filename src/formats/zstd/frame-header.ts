/** What stands in front of the blocks of a frame (RFC 8878, 3.1.1.1). */
import { limits } from '../../core/limits.js';
import { damaged } from './damage.js';
import { LARGEST_BLOCK } from './padded-bytes.js';

/** What a frame is that cannot be read here although nothing is wrong with it; the way out is a program that can. */
export class Unsupported extends Error {
  readonly wayOut: string;
  constructor(what: string, wayOut: string) {
    super(what);
    this.wayOut = wayOut;
  }
}

/** What the header of a frame says about it. */
export interface FrameHeader {
  /** How far back a sequence may reach. */
  readonly window: number;
  /** How large a block may be, compressed or not. */
  readonly largestBlock: number;
  /** How many bytes the frame gives, where it says so. */
  readonly contentSize: number | undefined;
  readonly hasChecksum: boolean;
}

const dictionaryIdLengths = [0, 1, 2, 4];

function contentSizeLength(descriptor: number): number {
  const flag = descriptor >> 6;
  return flag === 0 ? (isSingleSegment(descriptor) ? 1 : 0) : 1 << flag;
}

/** Whether the whole content is the window. */
function isSingleSegment(descriptor: number): boolean {
  return (descriptor & 0x20) !== 0;
}

/** How many bytes follow the descriptor. */
export function headerLength(descriptor: number): number {
  if ((descriptor & 8) !== 0) damaged('a reserved bit that is set');
  return (isSingleSegment(descriptor) ? 0 : 1) + dictionaryIdLengths[descriptor & 3] + contentSizeLength(descriptor);
}

/** Reads the header that the descriptor announces, at view[start..). */
export function readFrameHeader(descriptor: number, view: DataView, start: number): FrameHeader {
  let at = start;
  let window = 0;
  if (!isSingleSegment(descriptor)) {
    const exponent = view.getUint8(at) >> 3;
    const mantissa = view.getUint8(at++) & 7;
    window = 2 ** (10 + exponent) * (1 + mantissa / 8);
  }
  let dictionary = 0;
  const idLength = dictionaryIdLengths[descriptor & 3];
  for (let i = 0; i < idLength; i++) dictionary += view.getUint8(at++) * 2 ** (8 * i);
  if (dictionary !== 0) {
    throw new Unsupported(`it was compressed with the dictionary number ${dictionary}`, 'decompress it with zstd -d -D DICTIONARY FILE');
  }
  const sizeLength = contentSizeLength(descriptor);
  let contentSize: number | undefined;
  if (sizeLength > 0) {
    contentSize = sizeLength === 2 ? 256 : 0;
    for (let i = 0; i < sizeLength; i++) contentSize += view.getUint8(at++) * 2 ** (8 * i);
  }
  if (isSingleSegment(descriptor)) window = contentSize ?? 0;
  if (window > limits.zstdWindowBytes) {
    throw new Unsupported(
      `it needs a window of ${window} bytes, and at most ${limits.zstdWindowBytes} bytes are taken`,
      'decompress it with zstd -d --memory=2048MB FILE',
    );
  }
  return { window, largestBlock: Math.min(window, LARGEST_BLOCK), contentSize, hasChecksum: (descriptor & 4) !== 0 };
}
