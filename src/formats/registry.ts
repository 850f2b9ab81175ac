/** The formats: what files of each can hold, how they are recognised, read and written. */
import { closest } from '../core/closest.js';
import { InputError } from '../core/problem.js';
import { type EngineKind, engineKindOf, engineKinds } from './engines/kinds.js';
import type { Content, Format } from './format.js';
import {
  delimiterIn,
  featureTable,
  namesIn,
  recogniseCandidates,
  recogniseCbor,
  recogniseCsv,
  recogniseJson,
  recogniseJsonl,
  recogniseLetor,
  recogniseLines,
  recogniseNumbers,
  recogniseQuepidLines,
  recogniseRanks,
} from './head.js';
import { letorOptions } from './letor/feature-options.js';
import { createFeatureCsvReader, createFeatureJsonReader } from './letor/feature-table.js';
import { createLabelsReader } from './letor/labels.js';
import { createPredictedRunReader, createPredictionsReader, writePredictions } from './letor/number-lines.js';
import { createLetorReader } from './letor/reader.js';
import { writeLetor } from './letor/writer.js';
import type { ReadOptions } from './reader.js';
import {
  createScoreJsonReader,
  createScoreLinesReader,
  createScoreTableReader,
  isScoreTable,
  isUnnamedScoreTable,
  recogniseScoreJson,
  recogniseScoreLines,
} from './scores/score-file.js';
import type { TableKind } from './tables/columns.js';
import { createCsvQrelsReader, createCsvRunReader, writeCsv } from './tables/csv.js';
import { createJsonQrelsReader, createJsonRunReader, writeJson } from './tables/json.js';
import { createJsonlQrelsReader, createJsonlRunReader, writeJsonl } from './tables/jsonl.js';
import { rowsOfQrels, rowsOfRun } from './tables/written-rows.js';
import { createTrecQrelsReader, type QrelsKind, writeTrecQrels } from './trec/qrels.js';
import { createRankLinesReader, writeRankLines } from './trec/rank-lines.js';
import { createTrecRunReader, writeTrecRun } from './trec/run.js';
import { createZScoresReader } from './trec/z-scores.js';

const letor: Format = {
  name: 'letor',
  summary: 'lines of label, qid:topic and feature:value, whose labels are judgements',
  extensions: ['.letor', '.svmlight'],
  recognise: recogniseLetor,
  read: {
    features: { inOrder: (options) => createLetorReader(letorOptions(options)) },
    qrels: { inOrder: createLabelsReader },
  },
  write: { features: writeLetor },
};

const predictions: Format = {
  name: 'predictions',
  summary: 'one number for each data line of a letor file',
  extensions: [],
  runName: 'file',
  recognise: recogniseNumbers,
  read: { predictions: { inOrder: createPredictionsReader }, run: { inOrder: createPredictedRunReader } },
  write: { predictions: writePredictions },
};

function trecQrels(name: QrelsKind, summary: string, extensions: readonly string[]): Format {
  return {
    name,
    summary,
    extensions,
    // the kinds with four fields look alike, so only the plain one is ever recognised
    recognise: (head) => {
      if (name === 'qrels') return recogniseLines(head, 4, 3, 'qrels');
      return name === 'prefs' ? recogniseLines(head, 5, 4, 'qrels') : undefined;
    },
    read: { qrels: { inOrder: (options) => createTrecQrelsReader(name, options) } },
    write: { qrels: (qrels) => writeTrecQrels(qrels, name) },
  };
}

const parquet: Format = {
  name: 'parquet',
  summary: 'columns in a Parquet file',
  extensions: ['.parquet', '.pq'],
  recognise: ({ whole }) => (whole.startsWith('PAR1') ? {} : undefined),
  inspect: async (file, source) => await (await import('./tables/parquet.js')).parquetContent(file, source),
  read: {
    run: { byParts: async (file, options) => await (await import('./tables/parquet.js')).parseParquetRun(file, options) },
    qrels: { byParts: async (file, options) => await (await import('./tables/parquet.js')).parseParquetQrels(file, options) },
    scores: { byParts: async (file, options) => await (await import('./tables/parquet.js')).parseParquetScores(file, options) },
    features: { byParts: async (file, options) => await (await import('./letor/feature-parquet.js')).parseFeatureParquet(file, options) },
  },
  write: {
    run: async (run) => [await (await import('./tables/parquet-writer.js')).formatParquetRun(run)],
    qrels: async (qrels) => [await (await import('./tables/parquet-writer.js')).formatParquetQrels(qrels)],
    scores: async (table) => [await (await import('./tables/parquet-writer.js')).formatParquetScores(table)],
  },
};

