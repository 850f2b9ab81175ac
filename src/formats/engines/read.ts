/** Reads the JSON files of search engines and judgement tools, which are loaded only when there is one. */

import { checkWholeFile } from '../../core/limits.js';
import { type InputError, namingSource } from '../../core/problem.js';
import { headOf } from '../head.js';
import type { ByteParts, QrelsReading, ReadOptions, RunReading } from '../reader.js';
import { sourceOf } from '../reader.js';
import { answerOf, readAnswerLine, readAnswers, readMultiSearch, readRankEval, readRows } from './answers.js';
import { type ListedTopic, qrelsOf, type Rating, ReadingContext, runOf } from './collect.js';
import { at, BrokenJson, isArray, isObject, type JsonDocument, type JsonTable, jsonDocuments } from './json-value.js';
import type { EngineKindName } from './kinds.js';
import {
  readQuepidBook,
  readQuepidCase,
  readQuepidRatings,
  readRankEvalRatings,
  readRankEvalRequest,
  readRetrievalDataset,
  readRreRatings,
  readWorkbenchJudgements,
} from './ratings.js';
import { recordsOfText, type TableRecord } from './record-tables.js';
import {
  expectedDocuments,
  readEvaluation,
  readExperiment,
  readKilt,
  readMteb,
  readRankedRecord,
  readRreEvaluation,
  readSnapshot,
  recordFields,
  recordList,
} from './results.js';

/** Reads such a file as a run. */
export async function readEngineRun(kind: EngineKindName, file: ByteParts, options: ReadOptions): Promise<RunReading> {
  const context = new ReadingContext(options);
  const found = await objectsIn(file, options, context);
  return namingSource(sourceOf(options), () => runOf(rankingsIn(kind, found, context), context));
}

/** Reads the rows of a table, each of which is a record of this kind, as a run. */
export function readRecordRun(kind: EngineKindName, records: readonly TableRecord[], options: ReadOptions): RunReading {
  const context = new ReadingContext(options);
  return namingSource(sourceOf(options), () => runOf(rankingsIn(kind, records, context), context));
}

/** The same as judgements. */
export function readRecordQrels(kind: EngineKindName, records: readonly TableRecord[], options: ReadOptions): QrelsReading {
  const context = new ReadingContext(options);
  return namingSource(sourceOf(options), () => qrelsOf(ratingsIn(kind, records, context), context));
}

/** Reads such a file as judgements. */
export async function readEngineQrels(kind: EngineKindName, file: ByteParts, options: ReadOptions): Promise<QrelsReading> {
  const context = new ReadingContext(options);
  const found = await objectsIn(file, options, context);
  return namingSource(sourceOf(options), () => qrelsOf(ratingsIn(kind, found, context), context));
}

type Found = TableRecord;

