import { joined } from '../reader.js';
import type { Chunks } from '../source.js';
import { isLz4Frame, Lz4Decoder } from './decoder.js';

/** Undoes LZ4, twice for what ranx writes, which is a frame within a frame. */
export async function* unlz4(chunks: Chunks, name: string): Chunks {
  const outer = new Lz4Decoder({ source: name });
  let inner: Lz4Decoder | undefined;
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    for (const part of outer.push(chunk)) {
      let content = part;
      if (start !== undefined) {
        content = joined([start, part]);
        start = content.length < 4 ? content.slice() : undefined;
        if (start !== undefined) continue;
        if (isLz4Frame(content)) inner = new Lz4Decoder({ source: name });
      }
      if (inner === undefined) yield content;
      else yield* inner.push(content);
    }
  }
  outer.finish();
  inner?.finish();
  if (start !== undefined && start.length > 0) yield start;
}
