import type { ByteParts } from '../reader.js';
import { OpenParquet } from '../tables/parquet-table.js';
import { FeatureRecords, type FeatureTableOptions, type FeatureTableReading, type RecordValue } from './feature-table.js';

/** Reads documents with labels and features from Parquet. The columns are found by their names, or `columns` tells them.
 *  @throws An `InputError` that tells every problem; also if the package hyparquet is not installed. */
export async function parseFeatureParquet(file: ByteParts, options: FeatureTableOptions = {}): Promise<FeatureTableReading> {
  const table = await OpenParquet.open(file, options.source ?? 'input');
  const records = new FeatureRecords(options);
  const rows = await table.rows();
  for (const [i, row] of rows.entries()) records.add(row as RecordValue, i + 1);
  return records.finish(rows.length > 0);
}
