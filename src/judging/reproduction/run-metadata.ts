import { InputError } from '../../core/problem.js';
import { type MetadataValue, readYaml, writeYaml } from './yaml-subset.js';

/** The header of a run by ir_metadata 0.1 (Breuer and others, doi:10.1145/3477495.3531738), as it was written. */
export type RunMetadata = { readonly [key: string]: MetadataValue };

const START = 'ir_metadata.start';
const END = 'ir_metadata.end';

/** The parts of an experiment, by the letters that stand for them. */
const parts: Readonly<Record<string, string>> = {
  p: 'platform',
  r: 'research goal',
  i: 'implementation',
  m: 'method',
  a: 'actor',
  d: 'data',
};

/** The six parts of an experiment, in the order of the letters of `changedParts`. */
export const metadataParts: readonly string[] = Object.values(parts);

/** Keys at the top and below each part; null where anything may stand. */
const known: Readonly<Record<string, readonly string[]>> = {
  platform: ['hardware', 'operating system', 'software'],
  'research goal': ['venue', 'publication', 'evaluation'],
  implementation: ['executable', 'source'],
  method: ['automatic', 'score ties', 'indexing', 'retrieval'],
  actor: ['name', 'orcid', 'team', 'fields', 'mail', 'role', 'degree', 'github', 'twitter'],
  data: ['test collection', 'training data', 'other'],
};

/** Reads the header of a run file.
 *  @returns Undefined if it has none.
 *  @throws An `InputError` if it begins and does not end, or cannot be read. */
export function readRunMetadata(text: string): RunMetadata | undefined {
  const lines = text.split(/\r?\n/);
  const comment = (line: string): string | undefined => /^#(.*)$/.exec(line)?.[1];
  const start = lines.findIndex((line) => comment(line)?.trim() === START);
  if (start < 0 || lines.slice(0, start).some((line) => comment(line) === undefined)) return undefined;
  const end = lines.findIndex((line, i) => i > start && comment(line)?.trim() === END);
  const broken = lines.findIndex((line, i) => i > start && (end < 0 || i < end) && comment(line) === undefined);
  if (end < 0 || (broken >= 0 && broken < end)) {
    throw new InputError({
      line: (broken < 0 ? start : broken) + 1,
      message: `the header that begins with ${START} in line ${start + 1} does not end`,
      wayOut: `write "# ${END}" in a line of its own behind it, and # before every line of it`,
    });
  }
  const value = readYaml(
    lines
      .slice(start + 1, end)
      .map((line) => comment(line) ?? '')
      .join('\n'),
  );
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new InputError({ line: start + 2, message: 'a header is a map', wayOut: 'begin with a line such as "# tag: my-run"' });
  }
  return value as RunMetadata;
}

/** The header as it stands in front of a run. */
export function writeRunMetadata(metadata: RunMetadata): string {
  const lines = [START, ...writeYaml(metadata).trimEnd().split('\n'), END];
  return lines.map((line) => `# ${line} \n`).join('');
}

/** What a header lacks or has too much of, a sentence each. */
export function metadataProblems(metadata: RunMetadata): string[] {
  const problems = ['schema-version', 'tag', ...Object.values(parts)]
    .filter((key) => valueAt(metadata, key) === undefined)
    .map((key) => `${key} is missing`);
  for (const [part, keys] of Object.entries(known)) {
    const own = valueAt(metadata, part);
    if (typeof own !== 'object' || own === null || Array.isArray(own)) continue;
    for (const key of Object.keys(own))
      if (!keys.includes(spaced(key))) problems.push(`${part} has ${key}, which is no key of ir_metadata 0.1`);
  }
  const actor = valueAt(metadata, 'actor');
  const role = typeof actor === 'object' && actor !== null ? valueAt(actor as RunMetadata, 'role') : undefined;
  if (role !== undefined && role !== 'experimenter' && role !== 'reproducer')
    problems.push(`the role of the actor is ${String(role)}, expected experimenter or reproducer`);
  return problems;
}

/** Keys are written with blanks, and by some with underscores. */
function spaced(key: string): string {
  return key.replaceAll('_', ' ');
}

function valueAt(metadata: RunMetadata, wanted: string): MetadataValue | undefined {
  const key = Object.keys(metadata).find((own) => own === wanted || spaced(own) === wanted);
  return key === undefined ? undefined : metadata[key];
}

/** Which parts of two experiments differ, as six letters, upper case where they do: `priMad` says that only the method changed. */
export function changedParts(first: RunMetadata, second: RunMetadata): string {
  return Object.entries(parts)
    .map(([letter, part]) => (sameValue(valueAt(first, part) ?? null, valueAt(second, part) ?? null) ? letter : letter.toUpperCase()))
    .join('');
}

function sameValue(a: MetadataValue, b: MetadataValue): boolean {
  return canonical(a) === canonical(b);
}

/** The value as text, whatever order its keys stand in. */
function canonical(value: MetadataValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, own]) => `${JSON.stringify(spaced(key))}:${canonical(own)}`);
  return `{${entries.sort().join(',')}}`;
}
