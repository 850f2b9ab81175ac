import { statSync } from 'node:fs';
import type { FeatureMatrix } from '../core/feature-matrix.js';
import { InputError } from '../core/problem.js';
import { createFeatureCsvReader, createFeatureJsonReader, type FeatureTableOptions } from '../formats/feature-table.js';
import { createLetorReader } from '../formats/letor.js';
import type { LetorOptions } from '../formats/letor-options.js';
import type { ChunkReader, Skipped } from '../formats/reader.js';
import { headOf, looksLikeLetor } from '../formats/sniff.js';
import { type OpenedInput, openHead } from './load.js';

/** How a file of features is read, whatever its format. */
export interface LoadFeaturesOptions extends Omit<FeatureTableOptions, 'source'> {
  /** Options that only LETOR files know; others have names and missing values of their own. */
  readonly letor?: Pick<LetorOptions, 'numFeatures' | 'firstFeature' | 'nonFinite' | 'scattered' | 'precision'> | undefined;
}

export interface FeatureReading {
  readonly matrix: FeatureMatrix;
  readonly skipped: Skipped;
}

/** Reads documents with labels and features: LETOR or SVMlight, CSV, TSV, JSON or JSON lines, compressed or not; the content
 *  tells which. */
export async function loadFeatures(path: string, options: LoadFeaturesOptions = {}): Promise<FeatureReading> {
  const input = await openHead(path);
  try {
    if (isParquet(input.start)) return await loadParquet(input, options);
    const reader = readerFor(input.start, { ...options, source: input.source }, input.size);
    reader.push(input.start);
    for await (const chunk of input.rest) reader.push(chunk);
    return reader.finish();
  } finally {
    await input.close();
  }
}

function readerFor(
  start: Uint8Array,
  options: LoadFeaturesOptions & { readonly source: string },
  size?: number,
): ChunkReader<FeatureReading> {
  const { line } = headOf(start);
  const isTable = !looksLikeLetor(start) && /[,;\t{[]/.test(line);
  if (!isTable) {
    const { source, lenient, maxProblems, columns, features, ignore, letor } = options;
    if (columns !== undefined || features !== undefined || ignore !== undefined) {
      throw new InputError({
        source,
        message: 'is a LETOR file, whose columns have no names',
        wayOut: 'leave --columns, --features and --ignore out',
      });
    }
    return createLetorReader({ source, lenient, maxProblems, expectedBytes: size, ...letor });
  }
  if (line.startsWith('{') || line.startsWith('[')) return createFeatureJsonReader(options);
  const delimiter = options.delimiter ?? [',', '\t', ';'].find((mark) => line.includes(mark)) ?? ',';
  return createFeatureCsvReader({ ...options, delimiter });
}

/** Parquet files begin and end with these four bytes. */
function isParquet(start: Uint8Array): boolean {
  return start[0] === 0x50 && start[1] === 0x41 && start[2] === 0x52 && start[3] === 0x31;
}

async function loadParquet({ source }: OpenedInput, _options: LoadFeaturesOptions): Promise<FeatureReading> {
  throw new InputError({
    source,
    message: 'is a Parquet file, and features are not read from those',
    wayOut: "write it as CSV: duckdb -c \"COPY 'file.parquet' TO 'file.csv'\"",
  });
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
