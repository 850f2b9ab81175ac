import { existsSync, fstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError, type Problem } from '../core/problem.js';
import { filesBehind } from './file-patterns.js';
import { ownDescriptor } from './output/output-place.js';

/** A file that is read or written. */
export interface UsedFile {
  readonly use: 'input' | 'output';
  /** `-` is standard input or output. */
  readonly path: string;
  /** What it is called in messages. */
  readonly label: string;
  /** The label of the input that this output may take the place of. */
  readonly replaces?: string | undefined;
}

/** Refuses outputs that are inputs as well, under whatever names, and files that two outputs would go to. It looks at which file
 *  a name stands for, so that links, other spellings and redirections do not hide it.
 *  @throws An `InputError` */
export function refuseOverwriting(files: readonly UsedFile[]): void {
  const inputs = files.filter(({ use }) => use === 'input');
  const outputs = files.filter(({ use, path }) => use === 'output' && ownDescriptor(path) !== STANDARD_OUTPUT);
  const [toStandard, ...more] = files.filter(({ use, path }) => use === 'output' && ownDescriptor(path) === STANDARD_OUTPUT);
  if (more.length > 0) throw new InputError(more.map((output) => mixing(output, toStandard)));
  // standard output is one more, if it goes to a file
  if (identityOf(standardOutput) !== undefined) outputs.push(toStandard ?? standardOutput);
  if (outputs.length === 0) return;
  const owners = new Map<string, UsedFile[]>();
  for (const input of inputs) {
    for (const identity of identitiesOf(input)) owners.set(identity, [...(owners.get(identity) ?? []), input]);
  }
  const problems: Problem[] = [];
  for (const output of outputs) {
    const identity = identityOf(output) ?? placeOf(output.path);
    if (identity === undefined) continue;
    const owner = owners.get(identity)?.find((file) => file.use === 'output' || file.label !== output.replaces);
    if (owner !== undefined) problems.push(overwriting(output, owner));
    owners.set(identity, [...(owners.get(identity) ?? []), output]);
  }
  if (problems.length > 0) throw new InputError(problems);
}

const STANDARD_OUTPUT = 1;
const standardOutput: UsedFile = { use: 'output', path: '-', label: 'standard output' };

function mixing(output: UsedFile, other: UsedFile): Problem {
  return { message: `${other.label} and ${output.label} both write to standard output`, wayOut: 'name a file for one of them' };
}

function overwriting(output: UsedFile, owner: UsedFile): Problem {
  if (owner.use === 'output') {
    return {
      message: `${owner.label} and ${output.label} both write to ${output.path}, and only one would be left`,
      wayOut: 'name two files',
    };
  }
  const other = owner.path === output.path ? owner.label : `${owner.label} (${owner.path === '-' ? 'standard input' : owner.path})`;
  return {
    source: output.path === '-' ? 'standard output' : output.path,
    message: `${output === standardOutput ? 'this' : output.label} would overwrite ${other}, which is the same file`,
    wayOut: 'name another file to write to',
  };
}

/** What tells a file from all others, whatever it is called; undefined for what cannot be overwritten, such as a pipe, and for what
 *  is not there. */
function identityOf({ path, use }: UsedFile): string | undefined {
  const descriptor = path === '-' && use === 'input' ? 0 : ownDescriptor(path);
  try {
    const stat = descriptor === undefined ? statSync(path, { bigint: true }) : fstatSync(descriptor, { bigint: true });
    return stat.isFile() ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/** An input may be a folder or a pattern, of which each file counts. */
function identitiesOf(input: UsedFile): string[] {
  const own = identityOf(input);
  if (own !== undefined) return [own];
  return filesBehind(input.path).files.flatMap((path) => identityOf({ ...input, path }) ?? []);
}

/** What tells the place of a file that is not there yet. */
function placeOf(path: string): string | undefined {
  try {
    if (existsSync(path)) return undefined;
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return undefined;
  }
}
