import { evaluationLimits } from '../core/evaluation-limits.js';
import { tooManyIds } from '../core/ids.js';

/** Gives each different pair of whole numbers a number of its own: 0, 1, 2 … in the order they were first seen. */
export class PairTable {
  size = 0;
  /** The two numbers of each pair. */
  first: Uint32Array = new Uint32Array(512); // fits: entries
  second: Uint32Array = new Uint32Array(512); // fits: entries
  private slots: Uint32Array = new Uint32Array(1024); // fits: entries, and one more for none, which evaluationLimits.ids leaves room for

  intern(a: number, b: number): number {
    const { slots, first, second } = this;
    const mask = slots.length - 1;
    let slot = mixed(a, b) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const pair = slots[slot] - 1;
      if (first[pair] === a && second[pair] === b) return pair;
    }
    if (this.size === first.length) {
      this.grow();
      return this.intern(a, b);
    }
    const pair = this.size++;
    slots[slot] = pair + 1;
    first[pair] = a;
    second[pair] = b;
    return pair;
  }

  private grow(): void {
    if (this.size >= evaluationLimits.ids) throw tooManyIds();
    const { first, second } = this;
    this.first = new Uint32Array(this.size * 2); // fits: entries
    this.first.set(first);
    this.second = new Uint32Array(this.size * 2); // fits: entries
    this.second.set(second);
    this.slots = new Uint32Array(this.size * 4); // fits: entries, and one more for none, which evaluationLimits.ids leaves room for
    const mask = this.slots.length - 1;
    for (let pair = 0; pair < this.size; pair++) {
      let slot = mixed(first[pair], second[pair]) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = pair + 1;
    }
  }
}

/** The final steps of MurmurHash3, so that every bit of both numbers reaches the low bits. */
function mixed(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ b;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
