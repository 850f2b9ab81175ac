/** Stands in the place of hyparquet-compressors, without Brotli, whose dictionary is half as large as the whole page. Snappy, which
 *  most Parquet files use, comes with hyparquet itself, and gzip and zstd with Gradus. */
import { InputError } from 'gradus';
import { GzipDecoder } from 'gradus/formats';
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js';

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

export const compressors: Readonly<Record<string, Decompress>> = {
  GZIP: gunzip,
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
  BROTLI: () => {
    throw new InputError({
      message: 'the Parquet file is compressed with Brotli',
      wayOut: 'write it with another compression, or use the command line',
    });
  },
};

function gunzip(input: Uint8Array, outputLength: number): Uint8Array {
  const output = new Uint8Array(outputLength);
  let length = 0;
  const decoder = new GzipDecoder();
  const take = (chunks: Iterable<Uint8Array>): void => {
    for (const chunk of chunks) {
      if (length + chunk.length > outputLength) throw new Error('more bytes than the page declares');
      output.set(chunk, length);
      length += chunk.length;
    }
  };
  take(decoder.push(input));
  take(decoder.finish());
  if (length !== outputLength) throw new Error('fewer bytes than the page declares');
  return output;
}
