/** Arrays that cannot hold every number that JavaScript has. */
export type Narrow =
  | 'Int8Array'
  | 'Uint8Array'
  | 'Uint8ClampedArray'
  | 'Int16Array'
  | 'Uint16Array'
  | 'Int32Array'
  | 'Uint32Array'
  | 'Float32Array';

/** What becomes of a number in an array of this kind. */
const kept: Readonly<Record<Narrow, (value: number) => number>> = {
  Int8Array: (value) => (value << 24) >> 24,
  Uint8Array: (value) => value & 255,
  Uint8ClampedArray: (value) => value & 255,
  Int16Array: (value) => (value << 16) >> 16,
  Uint16Array: (value) => value & 65535,
  Int32Array: (value) => value | 0,
  Uint32Array: (value) => value >>> 0,
  Float32Array: Math.fround,
};

export const narrowKinds = Object.keys(kept) as Narrow[];

function refuse(value: unknown, kind: string): never {
  throw new Error(`checked store: ${value} does not survive in a ${kind}`);
}

const check =
  (kind: Narrow, keep: (value: number) => number) =>
  (value: number): number =>
    keep(value) === value || (kind === 'Float32Array' && Number.isNaN(value)) ? value : refuse(value, kind);

/** For each kind of array a function that gives a number back, or throws if the array would change it. */
export const fits = Object.fromEntries(narrowKinds.map((kind) => [kind, check(kind, kept[kind])])) as Record<
  Narrow,
  (value: number) => number
>;

/** The same for an array whose kind is known only when it runs. */
export function fitsIn(array: object, value: number): number {
  const kind = array.constructor.name;
  return kind in fits ? fits[kind as Narrow](value) : value;
}

/** The same for all numbers of a list. */
export function allFit(kind: Narrow, values: ArrayLike<number> | Iterable<number>): ArrayLike<number> {
  const list = Symbol.iterator in values ? [...values] : values;
  for (let i = 0; i < list.length; i++) if (list[i] !== undefined) fits[kind](list[i]);
  return list;
}

/** The same for all results of a function. */
export function resultsFit<A extends unknown[]>(kind: Narrow, make: (...values: A) => number): (...values: A) => number {
  return (...values) => fits[kind](make(...values));
}

/** `array[index]++` and its like, where the value is used. */
export function step(array: Record<number, number>, index: number, by: number, givesOld: boolean): number {
  const old = array[index];
  array[index] = fitsIn(array, old + by);
  return givesOld ? old : old + by;
}
