import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { orCannotRead } from './reading.js';

/** The folder of the built browser app, from the sources as well as from what is built. */
export function appFolder(): string {
  return fileURLToPath(new URL('../../dist/app/', import.meta.url));
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
