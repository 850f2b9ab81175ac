import { closeSync, fstatSync, openSync, type Stats } from 'node:fs';
import { InputError } from '../core/problem.js';
import { systemReason } from './terminal.js';

/** What an attempt to read gives; an error of the operating system becomes an `InputError` that names the file. */
export function orCannotRead<T>(path: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new InputError({ source: path, message: `cannot be read: ${systemReason(error)}` });
  }
}

/** True for what the operating system answers, as opposed to a defect. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** Closes a file that was read. All that could be learnt from it has been, so an error at this point changes nothing. */
export function closeRead(file: number): void {
  try {
    closeSync(file);
  } catch {
    // closed all the same
  }
}

/** Refuses what was read of a file that another program has changed meanwhile: it may be neither the old content nor the new. Files
 *  of no size, as in /proc, are made while they are read. */
export function refuseChanged(path: string, file: number, before: Stats): void {
  if (!before.isFile() || before.size === 0) return;
  const { size, mtimeMs } = orCannotRead(path, () => fstatSync(file));
  if (size === before.size && mtimeMs === before.mtimeMs) return;
  const how = size > before.size ? 'grew' : size < before.size ? 'became shorter' : 'was changed';
  throw new InputError({ source: path, message: `${how} while it was read`, wayOut: 'try again when it is complete' });
}

/** A file that stays open while parts of it are read, by threads too, and the refusal for one that cannot be read. */
export interface OpenFile {
  readonly file: number;
  unreadable(reason: string): InputError;
}

/** Opens a file, does something with it, and closes it.
 *  @throws An `InputError` for a file that cannot be read, or that was changed meanwhile. */
export async function withOpenFile<T>(path: string, act: (open: OpenFile) => Promise<T>): Promise<T> {
  const unreadable = (reason: string): InputError => new InputError({ source: path, message: `cannot be read: ${reason}` });
  const file = orCannotRead(path, () => openSync(path, 'r'));
  try {
    const stat = fstatSync(file);
    const result = await act({ file, unreadable });
    refuseChanged(path, file, stat);
    return result;
  } catch (error) {
    throw isSystemError(error) ? unreadable(systemReason(error)) : error;
  } finally {
    closeRead(file);
  }
}
