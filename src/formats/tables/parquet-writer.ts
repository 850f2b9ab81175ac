import type { Ids } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import type { ScoreTable } from '../../core/score-table.js';
import { loadParquetWriter } from './parquet-packages.js';
import { exactText, fieldsOf, rowsOfQrels, rowsOfRun, shownId, type WrittenRows } from './written-rows.js';

/** Rows of a part that can be left out by whoever wants other topics. */
const ROW_GROUP = 100_000;

/** Writes a run as Parquet, with the columns query_id, doc_id, score and, if it has ranks, rank. */
export async function formatParquetRun(run: Run): Promise<Uint8Array> {
  return await write(columnsOf(rowsOfRun(run)));
}

/** Writes judgements as Parquet, with the columns query_id, doc_id, relevance and, if they have groups, iteration. */
export async function formatParquetQrels(qrels: Qrels): Promise<Uint8Array> {
  return await write(columnsOf(rowsOfQrels(qrels)));
}

/** Writes scores as Parquet: a row per run and topic, with the columns run, topic and one for each measure. */
export async function formatParquetScores(table: ScoreTable): Promise<Uint8Array> {
  const { systems, topics, measures } = table;
  const rows = systems.flatMap((system) => topics.map((topic) => ({ system, topic })));
  return await write([
    { name: 'run', data: rows.map(({ system }) => system), type: 'STRING' },
    { name: 'topic', data: rows.map(({ topic }) => topic), type: 'STRING' },
    ...measures.map(
      (name, m): WrittenColumn => ({
        name,
        data: Float64Array.from(rows, (_, r) => table.values[r * measures.length + m]),
        type: 'DOUBLE',
      }),
    ),
  ]);
}

interface WrittenColumn {
  readonly name: string;
  readonly data: string[] | Float64Array | (number | null)[];
  readonly type: 'STRING' | 'DOUBLE';
  readonly nullable?: boolean;
}

function columnsOf(rows: WrittenRows): WrittenColumn[] {
  const { topics, docs, offsets, docOf } = rows;
  const topicOf = new Uint32Array(docOf.length); // fits: entries
  for (let topic = 0; topic < topics.size; topic++) topicOf.fill(topic, offsets[topic], offsets[topic + 1]);
  const columns: WrittenColumn[] = [textColumn('query_id', topics, topicOf), textColumn('doc_id', docs, docOf)];
  for (const { name, ids, numbers } of fieldsOf(rows)) {
    if (ids !== undefined) columns.push(textColumn(name, ids.table, ids.of));
    else if (numbers?.some(Number.isNaN)) {
      // a rank that the run does not state
      columns.push({ name, data: Array.from(numbers, (value) => (Number.isNaN(value) ? null : value)), type: 'DOUBLE', nullable: true });
    } else if (numbers !== undefined) columns.push({ name, data: numbers, type: 'DOUBLE' });
  }
  return columns;
}

/** Each different id becomes one string, however many rows have it. */
function textColumn(name: string, ids: Ids, of: Uint32Array): WrittenColumn {
  const texts = Array.from({ length: ids.size }, (_, id) => storedText(ids, id));
  return { name, data: Array.from(of, (id) => texts[id]), type: 'STRING' };
}

/** Parquet's strings are UTF-8, and half a surrogate pair has no form in it. */
function storedText(ids: Ids, id: number): string {
  const text = exactText(ids, id, 'Parquet');
  if (!/\p{Surrogate}/u.test(text)) return text;
  throw new InputError({
    message: `id ${shownId(ids, id)} holds half of a character, which Parquet cannot hold`,
    wayOut: 'TREC files, CSV and JSON can hold it',
  });
}

async function write(columns: readonly WrittenColumn[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await loadParquetWriter();
  const columnData = columns.map(({ nullable = false, ...column }) => ({ ...column, nullable }));
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: ROW_GROUP })); // fits: bytes
}
