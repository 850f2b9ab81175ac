/** Which of the JSON files of search engines and judgement tools a file is: by the keys at its top, the first that fits. */
import type { Head } from '../head.js';
import type { TableKind } from '../tables/columns.js';
import { headerCells } from '../tables/csv-text.js';
import { isDataFrame } from './data-frame.js';
import { at, isArray, isNothing, isNumber, isObject, items, type JsonTable, type JsonValue, startOfJson } from './json-value.js';

/** A JSON file of a search engine or a judgement tool. */
export interface EngineKind {
  readonly name: EngineKindName;
  /** One line for help. */
  readonly summary: string;
  /** What such files hold, if it is only one thing. */
  readonly content?: TableKind;
  /** Whether a file is one that has this at its top; the value may be cut off. */
  fits(top: JsonTable): boolean;
}

/** What such files are called. */
export type EngineKindName =
  | 'es-rank-eval-response'
  | 'es-rank-eval-request'
  | 'es-msearch'
  | 'srw-judgments'
  | 'srw-queryset'
  | 'srw-evaluation'
  | 'srw-experiment'
  | 'es-search'
  | 'solr'
  | 'vespa'
  | 'algolia'
  | 'meilisearch'
  | 'typesense'
  | 'chroma'
  | 'pinecone'
  | 'qdrant'
  | 'weaviate'
  | 'milvus'
  | 'lancedb'
  | 'quepid-book'
  | 'quepid-case'
  | 'quepid-ratings'
  | 'quepid-snapshot'
  | 'rre-ratings'
  | 'rre-evaluation'
  | 'mteb-predictions'
  | 'mteb-results'
  | 'retrieved-texts'
  | 'pandas-columns'
  | 'promptfoo'
  | 'langsmith'
  | 'ragas'
  | 'retrieval-records'
  | 'retrieval-dataset'
  | 'kilt'
  | 'es-jsonl'
  | 'answers-by-topic'
  | 'beir-corpus'
  | 'ranked-lists';

/** The keys under which scripts keep the topic of an answer. */
export const topicKeys: readonly string[] = ['query_id', 'queryId', 'qid', 'id', 'topic', 'topic_id', 'query', 'query_text', 'search_term'];
/** The keys under which they keep the answer itself. */
export const answerKeys: readonly string[] = ['response', 'result', 'results', 'body', 'hits'];
/** The keys under which scripts keep a ranking. */
export const rankingKeys: readonly string[] = ['docs', 'results', 'ranking', 'doc_ids', 'documents'];

const has = (top: JsonTable, ...keys: string[]): boolean => keys.every((key) => top.has(key));
const hitsOf = (top: JsonValue | undefined): JsonValue | undefined => at(top, 'hits', 'hits');
/** What the first hit of a search answer holds. */
const storedIn = (top: JsonTable): JsonValue | undefined => at(hitsOf(top), 0, '_source');
/** The object itself, or as a search answer holds it. */
const storedOrPlain = (top: JsonTable, ...keys: string[]): boolean =>
  [top, storedIn(top)].some((one) => isObject(one) && has(one, ...keys));
const isEngineError = (top: JsonValue | undefined): boolean => {
  const error = at(top, 'error');
  if (error === undefined || at(top, 'hits') !== undefined || at(top, 'responseHeader') !== undefined) return false;
  return isNumber(at(top, 'status')) || at(error, 'type') !== undefined || at(error, 'reason') !== undefined;
};
/** The answer, or the first of several. */
const answers = (top: JsonTable): readonly JsonValue[] => [top, ...items(top.get('results')).slice(0, 1)];
const isSearchAnswer = (top: JsonValue | undefined): boolean => isArray(hitsOf(top)) || isEngineError(top);

