/** Rankings as evaluation tools keep them. */
import { roleOf } from '../tables/columns.js';
import { type ListedTopic, type Rating, type ReadingContext, shownTopic } from './collect.js';
import {
  at,
  entries,
  isArray,
  isNothing,
  isObject,
  items,
  type JsonTable,
  type JsonValue,
  numberOf,
  shownValue,
  textOf,
} from './json-value.js';
import { rankingKeys, topicKeys } from './kinds.js';

const quoted = (text: string): string => `query ${JSON.stringify(text)}`;

/** The ids in a list, each text or a number, or an object or a pair with a score. */
function listOf(list: readonly JsonValue[], where: string, line: number, context: ReadingContext): Pick<ListedTopic, 'docs' | 'scores'> {
  const docs: string[] = [];
  const scores: number[] = [];
  for (const [place, item] of list.entries()) {
    const isPair = isArray(item) && item.length === 2;
    const doc = isPair ? textOf(item[0]) : isObject(item) ? documentIn(item) : isArray(item) ? undefined : textOf(item);
    if (doc === undefined || doc === '') {
      context.bad(
        'wrong shape',
        line,
        `${where}: rank ${place + 1} is ${shownValue(item)}, expected a document id`,
        'leave it out; --lenient does',
      );
      continue;
    }
    docs.push(doc);
    scores.push(isPair ? numberOf(item[1]) : numberOf(at(item, 'score') ?? at(item, '_score')));
  }
  return { docs, scores };
}

/** The document of an item in a list, under one of the names that are known. */
function documentIn(item: JsonTable): string | undefined {
  const known = ['doc_id', 'docid', 'docno', 'id', '_id', 'doc', 'document_id'].find((key) => textOf(item.get(key)) !== undefined);
  const key = known ?? [...item.keys()].find((name) => roleOf(name) === 'doc');
  return key === undefined ? undefined : textOf(item.get(key));
}

/** An evaluation result of the search relevance workbench. */
export function* readEvaluation(results: readonly JsonTable[], context: ReadingContext): Generator<ListedTopic> {
  const seen = new Map<string, string>();
  for (const [place, result] of results.entries()) {
    const topic = textOf(result.get('searchText'))?.trim();
    const run = textOf(result.get('searchConfigurationId'));
    if (topic === undefined) {
      context.bad('missing field', 0, `result ${place + 1} has no searchText`, 'export the evaluations again');
      continue;
    }
    const ids = result.get('documentIds');
    const id = textOf(result.get('id')) ?? String(place + 1);
    const key = JSON.stringify([run, topic]);
    const before = seen.get(key);
    if (before !== undefined) {
      const message = `${quoted(topic)} is evaluated twice for configuration ${run ?? ''} (${before} and ${id})`;
      context.bad('wrong shape', 0, message, 'export the evaluations of one experiment only; --lenient keeps the first');
      continue;
    }
    seen.set(key, id);
    if (!isArray(ids)) context.bad('missing field', 0, `${quoted(topic)} has no documentIds`, 'export the evaluations again');
    else yield { topic, line: 0, run, docs: listOf(ids, quoted(topic), 0, context).docs };
  }
}

/** An experiment of the workbench, in which two configurations are compared. */
export function* readExperiment(experiment: JsonTable, context: ReadingContext): Generator<ListedTopic> {
  const type = textOf(experiment.get('type'));
  const status = textOf(experiment.get('status'));
  const results = items(experiment.get('results'));
  if (type !== 'PAIRWISE_COMPARISON' && !results.some((result) => at(result, 'snapshots') !== undefined)) {
    throw context.fatal(
      `is an experiment of type ${type ?? 'none'}, which holds ids of evaluations and no rankings`,
      'give the evaluation results instead',
    );
  }
  if (status !== undefined && status !== 'COMPLETED') context.note(`the status of the experiment is ${status}`);
  for (const result of results) {
    const topic = (textOf(at(result, 'queryText')) ?? textOf(at(result, 'query_text')) ?? '').trim();
    for (const snapshot of items(at(result, 'snapshots'))) {
      const run = textOf(at(snapshot, 'searchConfigurationId')) ?? '';
      const ids = at(snapshot, 'docIds');
      if (!isArray(ids))
        context.bad('missing field', 0, `${quoted(topic)}: the snapshot of ${run} has no docIds`, 'export the experiment again');
      else yield { topic, line: 0, run, docs: listOf(ids, quoted(topic), 0, context).docs };
    }
  }
}

