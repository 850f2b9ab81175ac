import { type Qrels, type QrelsRecord, toQrels } from '../core/qrels.js';
import { type Run, type RunRecord, toRun } from '../core/run.js';

/** Makes a run of records that arrive one after another: from a database cursor, a stream of lines, pages of an API.
 *  @throws An `InputError` for what is no run, when all records are there. */
export async function collectRun(records: AsyncIterable<RunRecord>, name?: string): Promise<Run> {
  return toRun(await allOf(records), name);
}

/** Makes judgements of records that arrive one after another.
 *  @throws An `InputError` for what is no judgement, when all records are there. */
export async function collectQrels(records: AsyncIterable<QrelsRecord>): Promise<Qrels> {
  return toQrels(await allOf(records));
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
