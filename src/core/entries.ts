import { InputError } from './problem.js';

/** What `visitEntries` tells of one entry; the same object each time. */
export interface Entry {
  topic: string;
  doc: string;
  value: unknown;
  /** The rank of a record, or the place in a list from 1. */
  rank: number | undefined;
  /** The record behind it, where the input is a list of records. */
  record: Readonly<Record<string, unknown>> | undefined;
}

/** Walks topic → document → value whatever shape it has; shared by runs and judgements. */
export function visitEntries(input: unknown, valueField: 'score' | 'grade', visit: (entry: Entry) => void): void {
  if (typeof input !== 'object' || input === null) {
    throw new InputError({
      message: `expected ${valueField === 'score' ? 'a run' : 'judgements'}, found ${input === null ? 'null' : typeof input}`,
      wayOut: `pass { topic: { document: ${valueField} } } or a list of records`,
    });
  }
  const entry: Entry = { topic: '', doc: '', value: undefined, rank: undefined, record: undefined };
  if (input instanceof Map || !(Symbol.iterator in input)) visitNested(input, valueField, entry, visit);
  else visitRecords(input as Iterable<Record<string, unknown>>, valueField, entry, visit);
}

function visitNested(input: object, valueField: string, entry: Entry, visit: (entry: Entry) => void): void {
  const topics: Iterable<[string, unknown]> = input instanceof Map ? input : Object.entries(input);
  for (const [topic, docs] of topics) {
    if (typeof docs !== 'object' || docs === null) {
      throw new InputError({ message: `topic ${topic}: expected { document: ${valueField} }, found ${String(docs)}` });
    }
    entry.topic = String(topic);
    entry.rank = undefined;
    if (Array.isArray(docs) && valueField === 'score') {
      visitList(docs, entry, visit);
      continue;
    }
    if (docs instanceof Map) {
      for (const [doc, value] of docs) {
        entry.doc = String(doc);
        entry.value = value;
        visit(entry);
      }
      continue;
    }
    // pairs from Object.entries would cost an array per document
    const values = docs as Readonly<Record<string, unknown>>;
    for (const doc of Object.keys(values)) {
      entry.doc = doc;
      entry.value = values[doc];
      visit(entry);
    }
  }
}

/** Documents in the order in which they were ranked. */
function visitList(docs: readonly unknown[], entry: Entry, visit: (entry: Entry) => void): void {
  entry.value = undefined;
  for (const [place, doc] of docs.entries()) {
    if (typeof doc !== 'string' && typeof doc !== 'number') {
      throw new InputError(
        `topic ${entry.topic}: expected a document id at place ${place + 1} of its list, found ${doc === null ? 'null' : typeof doc}`,
      );
    }
    entry.doc = String(doc);
    entry.rank = place + 1;
    visit(entry);
  }
}

function visitRecords(
  input: Iterable<Record<string, unknown>>,
  valueField: 'score' | 'grade',
  entry: Entry,
  visit: (entry: Entry) => void,
): void {
  let index = 0;
  for (const record of input) {
    if (typeof record !== 'object' || record === null) throw new InputError(`record ${index}: expected an object, found ${String(record)}`);
    const topic = record.queryId ?? record.query_id ?? record.topic;
    const doc = record.docId ?? record.doc_id ?? record.doc;
    if (topic === undefined || doc === undefined) {
      throw new InputError({
        message: `record ${index}: expected the fields queryId and docId, found ${Object.keys(record).join(', ') || 'none'}`,
        wayOut: 'topic and doc, or query_id and doc_id, are understood too',
      });
    }
    entry.topic = String(topic);
    entry.doc = String(doc);
    entry.value = valueField === 'score' ? record.score : (record.relevance ?? record.grade ?? record.rel);
    entry.record = record;
    entry.rank = typeof record.rank === 'number' ? record.rank : undefined;
    visit(entry);
    index++;
  }
}