function separated(name: string, summary: string, delimiter: string): Format {
  // whether it is a comma or a semicolon shows in the first line
  const own: { readonly delimiter?: string } = delimiter === ',' ? {} : { delimiter };
  return {
    name,
    summary,
    extensions: [`.${name}`],
    recognise(head, told, columns) {
      if ((told === undefined || told === 'run' || told === 'qrels') && engineKindOf(head) !== undefined) return undefined;
      if (told === 'scores') {
        // trec_eval begins with a line about the run, which looks like the header of a table
        if (recogniseScoreLines(head) !== undefined) return undefined;
        const mark = delimiterIn(head, delimiter);
        const names = namesIn(head, mark);
        return isScoreTable(names) || isUnnamedScoreTable(head, names, mark) ? { content: told } : undefined;
      }
      if (told !== 'features') return recogniseCsv(head, delimiterIn(head, delimiter), columns);
      // which columns are what is for the reader to find out
      return featureTable(head) === name ? { content: told } : undefined;
    },
    read: {
      run: { inOrder: (options) => createCsvRunReader({ ...own, ...options }) },
      qrels: { inOrder: (options) => createCsvQrelsReader({ ...own, ...options }) },
      features: { inOrder: (options) => createFeatureCsvReader({ ...own, ...options }) },
      scores: { inOrder: (options) => createScoreTableReader(options, own.delimiter) },
    },
    write: { run: (run) => writeCsv(rowsOfRun(run), delimiter), qrels: (qrels) => writeCsv(rowsOfQrels(qrels), delimiter) },
  };
}

/** JSON of a search engine or a judgement tool. What it cannot hold is refused by its reader, which knows what it is. */
function engineFile(kind: EngineKind): Format {
  const { name, summary, content } = kind;
  return {
    name,
    summary,
    extensions: [],
    runName: 'tag',
    recognise: (head, told) => (engineKindOf(head) !== kind || told === 'scores' || told === 'features' ? undefined : { content }),
    read: {
      run: { byParts: async (file, options) => await (await import('./engines/read.js')).readEngineRun(name, file, options) },
      qrels: { byParts: async (file, options) => await (await import('./engines/read.js')).readEngineQrels(name, file, options) },
    },
    write: {},
  };
}

/** Candidates to be ranked are neither a run nor judgements. */
async function refuseCandidates(_file: unknown, { source }: ReadOptions): Promise<never> {
  throw new InputError({
    source,
    message: 'holds candidates (topic, document and their texts) in no order, neither a run nor judgements',
    wayOut: 'rank them, and write lines of topic, document and rank with tabs between them',
  });
}

