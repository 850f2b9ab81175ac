import { statSync } from 'node:fs';
import { filesInFolder } from './file-patterns.js';

let listener: ((numBytes: number) => void) | undefined;

/** Lets somebody know of every piece that is read from files, whichever part of the program reads it, so that one line can show how
 *  far all of them are.
 *  @param onRead Undefined ends it. */
export function watchReading(onRead: ((numBytes: number) => void) | undefined): void {
  listener = onRead;
}

/** To be called where bytes of a file come in. */
export function tellRead(numBytes: number): void {
  listener?.(numBytes);
}

/** How many bytes there are to read in a file or a folder of files; 0 where nobody can tell. */
export function bytesToRead(path: string): number {
  try {
    const stat = statSync(path);
    if (stat.isFile()) return stat.size;
    return (filesInFolder(path) ?? []).reduce((sum, file) => sum + statSync(file).size, 0);
  } catch {
    return 0;
  }
}
