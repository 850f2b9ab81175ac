import type { TestLists } from '../core/ranked-lists.js';
import type { ChosenColumns } from '../formats/chosen-columns.js';
import { createLetorReader } from '../formats/letor.js';
import type { LetorOptions } from '../formats/letor-options.js';
import type { LetorReading } from '../formats/letor-parser.js';
import { parseLongDecimal } from '../formats/long-decimal.js';
import { createPredictionsReader } from '../formats/number-lines.js';
import type { RunReading } from '../formats/reader.js';
import { openInput } from './files.js';
import { loadRun, type OpenedInput } from './load.js';

/** A run with all its oddities: ranks are kept where they can be read. */
export interface CandidRun extends RunReading {
  /** Lines whose rank is no number. With any of them, no ranks are kept. */
  readonly numUnreadableRanks: number;
}

/** Reads a run leniently. A line is not left out because of its rank, which tools ignore. */
export async function loadCandidRun(path: string, lists?: TestLists, chosen?: ChosenColumns): Promise<CandidRun> {
  const withRanks = await loadRun(path, { lenient: true, ranks: true, lists, ...chosen?.options });
  const { kinds, count } = withRanks.skipped;
  const mayBeRanks = (kinds['not a number'] ?? 0) + (kinds['not a finite number'] ?? 0) > 0;
  // standard input cannot be read twice
  if (!mayBeRanks || path === '-') return { ...withRanks, numUnreadableRanks: 0 };
  const withoutRanks = await loadRun(path, { lenient: true, ...chosen?.options });
  const numUnreadableRanks = count - withoutRanks.skipped.count;
  return numUnreadableRanks === 0 ? { ...withRanks, numUnreadableRanks } : { ...withoutRanks, numUnreadableRanks };
}

/** Reads a learning-to-rank file, which is open already, together with what was left out of it. */
export async function loadLetorReading(input: OpenedInput, options: LetorOptions): Promise<LetorReading> {
  const reader = createLetorReader({ ...options, source: input.source });
  try {
    reader.push(input.start);
    for await (const chunk of input.rest) reader.push(chunk);
    return reader.finish();
  } finally {
    await input.close();
  }
}

/** Reads one number per line; those that say `nan` are NaN, where other readers refuse them. */
export async function loadCandidPredictions(path: string): Promise<Float64Array> {
  const notNumbers: number[] = [];
  let line = 0;
  const { source, chunks } = await openInput(path);
  const reader = createPredictionsReader({
    source,
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
  for await (const chunk of chunks) reader.push(chunk);
  const predictions = reader.finish();
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
