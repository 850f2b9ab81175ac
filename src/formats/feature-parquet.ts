import { InputError } from '../core/problem.js';
import { FeatureRecords, type FeatureTableOptions, type FeatureTableReading, type RecordValue } from './feature-table.js';
import { missingParquet, type ParquetFile } from './parquet.js';
import { loadCodecs } from './parquet-codecs.js';

/** Reads documents with labels and features from Parquet. The columns are found by their names, or `columns` tells them.
 *  @throws An `InputError` that tells every problem; also if the package hyparquet is not installed. */
export async function parseFeatureParquet(file: ParquetFile, options: FeatureTableOptions = {}): Promise<FeatureTableReading> {
  const { parquetReadObjects, compressors } = await loadPackages();
  const records = new FeatureRecords(options);
  let rows: readonly Readonly<Record<string, unknown>>[];
  try {
    rows = await parquetReadObjects({ file, compressors });
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError({
      source: options.source ?? 'input',
      message: `cannot be read as Parquet: ${String(error instanceof Error ? error.message : error).split('\n')[0]}`,
      wayOut: 'the file is damaged or incomplete; fetch or make it again',
    });
  }
  for (const [i, row] of rows.entries()) records.add(row as RecordValue, i + 1);
  return records.finish(rows.length > 0);
}

async function loadPackages() {
  try {
    const [{ parquetReadObjects }, compressors] = await Promise.all([import('hyparquet'), loadCodecs()]);
    return { parquetReadObjects, compressors };
  } catch (error) {
    throw missingParquet(error, 'hyparquet hyparquet-compressors');
  }
}
