import { DuckDBInstance, version } from '@duckdb/node-api';
import type { TopicRow } from '../../src/sql/result.js';
import type { Row } from './engine-cases.js';

/** A run and judgements in DuckDB, in memory. */
export async function openDuckdb(
  run: readonly Row[],
  qrels: readonly Row[],
): Promise<{ version: string; ask(sql: string): Promise<TopicRow[]>; stop(): Promise<void> }> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const [name, value, rows] of [
    ['run', 'score', run],
    ['qrels', 'grade', qrels],
  ] as const) {
    await connection.run(`CREATE TABLE ${name} (topic VARCHAR, doc VARCHAR, ${value} DOUBLE)`);
    const appender = await connection.createAppender(name);
    for (const row of rows) {
      appender.appendVarchar(row.topic);
      appender.appendVarchar(row.doc);
      appender.appendDouble(row.value);
      appender.endRow();
    }
    appender.closeSync();
  }
  return {
    version: version(),
    ask: async (sql) => {
      const rows = (await connection.runAndReadAll(sql)).getRows();
      return rows.map(([topic, ...values]) => ({ topic: String(topic), values: values as (number | null)[] }));
    },
    async stop() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
