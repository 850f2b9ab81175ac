import { InputError } from '../core/problem.js';
import { type ScoreColumn, ScoreTable } from '../core/score-table.js';
import type { Measure } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import type { Direction } from '../stats/compare.js';

/** Runs go by the names that were given, or by their tags; where two have the same, or none, by their files. */
export function namesOfRuns(tags: readonly string[], files: readonly string[], given: readonly (string | undefined)[] = []): string[] {
  const distinct = new Set(tags).size === tags.length && !tags.includes('');
  return tags.map((tag, r) => given[r] ?? (distinct ? tag : files[r]));
}

/** The same scores under other names. */
export function renamed(table: ScoreTable, systems: readonly string[], columns: readonly ScoreColumn[] = table.columns): ScoreTable {
  return new ScoreTable(systems, table.topics, columns, table.values, table.notes);
}

/** One spelling for all names of a measure, so that `ndcg_cut_10` of a file is the `nDCG@10` that was asked for. */
export function canonicalName(name: string): string {
  return known(name)?.text ?? name;
}

function known(name: string): Measure | undefined {
  try {
    return parseMeasure(name);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Paths as a report prints them: as they were given if that was from some folder on; of a path from the root of a machine no more than
 *  tells it from the others, so that nobody reads where its author works. */
export function shownPaths(paths: readonly string[]): Map<string, string> {
  const parts = new Map([...new Set(paths)].filter(isFromRoot).map((path) => [path, path.split(/[\\/]+/).filter((part) => part !== '')]));
  const shown = new Map<string, string>();
  for (const [path, own] of parts) {
    let count = 1;
    const tail = (of: readonly string[]): string => of.slice(-count).join('/');
    while (count < own.length && [...parts].some(([other, of]) => other !== path && tail(of) === tail(own))) count++;
    shown.set(path, tail(own));
  }
  return shown;
}

function isFromRoot(path: string): boolean {
  return /^([\\/]|[A-Za-z]:[\\/])./.test(path);
}

/** Which way a measure is good; *neither* if more of it says nothing about quality. */
export function directionOf(name: string): Direction | 'neither' {
  return known(name)?.def.direction ?? 'higher';
}

/** Which way measures are good. What is neither better nor worse when it is larger cannot be compared; a name that is no measure of
 *  ours is taken to be better when it is larger. */
export function directionsOf(names: readonly string[]): Record<string, Direction> {
  const directions: Record<string, Direction> = {};
  for (const name of names) {
    const direction = directionOf(name);
    if (direction === 'neither') {
      throw new InputError({
        message: `${name} says nothing about which system is better`,
        wayOut: 'compare by a measure of quality such as nDCG@10',
      });
    }
    directions[name] = direction;
  }
  return directions;
}