/** Every format, in the order in which they are tried on a file whose name does not tell. */
export const formats: readonly Format[] = [
  {
    name: 'quepid-ltr',
    summary: "lines of rating, qid:topic, # document and query, as Quepid's export for learning to rank has them",
    extensions: [],
    recognise: (head, told) => (told === 'features' ? undefined : recogniseQuepidLines(head)),
    read: { qrels: { byParts: async (file, options) => await (await import('./engines/quepid-lines.js')).readQuepidLines(file, options) } },
    write: {},
  },
  letor,
  predictions,
  {
    name: 'trec-run',
    summary: 'lines of topic, Q0, document, rank, score, tag',
    extensions: ['.run', '.res', '.trec'],
    runName: 'tag',
    recognise: (head) => recogniseLines(head, 6, 4, 'run'),
    read: { run: { inOrder: createTrecRunReader } },
    write: { run: writeTrecRun },
  },
  trecQrels('qrels', 'lines of topic, iteration, document, grade', ['.qrels', '.qrel']),
  trecQrels('qrels_jg', 'lines of topic, group, document, grade', ['.qrels_jg']),
  trecQrels('prefs', 'lines of topic, group, sub-group, document, grade', ['.prefs']),
  trecQrels('qrels_prefs', 'preferences as lines of topic, group, document, grade', ['.qrels_prefs']),
  ...engineKinds.map(engineFile),
  {
    name: 'quepid',
    summary: 'judgements as CSV with the columns query, docid and rating, which Quepid imports',
    extensions: [],
    // is a table like others
    recognise: () => undefined,
    read: { qrels: { inOrder: createCsvQrelsReader } },
    write: { qrels: async (qrels) => (await import('./engines/writers.js')).writeQuepid(qrels) },
  },
  {
    name: 'elasticsearch',
    summary: 'judgements as a request to _rank_eval of Elasticsearch or OpenSearch, in which INDEX and FIELD are to be filled in',
    extensions: [],
    // es-rank-eval-request is what it is read as
    recognise: () => undefined,
    read: {
      qrels: {
        byParts: async (file, options) => await (await import('./engines/read.js')).readEngineQrels('es-rank-eval-request', file, options),
      },
    },
    write: { qrels: async (qrels) => (await import('./engines/writers.js')).writeRankEval(qrels) },
  },
  {
    name: 'json',
    summary: '{ topic: { document: number } }, { topic: [document, …] } or an array of records',
    extensions: ['.json'],
    recognise(head, told, columns) {
      if (told === 'scores') return recogniseScoreJson(head);
      if (told === 'features') return /^[[{]/.test(head.line) ? { content: told } : undefined;
      return engineKindOf(head) === undefined ? recogniseJson(head, columns) : undefined;
    },
    read: {
      run: { inOrder: createJsonRunReader },
      qrels: { inOrder: createJsonQrelsReader },
      features: { inOrder: createFeatureJsonReader },
      scores: { inOrder: createScoreJsonReader },
    },
    write: { run: (run) => writeJson(rowsOfRun(run)), qrels: (qrels) => writeJson(rowsOfQrels(qrels)) },
  },
  {
    name: 'jsonl',
    summary: 'a JSON record on each line',
    extensions: ['.jsonl', '.ndjson'],
    recognise(head, told, columns) {
      if (told === 'features') return head.line.startsWith('{') ? { content: told } : undefined;
      return engineKindOf(head) === undefined ? recogniseJsonl(head, columns) : undefined;
    },
    read: {
      run: { inOrder: createJsonlRunReader },
      qrels: { inOrder: createJsonlQrelsReader },
      features: { inOrder: createFeatureJsonReader },
    },
    write: { run: (run) => writeJsonl(rowsOfRun(run)), qrels: (qrels) => writeJsonl(rowsOfQrels(qrels)) },
  },
  parquet,
  {
    name: 'ranx',
    summary: 'topics, documents and numbers in CBOR, as ranx saves them in .lz4 files',
    extensions: ['.rh'],
    runName: 'tag',
    recognise: (head, told) => (told === 'features' || told === 'scores' ? undefined : recogniseCbor(head)),
    read: {
      run: { byParts: async (file, options) => await (await import('./engines/ranx.js')).readRanxRun(file, options) },
      qrels: { byParts: async (file, options) => await (await import('./engines/ranx.js')).readRanxQrels(file, options) },
    },
    write: {},
  },
  separated('csv', 'comma- or semicolon-separated values with a header', ','),
  separated('tsv', 'tab-separated values with a header', '\t'),
  {
    name: 'msmarco',
    summary: 'lines of topic, document, rank, and perhaps score, without a header',
    extensions: ['.msmarco'],
    recognise: (head, _, columns) => recogniseRanks(head, columns),
    read: { run: { inOrder: createRankLinesReader } },
    write: { run: writeRankLines },
  },
  {
    name: 'msmarco-candidates',
    summary: "lines of topic, document and both texts, as MS MARCO's top1000 files have them, which are in no order",
    extensions: [],
    recognise: recogniseCandidates,
    read: { run: { byParts: refuseCandidates }, qrels: { byParts: refuseCandidates } },
    write: {},
  },
  {
    name: 'trec_eval',
    summary: 'lines of measure, topic, value, as trec_eval -q prints them',
    extensions: [],
    recognise: recogniseScoreLines,
    read: { scores: { inOrder: createScoreLinesReader } },
    write: {},
  },
  {
    name: 'z-scores',
    summary: 'lines of topic, measure, mean, standard deviation',
    extensions: ['.zscores'],
    // looks like judgements whose documents are numbers
    recognise: () => undefined,
    read: { 'z-scores': { inOrder: createZScoresReader } },
    write: {},
  },
];

/** The names by which formats are chosen. */
export const formatNames: readonly string[] = formats.map((format) => format.name);

const plainNames = formatNames.filter((name) => !engineKinds.some((kind) => kind.name === name));

const trecNames: Readonly<Record<TableKind, string>> = { run: 'trec-run', qrels: 'qrels' };

/** The format of this name; `trec` is the TREC format of the kind at hand. */
export function findFormat(name: string, content?: Content): Format {
  const wanted = name === 'trec' && (content === 'run' || content === 'qrels') ? trecNames[content] : name;
  const found = formats.find((format) => format.name === wanted);
  if (found !== undefined) return found;
  const near = closest(name, formatNames);
  throw new InputError({
    message: `there is no format ${name}`,
    wayOut:
      near === undefined
        ? `there are trec, ${plainNames.join(', ')}, and those of search engines in the help of convert`
        : `did you mean ${near}?`,
  });
}

/** The error that a format has no place for what is to be read or written. */
export function cannotHold(format: Format, content: Content, source: string): InputError {
  const what = content === 'run' ? 'runs' : content === 'qrels' ? 'judgements' : content;
  return new InputError({ source, message: `${format.name} files cannot hold ${what}` });
}
