/** How many bytes were looked at or moved by the built-in functions of byte arrays while something ran. Loops written by hand do not
 *  count; they walk over a text once, or they show in tests of their own. */
export async function countedWork(work: () => unknown): Promise<number> {
  let bytes = 0;
  const arrays = Uint8Array.prototype;
  const { indexOf, lastIndexOf, includes, set, slice, copyWithin } = arrays;
  const { concat } = Buffer;
  const searched = (from: number, length: number, found: number): void => {
    bytes += (found < 0 ? length : found + 1) - from;
  };
  arrays.indexOf = function (this: Uint8Array, value: number, from = 0) {
    const found = indexOf.call(this, value, from);
    searched(from, this.length, found);
    return found;
  };
  arrays.lastIndexOf = function (this: Uint8Array, value: number, from = this.length - 1) {
    const found = lastIndexOf.call(this, value, from);
    bytes += from - Math.max(found, 0);
    return found;
  };
  arrays.includes = function (this: Uint8Array, value: number, from = 0) {
    searched(from, this.length, indexOf.call(this, value, from));
    return includes.call(this, value, from);
  };
  arrays.set = function (this: Uint8Array, source: ArrayLike<number>, at?: number) {
    bytes += source.length;
    set.call(this, source, at);
  };
  arrays.slice = function (this: Uint8Array<ArrayBuffer>, start?: number, end?: number) {
    const part = slice.call(this, start, end) as Uint8Array<ArrayBuffer>;
    bytes += part.length;
    return part;
  };
  arrays.copyWithin = function (this: Uint8Array, target: number, start: number, end = this.length) {
    bytes += end - start;
    return copyWithin.call(this, target, start, end);
  } as typeof copyWithin;
  Buffer.concat = (list: readonly Uint8Array[], length?: number) => {
    for (const part of list) bytes += part.length;
    return concat(list, length);
  };
  try {
    await work();
  } finally {
    Object.assign(arrays, { indexOf, lastIndexOf, includes, set, slice, copyWithin });
    Buffer.concat = concat;
  }
  return bytes;
}
