/** What ranx saves as .lz4, and what its hub shares: a CBOR map of topics to maps of documents to numbers. */
import { checkWholeFile } from '../../core/limits.js';
import { namingSource } from '../../core/problem.js';
import { type ByteParts, type QrelsReading, type ReadOptions, type RunReading, sourceOf } from '../reader.js';
import { BrokenCbor, cborValue } from './cbor.js';
import { type ListedTopic, qrelsOf, type Rating, ReadingContext, runOf, shownTopic } from './collect.js';
import { at, entries, isObject, type JsonTable, numberOf, shownValue, textOf } from './json-value.js';

/** Reads such a file as a run. */
export async function readRanxRun(file: ByteParts, options: ReadOptions): Promise<RunReading> {
  const context = new ReadingContext(options);
  const topics = await topicsIn(file, 'run', context);
  return namingSource(sourceOf(options), () => runOf(rankings(topics, context), context));
}

/** Reads such a file as judgements. */
export async function readRanxQrels(file: ByteParts, options: ReadOptions): Promise<QrelsReading> {
  const context = new ReadingContext(options);
  const topics = await topicsIn(file, 'qrels', context);
  return namingSource(sourceOf(options), () => qrelsOf(ratings(topics, context), context));
}

/** The map of topics: the whole file, or what a file of the hub holds beside its metadata. */
async function topicsIn(file: ByteParts, key: 'run' | 'qrels', context: ReadingContext): Promise<JsonTable> {
  const { options } = context;
  checkWholeFile(sourceOf(options), file.byteLength);
  const bytes = new Uint8Array(await file.slice(0));
  try {
    const top = cborValue(bytes);
    const inner = at(top, key);
    const isShared = isObject(inner) && [...inner.values()].some(isObject);
    if (isShared) context.runName = textOf(at(top, 'metadata', 'run', 'name')) ?? textOf(at(top, 'name'));
    const topics = isShared ? inner : top;
    if (isObject(topics)) return topics;
  } catch (error) {
    if (!(error instanceof BrokenCbor)) throw error;
    throw context.fatal(`is not CBOR: ${error.message}`, 'fetch or make the file again');
  }
  throw context.fatal('is CBOR, but not a map of topics', 'save it from ranx as JSON');
}

/** The numbers of a topic, and a problem for each that is none. */
function* numbersIn(topics: JsonTable, what: string, context: ReadingContext): Generator<{ topic: string; docs: [string, number][] }> {
  for (const [topic, documents] of topics) {
    if (!isObject(documents)) {
      const message = `${shownTopic(topic)}: expected documents with numbers, found ${shownValue(documents)}`;
      context.bad('wrong shape', 0, message, 'save it from ranx again; --lenient leaves it out');
      continue;
    }
    const docs: [string, number][] = [];
    for (const [doc, value] of entries(documents)) {
      const number = numberOf(value);
      if (Number.isFinite(number)) docs.push([doc, number]);
      else {
        const message = `${shownTopic(topic)}, document ${doc}: expected a ${what}, found ${shownValue(value)}`;
        context.bad('not a number', 0, message, '--lenient leaves it out');
      }
    }
    yield { topic, docs };
  }
}

function* rankings(topics: JsonTable, context: ReadingContext): Generator<ListedTopic> {
  for (const { topic, docs } of numbersIn(topics, 'score', context)) {
    yield { topic, line: 0, docs: docs.map(([doc]) => doc), scores: docs.map(([, score]) => score), isUnordered: true };
  }
}

function* ratings(topics: JsonTable, context: ReadingContext): Generator<Rating> {
  for (const { topic, docs } of numbersIn(topics, 'grade', context)) {
    for (const [doc, grade] of docs) yield { topic, line: 0, doc, grade };
  }
}
