import { InputError } from './problem.js';

/** How much of anything Gradus takes. Each value is explained in `src/cli/limit-reference.ts`, from which `docs/limits.md` is made,
 *  and tried at the limit and one beyond it in `test/limits`. They are read where they are needed and never copied, so that tests can
 *  lower them for a moment. */
export const limits: Record<LimitName, number> = {
  lineBytes: 2 ** 26,
  recordBytes: 2 ** 26,
  jsonTokenBytes: 2 ** 26,
  jsonNesting: 64,
  wholeFileBytes: 2 ** 28,
  columns: 2 ** 16,
  duckdbLineBytes: 10_000_000,
  zstdWindowBytes: 2 ** 27,
  threads: 1024,
};

export type LimitName =
  | 'lineBytes'
  | 'recordBytes'
  | 'jsonTokenBytes'
  | 'jsonNesting'
  | 'wholeFileBytes'
  | 'columns'
  | 'duckdbLineBytes'
  | 'zstdWindowBytes'
  | 'threads';

/** Refuses a file that has to be in memory as a whole to be understood, and is too large for that. */
export function checkWholeFile(source: string, numBytes: number): void {
  if (numBytes <= limits.wholeFileBytes) return;
  throw new InputError({
    source,
    message: `is larger than ${limits.wholeFileBytes} bytes, too large for a file that is read as a whole`,
    wayOut: 'check that it is the file that was meant',
  });
}
