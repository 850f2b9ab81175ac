import type { ScoreTable } from '../core/score-table.js';
import { type ReadJudgements, type ReadRun, readJudgements, readRun, readScores, type SourceReadOptions } from '../formats/read.js';
import type { ScoreFileOptions } from '../formats/scores/score-file.js';
import { fileSource } from './files.js';

/** Reads a run from a file in any format and compression; `-` is standard input. One number per line is a run of `lists`.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function loadRun(path: string, options: SourceReadOptions = {}): Promise<ReadRun> {
  return await readRun(fileSource(path), options);
}

/** Reads judgements from a file in any format and compression; `-` is standard input. A learning-to-rank test file (LETOR, MSLR,
 *  SVMlight), recognised by its first line, is taken for the judgements that its labels are.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function loadQrels(path: string, options: SourceReadOptions = {}): Promise<ReadJudgements> {
  return await readJudgements(fileSource(path), options);
}

/** Reads scores that were computed before: a CSV, TSV or Parquet file with a row per topic and a column per system, or what
 *  `gradus eval -q` or trec_eval -q printed. `-` is standard input.
 *  @throws An `InputError` that tells every problem. */
export async function loadScores(path: string, options: Pick<ScoreFileOptions, 'measure'> = {}): Promise<ScoreTable> {
  return await readScores(fileSource(path), options);
}