/** A snapshot as Quepid's API gives it. */
export function* readSnapshot(top: JsonTable, context: ReadingContext): Generator<ListedTopic> {
  context.runName = textOf(top.get('name'))?.replace(/\s+/g, '-');
  for (const [topic, docs] of entries(top.get('docs'))) {
    // some were fetched only to be rated
    const ranked = items(docs).filter((doc) => textOf(at(doc, 'rated_only')) === undefined && shownValue(at(doc, 'rated_only')) !== 'true');
    yield { topic, line: 0, docs: listOf(ranked, shownTopic(topic), 0, context).docs };
  }
}

/** What the Rated ListedTopic Evaluator wrote, wherever its evaluations of queries stand. */
export function* readRreEvaluation(top: JsonValue, idField: string | undefined, context: ReadingContext): Generator<ListedTopic> {
  for (const level of ['corpora', 'topics', 'query-groups']) {
    for (const below of items(at(top, level))) yield* readRreEvaluation(below, idField, context);
  }
  for (const evaluation of items(at(top, 'query-evaluations'))) {
    const topic = (textOf(at(evaluation, 'query')) ?? '').trim();
    for (const [run, result] of entries(at(evaluation, 'results'))) {
      const docs: string[] = [];
      for (const [place, hit] of items(at(result, 'hits')).entries()) {
        const doc = textOf(at(hit, idField ?? 'id'));
        if (doc !== undefined) docs.push(doc);
        else {
          const fields = isObject(hit) ? [...hit.keys()].filter((name) => !name.startsWith('_')) : [];
          const found = fields.length === 0 ? '' : `; it has ${fields.slice(0, 20).join(', ')}`;
          context.bad(
            'missing field',
            0,
            `${quoted(topic)}: hit ${place + 1} has no field ${idField ?? 'id'}${found}`,
            `--columns doc=${fields[0] ?? 'NAME'} names the field`,
          );
        }
      }
      if (idField !== undefined) context.options.onColumn?.('doc');
      yield { topic, line: 0, run, docs };
    }
  }
}

/** Predictions of MTEB: subset, split, topic, document, score. */
export function* readMteb(top: JsonTable, context: ReadingContext): Generator<ListedTopic> {
  context.runName = textOf(at(top, 'mteb_model_meta', 'model_name'))?.replace(/\s+/g, '-');
  const subsets = [...top].filter(([key, value]) => key !== 'mteb_model_meta' && isObject(value));
  const { subset: wanted } = context.options;
  if (wanted !== undefined) context.options.onChoice?.('subset');
  const pick = (choices: readonly (readonly [string, JsonValue])[], what: string, name: string | undefined): JsonValue => {
    const names = choices.map(([key]) => key);
    const found = name === undefined ? (choices.length === 1 ? choices[0] : undefined) : choices.find(([key]) => key === name);
    if (found !== undefined) return found[1];
    const message = name === undefined ? `holds ${choices.length} ${what}s (${names.slice(0, 20).join(', ')})` : `holds no ${what} ${name}`;
    throw context.fatal(message, `--subset ${what === 'subset' ? 'NAME' : 'SUBSET/SPLIT'} picks one`);
  };
  const [subsetName, splitName] = wanted?.includes('/')
    ? [wanted.slice(0, wanted.indexOf('/')), wanted.slice(wanted.indexOf('/') + 1)]
    : [wanted, undefined];
  const split = pick([...entries(pick(subsets, 'subset', subsetName))], 'split', splitName);
  for (const [topic, docs] of entries(split)) {
    const ids: string[] = [];
    const scores: number[] = [];
    for (const [doc, value] of entries(docs)) {
      const score = numberOf(value);
      if (Number.isNaN(score))
        context.bad(
          'not a number',
          0,
          `${shownTopic(topic)}, document ${doc}: expected a score, found ${shownValue(value)}`,
          '--lenient leaves it out',
        );
      else {
        ids.push(doc);
        scores.push(score);
      }
    }
    yield { topic, line: 0, docs: ids, scores, isUnordered: true };
  }
}

