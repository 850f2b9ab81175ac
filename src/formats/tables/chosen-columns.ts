import { InputError } from '../../core/problem.js';
import type { Choice, ReadOptions } from '../reader.js';
import { type Columns, type Role, roles, type TableKind } from './columns.js';
import type { GradeWords } from './grade-words.js';

/** What is meant of files that hold several runs, subsets or opinions, or an answer that does not name its query. */
export interface ChoiceSettings {
  /** The name of the run. */
  readonly run?: string | undefined;
  /** The name of the subset. */
  readonly subset?: string | undefined;
  /** How the grades of several judges become one: mean, median, majority, or the name of the judge that counts. */
  readonly judges?: string | undefined;
  /** The topic of an answer that does not name its query. */
  readonly topic?: string | undefined;
}

const choices: readonly (keyof ChoiceSettings)[] = ['run', 'subset', 'judges', 'topic'];

/** Which column of CSV, TSV, JSONL and Parquet files is what, where the names do not say so. */
export interface ColumnSettings extends ChoiceSettings {
  /** In all files. */
  readonly columns?: Columns | undefined;
  /** In judgements, on top of that. */
  readonly judgementColumns?: Columns | undefined;
  /** In runs, on top of that. */
  readonly runColumns?: Columns | undefined;
  /** The numbers of grades that are words or letters. */
  readonly grades?: GradeWords | undefined;
}

/** The columns of files of one kind. */
export function columnsFor({ columns, judgementColumns, runColumns }: ColumnSettings, kind: TableKind): Columns | undefined {
  const own = kind === 'run' ? runColumns : judgementColumns;
  return columns === undefined || own === undefined ? (own ?? columns) : { ...columns, ...own };
}

/** Columns that were named for several files together. A file that has no columns is read as it is, but a name that no file has would
 *  be left alone without a word, so it is refused when all of them have been read. */
export class ChosenColumns {
  private readonly settings: ColumnSettings;
  private readonly found: Readonly<Record<TableKind, Set<Role>>> = { run: new Set(), qrels: new Set() };
  private readonly offered: Set<Choice> = new Set();

  constructor(settings: ColumnSettings) {
    this.settings = settings;
  }

  /** For each reader of files of this kind. */
  of(kind: TableKind): Pick<ReadOptions, 'columns' | 'onColumn' | 'run' | 'subset' | 'judges' | 'topicNames' | 'grades' | 'onChoice'> {
    const columns = columnsFor(this.settings, kind);
    const { run, subset, judges, topic, grades } = this.settings;
    const onChoice = (choice: Choice): void => void this.offered.add(choice);
    const chosen = [...choices, 'grades' as const].some((choice) => this.settings[choice] !== undefined)
      ? { run, subset, judges, grades, onChoice, ...(topic === undefined ? {} : { topicNames: [topic] }) }
      : {};
    return columns === undefined ? chosen : { ...chosen, columns, onColumn: (role) => void this.found[kind].add(role) };
  }

  /** To be called when every file has been read, before anything is printed or written. */
  refuseUnused(): void {
    const { columns, judgementColumns, runColumns } = this.settings;
    refuse('--columns', columns, (role) => this.found.run.has(role) || this.found.qrels.has(role));
    refuse('--qrels-columns', judgementColumns, (role) => this.found.qrels.has(role));
    refuse('--run-columns', runColumns, (role) => this.found.run.has(role));
    if (this.settings.grades !== undefined && !this.offered.has('grades')) {
      const words = Object.keys(this.settings.grades).join(', ');
      throw new InputError({
        message: `--grades gives numbers to ${words}, and no grade in the judgements is one of these words`,
        wayOut: 'leave --grades out, or write the words as they are in the file',
      });
    }
    for (const choice of choices) {
      if (this.settings[choice] === undefined || this.offered.has(choice)) continue;
      throw new InputError({
        message: `--${choice} ${this.settings[choice]} chooses among what a file holds, and none of the files has a choice like that`,
        wayOut: `leave --${choice} out`,
      });
    }
  }
}

function refuse(option: string, columns: Columns = {}, isFound: (role: Role) => boolean): void {
  const named = roles.filter((role) => columns[role] !== undefined);
  const unused = named.filter((role) => !isFound(role));
  if (unused.length === 0) return;
  const list = unused.map((role) => `${role}=${columns[role]}`).join(',');
  throw new InputError({
    message: `${option} names ${list}, which ${unused.length === 1 ? 'is' : 'are'} in none of the files; TREC and LETOR files and JSON by topic have no columns to choose from`,
    wayOut: `leave ${unused.length === named.length ? option : list} out`,
  });
}
