/** How the answers of each search engine are read. */
import type { ReadingContext } from './collect.js';
import { at, entries, isArray, isWord, items, type JsonTable, type JsonValue, numberOf, textOf } from './json-value.js';
import type { EngineKindName } from './kinds.js';
import { chroma, milvus, pinecone, qdrant, weaviate } from './vector-stores.js';

/** What helps where an answer is none. */
export const SEND_AGAIN = 'send the search again and keep its answer';

/** How the hits of an engine are read. */
export interface EngineAnswers {
  /** Refuses an answer that is none, and says what there is to know about one that is. */
  check?(answer: JsonTable, context: ReadingContext): void;
  /** The answers to several queries that one file may hold. */
  several?(answer: JsonTable): readonly JsonTable[];
  hits(answer: JsonTable, context: ReadingContext): readonly JsonValue[];
  /** Where the document's id may stand, the best place first. */
  readonly ids: readonly (readonly string[])[];
  /** Where its fields stand, to name them if the id is missing. */
  readonly fields?: readonly string[];
  readonly score?: string;
  /** What is said of a hit without an id. */
  readonly missing: { readonly what: 'hit' | 'document'; readonly id?: string; readonly wayOut?: string };
  /** The text of the query, where the answer tells it. */
  query?(answer: JsonTable): string | undefined;
}

/** The words of an error in one line. */
export function errorReason(error: JsonValue | undefined): string {
  const type = textOf(at(error, 'type'));
  const reason = textOf(at(error, 'reason')) ?? textOf(error) ?? '';
  return oneLine([type, reason].filter((part) => part !== undefined && part !== '').join(': '));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
}

/** Elasticsearch and OpenSearch. */
export const elasticsearch: EngineAnswers = {
  check(answer, context) {
    const status = textOf(at(answer, 'status'));
    if (answer.has('error') && !answer.has('hits')) {
      const reason = [status, errorReason(answer.get('error'))].filter(Boolean).join(' ');
      throw context.fatal(`is an error response of the engine (${reason}), expected hits`, SEND_AGAIN);
    }
    if (!isArray(at(answer, 'hits', 'hits'))) throw context.fatal('has no hits', 'filter_path must keep hits.hits._id');
    const failed = numberOf(at(answer, '_shards', 'failed'));
    const causes: string[] = [];
    if (isWord(answer.get('timed_out'), 'true')) causes.push('the search timed out');
    if (failed > 0) causes.push(`${failed} of ${textOf(at(answer, '_shards', 'total')) ?? '?'} shards failed`);
    if (isWord(answer.get('terminated_early'), 'true')) causes.push('the search ended early');
    if (causes.length > 0) context.note(`${causes.join(' and ')}, so the ranking may be incomplete`);
  },
  hits: (answer) => items(at(answer, 'hits', 'hits')),
  ids: [['_id']],
  score: '_score',
  missing: {
    what: 'hit',
    id: '_id',
    wayOut: 'ask for documents, not for aggregations or filtered fields (filter_path must keep hits.hits._id)',
  },
};

const solr: EngineAnswers = {
  check(answer, context) {
    const status = textOf(at(answer, 'responseHeader', 'status')) ?? '0';
    if (answer.has('error') || status !== '0') {
      const error = answer.get('error');
      const reason = oneLine(textOf(at(error, 'msg')) ?? textOf(at(error, 'trace')) ?? 'no reason given');
      throw context.fatal(
        `is an error response of Solr (${textOf(at(error, 'code')) ?? status} ${reason}), expected response.docs`,
        SEND_AGAIN,
      );
    }
    if (isWord(at(answer, 'responseHeader', 'partialResults'), 'true'))
      context.note('the results are partial, so the ranking may be incomplete');
    const start = numberOf(at(answer, 'response', 'start'));
    if (start > 0) context.note(`the list begins at rank ${start + 1} of the search`);
  },
  hits(answer, context) {
    const docs = at(answer, 'response', 'docs');
    if (isArray(docs)) return docs;
    const found: JsonValue[] = [];
    for (const [, field] of entries(answer.get('grouped'))) {
      const simple = at(field, 'doclist', 'docs');
      if (isArray(simple)) found.push(...simple);
      for (const group of items(at(field, 'groups'))) found.push(...items(at(group, 'doclist', 'docs')));
    }
    if (!answer.has('grouped')) throw context.fatal('has no response.docs', SEND_AGAIN);
    return found;
  },
  ids: [['id']],
  score: 'score',
  missing: { what: 'document' },
};

