/** The arrays that grow. */
type Growable = Uint8Array | Uint32Array | Float32Array | Float64Array;

function ofLength<T extends Growable>(array: T, length: number): T {
  return new (array.constructor as new (length: number) => T)(length);
}

/** The array if it holds this many numbers, else one with room for twice as many: scratch space, whose contents are lost. */
export function scratchFor<T extends Growable>(array: T, length: number): T {
  return array.length >= length ? array : ofLength(array, 2 * length);
}

/** A longer array of the same kind that begins with what the array holds. */
export function lengthened<T extends Growable>(array: T, length: number): T {
  const longer = ofLength(array, length);
  longer.set(array);
  return longer;
}

/** An array that gets longer by one number at a time. */
export class GrowingArray<T extends Uint32Array | Float64Array> {
  private values: T;
  length = 0;

  /** @param room  what the first numbers are put into; it must not be empty */
  constructor(room: T) {
    this.values = room;
  }

  push(value: number): void {
    if (this.length === this.values.length) this.values = lengthened(this.values, this.length * 2);
    this.values[this.length++] = value;
  }

  at(place: number): number {
    return this.values[place];
  }

  /** The values at these places, or all of them. */
  take(places: Uint32Array | undefined): T {
    const { values, length } = this;
    if (places === undefined) return values.slice(0, length) as T;
    const taken = ofLength(values, places.length);
    for (let i = 0; i < places.length; i++) taken[i] = values[places[i]];
    return taken;
  }
}

/** Numbers that come one by one. */
export type GrowingFloats = GrowingArray<Float64Array>;
/** Counts and places that come one by one. */
export type GrowingInts = GrowingArray<Uint32Array>;

/** An empty array of numbers, with room for a few at first. */
export function growingFloats(): GrowingFloats {
  return new GrowingArray(new Float64Array(1024));
}

/** An empty array of whole numbers, with room for a few at first. */
export function growingInts(): GrowingInts {
  return new GrowingArray(new Uint32Array(1024)); // fits: entries
}
