import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { writeWholeFiles } from './output/output-file.js';
import { orCannotRead } from './reading.js';
import { readAppFiles } from './serving/served-files.js';

/** The folder of the built browser app, from the sources as well as from what is built. */
export function appFolder(): string {
  return fileURLToPath(new URL('../../dist/app/', import.meta.url));
}

/** Writes the files of the browser app into a folder, for any web server to offer; returns how many. All of them are written, or none.
 *  @throws An `InputError` if they cannot be. */
export function saveApp(target: string, folder: string = appFolder()): number {
  const files = readAppFiles(folder).map(({ path, content }) => ({ path: join(target, path), content }));
  writeWholeFiles(files, ...[...new Set([target, ...files.map(({ path }) => dirname(path))])].sort());
  return files.length;
}

/** The components that stand inside reports; undefined in a checkout whose app was not built. */
export function reportBundle(folder: string = appFolder()): { readonly script: string; readonly style: string } | undefined {
  const script = `${folder}report.js.gz`;
  const style = `${folder}report.css`;
  if (!existsSync(script) || !existsSync(style)) return undefined;
  return {
    script: orCannotRead(script, () => gunzipSync(readFileSync(script)).toString()),
    style: orCannotRead(style, () => readFileSync(style, 'utf8')),
  };
}
