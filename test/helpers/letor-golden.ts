import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ToolHost } from '../../src/tools/host.js';

export const letorFolder: string = fileURLToPath(new URL('../golden/letor', import.meta.url));

export interface LetorCase {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
  readonly exitCode: number;
  /** What the tool wrote to its output file; undefined if it wrote none. */
  readonly written: string | undefined;
  /** What was kept of standard output; undefined if nothing was. */
  readonly printed: string | undefined;
}

export function letorCases(): LetorCase[] {
  const [, ...rows] = readFileSync(join(letorFolder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n');
  return rows.map((row) => {
    const [id, tool, , args, , exit, outFile, stdoutFile] = row.split('\t');
    return { id, tool, args, exitCode: Number(exit), written: content(outFile), printed: content(stdoutFile) };
  });
}

function content(path: string): string | undefined {
  return path === '-' ? undefined : readFileSync(join(letorFolder, path), 'latin1');
}

export interface Captured {
  readonly host: ToolHost;
  readonly files: Map<string, string>;
  stdout: string;
  stderr: string;
}

/** A world of its own: files below `folder` can be read, and what is written is kept. */
export function capturedHost(folder: string): Captured {
  const files = new Map<string, string>();
  const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
  const captured: Captured = {
    files,
    stdout: '',
    stderr: '',
    host: {
      read(path, take) {
        let bytes: Uint8Array;
        try {
          bytes = readFileSync(join(folder, path));
        } catch {
          return false;
        }
        // in two pieces that part a line, as large files come
        take(bytes.subarray(0, bytes.length >> 1));
        take(bytes.subarray(bytes.length >> 1));
        return true;
      },
      write(path, bytes) {
        files.set(path, latin1(bytes));
        return true;
      },
      writeOut(bytes) {
        captured.stdout += latin1(bytes);
      },
      writeErr(bytes) {
        captured.stderr += latin1(bytes);
      },
    },
  };
  return captured;
}
