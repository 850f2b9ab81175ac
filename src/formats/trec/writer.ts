import type { Ids } from '../../core/ids.js';
import { isWhite } from '../../core/text.js';
import { IdCheck, type WrittenRows } from '../tables/written-rows.js';
import { ByteWriter } from '../text/byte-writer.js';
import { byteOrderMark, isMistakable } from '../text/text-start.js';

const LF = 10;
const wayOut = 'JSON, JSONL and CSV can hold any id';

/** Refuses what would not come back as one field. */
function fieldCheck(ids: Ids, what: string): IdCheck {
  return new IdCheck(
    ids,
    what,
    (byte) => {
      if (isWhite(byte)) return 'holds white space, which parts the fields of TREC files';
      return byte === 0 ? 'holds a NUL byte, which TREC files cannot have' : undefined;
    },
    wayOut,
  );
}

function firstFieldCheck(ids: Ids): IdCheck {
  return new IdCheck(
    ids,
    'topic',
    (byte, isFirst) => (isFirst && byte === 35 ? 'begins with #, which makes the line a comment' : undefined),
    wayOut,
  );
}

/** Writes lines of fields parted by spaces, each beginning with the topic.
 *  @param ids The id columns among the fields, for checking.
 *  @param rest Writes what follows the topic, from the space on. */
export function* writeLines(
  rows: WrittenRows,
  ids: readonly { readonly table: Ids; readonly of: Uint32Array; readonly what: string }[],
  rest: (writer: ByteWriter, row: number, topic: number) => void,
): Generator<Uint8Array> {
  const { topics, offsets } = rows;
  const writer = new ByteWriter();
  const checks = ids.map(({ table, of, what }) => ({ of, check: fieldCheck(table, what) }));
  const topicChecks = [fieldCheck(topics, 'topic'), firstFieldCheck(topics)];
  let started = false;
  for (let topic = 0; topic < topics.size; topic++) {
    if (offsets[topic] === offsets[topic + 1]) continue;
    for (const check of topicChecks) check.check(topic);
    if (!started) {
      started = true;
      if (isMistakable(topics.bytes.subarray(topics.offsets[topic], topics.offsets[topic + 1])))
        writer.part(byteOrderMark, 0, byteOrderMark.length);
    }
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
      for (const { of, check } of checks) check.check(of[row]);
      writer.id(topics, topic);
      rest(writer, row, topic);
      writer.byte(LF);
      const chunk = writer.takeFull();
      if (chunk !== undefined) yield chunk;
    }
  }
  yield writer.take();
}
