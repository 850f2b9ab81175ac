import { type Ids, idText } from '../core/ids.js';
import { InputError } from '../core/problem.js';
import { equalBytes, textCapacity, writeText } from '../core/text.js';
import type { ByteWriter } from './byte-writer.js';
import { shownId } from './written-rows.js';

const QUOTE = 34;
const BACKSLASH = 92;

/** Writes an id as a JSON string. Lone surrogates become escapes; bytes that are not text at all are refused. */
export function writeJsonId(writer: ByteWriter, ids: Ids, id: number): void {
  const { bytes, offsets } = ids;
  const start = offsets[id];
  const end = offsets[id + 1];
  let at = start;
  while (at < end && bytes[at] >= 32 && bytes[at] < 127 && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++;
  if (at === end) {
    writer.byte(QUOTE);
    writer.part(bytes, start, end);
    writer.byte(QUOTE);
    return;
  }
  const text = idText(ids, id);
  const again = new Uint8Array(textCapacity(text));
  if (!equalBytes(again, 0, writeText(again, 0, text), bytes, start, end)) {
    throw new InputError({
      message: `id ${shownId(ids, id)} is not valid UTF-8, which JSON cannot hold`,
      wayOut: 'TREC files and CSV can hold any bytes',
    });
  }
  writer.text(JSON.stringify(text));
}
