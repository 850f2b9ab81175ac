import { appendFileSync } from 'node:fs';
import { InputError } from '../core/problem.js';
import { systemReason } from './terminal.js';

/** Adds text at the end of a file, which others may have written to before. */
export function appendText(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw new InputError({ source: path, message: `cannot write: ${systemReason(error)}` });
  }
}
