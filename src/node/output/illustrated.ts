import { basename, dirname, extname, join } from 'node:path';
import { writeWholeFiles } from './output-file.js';

/** Writes a text together with the pictures that belong to it, which go into a folder named after it; `text` gets their
 *  addresses from there. All files appear, or none. */
export function writeIllustrated(
  path: string,
  pictures: readonly { readonly name: string; readonly content: Uint8Array }[],
  text: (addresses: readonly string[]) => string,
): void {
  const folder = folderFor(path);
  const bytes = new TextEncoder();
  writeWholeFiles(
    [
      ...pictures.map(({ name, content }) => ({ path: join(dirname(path), folder, name), content })),
      { path, content: bytes.encode(text(pictures.map(({ name }) => `${folder}/${name}`))) },
    ],
    ...(pictures.length > 0 ? [join(dirname(path), folder)] : []),
  );
}

const LONGEST_NAME = 255;

/** A name for the folder of a report's pictures, which has to fit into the length of names like any other. */
export function folderFor(path: string): string {
  const ending = '-charts';
  let stem = basename(path, extname(path));
  while (Buffer.byteLength(stem + ending) > LONGEST_NAME) stem = Array.from(stem).slice(0, -1).join('');
  return stem + ending;
}
