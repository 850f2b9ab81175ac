/** The session that the browser keeps: on this computer, for this address, until somebody forgets it. */
import { type KeptFile, type KeptSession, type KeptState, labelOf, readingOf, stateOf } from './session.js';

/** What is kept, beside the files. */
interface Entry extends KeptState {
  readonly tab: string;
  readonly saved: number;
  readonly files: readonly (Omit<KeptFile, 'file'> & { readonly key: string; readonly name: string })[];
}

/** A session that could be gone on with. */
export interface LastSession {
  readonly saved: Date;
  readonly names: readonly string[];
  /** True if this very page was loaded again. */
  readonly isOfThisTab: boolean;
}

const DATABASE = 'gradus';
const TAB = 'gradus-tab';
/** More is left to the disk it came from. */
const MOST_BYTES = 2 ** 30;

const keys = new WeakMap<File, string>();

export class KeptSessions {
  private readonly tab: string = tabName();
  private database: Promise<IDBDatabase> | undefined;

  /** Keeps a session instead of the one before.
   *  @returns False if this browser does not: it is forbidden, there is no room, or a file has changed on the disk. */
  async keep({ files, ...state }: KeptSession): Promise<boolean> {
    if (files.reduce((sum, { file }) => sum + file.size, 0) > MOST_BYTES) return false;
    try {
      const change = (await this.open()).transaction(['files', 'sessions'], 'readwrite');
      const store = change.objectStore('files');
      const known = new Set(await answered(store.getAllKeys()));
      const entry: Entry = {
        ...state,
        tab: this.tab,
        saved: Date.now(),
        files: files.map(({ file, reading, label }) => ({ key: keyOf(file), name: file.name, reading: readingOf(reading), label })),
      };
      for (const { file } of files) if (!known.has(keyOf(file))) store.put(file, keyOf(file));
      const wanted = new Set(entry.files.map(({ key }) => key));
      for (const key of known) if (!wanted.has(String(key))) store.delete(key);
      change.objectStore('sessions').put(entry, 'last');
      await done(change);
      return true;
    } catch {
      return false;
    }
  }

  /** What there is to go on with. */
  async last(): Promise<LastSession | undefined> {
    const entry = await this.entry();
    if (entry === undefined) return undefined;
    return { saved: new Date(entry.saved), names: entry.files.map(({ name }) => name), isOfThisTab: entry.tab === this.tab };
  }

  /** The session as it was kept; undefined if there is none, or not all of it. */
  async restore(): Promise<KeptSession | undefined> {
    const entry = await this.entry();
    if (entry === undefined) return undefined;
    try {
      const store = (await this.open()).transaction('files').objectStore('files');
      const blobs: unknown[] = await Promise.all(entry.files.map(({ key }) => answered(store.get(key))));
      const files = entry.files.flatMap(({ key, name, reading, label }, i): KeptFile[] => {
        const blob = blobs[i];
        if (!(blob instanceof Blob)) return [];
        const file = new File([blob], name);
        keys.set(file, key);
        return [{ file, reading: readingOf(reading), label: labelOf(label) }];
      });
      return files.length < entry.files.length ? undefined : { ...stateOf(entry, files.length), files };
    } catch {
      return undefined;
    }
  }

  async forget(): Promise<void> {
    try {
      const change = (await this.open()).transaction(['files', 'sessions'], 'readwrite');
      change.objectStore('files').clear();
      change.objectStore('sessions').clear();
      await done(change);
    } catch {
      // then nothing was kept
    }
  }

  private async entry(): Promise<Entry | undefined> {
    try {
      return await answered((await this.open()).transaction('sessions').objectStore('sessions').get('last'));
    } catch {
      return undefined;
    }
  }

  private open(): Promise<IDBDatabase> {
    this.database ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(DATABASE, 1);
      request.addEventListener('upgradeneeded', () => {
        request.result.createObjectStore('files');
        request.result.createObjectStore('sessions');
      });
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    return this.database;
  }
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}

function done(change: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    change.addEventListener('complete', () => resolve());
    change.addEventListener('abort', () => reject(change.error));
  });
}

/** A file has one key for as long as this page is open, so that it is written once. */
function keyOf(file: File): string {
  const known = keys.get(file);
  if (known !== undefined) return known;
  const key = randomName();
  keys.set(file, key);
  return key;
}

/** The same after a reload, another one in another tab. */
function tabName(): string {
  try {
    const known = sessionStorage.getItem(TAB) ?? randomName();
    sessionStorage.setItem(TAB, known);
    return known;
  } catch {
    return randomName();
  }
}

/** Not `randomUUID`, which pages on plain HTTP do not have. */
function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}
