/** The blocks of LZ4 frames: literals, and copies of what came before. */
import { Damage } from '../zstd/damage.js';

/** Matches may reach so far back, which is as much of the content before a block as linked blocks need. */
export const WINDOW: number = 1 << 16;
/** A match is at least so long. */
const SHORTEST_MATCH = 4;

/** Decodes input[0..length), which is one block, behind output[..start).
 *  @param lowest How far back in the output matches may reach.
 *  @param end Where the output must not go beyond.
 *  @returns Where the output ends. */
export function decodeBlock(input: Uint8Array, length: number, output: Uint8Array, start: number, lowest: number, end: number): number {
  let at = 0;
  let out = start;
  for (;;) {
    if (at === length) throw new Damage('no literals at its end');
    const token = input[at++];
    let numLiterals = token >> 4;
    if (numLiterals === 15) {
      for (let more = 255; more === 255; numLiterals += more) {
        if (at === length) throw new Damage('a length that is cut off');
        more = input[at++];
      }
    }
    if (numLiterals > length - at) throw new Damage('literals that are cut off');
    if (numLiterals > end - out) throw new Damage('more content than a block may have');
    output.set(input.subarray(at, at + numLiterals), out);
    out += numLiterals;
    at += numLiterals;
    if (at === length) {
      // nothing is copied behind the last literals
      if ((token & 15) !== 0) throw new Damage('a match that is cut off');
      return out;
    }
    if (length - at < 2) throw new Damage('a match that is cut off');
    const distance = input[at] | (input[at + 1] << 8);
    at += 2;
    if (distance === 0 || distance > out - lowest) throw new Damage('a match that reaches before the start of the content');
    let numCopied = token & 15;
    if (numCopied === 15) {
      for (let more = 255; more === 255; numCopied += more) {
        if (at === length) throw new Damage('a length that is cut off');
        more = input[at++];
      }
    }
    numCopied += SHORTEST_MATCH;
    if (numCopied > end - out) throw new Damage('more content than a block may have');
    if (distance >= numCopied) output.copyWithin(out, out - distance, out - distance + numCopied);
    // what is copied may be copied again
    else for (let i = 0; i < numCopied; i++) output[out + i] = output[out + i - distance];
    out += numCopied;
  }
}
