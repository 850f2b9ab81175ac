/** What search engines answer: hits in an order that is the ranking. */
import { InputError } from '../../core/problem.js';
import { type ListedTopic, type ReadingContext, shownTopic } from './collect.js';
import {
  at,
  entries,
  isArray,
  isNothing,
  isObject,
  isWord,
  items,
  type JsonTable,
  type JsonValue,
  numberOf,
  shownValue,
  textOf,
} from './json-value.js';
import { answerKeys, answerKind, type EngineKindName, topicKeys } from './kinds.js';
import { anyHits, type EngineAnswers, elasticsearch, engines, errorReason, SEND_AGAIN } from './search-engines.js';
import { lancedb, rowsByQuery } from './vector-stores.js';

/** One answer, with its hits as a ranking. */
function rankingOf(engine: EngineAnswers, answer: JsonTable, topic: string, line: number, context: ReadingContext): ListedTopic {
  const docs: string[] = [];
  const scores: number[] = [];
  const indices = new Map<string, string>();
  const { doc: chosen } = context.options.columns ?? {};
  for (const [place, hit] of engine.hits(answer, context).entries()) {
    const doc =
      typeof chosen === 'string'
        ? fieldByPath(hit, chosen)
        : engine.ids.map((path) => textOf(at(hit, ...path))).find((id) => id !== undefined);
    if (doc === undefined || doc === '') {
      addMissing(engine, hit, place, typeof chosen === 'string' ? chosen : undefined, line, context);
      continue;
    }
    if (typeof chosen === 'string') context.options.onColumn?.('doc');
    else refuseTwoIndices(hit, doc, indices, context);
    docs.push(doc);
    scores.push(engine.score === undefined ? Number.NaN : numberOf(at(hit, engine.score)));
  }
  return { topic, line, docs, scores };
}

function refuseTwoIndices(hit: JsonValue, doc: string, indices: Map<string, string>, context: ReadingContext): void {
  const index = textOf(at(hit, '_index'));
  const before = indices.get(doc);
  if (index === undefined) return;
  if (before !== undefined && before !== index) {
    throw context.fatal(`document ${doc} stands in the indices ${before} and ${index}`, '--columns doc=_index+_id tells them apart');
  }
  indices.set(doc, index);
}

/** What `_source.sku` or `_index+_id` names in a hit. */
function fieldByPath(hit: JsonValue, path: string): string | undefined {
  const parts = path.split('+').map((part) => textOf(at(hit, part)) ?? textOf(at(hit, ...part.split('.'))));
  return parts.every((part) => part !== undefined) ? parts.join('/') : undefined;
}

/** Tells what a hit has instead of an id. */
function addMissing(
  engine: EngineAnswers,
  hit: JsonValue,
  place: number,
  chosen: string | undefined,
  line: number,
  context: ReadingContext,
): void {
  const { what, id, wayOut } = engine.missing;
  const where = `${what} ${place + 1}`;
  if (chosen === undefined && id !== undefined) {
    context.bad('missing field', line, `${where} has no ${id}`, wayOut ?? '--columns doc=NAME names another field');
    return;
  }
  const inner = engine.fields === undefined ? hit : at(hit, ...engine.fields);
  const named = isObject(inner) ? [...inner.keys()] : [];
  const prefix = engine.fields === undefined ? '' : `${engine.fields.join('.')}.`;
  const likely = named.find((name) => !/score|^_/i.test(name)) ?? 'NAME';
  const told = named.length === 0 ? '' : `; it has ${named.slice(0, 20).sort().join(', ')}`;
  const missing = chosen ?? engine.ids.at(-1)?.at(-1) ?? 'id';
  context.bad('missing field', line, `${where} has no field ${missing}${told}`, `--columns doc=${prefix}${likely} names the field`);
}

/** The answer within what clients put around it. */
function unwrapped(answer: JsonTable, context: ReadingContext): JsonTable {
  if (isWord(answer.get('is_running'), 'true'))
    throw context.fatal('is a search that was still running', 'fetch its result when it is done');
  const inner = answer.has('is_running') ? answer.get('response') : answer.has('statusCode') ? answer.get('body') : undefined;
  return isObject(inner) ? inner : answer;
}

/** The rows of LanceDB as rankings. */
export function* readRows(rows: readonly JsonTable[], context: ReadingContext): Generator<ListedTopic> {
  for (const [query, own] of rowsByQuery(rows)) {
    yield rankingOf(lancedb, new Map([['rows', own]]), query ?? context.nameOfAnswer(), 0, context);
  }
}

/** A file that is an answer, or several from a multi-search of the smaller engines. */
export function* readAnswers(kind: EngineKindName, top: JsonTable, line: number, context: ReadingContext): Generator<ListedTopic> {
  const engine = engines[kind] ?? anyHits;
  const answer = unwrapped(top, context);
  engine.check?.(answer, context);
  const several = answersIn(engine, answer);
  if (several === undefined) {
    yield rankingOf(engine, answer, context.nameOfAnswer(), line, context);
    return;
  }
  const only = several.length === 1 && engine.query === undefined;
  context.checkNames(several.length, 'answer');
  for (const [place, one] of several.entries()) {
    const topic = context.options.topicNames?.[place] ?? engine.query?.(one) ?? context.nameOfAnswer(only ? undefined : place);
    if (one.has('error') && !one.has('hits') && !one.has('grouped_hits')) {
      addError(topic, `answer ${place + 1}`, textOf(one.get('code')), one, context);
      continue;
    }
    yield rankingOf(engine, one, topic, line, context);
  }
}

/** The answers to several queries; undefined if there is one, as it is. */
function answersIn(engine: EngineAnswers, answer: JsonTable): readonly JsonTable[] | undefined {
  if (engine.several !== undefined) return engine.several(answer);
  const several = answer.has('hits') || engine.query === undefined ? undefined : answer.get('results');
  return isArray(several) ? several.filter(isObject) : undefined;
}

