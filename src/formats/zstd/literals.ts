/** The literals of a block (RFC 8878, 3.1.1.3.1): bytes that the sequences take from, one after another. */
import { damaged } from './damage.js';
import { HuffmanTable } from './huffman.js';
import { LARGEST_BLOCK, type PaddedBytes, paddedBytes } from './padded-bytes.js';

const RAW = 0;
const REPEATED_BYTE = 1;
const COMPRESSED = 2;
/** The reference decoder does not take four streams for fewer. */
const FEWEST_FOR_FOUR_STREAMS = 6;

/** The literal bytes of a block; a Huffman table is kept for later blocks that use it again. */
export class Literals {
  /** Where they are: in the block itself, if they are not compressed. */
  content: PaddedBytes;
  /** Where they begin there. */
  start = 0;
  length = 0;
  private readonly decoded: PaddedBytes = paddedBytes(LARGEST_BLOCK);
  private readonly table: HuffmanTable = new HuffmanTable();

  constructor() {
    this.content = this.decoded;
  }

  /** A frame knows nothing of the one before. */
  reset(): void {
    this.table.isFilled = false;
  }

  /** Reads the section that begins a block, content[start..end), and returns where it ends. */
  read(content: PaddedBytes, start: number, end: number, mostBytes: number): number {
    const { bytes, view } = content;
    if (start >= end) damaged('a compressed block without content');
    const kind = bytes[start] & 3;
    const sizeFormat = (bytes[start] >> 2) & 3;
    if (kind === RAW || kind === REPEATED_BYTE) {
      const headerLength = sizeFormat === 3 ? 3 : sizeFormat === 1 ? 2 : 1;
      const header = view.getUint32(start, true);
      this.length = headerLength === 1 ? (header & 0xff) >> 3 : (header & (headerLength === 2 ? 0xffff : 0xffffff)) >> 4;
      this.checkLength(mostBytes);
      const from = start + headerLength;
      const to = from + (kind === RAW ? this.length : 1);
      if (to > end) damaged('literals that are longer than their block');
      if (kind === RAW) {
        this.content = content;
        this.start = from;
      } else {
        this.content = this.decoded;
        this.start = 0;
        this.decoded.bytes.fill(bytes[from], 0, this.length);
      }
      return to;
    }
    return this.readCompressed(content, start, end, mostBytes, kind === COMPRESSED, sizeFormat);
  }

  private readCompressed(
    { bytes, view }: PaddedBytes,
    start: number,
    end: number,
    mostBytes: number,
    hasTable: boolean,
    sizeFormat: number,
  ): number {
    // two sizes of 10, 14 or 18 bits behind the first four
    const header = view.getUint32(start, true);
    const width = sizeFormat < 2 ? 10 : sizeFormat === 2 ? 14 : 18;
    this.length = (header >>> 4) & ((1 << width) - 1);
    const compressedLength =
      width === 10 ? (header >>> 14) & 0x3ff : width === 14 ? header >>> 18 : (header >>> 22) | (bytes[start + 4] << 10);
    this.checkLength(mostBytes);
    let from = start + (width === 10 ? 3 : width === 14 ? 4 : 5);
    const to = from + compressedLength;
    if (to > end) damaged('literals that are longer than their block');
    if (hasTable) from = this.table.read(bytes, view, from, to);
    else if (!this.table.isFilled) damaged('literals that use an earlier Huffman table where there is none');
    this.content = this.decoded;
    this.start = 0;
    const { bytes: target } = this.decoded;
    if (sizeFormat === 0) this.table.decode(bytes, view, from, to, target, 0, this.length);
    else {
      if (this.length < FEWEST_FOR_FOUR_STREAMS) damaged('four streams for fewer than six literals');
      this.table.decodeFour(bytes, view, from, to, target, this.length);
    }
    return to;
  }

  private checkLength(mostBytes: number): void {
    if (this.length > mostBytes) damaged(`${this.length} literals, where a block has at most ${mostBytes} bytes`);
  }
}
