import { idText, sortedIds } from '../core/ids.js';
import { jsonText } from '../core/json-text.js';
import { defaultRules } from '../core/judging/judging-rules.js';
import type { Qrels } from '../core/qrels.js';
import { compareTexts } from '../core/text.js';
import type { Plan } from './plan.js';
import type { Platform } from './platform.js';

/** What stored scores depend on, so that they are not compared with scores of another kind. */
export interface Fingerprint {
  /** The SHA-256 of all judgements, whatever file they stood in. */
  readonly judgements: string;
  /** The SHA-256 of the rules of judging. */
  readonly rules: string;
  /** The version of Gradus. */
  readonly version: string;
}

/** The fingerprint of scores that are computed now; undefined where hashes cannot be had. */
export async function fingerprintOf(qrels: Qrels, plan: Plan, platform: Platform): Promise<Fingerprint | undefined> {
  const { sha256, version } = platform;
  if (sha256 === undefined) return undefined;
  const [judgements, rules] = [await sha256(judgementChunks(qrels)), await sha256(chunksOf([rulesText(plan)]))];
  return judgements === undefined || rules === undefined ? undefined : { judgements, rules, version };
}

/** What no longer holds of stored scores, in words. */
export function differencesFrom(stored: Fingerprint, now: Fingerprint): string[] {
  return [
    ...(stored.judgements === now.judgements ? [] : ['other judgements']),
    ...(stored.rules === now.rules ? [] : ['other rules']),
    ...(stored.version === now.version ? [] : [`Gradus ${stored.version}, and this is ${now.version}`]),
  ];
}

/** The fingerprint in a document of stored scores, if it has one. */
export function fingerprintIn(document: unknown): Fingerprint | undefined {
  const found = (document as { readonly fingerprint?: Partial<Record<keyof Fingerprint, unknown>> } | null)?.fingerprint;
  const { judgements, rules, version } = found ?? {};
  if (typeof judgements !== 'string' || typeof rules !== 'string' || typeof version !== 'string') return undefined;
  return { judgements, rules, version };
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
