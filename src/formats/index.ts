/** Reads and writes runs, judgements, feature files, predictions and score tables as text or bytes. There is no file system here:
 *  `gradus/node` opens files, and a page brings its own bytes. */

export { type JudgedLists, judgedLists, type TestLists, testLists } from '../core/ranked-lists.js';
export { collectQrels, collectRun } from './async-rows.js';
export { answersSource, isSingleAnswer } from './engines/answer-folder.js';
export { type FolderLayout, layoutOfFolder } from './folder-layout.js';
export type { Content, Contents, ContentType, Format, Reader, WrittenChunks } from './format.js';
export { GzipDecoder } from './gzip/decoder.js';
export type { Head, Recognition } from './head.js';
export type { FeatureOptions } from './letor/feature-options.js';
export {
  createFeatureCsvReader,
  createFeatureJsonReader,
  type FeatureRole,
  type FeatureTableOptions,
  type FeatureTableReading,
  parseFeatureCsv,
  parseFeatureJson,
} from './letor/feature-table.js';
export { createPredictionsReader, parsePredictions, writePredictions } from './letor/number-lines.js';
export type { LetorOptions } from './letor/options.js';
export type { LetorReading } from './letor/parser.js';
export { createLetorReader, parseLetor } from './letor/reader.js';
export { formatLetor, type LetorWriteOptions } from './letor/writer.js';
export {
  type FeatureColumnsInMemory,
  featuresOfColumns,
  type QrelsColumns,
  qrelsOfColumns,
  type RunColumns,
  runOfColumns,
  type TopicColumn,
} from './memory/columns.js';
export type { IdColumn } from './memory/id-column.js';
export {
  type ContentKind,
  parseQrels,
  parseRun,
  parseScoreFile,
  type ReadContent,
  type ReadJudgements,
  type ReadRun,
  readContent,
  readFeatures,
  readJudgements,
  readLetor,
  readPredictions,
  readRun,
  readScores,
  type SourceReadOptions,
} from './read.js';
export type { ByteParts, ChunkReader, QrelsReading, ReadOptions, RunReading, Skipped } from './reader.js';
export {
  formatByName,
  formatToWrite,
  inferFormat,
  onlyContent,
  type Recognised,
  recogniseFormat,
  recogniseSource,
} from './recognise.js';
export { findFormat, formatNames, formats } from './registry.js';
export type { ScoreFileOptions } from './scores/score-file.js';
export {
  type ByteSource,
  bytesSource,
  type Chunks,
  type HeldContent,
  heldSource,
  jsonSource,
  keepBytes,
  type OpenedSource,
  type OpenParts,
  openSource,
  plainChunks,
  type Readable,
  readText,
  readThrough,
  withParts,
} from './source.js';
export { type ChoiceSettings, ChosenColumns, type ColumnSettings, columnsFor } from './tables/chosen-columns.js';
export type { Columns, Role, TableKind } from './tables/columns.js';
export { parseColumns, ranksDecide } from './tables/columns.js';
export {
  createCsvQrelsReader,
  createCsvRunReader,
  formatCsvQrels,
  formatCsvRun,
  parseCsvQrels,
  parseCsvRun,
} from './tables/csv.js';
export {
  createJsonQrelsReader,
  createJsonRunReader,
  formatJsonQrels,
  formatJsonRun,
  parseJsonQrels,
  parseJsonRun,
} from './tables/json.js';
export {
  createJsonlQrelsReader,
  createJsonlRunReader,
  formatJsonlQrels,
  formatJsonlRun,
  parseJsonlQrels,
  parseJsonlRun,
} from './tables/jsonl.js';
export {
  parquetColumnNames,
  parquetContent,
  parseParquetQrels,
  parseParquetRun,
  parseParquetScores,
} from './tables/parquet.js';
export { formatParquetQrels, formatParquetRun, formatParquetScores } from './tables/parquet-writer.js';
export { previewTable, type TablePreview, wantedRoles } from './tables/preview.js';
export { readTexts, shownText, type TextKind, type TextRecord, textKindOf } from './texts.js';
export type { QrelsKind } from './trec/qrels.js';
export {
  createTrecQrelsReader,
  formatTrecQrels,
  parseTrecPrefs,
  parseTrecQrels,
  parseTrecQrelsGroups,
  parseTrecQrelsPrefs,
} from './trec/qrels.js';
export { createRankLinesReader, parseRankLines } from './trec/rank-lines.js';
export { createTrecRunReader, formatTrecRun, parseTrecRun, writeTrecRun } from './trec/run.js';
export type { ZScores, ZScoresReading } from './trec/z-scores.js';
export { createZScoresReader, parseZScores } from './trec/z-scores.js';
