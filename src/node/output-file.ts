import { chmodSync, closeSync, fsyncSync, openSync, realpathSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../core/problem.js';
import { DescriptorWriter, systemReason } from './terminal.js';

/** A file that appears only when it is complete: text goes to a temporary name beside it, and `commit` renames. Devices and
 *  pipes cannot be replaced, so they are written to directly. */
export class OutputFile {
  readonly writer: DescriptorWriter;
  private readonly descriptor: number;
  private readonly target: string;
  private readonly temporary: string | undefined;
  private readonly label: string;

  constructor(path: string) {
    this.label = path;
    try {
      const existing = statSync(path, { throwIfNoEntry: false });
      if (existing?.isDirectory()) throw new InputError({ source: path, message: 'cannot write: it is a directory' });
      // a symbolic link stays one: the file it leads to is replaced
      this.target = existing === undefined ? path : realpathSync(path);
      if (existing === undefined || existing.isFile()) {
        this.temporary = join(dirname(this.target), `.${basename(this.target)}.${process.pid}.tmp`);
        this.descriptor = openSync(this.temporary, 'wx', existing === undefined ? 0o666 : existing.mode);
        if (existing !== undefined) chmodSync(this.temporary, existing.mode);
      } else this.descriptor = openSync(path, 'w');
    } catch (error) {
      throw error instanceof InputError ? error : new InputError({ source: path, message: `cannot write: ${systemReason(error)}` });
    }
    this.writer = new DescriptorWriter(this.descriptor, path);
  }

  /** Puts the complete file in its place. */
  commit(): void {
    this.writer.flush();
    try {
      if (this.temporary !== undefined) fsyncSync(this.descriptor);
      closeSync(this.descriptor);
      if (this.temporary !== undefined) renameSync(this.temporary, this.target);
    } catch (error) {
      throw new InputError({ source: this.label, message: `cannot write: ${systemReason(error)}` });
    }
  }

  /** Leaves everything as it was. */
  discard(): void {
    try {
      closeSync(this.descriptor);
    } catch {
      // it was closed before the failure that led here
    }
    if (this.temporary === undefined) return;
    try {
      unlinkSync(this.temporary);
    } catch {
      // it is gone already
    }
  }
}

/** Lets `produce` write a file. The file is complete, or it is as it was before. */
export async function writeOutputFile(path: string, produce: (writer: DescriptorWriter) => void | Promise<void>): Promise<void> {
  const file = new OutputFile(path);
  try {
    await produce(file.writer);
    file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Writes a file at once. */
export function writeWholeFile(path: string, content: Uint8Array): void {
  const file = new OutputFile(path);
  try {
    file.writer.writeBytes(content);
    file.commit();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Finds out whether a file can be written, before the work that would be lost if it could not; whatever is there stays. */
export function checkOutput(path: string): void {
  new OutputFile(path).discard();
}
