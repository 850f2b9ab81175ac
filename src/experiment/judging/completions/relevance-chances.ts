import { InputError } from '../../../core/problem.js';
import { type ByteSource, readText } from '../../../formats/source.js';
import type { DocumentLists, GradesByTopic } from '../../../judging/index.js';

/** How probable it is that a document is relevant that nobody judged. */
export interface RelevanceChances {
  readonly words: string;
  of(topic: string, doc: string): number;
}

/** The same for all documents. */
export function constantChance(chance: number): RelevanceChances {
  return { words: `a chance of ${chance} each`, of: () => chance };
}

/** By the best rank that a run gives a document: the share of relevant ones among the judged documents at that rank, with half a document
 *  added to either side. */
export function chancesByRank(lists: readonly DocumentLists[], grades: GradesByTopic, rel: number): RelevanceChances {
  const best = new Map<string, Map<string, number>>();
  for (const own of lists) {
    for (const [topic, docs] of own) {
      const ranks = best.get(topic) ?? new Map<string, number>();
      best.set(topic, ranks);
      for (const [i, doc] of docs.entries()) ranks.set(doc, Math.min(ranks.get(doc) ?? Number.POSITIVE_INFINITY, i));
    }
  }
  const judged: number[] = [];
  const relevant: number[] = [];
  for (const [topic, ranks] of best) {
    const known = grades.get(topic);
    for (const [doc, rank] of ranks) {
      const grade = known?.get(doc);
      if (grade === undefined) continue;
      judged[rank] = (judged[rank] ?? 0) + 1;
      if (grade >= rel) relevant[rank] = (relevant[rank] ?? 0) + 1;
    }
  }
  return {
    words: 'the share of relevant ones among the judged documents at the same rank',
    of(topic, doc) {
      const rank = best.get(topic)?.get(doc) ?? Number.POSITIVE_INFINITY;
      return ((relevant[rank] ?? 0) + 0.5) / ((judged[rank] ?? 0) + 1);
    },
  };
}

/** Reads chances from lines of a topic, a document and a chance; documents that it does not name have those of the others. */
export async function readChances(source: ByteSource, otherwise: RelevanceChances): Promise<RelevanceChances> {
  const found = new Map<string, number>();
  for (const [i, line] of (await readText(source)).split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [topic, doc, text, more] = line.trim().split(/\s+/);
    const chance = Number(text);
    if (text === undefined || more !== undefined || !(chance >= 0 && chance <= 1)) {
      throw new InputError({
        source: source.name,
        line: i + 1,
        message: `expected a topic, a document and a chance from 0 to 1, found ${JSON.stringify(line.slice(0, 80))}`,
        wayOut: 'write three words in each line, as in 51 D7 0.25',
      });
    }
    found.set(`${topic}\n${doc}`, chance);
  }
  return {
    words: `the chances of ${source.name}, and for others ${otherwise.words}`,
    of: (topic, doc) => found.get(`${topic}\n${doc}`) ?? otherwise.of(topic, doc),
  };
}
