import { once } from 'node:events';
import { basename } from 'node:path';
import { escapeUnprintable, InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import { cannotHold, canRead, type Format, findFormat, formatByName, formats } from '../formats/format.js';
import type { TableKind } from '../formats/tables/columns.js';
import { writeOutputFile } from './output-file.js';
import { DescriptorWriter } from './terminal.js';

/** How a file is written. */
export interface SaveOptions {
  /** The name of a format, where the file's name does not tell which is meant; TREC if neither does. */
  readonly format?: string | undefined;
}

/** Writes a run to a file, compressed if its name ends in .gz; `-` is standard output. The file appears when it is
 *  complete: whatever happens before, an older one stays as it was. */
export async function saveRun(path: string, run: Run, options: SaveOptions = {}): Promise<void> {
  const format = formatToWrite(path, 'run', options.format);
  if (format.isColumnar) await save(path, [await (await import('../formats/tables/parquet-writer.js')).formatParquetRun(run)]);
  else await save(path, format.writeRun?.(run));
}

/** Writes judgements to a file, as `saveRun` does. */
export async function saveQrels(path: string, qrels: Qrels, options: SaveOptions = {}): Promise<void> {
  const format = formatToWrite(path, 'qrels', options.format);
  if (format.isColumnar) await save(path, [await (await import('../formats/tables/parquet-writer.js')).formatParquetQrels(qrels)]);
  else await save(path, format.writeQrels?.(qrels));
}

/** The format to write a file in.
 *  @param otherwise What else can be done about a name that tells no format, for the message.
 *  @throws An `InputError` if it cannot hold what is to be written. */
export function formatToWrite(path: string, kind: TableKind, name: string | undefined, otherwise = 'name a format'): Format {
  const format = name === undefined ? (formatByName(path) ?? trecByName(path, kind, otherwise)) : findFormat(name, kind);
  if (!canRead(format, kind)) throw cannotHold(format, kind, path);
  return format;
}

/** The TREC format for a name that promises nothing else. */
function trecByName(path: string, kind: TableKind, otherwise: string): Format {
  const ending = /^.+\.([a-z][a-z0-9]*)$/i.exec(basename(path).replace(/\.(gz|zst|zstd)$/i, ''))?.[1].toLowerCase();
  if (ending !== undefined && ending !== 'txt') {
    const known = formats.filter((format) => canRead(format, kind)).flatMap(({ extensions }) => extensions);
    throw new InputError({
      source: path,
      message: `.${ending} files cannot be written`,
      wayOut: `end the name in ${[...known, '.txt'].join(', ')} or in nothing, or ${otherwise}`,
    });
  }
  return findFormat('trec', kind);
}

async function save(path: string, chunks: Iterable<Uint8Array> = []): Promise<void> {
  if (path === '-') {
    const stdout = new DescriptorWriter(1, 'standard output');
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for (const chunk of chunks) {
      // ids come from files, and a person's terminal must not act upon them; everybody else gets them as they are
      if (stdout.isTerminal) stdout.write(escapeUnprintable(decoder.decode(chunk, { stream: true }), 'lines'));
      else stdout.writeBytes(chunk);
    }
    stdout.flush();
    return;
  }
  if (/\.(zst|zstd)$/i.test(path)) {
    throw new InputError({ source: path, message: 'zstd files can be read but not written', wayOut: 'end the name in .gz, or in nothing' });
  }
  await writeOutputFile(path, async (writer) => {
    const write = (bytes: Uint8Array): void => writer.writeBytes(bytes);
    if (/\.gz$/i.test(path)) await compress(chunks, write);
    else for (const chunk of chunks) write(chunk);
  });
}

async function compress(chunks: Iterable<Uint8Array>, write: (bytes: Uint8Array) => void): Promise<void> {
  const { createGzip } = await import('node:zlib');
  const gzip = createGzip();
  let failure: unknown;
  gzip.on('data', (bytes: Uint8Array) => {
    try {
      write(bytes);
    } catch (error) {
      failure ??= error;
    }
  });
  for (const chunk of chunks) {
    if (failure !== undefined) break;
    if (!gzip.write(chunk)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(gzip, 'end');
  if (failure !== undefined) throw failure;
}

/** Writes scores to a Parquet file, which appears when it is complete. */
export async function saveParquetScores(path: string, table: ScoreTable): Promise<void> {
  const bytes = await (await import('../formats/tables/parquet-writer.js')).formatParquetScores(table);
  await writeOutputFile(path, (writer) => writer.writeBytes(bytes));
}
