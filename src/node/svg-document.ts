import { mkdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { parseHTML } from 'linkedom';
import { InputError } from '../core/problem.js';
import { writeWholeFile } from './output-file.js';
import { systemReason } from './terminal.js';

/** A document for charts to be drawn in. */
export function createDocument(): Document {
  return parseHTML('<!doctype html><html><body></body></html>').document;
}

/** Writes files into a folder that is named after the text they belong to; gives their addresses from there. */
export function writeBeside(path: string, files: readonly { readonly name: string; readonly content: string }[]): string[] {
  const folder = `${basename(path, extname(path))}-charts`;
  try {
    mkdirSync(join(dirname(path), folder), { recursive: true });
  } catch (error) {
    throw new InputError({ source: join(dirname(path), folder), message: `cannot make a folder for pictures: ${systemReason(error)}` });
  }
  return files.map(({ name, content }) => {
    writeWholeFile(join(dirname(path), folder, name), new TextEncoder().encode(content));
    return `${folder}/${name}`;
  });
}
