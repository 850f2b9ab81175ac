/** What Parquet pages are decompressed with: the package for it, but for zstd our own decoder, which takes no damaged data. */
import { decompressZstd } from '../zstd/decoder.js';

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

/** The decompressors of Parquet pages, loaded when a file needs one; zstd is Gradus's own, which checks what it decodes. */
export async function loadCodecs(): Promise<Readonly<Record<string, Decompress>>> {
  const { compressors } = await import('hyparquet-compressors');
  return { ...compressors, ZSTD: (input: Uint8Array, outputLength: number) => decompressZstd(input, outputLength) };
}
