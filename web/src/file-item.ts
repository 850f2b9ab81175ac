/** A file in the list of the page. */
import type { Problem } from 'gradus';
import type { FileReading, FileSummary } from './engine/protocol.js';
import type { SystemLabel } from './kept/session.js';
import { numQueries } from './sizes.js';

/** A file, how it is read, and how far that is. */
export interface FileItem {
  readonly id: number;
  readonly file: File;
  readonly reading: FileReading;
  /** The name and the group that somebody gave to the system. */
  readonly label: SystemLabel;
  /** *stopped*: somebody pressed Stop before it was read. */
  readonly status: 'reading' | 'ready' | 'bad' | 'stopped';
  /** From 0 to 1. */
  readonly progress: number;
  readonly summary?: FileSummary | undefined;
  readonly problems?: readonly Problem[] | undefined;
  /** Lines that would have to be skipped to read the rest of it. */
  readonly skippable?: number | undefined;
}

/** Pages that were saved may hold a session. */
export const isPage = ({ name }: File): boolean => /\.html?$/i.test(name);

/** What the list says of a file that counts the lines of queries. */
export async function sizesSummary({ id, file }: FileItem): Promise<FileSummary> {
  const count = await numQueries(file);
  const size = count === 1 ? '1 query' : `${count} queries`;
  return { id, name: file.name, label: file.name, bytes: file.size, kind: 'sizes', ambiguous: false, format: 'sizes', size, numSkipped: 0 };
}
