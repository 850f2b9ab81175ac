/** Thrown inside a decoder, of zstd or LZ4, for data that break the rules of the format; the decoder adds where, and whose data they are. */
export class Damage extends Error {}

/** Ends decoding with what is wrong; the decoder adds where. */
export function damaged(what: string): never {
  throw new Damage(what);
}
