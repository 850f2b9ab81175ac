import { closeSync, openSync } from 'node:fs';
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';

/** The number of threads asked for, or one for each core.
 *  @throws InputError if it is not a whole number, or beyond the limit */
export function numThreads(wanted: number | undefined): number {
  // a part of Node that most commands do without is loaded by those that want it
  if (wanted === undefined) return Math.min(process.getBuiltinModule('node:os').availableParallelism(), limits.threads);
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= limits.threads) return wanted;
  throw new InputError(`threads: expected a whole number from 1 to ${limits.threads}, found ${wanted}`);
}

/** Files that a thread keeps open for itself (4 on Node 20, 5 on Node 24), and one that it reads its program from. */
const FILES_PER_THREAD = 6;
/** Files that are left for the work itself. */
const SPARE_FILES = 12;

/** How many of so many further threads can be started without running out of files that may be open. It is found by opening
 *  that many: Node does not tell the limit, and what is open already counts too. */
export function affordableThreads(wanted: number): number {
  // Windows has no such limit
  if (wanted < 1 || process.platform === 'win32') return wanted;
  const opened: number[] = [];
  try {
    while (opened.length < wanted * FILES_PER_THREAD + SPARE_FILES) opened.push(openSync('/dev/null', 'r'));
    return wanted;
  } catch {
    return Math.max(0, Math.floor((opened.length - SPARE_FILES) / FILES_PER_THREAD));
  } finally {
    for (const file of opened) closeSync(file);
  }
}
