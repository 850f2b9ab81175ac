/** What vector stores answer. Their lists are in order, whether the number beside a document is a similarity or a distance, so the list
 *  is the ranking; distances, of which the smallest is the best, are not read as scores. */
import type { ReadingContext } from './collect.js';
import { at, entries, isArray, isObject, items, type JsonTable, type JsonValue, numberOf, textOf } from './json-value.js';
import type { EngineAnswers } from './search-engines.js';

const ASK_AGAIN = 'send the query again and keep its answer';

function objects(values: readonly JsonValue[]): JsonTable[] {
  return values.filter(isObject);
}

/** `{ids: [[…]], distances: [[…]]}`: a list for each query. */
export const chroma: EngineAnswers = {
  several: (answer) =>
    items(answer.get('ids')).map((ids): JsonTable => new Map([['matches', items(ids).map((id) => new Map([['id', id]]))]])),
  hits: (answer) => items(answer.get('matches')),
  ids: [['id']],
  missing: { what: 'hit', id: 'id' },
};

/** `{matches: [{id, score}]}`, or several of them. */
export const pinecone: EngineAnswers = {
  several: (answer) => (answer.has('matches') ? [answer] : objects(items(answer.get('results')))),
  hits: (answer) => items(answer.get('matches')),
  ids: [['id']],
  score: 'score',
  missing: { what: 'hit', id: 'id' },
};

/** `{result: […]}` or `{result: {points: […]}}`, and lists of either for several queries. */
export const qdrant: EngineAnswers = {
  check(answer, context) {
    const reason = textOf(at(answer, 'status', 'error'));
    if (reason !== undefined) throw context.fatal(`is an error response of Qdrant (${reason}), expected result`, ASK_AGAIN);
  },
  several(answer) {
    const result = answer.get('result');
    const lists =
      isArray(result) && result.length > 0 && result.every((one) => isArray(one) || isArray(at(one, 'points'))) ? result : [result];
    return lists.map((list): JsonTable => new Map([['points', (isArray(list) ? list : at(list, 'points')) ?? []]]));
  },
  hits: (answer) => items(answer.get('points')),
  ids: [['id']],
  score: 'score',
  missing: { what: 'hit', id: 'id' },
};

/** `{data: {Get: {Collection: […]}}}`, the answer to a GraphQL query. */
export const weaviate: EngineAnswers = {
  check(answer, context) {
    const [error] = items(answer.get('errors'));
    if (error !== undefined)
      throw context.fatal(
        `is an error response of Weaviate (${textOf(at(error, 'message')) ?? 'no reason given'}), expected data.Get`,
        ASK_AGAIN,
      );
  },
  hits(answer, context: ReadingContext) {
    const found = [...entries(at(answer, 'data', 'Get'))];
    if (found.length > 1) {
      const names = found.map(([name]) => name).join(', ');
      throw context.fatal(`holds results of ${found.length} collections (${names})`, 'ask for one collection at a time');
    }
    return items(found[0]?.[1]);
  },
  ids: [['_additional', 'id'], ['id']],
  missing: { what: 'hit', id: '_additional.id', wayOut: 'ask for _additional { id }, or name another field with --columns doc=NAME' },
};

/** `{code: 0, data: […], topks: […]}`: hits of all queries behind one another, `topks` of each; or a list of hits for each query, as the
 *  client for Python returns them. */
export const milvus: EngineAnswers = {
  check(answer, context) {
    if (answer.has('data')) return;
    const reason = [answer.get('code'), answer.get('message')].map(textOf).filter(Boolean).join(': ');
    throw context.fatal(`is an error response of Milvus (${reason}), expected data`, ASK_AGAIN);
  },
  several(answer) {
    const data = items(answer.get('data'));
    const counts = items(answer.get('topks')).map(numberOf);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const ends = counts.map((_, query) => counts.slice(0, query + 1).reduce((sum, count) => sum + count, 0));
    const lists =
      data.every(isArray) && data.length > 0
        ? data
        : total === data.length
          ? ends.map((end, q) => data.slice(end - counts[q], end))
          : [data];
    return (lists.length === 0 ? [[]] : lists).map((list): JsonTable => new Map([['hits', list]]));
  },
  hits: (answer) => items(answer.get('hits')),
  ids: [['id'], ['pk'], ['primary_key']],
  missing: { what: 'hit' },
};

/** The rows of a table of LanceDB: those of one query, or each with the query that it was found for. */
export const lancedb: EngineAnswers = {
  hits: (answer) => items(answer.get('rows')),
  ids: [['id'], ['_id'], ['doc_id'], ['docid'], ['docno'], ['document_id']],
  missing: { what: 'hit' },
};

/** Rows by the query that they name, in the order in which queries come. */
export function rowsByQuery(rows: readonly JsonTable[]): Map<string | undefined, JsonTable[]> {
  const byQuery = new Map<string | undefined, JsonTable[]>();
  for (const row of rows) {
    const query = ['query_id', 'qid', 'topic', 'topic_id', 'query'].map((key) => textOf(row.get(key))).find((text) => text !== undefined);
    const known = byQuery.get(query) ?? [];
    known.push(row);
    byQuery.set(query, known);
  }
  return byQuery;
}
