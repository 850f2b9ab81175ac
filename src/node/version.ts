import { readFileSync } from 'node:fs';

/** The version in package.json, the one place where it is written. */
export function gradusVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
