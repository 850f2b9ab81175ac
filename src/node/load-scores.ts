import { basename } from 'node:path';
import type { ScoreTable } from '../core/score-table.js';
import { isParquet, parseParquetScores } from '../formats/parquet.js';
import { isScoreTable, looksLikeScores, parseScoreFile } from '../formats/score-file.js';
import { openHead } from './load.js';
import { joinChunks } from './whole-file.js';

export interface LoadScoresOptions {
  /** What the scores of a topic × system table are scores of. */
  readonly measure?: string | undefined;
}

/** Reads scores that were computed before: a CSV, TSV or Parquet file with a row per topic and a column per system, or what `gradus eval -q` or
 *  trec_eval -q printed. `-` is standard input.
 *  @throws An `InputError` that tells every problem. */
export async function loadScores(path: string, options: LoadScoresOptions = {}): Promise<ScoreTable> {
  const input = await openHead(path);
  let bytes: Uint8Array;
  try {
    bytes = await joinChunks(input.source, input.rest, [input.start]);
  } finally {
    await input.close();
  }
  const name = path === '-' ? 'system' : basename(path).replace(/(\.[^.]+)?(\.(gz|zst|zstd))?$/i, '');
  const about = { source: input.source, name: name || 'system', measure: options.measure };
  return isParquet(bytes) ? await parseParquetScores(bytes, about) : parseScoreFile(bytes, about);
}

/** Whether a file holds scores rather than a run. Standard input cannot be looked at twice and is taken for a run. */
export async function holdsScores(path: string): Promise<boolean> {
  if (path === '-') return false;
  const input = await openHead(path);
  await input.close();
  return isParquet(input.start)
    ? isScoreTable(await (await import('./parquet-file.js')).parquetColumns(path))
    : looksLikeScores(input.start);
}
