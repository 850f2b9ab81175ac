import { fstatSync, writeSync } from 'node:fs';
import { InputError } from '../core/problem.js';
import { wasClosed } from './output/closed-output.js';

/** A reader that went away, as `head` does. It is not an error: the program ends quietly. */
export class BrokenPipe extends Error {}

const FLUSH_AT = 1 << 16;
const sleeper: Int32Array = new Int32Array(new SharedArrayBuffer(4)); // fits: nothing is stored: it is only waited on

/** Text to a file descriptor, in large pieces. Writing is synchronous, so nothing is lost if the program ends, and a full
 *  disk or a closed pipe shows where it happens. */
export class DescriptorWriter {
  private readonly descriptor: number;
  private readonly label: string;
  private pending: string[] = [];
  private pendingLength = 0;
  private terminal: boolean | undefined;

  /** `label` names the destination in messages. */
  constructor(descriptor: number, label: string) {
    this.descriptor = descriptor;
    this.label = label;
  }

  get isTerminal(): boolean {
    // files and pipes are ruled out first: the module that knows terminals brings a dozen others along
    this.terminal ??= isCharacterDevice(this.descriptor) && process.getBuiltinModule('node:tty').isatty(this.descriptor);
    return this.terminal;
  }

  /** `COLUMNS` says what no terminal tells, as in front of a pager, and is stronger than what one does. */
  get columns(): number {
    const asked = Number(process.env.COLUMNS);
    if (Number.isInteger(asked) && asked > 0) return asked;
    if (!this.isTerminal) return 80;
    const stream = this.descriptor === 2 ? process.stderr : process.stdout;
    return stream.columns > 0 ? stream.columns : 80;
  }

  write(text: string): void {
    this.pending.push(text);
    this.pendingLength += text.length;
    // what goes to a person, or to standard error, is wanted at once
    if (this.pendingLength >= FLUSH_AT || this.descriptor === 2) this.flush();
  }

  /** For bytes that need not be text. */
  writeBytes(bytes: Uint8Array): void {
    this.flush();
    writeFully(this.descriptor, bytes, this.label);
  }

  flush(): void {
    if (this.pendingLength === 0) return;
    const bytes = Buffer.from(this.pending.join(''));
    this.pending = [];
    this.pendingLength = 0;
    writeFully(this.descriptor, bytes, this.label);
  }
}

function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Whether standard output is known to be open. */
let isOutputOpen = false;

function checkOutputOpen(label: string): void {
  if (!isOutputOpen && wasClosed(1)) throw unwritten(label, 'it is closed');
  isOutputOpen = true;
}

function unwritten(label: string, reason: string): InputError {
  return new InputError({ source: label, message: `cannot write: ${reason}`, wayOut: 'nothing more was written' });
}

/** Writes all bytes, waiting where the other end of a pipe is slow. What cannot be written to standard error is lost: it only
 *  comments on the work, which goes on. */
export function writeFully(descriptor: number, bytes: Uint8Array, label: string): void {
  let at = 0;
  if (descriptor === 1) checkOutputOpen(label);
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at, bytes.length - at);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EAGAIN') Atomics.wait(sleeper, 0, 0, 2);
      else if (descriptor === 2) return;
      else if (code === 'EPIPE') throw new BrokenPipe();
      else throw unwritten(label, systemReason(error));
    }
  }
}

/** What an error of the operating system says, without its number and the name of the system call. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'no such file or directory',
    EISDIR: 'it is a directory',
    ENOTDIR: 'a part of the path is not a directory',
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    ENOSPC: 'no space left on the device',
    EDQUOT: 'the disk quota is used up',
    EROFS: 'the file system is read-only',
    EIO: 'input/output error',
    EMFILE: 'too many files are open',
    ENAMETOOLONG: 'the name is too long',
    EBADF: 'it is closed',
    EFBIG: 'the file would become too large',
    ELOOP: 'too many symbolic links',
  };
  return (code !== undefined && Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? message;
}
