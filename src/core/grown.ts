/** The array if it holds this many numbers, else one with room for twice as many: scratch space, whose contents are lost. */
export function grown<T extends Float64Array | Uint32Array>(array: T, length: number): T {
  return array.length >= length ? array : new (array.constructor as new (length: number) => T)(2 * length);
}
