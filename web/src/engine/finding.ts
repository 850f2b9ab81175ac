/** Documents by the beginning of their names: on which topics they are judged or ranked, and where. */
import type { Plan } from 'gradus/experiment';
import { type PageMaterial, placeOf, type Session } from './session.js';
import { topicRanking } from './topic.js';

/** A document on one topic. */
export interface FoundDocument {
  readonly id: string;
  readonly topic: string;
  /** Null if nobody judged it. */
  readonly grade: number | null;
  /** By each of the systems that were asked for; null where it is not in the ranking. */
  readonly ranks: readonly (number | null)[];
}

/** More than this nobody reads. */
const MOST = 8;

type Rows = Pick<PageMaterial['runs'][number], 'topics' | 'docs' | 'offsets' | 'docOf'>;

/** @param files The runs whose ranks are told. */
export function findDocuments(session: Session, plan: Plan, page: PageMaterial, text: string, files: readonly number[]): FoundDocument[] {
  const { qrels } = page.material.judgements;
  const places = new Map<string, { id: string; topic: string }>();
  for (const rows of [qrels, ...files.map((file): Rows => page.runs[placeOf(page, file)])]) {
    for (const place of placesOf(rows, text)) places.set(JSON.stringify([place.topic, place.id]), place);
  }
  const exact = [...places.values()].filter(({ id }) => id === text);
  const found = [...exact, ...[...places.values()].filter(({ id }) => id !== text)].filter(({ topic }) => qrels.topics.find(topic) >= 0);
  return found.slice(0, MOST).map(({ id, topic }) => {
    const rankings = files.map((file) => {
      const { qrels: judged, run, name } = session.topicMaterial(page, topic, file);
      return topicRanking(judged, run, name, file, topic, plan.measures[0], plan);
    });
    return {
      id,
      topic,
      grade: gradeOf(qrels, topic, id),
      ranks: rankings.map(({ rows }) => rows.find((row) => row.id === id)?.rank ?? null),
    };
  });
}

/** Where documents whose names begin so stand, the first ones only. */
function placesOf({ topics, docs, offsets, docOf }: Rows, text: string): { id: string; topic: string }[] {
  const wanted = new Map<number, string>();
  const whole = docs.find(text);
  if (whole >= 0) wanted.set(whole, text);
  for (let doc = 0; doc < docs.size && wanted.size < MOST; doc++) {
    const id = docs.text(doc);
    if (id.toLowerCase().startsWith(text.toLowerCase())) wanted.set(doc, id);
  }
  const found: { id: string; topic: string }[] = [];
  if (wanted.size === 0) return found;
  for (let t = 0; t < topics.size; t++) {
    for (let row = offsets[t]; row < offsets[t + 1]; row++) {
      const id = wanted.get(docOf[row]);
      if (id !== undefined) found.push({ id, topic: topics.text(t) });
    }
  }
  return found;
}

function gradeOf(
  { topics, docs, offsets, docOf, grades }: PageMaterial['material']['judgements']['qrels'],
  topic: string,
  id: string,
): number | null {
  const t = topics.find(topic);
  const doc = docs.find(id);
  for (let row = offsets[t]; t >= 0 && row < offsets[t + 1]; row++) if (docOf[row] === doc) return grades[row];
  return null;
}