/** A record of KILT: the provenance of the first output that has one. */
export function* readKilt(top: JsonTable, line: number, context: ReadingContext): Generator<ListedTopic> {
  const topic = textOf(top.get('id'));
  if (topic === undefined) {
    context.bad('missing field', line, 'has no id', 'give each record the id of its topic; --lenient skips such lines');
    return;
  }
  const outputs = items(top.get('output'));
  const provenance = outputs.map((output) => at(output, 'provenance')).find(isArray);
  if (provenance === undefined && outputs.length > 0) {
    context.bad(
      'missing field',
      line,
      `${shownTopic(topic)} has answers but no provenance`,
      'only retrieval output ranks documents; --lenient skips such lines',
    );
    return;
  }
  const { doc: chosen } = context.options.columns ?? {};
  const field = typeof chosen === 'string' ? chosen : 'wikipedia_id';
  const docs: string[] = [];
  for (const [place, entry] of (provenance ?? []).entries()) {
    const doc = textOf(at(entry, field));
    if (doc !== undefined) {
      docs.push(doc);
      continue;
    }
    const fields = isObject(entry) ? [...entry.keys()] : [];
    const message = `${shownTopic(topic)}: entry ${place + 1} of provenance has no ${field}; it has ${fields.join(', ') || 'nothing'}`;
    context.bad('missing field', line, message, `--columns doc=${fields[0] ?? 'NAME'} names the field`);
  }
  if (typeof chosen === 'string' && docs.length > 0) context.options.onColumn?.('doc');
  yield { topic, line, docs };
}

/** Where the records of a tool keep what was asked, found and expected. */
export interface ToolFields {
  readonly question: readonly string[];
  readonly retrieved: string;
  readonly reference: string;
}

/** The records of tools for retrieval-augmented generation. */
export const recordFields: Readonly<Record<'ragas' | 'retrieval-records', ToolFields>> = {
  ragas: { question: ['id', 'query_id', 'user_input', 'question'], retrieved: 'retrieved_context_ids', reference: 'reference_context_ids' },
  'retrieval-records': { question: ['id', 'query_id', 'query', 'question'], retrieved: 'retrieved_ids', reference: 'expected_ids' },
};

/** The list of ids that a record has under this key, with its topic. */
export function recordList(
  top: JsonTable,
  fields: ToolFields,
  key: string,
  line: number,
  seen: Set<string>,
  context: ReadingContext,
): ListedTopic | undefined {
  const topic = fields.question
    .map((name) => textOf(top.get(name)))
    .find((text) => text !== undefined)
    ?.trim();
  if (topic === undefined || topic === '') {
    context.bad('missing field', line, `has no ${fields.question[2]}`, 'give each record its question; --lenient skips such records');
    return undefined;
  }
  if (seen.has(topic)) {
    context.bad(
      'wrong shape',
      line,
      `the question ${JSON.stringify(topic)} occurs twice`,
      'give the records ids of their own; --lenient keeps the first',
    );
    return undefined;
  }
  seen.add(topic);
  context.queries.intern(topic);
  const list = top.get(key);
  if (isArray(list)) return { topic, line, docs: listOf(list, shownTopic(topic), line, context).docs };
  if (isNothing(list)) context.bad('missing field', line, `has no ${key}`, 'texts without ids cannot be compared; keep the ids as well');
  else
    context.bad(
      'wrong shape',
      line,
      `expected a list of ids as ${key}, found ${shownValue(list)}`,
      'write it as ["d1", "d2"]; --lenient skips such records',
    );
  return undefined;
}

/** The expected documents of a record, all with grade 1. */
export function* expectedDocuments(list: ListedTopic): Generator<Rating> {
  for (const doc of new Set(list.docs)) yield { topic: list.topic, line: list.line, doc, grade: 1 };
}

/** A record with a topic and its documents in order. */
export function* readRankedRecord(top: JsonTable, line: number, context: ReadingContext): Generator<ListedTopic> {
  const listKey = rankingKeys.find((key) => isArray(top.get(key)));
  const topicKey = topicKeys.find((key) => textOf(top.get(key)) !== undefined);
  if (listKey === undefined) {
    // an object of topics
    for (const [topic, list] of top) yield { topic, line, ...listOf(items(list), shownTopic(topic), line, context) };
    return;
  }
  const topic = topicKey === undefined ? undefined : textOf(top.get(topicKey));
  if (topic === undefined) context.bad('missing field', line, 'has no query_id', 'give each record the topic that it answers');
  else yield { topic, line, ...listOf(items(top.get(listKey)), shownTopic(topic), line, context) };
}
