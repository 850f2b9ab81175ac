/** Reads and writes runs, judgements, feature files, predictions and score tables as text or bytes. There is no file system here:
 *  `gradus/node` opens files, and a page brings its own bytes. */

export { type JudgedLists, judgedLists, type TestLists, testLists } from '../core/ranked-lists.js';
export { ChosenColumns, type ColumnSettings, columnsFor } from './chosen-columns.js';
export type { Columns, Role, TableKind } from './columns.js';
export { parseColumns } from './columns.js';
export {
  createCsvQrelsReader,
  createCsvRunReader,
  formatCsvQrels,
  formatCsvRun,
  parseCsvQrels,
  parseCsvRun,
} from './csv.js';
export {
  createFeatureCsvReader,
  createFeatureJsonReader,
  type FeatureRole,
  type FeatureTableOptions,
  type FeatureTableReading,
  parseFeatureCsv,
  parseFeatureJson,
} from './feature-table.js';
export type { Content, Format, ParseOptions } from './format.js';
export { findFormat, formatNames, formats, inferFormat, parseQrels, parseRun } from './format.js';
export { GzipDecoder } from './gzip/decoder.js';
export {
  createJsonQrelsReader,
  createJsonRunReader,
  formatJsonQrels,
  formatJsonRun,
  parseJsonQrels,
  parseJsonRun,
} from './json.js';
export {
  createJsonlQrelsReader,
  createJsonlRunReader,
  formatJsonlQrels,
  formatJsonlRun,
  parseJsonlQrels,
  parseJsonlRun,
} from './jsonl.js';
export { createLetorReader, parseLetor } from './letor.js';
export type { LetorOptions } from './letor-options.js';
export type { LetorReading } from './letor-parser.js';
export { createPredictionsReader, parsePredictions } from './number-lines.js';
export {
  isParquet,
  type ParquetFile,
  type ParquetReadOptions,
  parquetColumnNames,
  parquetKind,
  parseParquetQrels,
  parseParquetRun,
  parseParquetScores,
} from './parquet.js';
export { formatParquetQrels, formatParquetRun, formatParquetScores } from './parquet-writer.js';
export { createRankLinesReader, parseRankLines } from './rank-lines.js';
export {
  type ContentKind,
  holdsScores,
  type Readable,
  type ReadContent,
  type ReadJudgements,
  type ReadRun,
  type ReadScoresOptions,
  readContent,
  readJudgements,
  readLetor,
  readPredictions,
  readRun,
  readScores,
  readText,
  readThrough,
  type SourceReadOptions,
  withParts,
} from './read.js';
export type { ChunkReader, QrelsReading, ReadOptions, RunReading, Skipped } from './reader.js';
export { looksLikeScores, parseScoreFile, type ScoreFileOptions } from './score-file.js';
export { looksLikeLetor } from './sniff.js';
export {
  type ByteParts,
  type ByteSource,
  bytesSource,
  type Chunks,
  keepBytes,
  type OpenedSource,
  openSource,
  plainChunks,
} from './source.js';
export type { QrelsKind } from './trec-qrels.js';
export {
  createTrecQrelsReader,
  formatTrecQrels,
  parseTrecPrefs,
  parseTrecQrels,
  parseTrecQrelsGroups,
  parseTrecQrelsPrefs,
} from './trec-qrels.js';
export { createTrecRunReader, formatTrecRun, parseTrecRun } from './trec-run.js';
export type { ZScores, ZScoresReading } from './z-scores.js';
export { createZScoresReader, parseZScores } from './z-scores.js';