/** All kinds, in the order in which they are tried. */
export const engineKinds: readonly EngineKind[] = [
  {
    name: 'es-rank-eval-response',
    summary: 'what _rank_eval of Elasticsearch or OpenSearch answers: a run, and the judgements of what it returned',
    fits: (top) => has(top, 'metric_score', 'details'),
  },
  {
    name: 'es-rank-eval-request',
    summary: 'a request to _rank_eval, whose ratings are judgements',
    content: 'qrels',
    fits: (top) => items(top.get('requests')).some((request) => at(request, 'ratings') !== undefined),
  },
  {
    name: 'es-msearch',
    summary: 'what _msearch answers: the results of several searches',
    content: 'run',
    fits: (top) => items(top.get('responses')).some(isSearchAnswer) || (has(top, 'took') && isArray(top.get('responses'))),
  },
  {
    name: 'srw-judgments',
    summary: "a judgement list of OpenSearch's search relevance workbench",
    content: 'qrels',
    fits: (top) => storedOrPlain(top, 'judgmentRatings') || storedOrPlain(top, 'judgmentScores'),
  },
  {
    name: 'srw-queryset',
    summary: 'a query set of the workbench, which names topics and nothing else',
    fits: (top) => storedOrPlain(top, 'querySetQueries') || has(top, 'queryText'),
  },
  {
    name: 'srw-evaluation',
    summary: 'evaluation results of the workbench',
    content: 'run',
    fits: (top) => storedOrPlain(top, 'searchText', 'searchConfigurationId'),
  },
  {
    name: 'srw-experiment',
    summary: 'an experiment of the workbench that compares two configurations',
    content: 'run',
    fits: (top) => storedOrPlain(top, 'searchConfigurationList', 'results'),
  },
  {
    name: 'es-search',
    summary: 'what _search of Elasticsearch or OpenSearch answers: one topic, named after the file',
    content: 'run',
    fits: (top) =>
      isSearchAnswer(top) ||
      has(top, 'took', 'timed_out') ||
      (has(top, 'is_running') && isObject(top.get('response'))) ||
      (has(top, 'statusCode') && isSearchAnswer(top.get('body'))),
  },
  {
    name: 'solr',
    summary: 'an answer of Solr as JSON: one topic, named after the file',
    content: 'run',
    fits: (top) => has(top, 'responseHeader') || at(top, 'response', 'docs') !== undefined || isObject(top.get('grouped')),
  },
  {
    name: 'vespa',
    summary: 'an answer of Vespa: one topic, named after the file',
    content: 'run',
    fits: (top) => at(top, 'root', 'relevance') !== undefined,
  },
  {
    name: 'algolia',
    summary: 'an answer of Algolia: one topic, named after the file, or several',
    content: 'run',
    fits: (top) =>
      answers(top).some(
        (one) => isArray(at(one, 'hits')) && (at(one, 'hits', 0, 'objectID') !== undefined || at(one, 'nbHits') !== undefined),
      ) ||
      (top.size === 2 && typeof top.get('message') === 'string' && isNumber(top.get('status'))),
  },
  {
    name: 'meilisearch',
    summary: 'an answer of Meilisearch: one topic, named after the file, or several',
    content: 'run',
    fits: (top) =>
      answers(top).some((one) => isArray(at(one, 'hits')) && at(one, 'processingTimeMs') !== undefined) ||
      (has(top, 'message', 'code', 'type') && typeof top.get('message') === 'string'),
  },
  {
    name: 'typesense',
    summary: 'an answer of Typesense: one topic, named after the file, or several',
    content: 'run',
    fits: (top) =>
      answers(top).some((one) => at(one, 'found') !== undefined && (at(one, 'search_time_ms') !== undefined || isArray(at(one, 'hits')))) ||
      answers(top).some((one) => isNumber(at(one, 'code')) && typeof at(one, 'error') === 'string'),
  },
  {
    name: 'chroma',
    summary: 'what Chroma answers: a list of ids for each query',
    content: 'run',
    fits: (top) =>
      isArray(at(top, 'ids', 0)) && ['distances', 'documents', 'metadatas', 'embeddings', 'included'].some((key) => top.has(key)),
  },
  {
    name: 'pinecone',
    summary: 'an answer of Pinecone: one topic, named after the file, or several',
    content: 'run',
    fits: (top) => answers(top).some((one) => isArray(at(one, 'matches'))),
  },
  {
    name: 'qdrant',
    summary: 'an answer of Qdrant: one topic, named after the file, or several',
    content: 'run',
    fits: (top) => has(top, 'status', 'time') && (has(top, 'result') || at(top, 'status', 'error') !== undefined),
  },
  {
    name: 'weaviate',
    summary: 'what Weaviate answers to a GraphQL query: one topic, named after the file',
    content: 'run',
    fits: (top) => has(top, 'data') && (at(top, 'data', 'Get') !== undefined || at(top, 'errors', 0, 'message') !== undefined),
  },
  {
    name: 'milvus',
    summary: 'what Milvus answers: one topic, named after the file, or several',
    content: 'run',
    fits: (top) =>
      (isArray(top.get('data')) && (has(top, 'code') || has(top, 'topks')) && !has(top, 'status')) ||
      (top.size === 2 && isNumber(top.get('code')) && typeof top.get('message') === 'string'),
  },
  {
    name: 'lancedb',
    summary: 'rows that LanceDB returns, with _distance: one topic, named after the file, or a query_id in each row',
    content: 'run',
    fits: (top) => has(top, '_distance') || has(top, '_relevance_score', 'vector'),
  },
  {
    name: 'quepid-book',
    summary: 'a judgement book of Quepid',
    content: 'qrels',
    fits: (top) => isArray(top.get('query_doc_pairs')),
  },
  {
    name: 'quepid-case',
    summary: 'a case of Quepid with its ratings',
    content: 'qrels',
    fits: (top) =>
      has(top, 'case_name') && (!has(top, 'queries') || items(top.get('queries')).every((query) => at(query, 'query_text') !== undefined)),
  },
  {
    name: 'quepid-ratings',
    summary: 'the ratings that Quepid exports as JSON',
    content: 'qrels',
    fits: (top) => at(top, 'queries', 0, 'query') !== undefined && isObject(at(top, 'queries', 0, 'ratings')),
  },
  {
    name: 'quepid-snapshot',
    summary: "a snapshot as Quepid's API gives it",
    content: 'run',
    fits: (top) => isObject(top.get('docs')) && (has(top, 'queries') || has(top, 'scores') || has(top, 'time')),
  },
  {
    name: 'rre-ratings',
    summary: 'ratings of the Rated Ranking Evaluator',
    content: 'qrels',
    fits: (top) =>
      (has(top, 'id_field', 'index') && ['topics', 'query_groups', 'queries'].some((key) => top.has(key))) ||
      (has(top, 'index') && (isArray(top.get('topics')) || isArray(top.get('query_groups')))) ||
      at(top, 'queries', 0, 'placeholders') !== undefined,
  },
  {
    name: 'rre-evaluation',
    summary: 'what the Rated Ranking Evaluator wrote: a run for each version',
    content: 'run',
    fits: (top) => isArray(top.get('corpora')) || has(top, 'query-evaluations'),
  },
  {
    name: 'mteb-predictions',
    summary: 'predictions of MTEB for one task',
    content: 'run',
    fits: (top) => has(top, 'mteb_model_meta'),
  },
  {
    name: 'mteb-results',
    summary: 'results of MTEB, which are means',
    fits: (top) => has(top, 'mteb_version') && (has(top, 'scores') || has(top, 'dataset_revision')),
  },
  {
    name: 'ragas',
    summary: 'records of ragas with retrieved_context_ids and reference_context_ids',
    fits: (top) =>
      has(top, 'retrieved_context_ids') ||
      (has(top, 'user_input') && (has(top, 'retrieved_contexts') || has(top, 'reference_context_ids'))),
  },
  {
    name: 'retrieval-records',
    summary: 'records with retrieved_ids and expected_ids, as LlamaIndex has them',
    fits: (top) => has(top, 'retrieved_ids') || has(top, 'expected_ids'),
  },
  {
    name: 'retrieval-dataset',
    summary: 'queries, corpus and relevant_docs in one object, as LlamaIndex has them',
    content: 'qrels',
    fits: (top) => isObject(top.get('relevant_docs')) && (has(top, 'queries') || has(top, 'corpus')),
  },
  {
    name: 'retrieved-texts',
    summary: 'records with retrieved texts instead of ids, as deepeval and TruLens have them, neither a run nor judgements',
    fits: (top) => ['retrieval_context', 'retrievalContext'].some((key) => top.has(key)),
  },
  {
    name: 'pandas-columns',
    summary: 'a data frame written column by column, neither a run nor judgements as it is',
    fits: isDataFrame,
  },
  {
    name: 'promptfoo',
    summary: 'an evaluation of promptfoo, which has no field for retrieved documents',
    fits: (top) => has(top, 'version', 'results') && ['results', 'outputs'].some((key) => isArray(at(top, 'results', key))),
  },
  {
    name: 'langsmith',
    summary: 'runs or examples of LangSmith, which have no field for retrieved documents',
    fits: (top) => isObject(top.get('inputs')) && (has(top, 'outputs') || has(top, 'reference_outputs') || has(top, 'run_type')),
  },
  {
    name: 'kilt',
    summary: 'records with output[].provenance, as KILT has them',
    content: 'run',
    fits: (top) => has(top, 'id', 'output') && isArray(top.get('output')),
  },
  {
    name: 'es-jsonl',
    summary: 'lines with a query_id and the response of any of these engines',
    content: 'run',
    fits: (top) => topicKeys.some((key) => top.has(key)) && answerKeys.some((key) => isAnswer(top.get(key), key)),
  },
  {
    name: 'answers-by-topic',
    summary: 'an object of topics, each with the answer of any of these engines',
    content: 'run',
    fits: (top) => [...top.values()].slice(0, 1).some((value) => answerKind(value) !== undefined),
  },
  {
    name: 'beir-corpus',
    summary: 'documents or queries of BEIR with their texts, neither a run nor judgements',
    fits: (top) => has(top, '_id', 'text') && [...top.keys()].every((key) => ['_id', 'title', 'text', 'metadata', 'url'].includes(key)),
  },
  {
    name: 'ranked-lists',
    summary: 'records with a topic and its documents in order, or lists of documents with scores',
    content: 'run',
    fits: (top) => {
      if (topicKeys.some((key) => top.has(key)) && rankingKeys.some((key) => isArray(top.get(key)))) return true;
      // an object of topics whose documents are more than ids; json has those with ids only
      const first = [...top.values()].find((value) => items(value).length > 0);
      return [...top.values()].every(isArray) && (isArray(at(first, 0)) || isObject(at(first, 0)));
    },
  },
];

