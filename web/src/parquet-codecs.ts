/** Stands in the place of hyparquet-compressors, without Brotli, whose dictionary is half as large as the whole page. Snappy, which
 *  most Parquet files use, comes with hyparquet itself, and zstd with Gradus. */
import { InputError } from 'gradus';
import { gunzip } from 'hyparquet-compressors/src/gzip.js';
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js';

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

export const compressors: Readonly<Record<string, Decompress>> = {
  GZIP: (input, outputLength) => gunzip(input, new Uint8Array(outputLength)),
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
  BROTLI: () => {
    throw new InputError({
      message: 'the Parquet file is compressed with Brotli',
      wayOut: 'write it with another compression, or use the command line',
    });
  },
};
