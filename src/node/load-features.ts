import { statSync } from 'node:fs';
import type { FeatureMatrix } from '../core/feature-matrix.js';
import { InputError } from '../core/problem.js';
import { createFeatureCsvReader, createFeatureJsonReader, type FeatureTableOptions } from '../formats/feature-table.js';
import { createLetorReader } from '../formats/letor.js';
import type { LetorOptions } from '../formats/letor-options.js';
import { isParquet } from '../formats/parquet.js';
import type { ChunkReader, Skipped } from '../formats/reader.js';
import { headOf, looksLikeLetor } from '../formats/sniff.js';
import { type OpenedInput, openHead } from './load.js';

/** How a file of features is read, whatever its format. */
export interface LoadFeaturesOptions extends Omit<FeatureTableOptions, 'source'> {
  /** Options that only LETOR files know; others have names and missing values of their own. */
  readonly letor?:
    | Pick<LetorOptions, 'numFeatures' | 'firstFeature' | 'featureNames' | 'nonFinite' | 'scattered' | 'precision'>
    | undefined;
}

export interface FeatureReading {
  readonly matrix: FeatureMatrix;
  readonly skipped: Skipped;
}

/** Reads documents with labels and features: LETOR or SVMlight, CSV, TSV, JSON or JSON lines, compressed or not, or
 *  Parquet; the content tells which. */
export async function loadFeatures(path: string, options: LoadFeaturesOptions = {}): Promise<FeatureReading> {
  const input = await openHead(path);
  try {
    if (isParquet(input.start)) return await loadParquet(path, input, options);
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

async function loadParquet(path: string, { source }: OpenedInput, options: LoadFeaturesOptions): Promise<FeatureReading> {
  const { openParquet } = await import('./parquet-file.js');
  const { parseFeatureParquet } = await import('../formats/feature-parquet.js');
  const file = openParquet(path);
  try {
    return await parseFeatureParquet(file, { ...options, source });
  } finally {
    file.close();
  }
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
