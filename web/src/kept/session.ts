/** What makes a session: the files with the way each was read, what was chosen of them, and the address of the view. All of it may come
 *  from a file that somebody sent, so nothing of it is believed before it was looked at. */
import type { FileKind, FileReading } from '../engine/protocol.js';

/** A name and a group that somebody gave to a system. */
export interface SystemLabel {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
}

/** How one of the files was read. */
export interface KeptReading {
  readonly reading: Omit<FileReading, 'sizes'>;
  readonly label: SystemLabel;
}

/** Everything of a session but the content of its files. */
export interface KeptState {
  /** Settings, view, systems and order, as the address has them. */
  readonly address: string;
  /** Words of other views, which the address of this one does not have. */
  readonly words: Readonly<Record<string, string>>;
  /** The system that all others are compared with, which is data and no part of the address. */
  readonly baseline: string;
  /** The place of the file whose judgements hold; null for the last one. */
  readonly judgements: number | null;
}

export interface KeptFile extends KeptReading {
  readonly file: File;
}

export interface KeptSession extends KeptState {
  readonly files: readonly KeptFile[];
}

const kinds: Readonly<Record<FileKind, true>> = {
  judgements: true,
  run: true,
  features: true,
  predictions: true,
  queries: true,
  documents: true,
  sizes: true,
};
const LONGEST_NAME = 200;
const LONGEST_ADDRESS = 20_000;
const roles: Readonly<Record<keyof NonNullable<FileReading['columns']>, true>> = {
  topic: true,
  doc: true,
  score: true,
  rank: true,
  grade: true,
  group: true,
  subgroup: true,
};

type Unknown = Readonly<Record<string, unknown>>;

const recordOf = (value: unknown): Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Unknown) : {};

/** A line of text without characters that would change how others are shown; undefined for anything else. */
export function plainName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, LONGEST_NAME);
  return name === '' ? undefined : name;
}

export function labelOf(value: unknown): SystemLabel {
  const { name, group } = recordOf(value);
  return { name: plainName(name), group: plainName(group) };
}

export function readingOf(value: unknown): KeptReading['reading'] {
  const { as, lenient, columns, grades } = recordOf(value);
  const named = Object.entries(recordOf(columns)).filter(
    ([role, column]) => Object.hasOwn(roles, role) && (typeof column === 'string' || Number.isInteger(column)),
  );
  const graded = Object.entries(recordOf(grades)).filter(([, grade]) => Number.isFinite(grade));
  return {
    ...(typeof as === 'string' && Object.hasOwn(kinds, as) ? { as: as as FileKind } : {}),
    ...(lenient === true ? { lenient } : {}),
    ...(named.length > 0 ? { columns: Object.fromEntries(named) as FileReading['columns'] } : {}),
    ...(graded.length > 0 ? { grades: Object.fromEntries(graded) as FileReading['grades'] } : {}),
  };
}

/** Words of addresses are short, and none of them is a name that every object has. */
const isWord = (name: string): boolean => /^[a-z]{1,12}$/.test(name) && !(name in {});

/** @param numFiles How many files there are, of which one may hold the judgements. */
export function stateOf(value: unknown, numFiles: number): KeptState {
  const { address, words, baseline, judgements } = recordOf(value);
  const known = Object.entries(recordOf(words)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= LONGEST_NAME && isWord(entry[0]),
  );
  const isPlace = Number.isInteger(judgements) && (judgements as number) >= 0 && (judgements as number) < numFiles;
  return {
    address: typeof address === 'string' && address.startsWith('#/') ? address.slice(0, LONGEST_ADDRESS) : '',
    words: Object.fromEntries(known),
    baseline: plainName(baseline) ?? '',
    judgements: isPlace ? (judgements as number) : null,
  };
}
