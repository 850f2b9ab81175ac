import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../core/problem.js';
import { systemReason } from './terminal.js';

/** The signals that ask a program to end, with their numbers. */
const numberOf = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** A signal that ends the program, after what must not be left behind is removed. */
export type EndingSignal = keyof typeof numberOf;
/** The signals at which temporary files are removed. */
export const endingSignals: readonly EndingSignal[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** What shells report for a program that a signal ended. */
export function statusOf(signal: EndingSignal): number {
  return 128 + numberOf[signal];
}

const removals = new Set<() => void>();

/** Has something removed if the program ends before its time: by a signal, by `process.exit`, by an exception. The answer is
 *  to be called when there is nothing left to remove. Signals keep their usual meaning while nothing is registered, and
 *  so they do for programs that listen to them themselves. */
export function removeAtExit(remove: () => void): () => void {
  if (removals.size === 0) {
    process.on('exit', removeAll);
    for (const signal of endingSignals) process.on(signal, listen);
  }
  removals.add(remove);
  return () => {
    if (removals.delete(remove) && removals.size === 0) stopListening();
  };
}

function stopListening(): void {
  process.off('exit', removeAll);
  for (const signal of endingSignals) process.off(signal, listen);
}

function removeAll(): void {
  // what was begun last may still write to what was begun before
  for (const remove of [...removals].reverse()) {
    try {
      remove();
    } catch {
      // the program ends; what cannot be removed now has to stay
    }
  }
  removals.clear();
}

function listen(signal: NodeJS.Signals): void {
  // whoever else listens brings the work to an end of its own
  if (process.listenerCount(signal) === 1) endBySignal(signal as EndingSignal);
}

/** Ends the program as the signal would have, after everything begun was removed. */
export function endBySignal(signal: EndingSignal): never {
  removeAll();
  stopListening();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // the first process of a container does not die of signals
  process.exit(statusOf(signal));
}

/** Lets `work` use a folder for temporary files, which is removed afterwards, whatever happens. */
export async function withTemporaryFolder<T>(purpose: string, work: (folder: string) => Promise<T>): Promise<T> {
  const prefix = join(tmpdir(), `gradus-${purpose}-`);
  let folder: string | undefined;
  const remove = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  // a signal may come as soon as the folder is there, and is only heard by those who listen by then
  const release = removeAtExit(remove);
  try {
    folder = mkdtempSync(prefix);
  } catch (error) {
    release();
    throw cannotKeepTemporaryFiles(error);
  }
  try {
    return await work(folder);
  } finally {
    try {
      remove();
      release();
    } catch {
      // tried again when the program ends; what was computed is not lost for it
    }
  }
}

/** Writes a file that only another program reads. */
export function writeTemporary(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw cannotKeepTemporaryFiles(error);
  }
}

/** The error that there is no place for temporary files. */
export function cannotKeepTemporaryFiles(error: unknown): InputError {
  return new InputError({
    source: tmpdir(),
    message: `temporary files cannot be written: ${systemReason(error)}`,
    wayOut: 'the environment variable TMPDIR names another folder for them',
  });
}
