import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TopicRow } from '../../src/sql/result.js';
import type { Row } from '../helpers/engine-cases.js';

/** An engine that holds a run and judgements, and answers queries about them. */
export interface EngineServer {
  readonly version: string;
  ask(sql: string): Promise<TopicRow[]>;
  stop(): Promise<void>;
}

export interface EngineTables {
  readonly run: readonly Row[];
  readonly qrels: readonly Row[];
}

function csv(rows: readonly Row[]): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return rows.map(({ topic, doc, value }) => `${quoted(topic)},${quoted(doc)},${Object.is(value, -0) ? '-0' : value}\n`).join('');
}

function topicRows(lines: readonly (readonly unknown[])[]): TopicRow[] {
  return lines.map(([topic, ...values]) => ({
    topic: String(topic),
    values: values.map((value) => (value === null ? null : Number(value))),
  }));
}

/** PostgreSQL 15 in a folder of its own, reached through a socket in that folder. Debian's package is installed if need be. */
export async function startPostgres({ run, qrels }: EngineTables): Promise<EngineServer> {
  const binaries = '/usr/lib/postgresql/15/bin';
  if (!existsSync(join(binaries, 'initdb'))) execFileSync('apt-get', ['install', '-y', 'postgresql-15'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'gradus-postgres-'));
  const data = join(folder, 'data');
  // the server refuses to run as root
  const isRoot = process.getuid?.() === 0;
  const asServer = (program: string, args: readonly string[]): void => {
    const [command, ...rest] = isRoot
      ? ['runuser', '-u', 'postgres', '--', join(binaries, program), ...args]
      : [join(binaries, program), ...args];
    execFileSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
  };
  if (isRoot) execFileSync('chown', ['postgres', folder]);
  chmodSync(folder, 0o755);
  // in a language whose order is not that of bytes, so that the order of ids is put to the test
  asServer('initdb', [
    '-D',
    data,
    '-A',
    'trust',
    '-U',
    'gradus',
    '-E',
    'UTF8',
    '--locale',
    'C.UTF-8',
    '--locale-provider',
    'icu',
    '--icu-locale',
    'en-US',
  ]);
  asServer('pg_ctl', [
    '-D',
    data,
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-c listen_addresses= -c unix_socket_directories=${folder} -c work_mem=256MB -c jit=off`,
    'start',
  ]);
  const client = new pg.Client({ host: folder, user: 'gradus', database: 'postgres' });
  await client.connect();
  for (const [name, value, rows] of [
    ['run', 'score', run],
    ['qrels', 'grade', qrels],
  ] as const) {
    await client.query(`CREATE TABLE ${name} (topic TEXT, doc TEXT, ${value} DOUBLE PRECISION)`);
    const file = join(folder, `${name}.csv`);
    writeFileSync(file, csv(rows));
    await client.query(`COPY ${name} FROM '${file}' (FORMAT csv)`);
  }
  await client.query('ANALYZE');
  const { rows } = await client.query('SHOW server_version');
  return {
    version: String(rows[0].server_version),
    ask: async (sql) => topicRows((await client.query({ text: sql, rowMode: 'array' })).rows),
    async stop() {
      await client.end();
      asServer('pg_ctl', ['-D', data, '-m', 'fast', 'stop']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** ClickHouse from npm, 556 MB, in a folder that can be thrown away. */
export async function startClickhouse({ run, qrels }: EngineTables, home: string): Promise<EngineServer> {
  if (!existsSync(join(home, 'node_modules', 'chdb'))) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
    const npm = spawnSync('npm', ['install', 'chdb@3.4.0'], { cwd: home, stdio: 'inherit' });
    if (npm.status !== 0) throw new Error('npm install chdb failed');
  }
  const { Session } = createRequire(join(home, 'package.json'))('chdb') as {
    Session: new (path?: string) => { query(sql: string, format?: string): string; cleanup(): void };
  };
  const folder = mkdtempSync(join(tmpdir(), 'gradus-clickhouse-'));
  const session = new Session(join(folder, 'data'));
  for (const [name, value, rows] of [
    ['run', 'score', run],
    ['qrels', 'grade', qrels],
  ] as const) {
    writeFileSync(join(folder, `${name}.csv`), csv(rows));
    session.query(`CREATE TABLE ${name} (topic String, doc String, ${value} Float64) ENGINE = MergeTree ORDER BY tuple()`);
    session.query(
      `INSERT INTO ${name} SELECT * FROM file('${join(folder, `${name}.csv`)}', 'CSV', 'topic String, doc String, ${value} Float64') SETTINGS precise_float_parsing = 1`,
    );
  }
  const version = session.query('SELECT version()', 'TSV').trim();
  return {
    version,
    ask: async (sql) => {
      const text = session.query(sql, 'JSONCompactEachRow');
      return topicRows(
        text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
      );
    },
    async stop() {
      session.cleanup();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
