import type { Run } from '../core/run.js';
import type { Skipped } from '../formats/reader.js';

/** Says what lenient reading left out of a file; undefined if nothing. */
export function skippedNote(path: string, skipped: Skipped): string | undefined {
  if (skipped.count === 0) return undefined;
  const kinds = Object.entries(skipped.kinds).map(([kind, count]) => `${count} ${kind}`);
  return `${path}: ${skipped.count} ${skipped.count === 1 ? 'line was' : 'lines were'} skipped (${kinds.join(', ')})`;
}

/** Everything that there is to say about how a file was read. */
export function readingNotes(path: string, { skipped, run }: { readonly skipped: Skipped; readonly run?: Run }): string[] {
  const notes = [skippedNote(path, skipped), ...(run?.notes ?? []).map((note) => `${path}: ${note}`)];
  return notes.filter((note) => note !== undefined);
}
