/** XXH64 (Collet) with seed 0, of which Zstandard keeps the low 32 bits. Numbers of 64 bits are held as two halves of 32. */
import { StripedChecksum } from '../striped-checksum.js';

const STRIPE = 32;
const NUM_LANES = 4;
/** The five primes, low half and high half. */
const [LOW_1, HIGH_1] = [0x85ebca87 | 0, 0x9e3779b1 | 0];
const [LOW_2, HIGH_2] = [0x27d4eb4f | 0, 0xc2b2ae3d | 0];
const [LOW_3, HIGH_3] = [0x9e3779f9 | 0, 0x165667b1 | 0];
const [LOW_4, HIGH_4] = [0xc2b2ae63 | 0, 0x85ebca77 | 0];
const [LOW_5, HIGH_5] = [0x165667c5 | 0, 0x27d4eb2f | 0];

/** The upper half of the product of two whole numbers of 32 bits. */
function highProduct(a: number, b: number): number {
  const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = Math.imul(aHigh, bLow);
  const other = Math.imul(aLow, bHigh);
  const carry = (Math.imul(aLow, bLow) >>> 16) + (middle & 0xffff) + (other & 0xffff);
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (other >>> 16) + (carry >>> 16)) | 0;
}

/** A number of 64 bits that operations change in place. */
class Word {
  low = 0;
  high = 0;

  set(low: number, high: number): void {
    this.low = low;
    this.high = high;
  }

  add(low: number, high: number): void {
    const sum = (this.low + low) | 0;
    this.high = (this.high + high + (sum >>> 0 < this.low >>> 0 ? 1 : 0)) | 0;
    this.low = sum;
  }

  xor(low: number, high: number): void {
    this.low ^= low;
    this.high ^= high;
  }

  multiply(low: number, high: number): void {
    const upper = (highProduct(this.low, low) + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0;
    this.low = Math.imul(this.low, low);
    this.high = upper;
  }

  /** By 1 to 31 bits. */
  rotate(by: number): void {
    const { low, high } = this;
    this.low = (low << by) | (high >>> (32 - by));
    this.high = (high << by) | (low >>> (32 - by));
  }

  /** Xor with itself, moved down by `by` bits. */
  fold(by: number): void {
    const { low, high } = this;
    if (by >= 32) this.low = low ^ (high >>> (by - 32));
    else {
      this.low = low ^ ((low >>> by) | (high << (32 - by)));
      this.high = high ^ (high >>> by);
    }
  }
}

/** One step of a lane. */
function mix(lane: Word, low: number, high: number): void {
  lane.add(Math.imul(low, LOW_2), (highProduct(low, LOW_2) + Math.imul(high, LOW_2) + Math.imul(low, HIGH_2)) | 0);
  lane.rotate(31);
  lane.multiply(LOW_1, HIGH_1);
}

/** `mix` for every stripe, written out: the calls would cost more than the work. */
function mixAll(lane: Word, view: DataView, start: number, end: number): void {
  const low2Low = LOW_2 & 0xffff;
  const low2High = LOW_2 >>> 16;
  const low1Low = LOW_1 & 0xffff;
  const low1High = LOW_1 >>> 16;
  let { low, high } = lane;
  for (let at = start; at < end; at += STRIPE) {
    const word = view.getInt32(at, true);
    const wordLow = word & 0xffff;
    const wordHigh = word >>> 16;
    let middle = Math.imul(wordHigh, low2Low);
    let other = Math.imul(wordLow, low2High);
    let carry = (Math.imul(wordLow, low2Low) >>> 16) + (middle & 0xffff) + (other & 0xffff);
    let upper = Math.imul(wordHigh, low2High) + (middle >>> 16) + (other >>> 16) + (carry >>> 16);
    upper = (upper + Math.imul(view.getInt32(at + 4, true), LOW_2) + Math.imul(word, HIGH_2)) | 0;
    const sum = (low + Math.imul(word, LOW_2)) | 0;
    high = (high + upper + (sum >>> 0 < low >>> 0 ? 1 : 0)) | 0;
    const turned = (sum << 31) | (high >>> 1);
    high = (high << 31) | (sum >>> 1);
    const turnedLow = turned & 0xffff;
    const turnedHigh = turned >>> 16;
    middle = Math.imul(turnedHigh, low1Low);
    other = Math.imul(turnedLow, low1High);
    carry = (Math.imul(turnedLow, low1Low) >>> 16) + (middle & 0xffff) + (other & 0xffff);
    upper = Math.imul(turnedHigh, low1High) + (middle >>> 16) + (other >>> 16) + (carry >>> 16);
    high = (upper + Math.imul(high, LOW_1) + Math.imul(turned, HIGH_1)) | 0;
    low = Math.imul(turned, LOW_1);
  }
  lane.set(low, high);
}

/** The checksum at the end of a zstd frame (XXH64), taken chunk by chunk. */
export class ContentChecksum extends StripedChecksum {
  private readonly lanes: readonly Word[] = Array.from({ length: NUM_LANES }, () => new Word());

