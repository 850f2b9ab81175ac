import type { ScoreTable } from '../core/score-table.js';
import { formatParquetScores } from '../formats/parquet-writer.js';
import { writeOutputFile } from './output-file.js';

/** Writes scores to a Parquet file, which appears when it is complete. */
export async function saveParquetScores(path: string, table: ScoreTable): Promise<void> {
  const bytes = await formatParquetScores(table);
  await writeOutputFile(path, (writer) => writer.writeBytes(bytes));
}
