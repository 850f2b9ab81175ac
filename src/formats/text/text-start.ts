import { InputError } from '../../core/problem.js';
import { looksCompressed, refuseCompressed, SIGNATURE_LENGTH, startsWith } from '../compression.js';
import { type ChunkReader, type ReadOptions, sourceOf } from '../reader.js';

/** What some editors put before the text of a file. */
export const byteOrderMark: Uint8Array = Uint8Array.of(0xef, 0xbb, 0xbf);

function isUtf16(bytes: Uint8Array): boolean {
  const marked = startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff]);
  // an id in another encoding can begin with these two bytes, but not go on with a NUL
  return marked && (bytes[2] === 0 || bytes[3] === 0);
}

/** Whether text that begins with these bytes needs a byte-order mark, so as not to be taken for something else. */
export function isMistakable(bytes: Uint8Array): boolean {
  return startsWith(bytes, byteOrderMark) || isUtf16(bytes) || looksCompressed(bytes);
}

/** Looks at the start of a text: throws on what is no text, and returns where the text begins, behind a byte-order mark. */
export function textStart(bytes: Uint8Array, source: string): number {
  if (isUtf16(bytes)) {
    throw new InputError({ source, message: 'is UTF-16 text, expected UTF-8', wayOut: 'iconv -f UTF-16 -t UTF-8 converts it' });
  }
  refuseCompressed(bytes, source);
  return startsWith(bytes, byteOrderMark) ? byteOrderMark.length : 0;
}

/** A reader behind a door that holds the text back until enough has come to know what it is. */
export function checkingStart<Reading>(reader: ChunkReader<Reading>, options: ReadOptions): ChunkReader<Reading> {
  const source = sourceOf(options);
  let held: Uint8Array | undefined = new Uint8Array(0);
  const release = (start: Uint8Array): void => {
    held = undefined;
    reader.push(start.subarray(textStart(start, source)));
  };
  return {
    push(chunk) {
      if (held === undefined) reader.push(chunk);
      else if (held.length === 0 && chunk.length >= SIGNATURE_LENGTH) release(chunk);
      else {
        const joined: Uint8Array = new Uint8Array(held.length + chunk.length);
        joined.set(held);
        joined.set(chunk, held.length);
        held = joined;
        if (joined.length >= SIGNATURE_LENGTH) release(joined);
      }
    },
    finish() {
      if (held !== undefined) release(held);
      return reader.finish();
    },
  };
}
