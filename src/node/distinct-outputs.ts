import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../core/problem.js';

/** Refuses to write two results to one file, where the second would replace the first. Other spellings of a path and links count as the
 *  same file.
 *  @param outputs  the path of each option by which one was given; undefined where none was */
export function refuseSharedOutputs(outputs: Readonly<Record<string, string | undefined>>): void {
  const taken = new Map<string, string>();
  for (const [option, path] of Object.entries(outputs)) {
    if (path === undefined) continue;
    const place = placeOf(path);
    const other = taken.get(place);
    if (other !== undefined) {
      throw new InputError({
        message: `${other} and ${option} both write to ${path}, and only one would be left`,
        wayOut: 'name two files',
      });
    }
    taken.set(place, option);
  }
}

/** What is the same for all paths of one file. */
function placeOf(path: string): string {
  if (path === '-') return path;
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing !== undefined) return `${existing.dev}:${existing.ino}`;
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    // the folder does not exist either, which is told when the file is to be written
    return path;
  }
}
