import type { Skipped } from '../formats/reader.js';

/** Says what lenient reading left out of a file; undefined if nothing. */
export function skippedNote(path: string, skipped: Skipped): string | undefined {
  if (skipped.count === 0) return undefined;
  const kinds = Object.entries(skipped.kinds).map(([kind, count]) => `${count} ${kind}`);
  return `${path}: ${skipped.count} ${skipped.count === 1 ? 'line was' : 'lines were'} skipped (${kinds.join(', ')})`;
}
