import type { Chunks } from '../source.js';
import { ZstdDecoder } from './decoder.js';

/** Undoes zstd. Node has a decoder of its own since 22.15, which stops after the first frame and takes frames that are cut off. */
export async function* unzstd(chunks: Chunks, name: string): Chunks {
  const decoder = new ZstdDecoder({ source: name });
  for await (const chunk of chunks) yield* decoder.push(chunk);
  decoder.finish();
}
