/** The files of the browser app in one: a line of JSON with the path and size of each, and their bytes in that order, compressed with gzip. */
import { gunzipSync, gzipSync } from 'node:zlib';

/** What the file is called in the folder of the app. */
export const ARCHIVE = 'files.gz';

/** A file by its path below the folder, its parts divided by slashes. */
export interface AppFile {
  readonly path: string;
  readonly content: Uint8Array;
}

const NEWLINE = 10;

/** All files as one. */
export function archiveOf(files: readonly AppFile[]): Uint8Array {
  const list = JSON.stringify(files.map(({ path, content }) => [path, content.length]));
  return gzipSync(Buffer.concat([Buffer.from(`${list}\n`), ...files.map(({ content }) => content)]), { level: 9 });
}

/** The files of an archive, in its order. */
export function filesOfArchive(archive: Uint8Array): AppFile[] {
  const bytes = gunzipSync(archive);
  let at = bytes.indexOf(NEWLINE) + 1;
  const list = JSON.parse(bytes.toString('utf8', 0, at)) as readonly (readonly [path: string, size: number])[];
  return list.map(([path, size]) => {
    const content = bytes.subarray(at, at + size);
    at += size;
    return { path, content };
  });
}
