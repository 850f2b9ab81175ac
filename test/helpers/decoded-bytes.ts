import { createHash } from 'node:crypto';
import { InputError } from '../../src/core/problem.js';

/** A short hash of what was decoded. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** What a decoder says against bytes; *accepted* if it takes them. */
export function refusalBy(decode: (bytes: Uint8Array) => unknown, bytes: Uint8Array | readonly number[]): string {
  try {
    decode(Uint8Array.from(bytes));
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'accepted';
}
