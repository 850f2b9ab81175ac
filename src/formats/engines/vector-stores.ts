/** What vector stores answer. Their lists are in order, whether the number beside a document is a similarity or a distance, so the list
 *  is the ranking; distances, of which the smallest is the best, are not read as scores. */
import type { ReadingContext } from './collect.js';
import { at, entries, isArray, isObject, items, type JsonTable, type JsonValue, textOf } from './json-value.js';
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