/** Whether this can be an answer of one of the engines. */
function isAnswer(value: JsonValue | undefined, key: string): boolean {
  if (key === 'hits' && isArray(value))
    return value.length === 0 || ['_id', 'objectID', 'id', 'document'].some((id) => at(value, 0, id) !== undefined);
  return isObject(value) && answerKind(value) !== undefined;
}

/** Formats of a file with one answer, whose topic its name can tell; some may hold several. */
export const answerNames: ReadonlySet<string> = new Set<EngineKindName>([
  'es-search',
  'solr',
  'vespa',
  'algolia',
  'meilisearch',
  'typesense',
  ...(['chroma', 'pinecone', 'qdrant', 'weaviate', 'milvus'] as const),
]);

/** Which engine answered like this. */
export function answerKind(value: JsonValue): EngineKindName | undefined {
  if (!isObject(value)) return undefined;
  return engineKinds.find(({ name, fits }) => answerNames.has(name) && fits(value))?.name;
}

const seen = new WeakMap<Head, EngineKind | 'none'>();

/** What kind of file begins like this; undefined if none of these. Every format asks for it, so it is kept. */
export function engineKindOf(head: Head): EngineKind | undefined {
  let kind = seen.get(head);
  if (kind === undefined) {
    kind =
      (/^[[{]/.test(head.line)
        ? kindOfValue(startOfJson(head.whole.slice(head.whole.indexOf(head.line.slice(0, 1)))))
        : kindOfTable(headerCells(head.line))) ?? 'none';
    seen.set(head, kind);
  }
  return kind === 'none' ? undefined : kind;
}

/** Kinds whose records may also be the rows of a table, with lists in its cells. */
const kindsOfTables: ReadonlySet<EngineKindName> = new Set<EngineKindName>(['ragas', 'retrieval-records', 'retrieved-texts']);

/** What records a table with these columns holds, if they are of one of these kinds. */
export function kindOfTable(names: readonly string[]): EngineKind | undefined {
  const record: JsonTable = new Map(names.map((name) => [name, '']));
  return engineKinds.find(({ name, fits }) => kindsOfTables.has(name) && fits(record));
}

/** Of a list, the first element tells. */
function kindOfValue(value: JsonValue | undefined): EngineKind | undefined {
  if (isArray(value)) {
    const first = value[0];
    // a list for each query, as the client of Milvus returns them
    if (isArray(first)) return at(first, 0, 'distance') === undefined ? undefined : engineKinds.find(({ name }) => name === 'milvus');
    const kind = isObject(first) ? engineKinds.find(({ fits }) => fits(first)) : undefined;
    return kind !== undefined && !answerNames.has(kind.name) ? kind : undefined;
  }
  if (!isObject(value) || [...value.values()].every(isNothing)) return undefined;
  return engineKinds.find(({ fits }) => fits(value));
}