const vespa: EngineAnswers = {
  check(answer, context) {
    const root = answer.get('root');
    const [error] = items(at(root, 'errors'));
    if (error !== undefined && items(at(root, 'children')).length === 0) {
      const reason = oneLine(
        `${textOf(at(error, 'code')) ?? ''} ${[at(error, 'summary'), at(error, 'message')].map(textOf).filter(Boolean).join(': ')}`,
      );
      throw context.fatal(`is an error response of Vespa (${reason}), expected root.children`, SEND_AGAIN);
    }
    if (isWord(at(root, 'coverage', 'full'), 'false')) context.note('not all documents were searched, so the ranking may be incomplete');
  },
  hits(answer, context) {
    const found: JsonValue[] = [];
    let numGroups = 0;
    const visit = (children: readonly JsonValue[]): void => {
      for (const child of children) {
        if (/^group(list)?:/.test(textOf(at(child, 'id')) ?? '')) {
          numGroups++;
          visit(items(at(child, 'children')));
        } else if (at(child, 'children') !== undefined) visit(items(at(child, 'children')));
        else found.push(child);
      }
    };
    visit(items(at(answer, 'root', 'children')));
    if (found.length === 0 && numGroups > 0) throw context.fatal('holds groups but no hits', 'ask for hits as well, without grouping');
    if (found.some((hit) => at(hit, 'fields', 'documentid') === undefined && /^index:/.test(textOf(at(hit, 'id')) ?? ''))) {
      context.note('the ids are index:… and change between runs; ask for documentid in the summary');
    }
    return found;
  },
  ids: [['fields', 'documentid'], ['id']],
  score: 'relevance',
  missing: { what: 'hit', id: 'id' },
};

/** The error bodies of the smaller engines. */
function refuseMessage(answer: JsonTable, context: ReadingContext): void {
  if (answer.has('hits') || answer.has('results') || answer.has('grouped_hits')) return;
  const code = textOf(answer.get('code')) ?? textOf(answer.get('status'));
  const reason = oneLine(textOf(answer.get('message')) ?? textOf(answer.get('error')) ?? 'no reason given');
  throw context.fatal(`is an error response (${code === undefined ? '' : `${code}: `}${reason})`, SEND_AGAIN);
}

const algolia: EngineAnswers = {
  check: refuseMessage,
  hits: (answer) => items(answer.get('hits')),
  ids: [['objectID']],
  missing: { what: 'hit', id: 'objectID', wayOut: 'attributesToRetrieve cannot drop it; was the answer edited?' },
  query: (answer) => textOf(answer.get('query')),
};

const meilisearch: EngineAnswers = {
  check: refuseMessage,
  hits: (answer) => items(answer.get('hits')),
  ids: [['id']],
  score: '_rankingScore',
  missing: { what: 'hit' },
  query: (answer) => textOf(answer.get('query')),
};

const typesense: EngineAnswers = {
  check: refuseMessage,
  hits(answer) {
    const groups = items(answer.get('grouped_hits'));
    return groups.length === 0 ? items(answer.get('hits')) : groups.flatMap((group) => items(at(group, 'hits')));
  },
  ids: [['document', 'id']],
  fields: ['document'],
  missing: { what: 'hit' },
  query: (answer) => textOf(at(answer, 'request_params', 'q')),
};

/** A bare list of hits, from whichever engine. */
export const anyHits: EngineAnswers = {
  hits: (answer) => items(answer.get('hits')),
  ids: [['_id'], ['objectID'], ['document', 'id'], ['id']],
  score: '_score',
  missing: { what: 'hit' },
};

/** The engines by the kind of file that their answers are. */
export const engines: Partial<Record<EngineKindName, EngineAnswers>> = {
  'es-search': elasticsearch,
  solr,
  vespa,
  algolia,
  meilisearch,
  typesense,
  chroma,
  pinecone,
  qdrant,
  weaviate,
  milvus,
};
