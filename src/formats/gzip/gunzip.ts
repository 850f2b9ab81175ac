import type { Chunks } from '../source.js';
import { GzipDecoder } from './decoder.js';

/** Undoes gzip where the platform has no decoder of its own, or one that takes files of one member only. */
export async function* gunzip(chunks: Chunks, name: string): Chunks {
  const decoder = new GzipDecoder({ source: name });
  for await (const chunk of chunks) yield* decoder.push(chunk);
  yield* decoder.finish();
}
