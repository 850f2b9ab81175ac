import { checkWholeFile } from '../core/limits.js';
import { openInput } from './files.js';

/** Chunks put together, of which there must not be too much. They may be lent. */
export async function joinChunks(source: string, chunks: AsyncIterable<Uint8Array>, begun: readonly Uint8Array[] = []): Promise<Buffer> {
  const parts = [...begun];
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  checkWholeFile(source, length);
  for await (const chunk of chunks) {
    length += chunk.length;
    checkWholeFile(source, length);
    parts.push(chunk.slice());
  }
  return Buffer.concat(parts);
}

/** A small file, such as a list of topics, as text; `-` is standard input. */
export async function readWholeText(path: string): Promise<string> {
  const { source, chunks } = await openInput(path);
  return new TextDecoder().decode(await joinChunks(source, chunks));
}
