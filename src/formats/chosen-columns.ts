import { InputError } from '../core/problem.js';
import { type Columns, type Role, roles } from './columns.js';
import type { ReadOptions } from './reader.js';

/** Columns that were named for several files together. A file that has no columns is read as it is, but a name that no file has would
 *  be left alone without a word, so it is refused when all of them have been read. */
export class ChosenColumns {
  /** For each reader. */
  readonly options: Pick<ReadOptions, 'columns' | 'onColumn'>;
  private readonly found = new Set<Role>();

  constructor(columns: Columns | undefined) {
    this.options = columns === undefined ? {} : { columns, onColumn: (role) => void this.found.add(role) };
  }

  /** To be called when every file has been read, before anything is printed or written. */
  refuseUnused(): void {
    const { columns = {} } = this.options;
    const named = roles.filter((role) => columns[role] !== undefined);
    const unused = named.filter((role) => !this.found.has(role));
    if (unused.length === 0) return;
    const list = unused.map((role) => `${role}=${columns[role]}`).join(',');
    throw new InputError({
      message: `--columns names ${list}, which ${unused.length === 1 ? 'is' : 'are'} in none of the files; TREC and LETOR files and JSON by topic have no columns to choose from`,
      wayOut: `leave ${unused.length === named.length ? '--columns' : list} out`,
    });
  }
}
