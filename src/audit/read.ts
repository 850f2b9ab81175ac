import { createPredictionsReader } from '../formats/letor/number-lines.js';
import { readRun, type SourceReadOptions } from '../formats/read.js';
import type { RunReading } from '../formats/reader.js';
import { type ByteSource, readThrough } from '../formats/source.js';
import { parseLongDecimal } from '../formats/text/long-decimal.js';

/** A run with all its oddities: ranks are kept where they can be read. */
export interface CandidRun extends RunReading {
  /** Lines whose rank is no number. With any of them, no ranks are kept. */
  readonly numUnreadableRanks: number;
}

/** Reads a run leniently. A line is not left out because of its rank, which tools ignore. */
export async function readCandidRun(
  source: ByteSource,
  options: Pick<SourceReadOptions, 'lists' | 'columns' | 'onColumn' | 'run' | 'subset' | 'topicNames' | 'onChoice'> = {},
): Promise<CandidRun> {
  const withRanks = await readRun(source, { ...options, lenient: true, ranks: true });
  const { kinds, count } = withRanks.skipped;
  const mayBeRanks = (kinds['not a number'] ?? 0) + (kinds['not a finite number'] ?? 0) > 0;
  // a pipe cannot be read twice
  if (!mayBeRanks || !source.isReopenable) return { ...withRanks, numUnreadableRanks: 0 };
  const withoutRanks = await readRun(source, { ...options, lenient: true });
  const numUnreadableRanks = count - withoutRanks.skipped.count;
  return numUnreadableRanks === 0 ? { ...withRanks, numUnreadableRanks } : { ...withoutRanks, numUnreadableRanks };
}

/** Reads one number per line; those that say `nan` are NaN, where other readers refuse them. */
export async function readCandidPredictions(source: ByteSource): Promise<Float64Array> {
  const notNumbers: number[] = [];
  let line = 0;
  const reader = createPredictionsReader({
    source: source.name,
    read(bytes, start, end) {
      const word = new TextDecoder('latin1').decode(bytes.subarray(start, Math.min(end, start + 1000))).trim();
      line++;
      if (/^[+-]?nan$/i.test(word)) {
        notNumbers.push(line - 1);
        return 0;
      }
      if (/^[+-]?inf(inity)?$/i.test(word)) return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      return parseLongDecimal(bytes, ...trimmed(bytes, start, end));
    },
  });
  const predictions = await readThrough(source, reader);
  for (const at of notNumbers) predictions[at] = Number.NaN;
  return predictions;
}

function trimmed(bytes: Uint8Array, start: number, end: number): [number, number] {
  let from = start;
  let to = end;
  while (from < to && bytes[from] <= 32) from++;
  while (to > from && bytes[to - 1] <= 32) to--;
  return [from, to];
}
