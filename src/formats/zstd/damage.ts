/** Thrown inside the decoder for data that break the rules of RFC 8878; the decoder adds where, and whose data they are. */
export class Damage extends Error {}

/** Ends decoding with what is wrong; the decoder adds where. */
export function damaged(what: string): never {
  throw new Damage(what);
}
