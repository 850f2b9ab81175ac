import { lengthened } from '../../core/growing-arrays.js';
import type { Ids } from '../../core/ids.js';
import { textCapacity, writeText } from '../../core/text.js';
import { joined } from '../reader.js';

/** Bytes gathered before they are handed on. */
const CHUNK = 1 << 16;
const MAX_DIGITWISE = 1e6;

/** Text under way to a file, as bytes, because ids need not be valid text. Writers fill it and hand on what `takeFull`
 *  returns from time to time, so that a file is never in memory as a whole. */
export class ByteWriter {
  private bytes: Uint8Array = new Uint8Array(2 * CHUNK); // fits: bytes
  private length = 0;

  byte(value: number): void {
    if (this.length === this.bytes.length) this.makeRoom(1);
    this.bytes[this.length++] = value;
  }

  text(text: string): void {
    this.makeRoom(textCapacity(text));
    this.length = writeText(this.bytes, this.length, text);
  }

  part(source: Uint8Array, start: number, end: number): void {
    this.makeRoom(end - start);
    const { bytes } = this;
    let at = this.length;
    for (let i = start; i < end; i++) bytes[at++] = source[i];
    this.length = at;
  }

  id(ids: Ids, id: number): void {
    this.part(ids.bytes, ids.offsets[id], ids.offsets[id + 1]);
  }

  /** The shortest text that reads back as this number, including the sign of -0. */
  number(value: number): void {
    if (value > 0 && value < MAX_DIGITWISE && Number.isInteger(value)) this.wholeNumber(value);
    else this.text(Object.is(value, -0) ? '-0' : String(value));
  }

  /** Ranks and grades, without a detour by strings. */
  private wholeNumber(value: number): void {
    let numDigits = 1;
    while (value >= 10 ** numDigits) numDigits++;
    this.makeRoom(numDigits);
    this.length += numDigits;
    let rest = value;
    for (let at = this.length - 1; rest > 0; at--) {
      this.bytes[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }

  /** What has been written, if it is enough to be worth handing on. */
  takeFull(): Uint8Array | undefined {
    return this.length < CHUNK ? undefined : this.take();
  }

  take(): Uint8Array {
    const chunk = this.bytes.slice(0, this.length);
    this.length = 0;
    return chunk;
  }

  private makeRoom(more: number): void {
    const needed = this.length + more;
    if (needed > this.bytes.length) this.bytes = lengthened(this.bytes, Math.max(needed, this.bytes.length * 2));
  }
}

/** All chunks as one. */
export function joinChunks(chunks: Iterable<Uint8Array>): Uint8Array {
  return joined([...chunks]);
}
