import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError } from '../../core/problem.js';
import { removeAtExit } from '../cleanup.js';
import { DescriptorWriter, systemReason, writeFully } from '../terminal.js';
import { checkOutput, checkPlace, findPlace, type OutputPlace, orCannotWrite, ownDescriptor, type ReplacedFile } from './output-place.js';

/** Lets `produce` write a file. The file is complete, or it is as it was before. */
export async function writeOutputFile(path: string, produce: (writer: DescriptorWriter) => void | Promise<void>): Promise<void> {
  const file = new BegunFile(path);
  try {
    await produce(file.writer);
    commit([file]);
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Writes a file at once. */
export function writeWholeFile(path: string, content: Uint8Array): void {
  writeWholeFiles([{ path, content }]);
}

/** Writes files that belong together, all of them or none, and makes the folders that some of them lie in if they are missing: outer ones
 *  first. */
export function writeWholeFiles(
  files: readonly { readonly path: string; readonly content: Uint8Array }[],
  ...folders: readonly string[]
): void {
  const made: MadeFolder[] = [];
  const begun: BegunFile[] = [];
  try {
    for (const folder of folders) made.push(...makeFolder(folder));
    for (const { path, content } of files) {
      const file = new BegunFile(path);
      begun.push(file);
      file.writer.writeBytes(content);
      file.complete();
    }
    commit(begun);
    for (const folder of made) folder.keep();
  } catch (error) {
    for (const file of begun) file.discard();
    for (const folder of made.reverse()) folder.remove();
    throw error;
  }
}

/** Adds text at the end of a file, which others may have written to before. */
export function appendText(path: string, text: string): void {
  checkOutput(path);
  const descriptor = orCannotWrite(path, () => ownDescriptor(path) ?? openSync(path, 'a'));
  try {
    const before = orCannotWrite(path, () => fstatSync(descriptor));
    try {
      writeFully(descriptor, new TextEncoder().encode(text), path);
    } catch (error) {
      // half a text would be taken for all of it
      if (before.isFile()) ftruncateSync(descriptor, before.size);
      throw error;
    }
  } finally {
    if (ownDescriptor(path) === undefined) closeSync(descriptor);
  }
}

/** Gives complete files their names, all of them or none. */
function commit(files: readonly BegunFile[]): void {
  for (const file of files) file.complete();
  try {
    for (const file of files) file.takeName(files.length > 1);
  } catch (error) {
    for (const file of files) file.giveNameBack();
    throw error;
  } finally {
    for (const file of files) file.forgetOld();
  }
}

/** A file under a temporary name in the folder where it belongs, which a rename can put in its place at once. */
class BegunFile {
  readonly writer: DescriptorWriter;
  private readonly path: string;
  private readonly place: OutputPlace;
  private readonly descriptor: number;
  private readonly temporary: TemporaryName | undefined;
  private old: TemporaryName | undefined;
  private isOpen = true;
  private hasName = false;

  constructor(path: string) {
    this.path = path;
    const place = findPlace(path);
    this.place = place;
    if (place.kind === 'file') {
      checkPlace(path, place);
      const folder = dirname(place.path);
      const [temporary, descriptor] = orCannotWrite(path, () =>
        newTemporary(folder, (name) => openSync(name, 'wx', place.existing === undefined ? 0o666 : place.existing.mode & 0o777)),
      );
      this.temporary = temporary;
      this.descriptor = descriptor;
      if (place.existing !== undefined) keepOwnership(descriptor, place.existing);
    } else this.descriptor = place.kind === 'descriptor' ? place.descriptor : orCannotWrite(path, () => openSync(path, 'w'));
    this.writer = new DescriptorWriter(this.descriptor, path);
  }

  /** Sees to it that everything is written. */
  complete(): void {
    if (!this.isOpen) return;
    this.writer.flush();
    orCannotWrite(this.path, () => {
      if (this.temporary !== undefined) fsyncSync(this.descriptor);
      this.isOpen = false;
      if (this.place.kind !== 'descriptor') closeSync(this.descriptor);
    });
  }

  /** Takes the place of what was there before, which can be kept until all others have taken theirs. */
  takeName(keepOld: boolean): void {
    const { place, temporary } = this;
    if (place.kind !== 'file' || temporary === undefined) return;
    orCannotWrite(this.path, () => {
      if (keepOld && place.existing !== undefined) this.old = linkedUnderAnotherName(place.path);
      renameSync(temporary.path, place.path);
    });
    this.hasName = true;
    temporary.release();
  }

  giveNameBack(): void {
    const { place, old } = this;
    if (place.kind !== 'file' || !this.hasName) return;
    try {
      if (old !== undefined) renameSync(old.path, place.path);
      else if (place.existing === undefined) unlinkSync(place.path);
    } catch {
      // the new file stays, which is as complete as the old one
    }
  }

  forgetOld(): void {
    if (this.old !== undefined) removeTemporary(this.old);
  }

  /** Leaves everything as it was. */
  discard(): void {
    if (this.isOpen && this.place.kind !== 'descriptor') {
      this.isOpen = false;
      try {
        closeSync(this.descriptor);
      } catch {
        // closed all the same
      }
    }
    if (this.temporary !== undefined && !this.hasName) removeTemporary(this.temporary);
  }
}

/** A file that is removed if the program ends before its time. */
interface TemporaryName {
  readonly path: string;
  release(): void;
}

const ATTEMPTS = 100;

/** Makes a file under a name that nobody has. The name is drawn, because the number of a process may come again while the file
 *  of one that was killed is still there; and it is short, because that of the file to be may be as long as any can be. */
function newTemporary<T>(folder: string, make: (path: string) => T): [TemporaryName, T] {
  for (let attempt = 1; ; attempt++) {
    const path = join(folder, `.gradus-${Math.random().toString(36).slice(2, 14)}.tmp`);
    // a signal may come as soon as the file is there, and is only heard by those who listen by then
    let isMade = false;
    const release = removeAtExit(() => {
      if (isMade) unlinkSync(path);
    });
    try {
      const made = make(path);
      isMade = true;
      return [{ path, release }, made];
    } catch (error) {
      release();
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === ATTEMPTS) throw error;
    }
  }
}

function removeTemporary({ path, release }: TemporaryName): void {
  try {
    unlinkSync(path);
    release();
  } catch (error) {
    // anything else is tried again when the program ends
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') release();
  }
}

/** The file under a second name; undefined where file systems know no such thing. */
function linkedUnderAnotherName(path: string): TemporaryName | undefined {
  try {
    return newTemporary(dirname(path), (name) => linkSync(path, name))[0];
  } catch {
    return undefined;
  }
}

/** A file that takes the place of another belongs to the same people, as far as that is allowed, and is open to the same. */
function keepOwnership(descriptor: number, { uid, gid, mode }: ReplacedFile): void {
  try {
    const own = fstatSync(descriptor);
    if (own.uid !== uid || own.gid !== gid) fchownSync(descriptor, uid, gid);
  } catch {
    // only root may give files away
  }
  try {
    fchmodSync(descriptor, mode & 0o777);
  } catch {
    // some file systems know no permissions
  }
}

interface MadeFolder {
  keep(): void;
  remove(): void;
}

/** Makes a folder; nothing if it is there. */
function makeFolder(path: string): MadeFolder[] {
  if (orCannotWrite(path, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory() === true) return [];
  let isMade = false;
  const release = removeAtExit(() => {
    if (isMade) rmdirSync(path);
  });
  try {
    mkdirSync(path);
    isMade = true;
  } catch (error) {
    release();
    throw new InputError({ source: path, message: `cannot make a folder: ${systemReason(error)}` });
  }
  const remove = (): void => {
    try {
      rmdirSync(path);
      release();
    } catch {
      // tried again when the program ends, unless others have put something in
    }
  };
  return [{ keep: release, remove }];
}
