import { idText, sortedIds } from '../core/ids.js';
import { jsonText } from '../core/json-text.js';
import { defaultRules } from '../core/judging/judging-rules.js';
import type { Qrels } from '../core/qrels.js';
import { compareTexts } from '../core/text.js';
import { type ByteSource, readText } from '../formats/source.js';
import type { Plan } from './plan.js';
import type { Platform } from './platform.js';

/** What a result was made from, so that results of another kind are not compared with it. What does not go into a result is left out. */
export interface Fingerprint {
  /** The SHA-256 of all judgements, whatever file they stood in; of several judges, that of theirs together. */
  readonly judgements?: string | undefined;
  /** The SHA-256 of each run as it is stored. */
  readonly runs?: readonly FileDigest[] | undefined;
  /** The same of files of scores or preferences. */
  readonly scores?: readonly FileDigest[] | undefined;
  /** The SHA-256 of the rules of judging. */
  readonly rules?: string | undefined;
  /** The version of Gradus. */
  readonly version: string;
}

/** The SHA-256 of a file, in hexadecimal digits. */
export interface FileDigest {
  readonly name: string;
  readonly sha256: string;
}

/** What a result is made from. */
export interface ResultInputs {
  /** One set of judgements, or those of several judges. */
  readonly judgements?: Qrels | readonly Qrels[] | undefined;
  readonly plan?: Plan | undefined;
  readonly runs?: readonly NamedSource[] | undefined;
  readonly scores?: readonly NamedSource[] | undefined;
}

/** A file, by what it goes by in a result. */
export interface NamedSource {
  readonly name: string;
  /** Undefined for what was given as it is. */
  readonly source: ByteSource | undefined;
}

/** Stored scores that are longer are not searched for a fingerprint. */
const LONGEST_STORED = 2 ** 28;

/** The fingerprint of a result that is made now; undefined where hashes cannot be had. What comes through a pipe, or is held by a
 *  program, is not stored anywhere and has none. */
export async function fingerprintOf(
  { judgements, plan, runs, scores }: ResultInputs,
  platform: Platform,
): Promise<Fingerprint | undefined> {
  const { sha256, version } = platform;
  if (sha256 === undefined) return undefined;
  const digests = async (files: readonly NamedSource[]): Promise<FileDigest[]> => {
    const found: FileDigest[] = [];
    for (const { name, source } of files) {
      const digest = source?.isReopenable === true && source.held === undefined ? await sha256(source.open()) : undefined;
      if (digest !== undefined) found.push({ name, sha256: digest });
    }
    return found;
  };
  const judged = judgements === undefined ? [] : 'docOf' in judgements ? [judgements] : judgements;
  const sets: (string | undefined)[] = [];
  for (const qrels of judged) sets.push(await sha256(judgementChunks(qrels)));
  return {
    ...(sets.length === 0 ? {} : { judgements: sets.length === 1 ? sets[0] : await sha256(chunksOf([sets.join('\n')])) }),
    ...(runs === undefined ? {} : { runs: await digests(runs) }),
    ...(scores === undefined ? {} : { scores: await digests(scores) }),
    ...(plan === undefined ? {} : { rules: await sha256(chunksOf([rulesText(plan)])) }),
    version,
  };
}

/** In what two results differ that were to be made alike, in words: the runs of two results may be others. */
export function differencesFrom(stored: Fingerprint, now: Fingerprint): string[] {
  return [
    ...(stored.judgements === now.judgements ? [] : ['other judgements']),
    ...(stored.rules === now.rules ? [] : ['other rules']),
    ...(stored.version === now.version ? [] : [`Gradus ${stored.version}, and this is ${now.version}`]),
  ];
}

/** The fingerprint of scores that were stored as JSON, if they have one. */
export async function storedFingerprint(source: ByteSource): Promise<Fingerprint | undefined> {
  if (!source.isReopenable || (source.size ?? 0) > LONGEST_STORED) return undefined;
  const text = await readText(source);
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return fingerprintIn(JSON.parse(text));
  } catch {
    // lines of JSON are no document, and have none
    return undefined;
  }
}

function fingerprintIn(document: { readonly fingerprint?: Partial<Record<keyof Fingerprint, unknown>> }): Fingerprint | undefined {
  const { judgements, rules, version, runs } = document.fingerprint ?? {};
  if (typeof judgements !== 'string' || typeof rules !== 'string' || typeof version !== 'string') return undefined;
  return { judgements, rules, version, runs: Array.isArray(runs) ? runs.filter(isDigest) : [] };
}

function isDigest(value: unknown): value is FileDigest {
  const { name, sha256 } = (value ?? {}) as Partial<Record<keyof FileDigest, unknown>>;
  return typeof name === 'string' && typeof sha256 === 'string';
}

/** What to know about scores that are put side by side: which of them were not made from the same judgements, by the same rules and the
 *  same version, which cannot tell, and which systems are one and the same run. */
export async function unlikeResults(sources: readonly ByteSource[]): Promise<string[]> {
  const found: { readonly name: string; readonly made: Fingerprint | undefined }[] = [];
  for (const source of sources) found.push({ name: source.name, made: await storedFingerprint(source) });
  const first = found.find(({ made }) => made !== undefined);
  if (first?.made === undefined) return [];
  const notes: string[] = [];
  const names = new Map<string, string>();
  for (const { name, made } of found) {
    if (made === undefined) {
      notes.push(`${name} has no fingerprint, so that nobody can tell whether its judgements and rules were those of ${first.name}`);
      continue;
    }
    const others = [
      ...(made.judgements === first.made.judgements ? [] : ['other judgements']),
      ...(made.rules === first.made.rules ? [] : ['other rules']),
      ...(made.version === first.made.version ? [] : [`another version of Gradus (${made.version}, not ${first.made.version})`]),
    ];
    if (others.length > 0) notes.push(`${name} was not made from the same as ${first.name}: ${others.join(', ')}`);
    for (const run of made.runs ?? []) {
      const before = names.get(run.sha256);
      if (before !== undefined) notes.push(`${before} and ${run.name} were made from the same run`);
      else names.set(run.sha256, run.name);
    }
  }
  return notes;
}

/** The same text for the same rules, in whatever order they were set. */
function rulesText({ convention, rules }: Plan): string {
  const all = Object.entries({ ...defaultRules, ...rules }).sort(([a], [b]) => compareTexts(a, b));
  return jsonText([convention.name, ...all.map(([name, value]) => [name, String(value)])]);
}

async function* chunksOf(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const text of texts) yield encoder.encode(text);
}

/** A line for each judgement, in the order of topics and documents. */
function judgementChunks(qrels: Qrels): AsyncGenerator<Uint8Array> {
  return chunksOf(judgementLines(qrels));
}

function* judgementLines({ topics, docs, offsets, docOf, grades }: Qrels): Generator<string> {
  for (const topic of sortedIds(topics)) {
    const lines: string[] = [];
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) lines.push(`${idText(docs, docOf[row])}\t${grades[row]}\n`);
    yield `${topics.text(topic)}\n${lines.sort(compareTexts).join('')}`;
  }
}
