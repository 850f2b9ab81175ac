/** The grades that somebody gave on this page, kept by the browser on this computer: one list for each collection. */
import type { OwnJudgement } from './engine/judging.js';

/** Judgements of different collections may name topics alike, so the file and its topics both say which list it is. */
export function placeOfJudgements(file: string, topics: readonly string[]): string {
  // FNV-1a over the names of the topics
  let hash = 0x811c9dc5;
  for (const character of topics.join('\n')) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return `gradus-judgements ${file} ${topics.length} ${hash.toString(16)}`;
}

export function keptJudgements(place: string): OwnJudgement[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(found) ? found.filter(isJudgement) : [];
  } catch {
    return [];
  }
}

/** False if the browser keeps nothing for this page. */
export function keepJudgements(place: string, judgements: readonly OwnJudgement[]): boolean {
  try {
    if (judgements.length === 0) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(judgements));
    return true;
  } catch {
    return false;
  }
}

/** As qrels; as JSON lines where an id has a blank in it, which qrels cannot hold. */
export function judgementFile(judgements: readonly OwnJudgement[]): { readonly name: string; readonly text: string } {
  const isPlain = judgements.every(({ topic, doc }) => !/\s/.test(topic) && !/\s/.test(doc));
  const line = ({ topic, doc, grade }: OwnJudgement): string =>
    isPlain ? `${topic} 0 ${doc} ${grade}` : JSON.stringify({ topic, doc, grade });
  return {
    name: isPlain ? 'judgements.qrels' : 'judgements.jsonl',
    text: judgements.map((one) => `${line(one)}\n`).join(''),
  };
}

function isJudgement(one: unknown): one is OwnJudgement {
  const { topic, doc, grade } = (one ?? {}) as Partial<Record<keyof OwnJudgement, unknown>>;
  return typeof topic === 'string' && typeof doc === 'string' && Number.isFinite(grade);
}
