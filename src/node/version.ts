import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { orCannotRead } from './reading.js';

/** The version in package.json, the one place where it is written. */
export function gradusVersion(): string {
  const path = fileURLToPath(new URL('../../package.json', import.meta.url));
  const text = orCannotRead(path, () => readFileSync(path, 'utf8'));
  return (JSON.parse(text) as { version: string }).version;
}
