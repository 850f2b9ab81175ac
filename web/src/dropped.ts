/** What somebody dropped on the page: files, and folders with the files in them. */
import type { PlacedFile } from './engine/folders.js';

/** More files than this are no folder of results. */
const MOST_FILES = 5000;

/** The files of a drop, and those of its folders, which take a moment. To be called while the event lasts. */
export function droppedFiles(transfer: DataTransfer | null): { plain: File[]; folders: Promise<PlacedFile[]> | undefined } {
  const folders: FileSystemDirectoryEntry[] = [];
  const plain: File[] = [];
  for (const item of transfer?.items ?? []) {
    const entry = item.webkitGetAsEntry?.() ?? null;
    const file = item.getAsFile();
    if (entry?.isDirectory === true) folders.push(entry as FileSystemDirectoryEntry);
    else if (file !== null) plain.push(file);
  }
  return { plain, folders: folders.length === 0 ? undefined : filesBelow(folders) };
}

async function filesBelow(folders: readonly FileSystemDirectoryEntry[]): Promise<PlacedFile[]> {
  const found: PlacedFile[] = [];
  const waiting: FileSystemEntry[] = [...folders];
  for (let entry = waiting.pop(); entry !== undefined && found.length < MOST_FILES; entry = waiting.pop()) {
    if (entry.isDirectory) waiting.push(...(await entriesOf(entry as FileSystemDirectoryEntry)));
    else found.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry as FileSystemFileEntry) });
  }
  return found;
}

/** A folder tells its entries in portions; the last one is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
