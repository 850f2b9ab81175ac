/** The packages for Parquet, which programs that want it install. What is needed is taken out of each at once: bundlers then leave out
 *  the rest. */
import { orAdvice } from '../../core/optional-packages.js';
import { decompressZstd } from '../zstd/decoder.js';

type Hyparquet = typeof import('hyparquet');
type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

/** What reading takes of the packages. */
export interface ParquetReader extends Pick<Hyparquet, 'parquetMetadataAsync' | 'parquetScan'> {
  /** What pages are decompressed with: the package for it, but for zstd our own decoder, which takes no damaged data. */
  readonly compressors: Readonly<Record<string, Decompress>>;
}

/** What reading Parquet needs, loaded when a file asks for it.
 *  @throws An `InputError` with the advice to install the packages, if they are not there. */
export async function loadParquetReader(): Promise<ParquetReader> {
  try {
    const { parquetMetadataAsync, parquetScan } = await import('hyparquet');
    const { compressors } = await import('hyparquet-compressors');
    const zstd: Decompress = (input, outputLength) => decompressZstd(input, outputLength);
    return { parquetMetadataAsync, parquetScan, compressors: { ...compressors, ZSTD: zstd } };
  } catch (error) {
    throw orAdvice(error, 'Parquet', ['hyparquet', 'hyparquet-compressors']);
  }
}

/** What writing Parquet needs, loaded when a file asks for it.
 *  @throws An `InputError` with the advice to install the packages, if they are not there. */
export async function loadParquetWriter(): Promise<Pick<typeof import('hyparquet-writer'), 'parquetWriteBuffer'>> {
  try {
    const { parquetWriteBuffer } = await import('hyparquet-writer');
    return { parquetWriteBuffer };
  } catch (error) {
    throw orAdvice(error, 'Parquet', ['hyparquet', 'hyparquet-writer']);
  }
}
