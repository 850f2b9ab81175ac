import { accessSync, constants, fstatSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { InputError } from '../../core/problem.js';
import { systemReason } from '../terminal.js';

/** What the file that takes the place of another keeps of it. */
export interface ReplacedFile {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/** Where an output goes. */
export type OutputPlace =
  /** A descriptor that the program was started with. */
  | { readonly kind: 'descriptor'; readonly descriptor: number }
  /** A device or a pipe, which cannot be replaced and so is written to directly. */
  | { readonly kind: 'stream'; readonly path: string }
  /** A file, there or not, at the end of all symbolic links. */
  | { readonly kind: 'file'; readonly path: string; readonly existing: ReplacedFile | undefined };

const MOST_LINKS = 40;

/** Finds where an output would go.
 *  @throws An `InputError` if nothing can be written there. */
export function findPlace(path: string): OutputPlace {
  return orCannotWrite(path, () => {
    const descriptor = ownDescriptor(path);
    if (descriptor !== undefined) {
      fstatSync(descriptor);
      return { kind: 'descriptor', descriptor };
    }
    if (path === '') throw refusal(path, 'the name of the file is empty', 'name a file, or - for standard output');
    const existing = statSync(path, { throwIfNoEntry: false });
    if (existing?.isDirectory()) throw refusal(path, 'it is a directory', 'name a file in it');
    if (existing !== undefined && !existing.isFile()) return { kind: 'stream', path };
    if (existing !== undefined) return { kind: 'file', path: realpathSync(path), existing };
    if (/[\\/]$/.test(path)) throw refusal(path, 'there is no such folder', 'name a file, without a slash at the end');
    return { kind: 'file', path: endOfLinks(path), existing };
  });
}

/** Finds out whether a file can be written, before the work that would be lost if it could not; whatever is there stays. */
export function checkOutput(path: string): void {
  checkPlace(path, findPlace(path));
}

/** Finds out whether a place can be written to, and says why not in more words than a failed attempt would. */
export function checkPlace(path: string, place: OutputPlace): void {
  orCannotWrite(path, () => {
    if (place.kind === 'stream') accessSync(path, constants.W_OK);
    if (place.kind !== 'file') return;
    if (place.existing !== undefined) accessSync(place.path, constants.W_OK);
    checkFolder(path, dirname(place.path));
  });
}

/** A folder that new files can be made in. */
function checkFolder(path: string, folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw refusal(path, `there is no folder ${folder}`, 'make it first, or name another');
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refusal(path, `no files can be made in the folder ${folder}: ${systemReason(error)}`, 'name another');
  }
}

/** What an attempt to write tells; an error of the operating system becomes an `InputError` that names the file. */
export function orCannotWrite<T>(path: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof InputError || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw refusal(path, systemReason(error));
  }
}

function refusal(path: string, reason: string, wayOut?: string): InputError {
  return new InputError({ source: path, message: `cannot write: ${reason}`, wayOut });
}

const standard: Readonly<Record<string, number>> = { '-': 1, '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 };

/** The number of the descriptor that the path of an output stands for. Opening the path would begin a file anew where the shell goes on
 *  writing to it. */
export function ownDescriptor(path: string): number | undefined {
  if (Object.hasOwn(standard, path)) return standard[path];
  const found = /^\/(?:dev|proc\/self|proc\/thread-self|proc\/(\d+))\/fd\/(\d{1,9})$/.exec(path);
  if (found === null || (found[1] !== undefined && Number(found[1]) !== process.pid)) return undefined;
  return Number(found[2]);
}

/** Where symbolic links lead that end at no file. */
function endOfLinks(path: string): string {
  let end = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    if (lstatSync(end, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return end;
    const link = readlinkSync(end);
    end = isAbsolute(link) ? link : `${realpathSync(dirname(end))}/${link}`;
  }
  throw refusal(path, systemReason(Object.assign(new Error(), { code: 'ELOOP' })));
}