/** All objects of a file: one, one on each line, those of a list, or the rows of a table. */
async function objectsIn(file: ByteParts, options: ReadOptions, context: ReadingContext): Promise<readonly Found[]> {
  checkWholeFile(sourceOf(options), file.byteLength);
  const bytes = new Uint8Array(await file.slice(0));
  if (!/^[[{]/.test(headOf(bytes).line)) return recordsOfText(bytes, sourceOf(options));
  let documents: readonly JsonDocument[];
  try {
    documents = jsonDocuments(bytes);
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    throw context.fatal(`is not JSON: ${error.message}`, 'fetch or make the file again', error.line);
  }
  const isLines = documents.length > 1 || (documents.length === 1 && options.fileStem !== undefined && isOneLine(bytes));
  const found: Found[] = [];
  for (const { value, line } of documents) {
    if (isArray(value) && value.some(isArray)) {
      found.push({ value: new Map([['data', value]]), line: 0 });
      continue;
    }
    for (const one of isArray(value) ? value : [value]) {
      if (isObject(one)) found.push({ value: one, line: isLines ? line : 0 });
      else context.bad('wrong shape', line, 'expected an object', '--lenient skips others');
    }
  }
  return found;
}

function isOneLine(bytes: Uint8Array): boolean {
  const lineEnd = bytes.indexOf(10);
  return lineEnd < 0 || lineEnd === bytes.length - 1;
}

/** What a search answer holds as stored objects, or the object itself. */
function stored(found: readonly Found[]): JsonTable[] {
  return found.flatMap(({ value }) => {
    const hits = at(value, 'hits', 'hits');
    return isArray(hits) ? hits.map((hit) => at(hit, '_source')).filter(isObject) : [value];
  });
}

const RECORDS_WITH_IDS = 'write records of query, retrieved_ids and expected_ids';

const holdsNothing: Partial<Record<EngineKindName, (found: readonly Found[], context: ReadingContext) => InputError>> = {
  'srw-queryset': (found, context) => {
    const broken = found.find(
      ({ value }) => !value.has('queryText') && !value.has('querySetQueries') && at(value, 'hits', 'hits') === undefined,
    );
    if (broken !== undefined) return context.fatal('record has no queryText', 'each line is {"queryText": …}', broken.line);
    return context.fatal(
      'is a query set: it names queries and holds neither a run nor judgements',
      'give the judgement list or the results as well',
    );
  },
  'retrieved-texts': (_, context) => context.fatal('holds retrieved texts without ids, by which they could be judged', RECORDS_WITH_IDS),
  'pandas-columns': (_, context) =>
    context.fatal(
      'is a data frame written column by column, expected records',
      "write it with df.to_json(FILE, orient='records', lines=True)",
    ),
  promptfoo: (_, context) => context.fatal('is an evaluation of promptfoo, which has no field for retrieved documents', RECORDS_WITH_IDS),
  langsmith: (_, context) =>
    context.fatal('is an export of LangSmith, in which each application keeps its documents under other names', RECORDS_WITH_IDS),
  'mteb-results': (_, context) =>
    context.fatal('holds the means of a task, neither a run nor judgements', 'save predictions and give that file'),
  'beir-corpus': (found, context) =>
    found.some(({ value }) => value.has('title'))
      ? context.fatal(
          'is a corpus (documents with _id, title, text): it holds neither a run nor judgements',
          'the judgements are in qrels/test.tsv',
        )
      : context.fatal('holds queries (_id and text), and neither a run nor judgements', 'the judgements are in qrels/test.tsv'),
};

/** What was read is not what was asked for. */
function wrongContent(kind: EngineKindName, holds: 'run' | 'judgements', context: ReadingContext): InputError {
  const [held, wanted] = holds === 'run' ? ['a run', 'judgements'] : ['judgements', 'a run'];
  return context.fatal(`is ${kind}, which holds ${held}, expected ${wanted}`, `give it as ${held}`);
}

function* rankingsIn(kind: EngineKindName, found: readonly Found[], context: ReadingContext): Generator<ListedTopic> {
  const { doc } = context.options.columns ?? {};
  const seen = new Set<string>();
  if (kind === 'srw-evaluation') {
    yield* readEvaluation(stored(found), context);
    return;
  }
  if (kind === 'lancedb') {
    yield* readRows(
      found.map(({ value }) => value),
      context,
    );
    return;
  }
  const refused = holdsNothing[kind]?.(found, context);
  if (refused !== undefined) throw refused;
  for (const { value, line } of found) {
    switch (kind) {
      case 'es-search':
      case 'solr':
      case 'vespa':
      case 'algolia':
      case 'meilisearch':
      case 'typesense':
      case 'chroma':
      case 'pinecone':
      case 'qdrant':
      case 'weaviate':
      case 'milvus':
        yield* readAnswers(kind, value, line, context);
        break;
      case 'es-msearch':
        yield* readMultiSearch(value, context);
        break;
      case 'es-jsonl':
        yield* readAnswerLine(value, line, context);
        break;
      case 'answers-by-topic':
        for (const [topic, answer] of value) yield* readAnswerLine(answerOf(topic, answer), line, context);
        break;
      case 'es-rank-eval-response':
        yield* readRankEval(value, context);
        break;
      case 'srw-experiment':
        for (const experiment of stored([{ value, line }])) yield* readExperiment(experiment, context);
        break;
      case 'quepid-snapshot':
        yield* readSnapshot(value, context);
        break;
      case 'rre-evaluation':
        yield* readRreEvaluation(value, typeof doc === 'string' ? doc : undefined, context);
        break;
      case 'mteb-predictions':
        yield* readMteb(value, context);
        break;
      case 'kilt':
        yield* readKilt(value, line, context);
        break;
      case 'ragas':
      case 'retrieval-records': {
        const fields = recordFields[kind];
        const list = recordList(value, fields, fields.retrieved, line, seen, context);
        if (list !== undefined) yield list;
        break;
      }
      case 'ranked-lists':
        yield* readRankedRecord(value, line, context);
        break;
      default:
        throw wrongContent(kind, 'judgements', context);
    }
  }
}

function* ratingsIn(kind: EngineKindName, found: readonly Found[], context: ReadingContext): Generator<Rating> {
  const seen = new Set<string>();
  const refused = holdsNothing[kind]?.(found, context);
  if (refused !== undefined) throw refused;
  for (const { value, line } of found) {
    switch (kind) {
      case 'es-rank-eval-request':
        yield* readRankEvalRequest(value, context);
        break;
      case 'es-rank-eval-response':
        yield* readRankEvalRatings(value, context);
        break;
      case 'srw-judgments':
        for (const list of stored([{ value, line }])) yield* readWorkbenchJudgements(list, context);
        break;
      case 'quepid-ratings':
        yield* readQuepidRatings(value, context);
        break;
      case 'quepid-case':
        yield* readQuepidCase(value, context);
        break;
      case 'quepid-book':
        yield* readQuepidBook(value, context);
        break;
      case 'rre-ratings':
        yield* readRreRatings(value, context);
        break;
      case 'retrieval-dataset':
        yield* readRetrievalDataset(value, context);
        break;
      case 'ragas':
      case 'retrieval-records': {
        const fields = recordFields[kind];
        const list = recordList(value, fields, fields.reference, line, seen, context);
        if (list !== undefined) yield* expectedDocuments(list);
        break;
      }
      default:
        throw wrongContent(kind, 'run', context);
    }
  }
}