/** Says that one of several answers is an error. */
function addError(topic: string, what: string, status: string | undefined, answer: JsonValue, context: ReadingContext): void {
  const reason = [status, errorReason(at(answer, 'error'))].filter(Boolean).join(' ');
  const wayOut = `${SEND_AGAIN}; --lenient leaves it out`;
  context.bad('wrong shape', 0, `${shownTopic(topic)}: ${what} is an error (${reason}), expected hits`, wayOut);
}

/** Whether one of several answers is one; what is wrong with it is said with its topic and line. */
function isGood(engine: EngineAnswers, answer: JsonTable, topic: string, line: number, context: ReadingContext): boolean {
  try {
    engine.check?.(answer, context);
    return true;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { message, wayOut } = error.problems[error.problems.length - 1];
    context.bad('wrong shape', line, `${shownTopic(topic)}: ${message}`, `${wayOut}; --lenient leaves it out`);
    return false;
  }
}

/** What `_msearch` answers: one response for each request, in order. */
export function* readMultiSearch(top: JsonTable, context: ReadingContext): Generator<ListedTopic> {
  const responses = items(top.get('responses'));
  context.checkNames(responses.length, 'response');
  for (const [place, response] of responses.entries()) {
    const topic = context.nameOfAnswer(place);
    if (!isObject(response) || (response.has('error') && !response.has('hits'))) {
      addError(topic, `response ${place + 1}`, textOf(at(response, 'status')), response, context);
      continue;
    }
    if (!isGood(elasticsearch, response, topic, 0, context)) continue;
    yield rankingOf(elasticsearch, response, topic, 0, context);
  }
}

/** A topic and its answer as a line has them. */
export function answerOf(topic: string, answer: JsonValue): JsonTable {
  return new Map([
    [topicKeys[0], topic],
    [answerKeys[0], answer],
  ]);
}

/** A line with a topic and an answer of any engine. */
export function* readAnswerLine(top: JsonTable, line: number, context: ReadingContext): Generator<ListedTopic> {
  const topicKey = topicKeys.find((key) => textOf(top.get(key)) !== undefined);
  const topic = topicKey === undefined ? undefined : textOf(top.get(topicKey));
  if (topic === undefined || topic === '') {
    context.bad('missing field', line, 'has no query_id', 'give each line the topic that its response answers; --lenient skips such lines');
    return;
  }
  const key = answerKeys.find((name) => top.has(name) && name !== topicKey);
  const answer = key === undefined ? undefined : top.get(key);
  if (isArray(answer)) yield rankingOf(anyHits, new Map([['hits', answer]]), topic, line, context);
  else if (isObject(answer)) {
    const kind = answerKind(answer);
    if (kind === undefined) {
      context.bad(
        'wrong shape',
        line,
        `${shownTopic(topic)}: expected the answer of a search engine, found other fields`,
        '--lenient skips such lines',
      );
      return;
    }
    const engine = engines[kind] ?? anyHits;
    const inner = unwrapped(answer, context);
    if (!isGood(engine, inner, topic, line, context)) return;
    const several = engine.several?.(inner) ?? [inner];
    if (several.length === 1) yield rankingOf(engine, several[0], topic, line, context);
    else {
      const message = `${shownTopic(topic)}: expected the answer to one query, found ${several.length}`;
      context.bad('wrong shape', line, message, 'write a line for each query; --lenient skips such lines');
    }
  } else
    context.bad(
      'wrong shape',
      line,
      `${shownTopic(topic)}: expected a response, found ${shownValue(answer)}`,
      '--lenient skips such lines',
    );
}

/** What `_rank_eval` answered, as a run. */
export function* readRankEval(top: JsonTable, context: ReadingContext): Generator<ListedTopic> {
  const details = top.get('details');
  const failures = [...entries(top.get('failures'))];
  const reasons = failures.slice(0, 3).map(([topic, failure]) => `${topic}: ${errorReason(at(failure, 'error') ?? failure)}`);
  if (!isObject(details) || details.size === 0) {
    const failed = failures.length === 0 ? '' : `, and ${failures.length} failed (${reasons.join('; ')})`;
    throw context.fatal(`holds no query${failed}`, 'mend the request and run it again');
  }
  if (failures.length > 0)
    context.note(
      `${failures.length} ${failures.length === 1 ? 'query failed and is' : 'queries failed and are'} not in it (${reasons.join('; ')})`,
    );
  for (const [topic, detail] of details) {
    const hits = at(detail, 'hits');
    if (!isArray(hits)) {
      context.bad(
        'wrong shape',
        0,
        `${shownTopic(topic)} has no hits array`,
        'keep the whole response; filter_path must not drop details.*.hits',
      );
      continue;
    }
    const answer = new Map<string, JsonValue>([['hits', new Map([['hits', hits.map((entry) => at(entry, 'hit') ?? entry)]])]]);
    yield rankingOf(elasticsearch, answer, topic, 0, context);
  }
}

/** The hits of a `_rank_eval` response that were rated. */
export function* ratedHits(top: JsonTable, context: ReadingContext): Generator<{ topic: string; hit: JsonValue; rating: JsonValue }> {
  context.note('holds ratings of returned documents only, so recall, AP and nDCG computed from them are too high');
  for (const [topic, detail] of entries(top.get('details'))) {
    context.queries.intern(topic);
    for (const entry of items(at(detail, 'hits'))) {
      const rating = at(entry, 'rating');
      const hit = at(entry, 'hit');
      if (rating !== undefined && hit !== undefined && !isNothing(rating)) yield { topic, hit, rating };
    }
  }
}