  constructor() {
    super(STRIPE);
    this.reset();
  }

  override reset(): void {
    super.reset();
    const [a, b, c, d] = this.lanes;
    a.set(LOW_1, HIGH_1);
    a.add(LOW_2, HIGH_2);
    b.set(LOW_2, HIGH_2);
    c.set(0, 0);
    // minus the first prime
    d.set(~LOW_1, ~HIGH_1);
    d.add(1, 0);
  }

  /** Lane by lane: a loop over one of them keeps all its numbers in registers. */
  protected takeStripes(view: DataView, start: number, end: number): void {
    for (let i = 0; i < NUM_LANES; i++) mixAll(this.lanes[i], view, start + 8 * i, end);
  }

  /** The low 32 bits of the hash of all bytes so far. */
  low32(): number {
    const hash = new Word();
    if (this.total < STRIPE) hash.set(LOW_5, HIGH_5);
    else {
      const turned = new Word();
      for (const [i, by] of [1, 7, 12, 18].entries()) {
        turned.set(this.lanes[i].low, this.lanes[i].high);
        turned.rotate(by);
        hash.add(turned.low, turned.high);
      }
      for (const { low, high } of this.lanes) {
        turned.set(0, 0);
        mix(turned, low, high);
        hash.xor(turned.low, turned.high);
        hash.multiply(LOW_1, HIGH_1);
        hash.add(LOW_4, HIGH_4);
      }
    }
    hash.add(this.total | 0, Math.floor(this.total / 2 ** 32) | 0);
    this.mixRest(hash);
    hash.fold(33);
    hash.multiply(LOW_2, HIGH_2);
    hash.fold(29);
    hash.multiply(LOW_3, HIGH_3);
    return (hash.low ^ hash.high) >>> 0;
  }

  private mixRest(hash: Word): void {
    const { heldView, numHeld } = this;
    const step = new Word();
    let at = 0;
    for (; at + 8 <= numHeld; at += 8) {
      step.set(0, 0);
      mix(step, heldView.getInt32(at, true), heldView.getInt32(at + 4, true));
      hash.xor(step.low, step.high);
      hash.rotate(27);
      hash.multiply(LOW_1, HIGH_1);
      hash.add(LOW_4, HIGH_4);
    }
    if (at + 4 <= numHeld) {
      step.set(heldView.getInt32(at, true), 0);
      step.multiply(LOW_1, HIGH_1);
      hash.xor(step.low, step.high);
      hash.rotate(23);
      hash.multiply(LOW_2, HIGH_2);
      hash.add(LOW_3, HIGH_3);
      at += 4;
    }
    for (; at < numHeld; at++) {
      step.set(heldView.getUint8(at), 0);
      step.multiply(LOW_5, HIGH_5);
      hash.xor(step.low, step.high);
      hash.rotate(11);
      hash.multiply(LOW_1, HIGH_1);
    }
  }
}
