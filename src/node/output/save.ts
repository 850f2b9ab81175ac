import { once } from 'node:events';
import { escapeUnprintable, InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import type { ScoreTable } from '../../core/score-table.js';
import type { WrittenChunks } from '../../formats/format.js';
import { formatToWrite } from '../../formats/recognise.js';
import { findFormat } from '../../formats/registry.js';
import { DescriptorWriter } from '../terminal.js';
import { writeOutputFile } from './output-file.js';

/** How a file is written. */
export interface SaveOptions {
  /** The name of a format, where the file's name does not tell which is meant; TREC if neither does. */
  readonly format?: string | undefined;
  /** What stands in front of a TREC run: lines that begin with #. */
  readonly header?: string | undefined;
}

/** Writes a run to a file, compressed if its name ends in .gz; `-` is standard output. The file appears when it is
 *  complete: whatever happens before, an older one stays as it was. */
export async function saveRun(path: string, run: Run, options: SaveOptions = {}): Promise<void> {
  const written = await formatToWrite(path, 'run', options.format).write.run?.(run);
  await save(path, options.header === undefined ? written : headed(options.header, written ?? []));
}

function* headed(header: string, chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield new TextEncoder().encode(header);
  yield* chunks;
}

/** Writes judgements to a file, as `saveRun` does. */
export async function saveQrels(path: string, qrels: Qrels, options: SaveOptions = {}): Promise<void> {
  await save(path, formatToWrite(path, 'qrels', options.format).write.qrels?.(qrels));
}

async function save(path: string, written: WrittenChunks = []): Promise<void> {
  const chunks = await written;
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
  const onlyRead = /\.(zst|zstd|lz4)$/i.exec(path)?.[1].toLowerCase();
  if (onlyRead !== undefined) {
    const name = onlyRead === 'lz4' ? 'lz4' : 'zstd';
    throw new InputError({
      source: path,
      message: `${name} files can be read but not written`,
      wayOut: 'end the name in .gz, or in nothing',
    });
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

/** Writes one number to a line, as `saveRun` writes a run. */
export async function savePredictions(path: string, values: Float64Array): Promise<void> {
  await save(path, findFormat('predictions').write.predictions?.(values));
}

/** Writes scores to a Parquet file, which appears when it is complete. */
export async function saveParquetScores(path: string, table: ScoreTable): Promise<void> {
  await save(path, findFormat('parquet').write.scores?.(table));
}
