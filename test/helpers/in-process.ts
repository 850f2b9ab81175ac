import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from './captured-context.js';

/** What a command that ran in this process left. */
export interface Told {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, from the sources. */
export async function gradus(...argv: string[]): Promise<Told> {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

/** A folder of files, which is gone when the tests of the file are over. */
export interface TestFolder {
  at(name: string): string;
  /** Writes a file, and tells its path. */
  save(name: string, text: string): string;
}

/** @param name What the tests are about. */
export function testFolder(name: string): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), `gradus-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (file: string): string => join(folder, file);
  return {
    at,
    save(file, text) {
      writeFileSync(at(file), text);
      return at(file);
    },
  };
}
