import type { Ids } from '../../core/ids.js';
import type { ByteWriter } from '../text/byte-writer.js';
import { exactText } from './written-rows.js';

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
  writer.text(JSON.stringify(exactText(ids, id, 'JSON')));
}
