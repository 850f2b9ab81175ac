import { checkWholeFile } from '../core/limits.js';
import { readLatin1 } from '../core/text.js';
import { bytesOf } from './byte-text.js';

/** What the smaller tools need from the world around them: files, and the two streams of a terminal. Everything else is
 *  computed without it, so that a test or a browser can be the world as well. */
export interface ToolHost {
  /** Hands on a file's content piece by piece, each only lent until `take` returns; false if it cannot be opened. */
  read(path: string, take: (chunk: Uint8Array) => void): boolean;
  /** Writes a whole file; false if that is not possible. */
  write(path: string, content: Uint8Array): boolean;
  writeOut(bytes: Uint8Array): void | Promise<void>;
  writeErr(bytes: Uint8Array): void | Promise<void>;
}

/** The end of a tool before its time: what it still prints, and its exit status. */
export class ToolExit extends Error {
  readonly exitCode: number;
  /** For standard output, one character per byte. */
  readonly out: string;
  /** For standard error, one character per byte. */
  readonly err: string;

  constructor(exitCode: number, { out = '', err = '' }: { readonly out?: string; readonly err?: string } = {}) {
    super(out + err);
    this.name = 'ToolExit';
    this.exitCode = exitCode;
    this.out = out;
    this.err = err;
  }
}

/** Runs a tool to its end and gives its exit status. */
export async function runTool(host: ToolHost, run: () => string): Promise<number> {
  let exit: ToolExit;
  try {
    exit = new ToolExit(0, { out: run() });
  } catch (error) {
    if (!(error instanceof ToolExit)) throw error;
    exit = error;
  }
  if (exit.out !== '') await host.writeOut(bytesOf(exit.out));
  if (exit.err !== '') await host.writeErr(bytesOf(exit.err));
  return exit.exitCode;
}

/** Bytes as a text with one character per byte, which loses nothing whatever their encoding. */
export function latin1Text(bytes: Uint8Array, start: number, end: number): string {
  return readLatin1(bytes, start, end);
}

/** A whole file as a text with one character per byte; undefined if it cannot be opened. */
export function readFileText(host: ToolHost, path: string): string | undefined {
  const parts: string[] = [];
  let length = 0;
  const opened = host.read(path, (chunk) => {
    length += chunk.length;
    checkWholeFile(path, length);
    parts.push(latin1Text(chunk, 0, chunk.length));
  });
  return opened ? parts.join('') : undefined;
}

/** The words of a line, parted by white space. */
export function wordsOf(line: string): string[] {
  return line.split(/[ \t\r\f\v]+/).filter((word) => word !== '');
}

/** The lines of a text without their ends; the last one counts whether it has an end or not. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}
