import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The files that a path stands for. */
export interface FilesBehind {
  /** The path or pattern as it was given, or the pattern that a directory stands for. */
  readonly pattern: string;
  /** In the order of their names. */
  readonly files: readonly string[];
  /** Whether the path is that of one file, whatever characters are in its name. */
  readonly isLiteral: boolean;
}

/** The Parquet files of a directory, those that a pattern fits, or the file itself. A name that exists is that file, even if there
 *  are wildcards in it. */
export function filesBehind(path: string): FilesBehind {
  if (isDirectory(path)) {
    const names = namesIn(path).filter((name) => name.endsWith('.parquet') && !name.startsWith('.'));
    return { pattern: join(path, '*.parquet'), files: names.map((name) => join(path, name)), isLiteral: false };
  }
  const isLiteral = !hasWildcard(path) || existsSync(path);
  return { pattern: path, files: isLiteral ? [path] : allMatches(path), isLiteral };
}

/** The files in a directory, in the order of their names, without hidden ones and what is in directories below; undefined if the path
 *  is no directory. */
export function filesInFolder(path: string): string[] | undefined {
  if (!isDirectory(path)) return undefined;
  return namesIn(path)
    .filter((name) => !name.startsWith('.') && !isDirectory(join(path, name)))
    .map((name) => join(path, name));
}

/** Whether a path is a pattern, which shells that do not expand patterns hand over as it is. */
export function hasWildcard(path: string): boolean {
  return /[*?]/.test(path);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** All files, in the order of their names, that the pattern fits. Wildcards may stand in any part of it, and `**` for any number of
 *  folders. */
function allMatches(pattern: string): string[] {
  const parts = pattern.split(/[\\/]/);
  const found: string[] = [];
  const walk = (folder: string, rest: readonly string[]): void => {
    const [part, ...deeper] = rest;
    if (part === undefined) {
      if (!isDirectory(folder)) found.push(folder);
    } else if (part === '**') {
      walk(folder, deeper);
      for (const name of namesIn(folder || '.')) if (isDirectory(join(folder, name))) walk(join(folder, name), rest);
    } else if (part === '' || !hasWildcard(part)) {
      const next = part === '' ? folder : join(folder, part);
      if (existsSync(next)) walk(next, deeper);
    } else {
      const fits = wildcardPattern(part);
      for (const name of namesIn(folder || '.')) if (fits.test(name)) walk(join(folder, name), deeper);
    }
  };
  walk(parts[0] === '' ? sep : '', parts[0] === '' ? parts.slice(1) : parts);
  return found;
}

/** What a name must look like. As in shells, a wildcard at its start does not stand for a point. */
function wildcardPattern(part: string): RegExp {
  const text = part
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^(?!\\.)${text}$`, 'su');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
