/** XXH32 (Collet) with seed 0, of which LZ4 frames keep all bits, and of their headers one byte. */
import { StripedChecksum } from '../striped-checksum.js';

const PRIME_1 = 0x9e3779b1 | 0;
const PRIME_2 = 0x85ebca77 | 0;
const PRIME_3 = 0xc2b2ae3d | 0;
const PRIME_4 = 0x27d4eb2f | 0;
const PRIME_5 = 0x165667b1 | 0;
const STRIPE = 16;

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

function mixed(lane: number, word: number): number {
  return Math.imul(rotated((lane + Math.imul(word, PRIME_2)) | 0, 13), PRIME_1);
}

/** A checksum that is taken chunk by chunk. */
export class Checksum32 extends StripedChecksum {
  private readonly lanes: Int32Array = new Int32Array(4); // fits: words of 32 bits

  constructor() {
    super(STRIPE);
    this.reset();
  }

  override reset(): void {
    super.reset();
    this.lanes.set([(PRIME_1 + PRIME_2) | 0, PRIME_2, 0, -PRIME_1 | 0]);
  }

  protected takeStripes(view: DataView, start: number, end: number): void {
    let [a, b, c, d] = this.lanes;
    for (let at = start; at < end; at += STRIPE) {
      a = mixed(a, view.getInt32(at, true));
      b = mixed(b, view.getInt32(at + 4, true));
      c = mixed(c, view.getInt32(at + 8, true));
      d = mixed(d, view.getInt32(at + 12, true));
    }
    this.lanes[0] = a;
    this.lanes[1] = b;
    this.lanes[2] = c;
    this.lanes[3] = d;
  }

  /** The hash of all bytes so far. */
  value(): number {
    const { lanes, numHeld, heldView, total } = this;
    let hash = PRIME_5;
    if (total >= STRIPE) hash = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
    hash = (hash + (total | 0)) | 0;
    let at = 0;
    for (; at + 4 <= numHeld; at += 4) hash = Math.imul(rotated((hash + Math.imul(heldView.getInt32(at, true), PRIME_3)) | 0, 17), PRIME_4);
    for (; at < numHeld; at++) hash = Math.imul(rotated((hash + Math.imul(heldView.getUint8(at), PRIME_5)) | 0, 11), PRIME_1);
    hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
    hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}
