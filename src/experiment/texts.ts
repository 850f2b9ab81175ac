/** Texts of queries and documents beside their ids. */
import { InputError } from '../core/problem.js';
import type { ByteSource } from '../formats/source.js';
import type { TextRecord } from '../formats/texts.js';
import type { DecidingTopics } from '../report/by-topic.js';
import type { ComparisonReport, Report, TrecReport } from '../report/model.js';
import type { Verdict, VerdictTopic } from '../report/verdict/model.js';
import { sourceOf } from './material.js';
import type { Platform } from './platform.js';

/** Where texts can be read. */
export interface TextFiles {
  /** The texts of queries, by topic. */
  readonly queries?: string | ByteSource | undefined;
  /** Titles, texts and links of documents. */
  readonly documents?: string | ByteSource | undefined;
}

/** What is known of a query or document, and the line of it that is shown beside its id. */
export type ShownText = TextRecord & { readonly shown: string | undefined };

/** The ids whose texts are wanted. */
export interface WantedIds {
  readonly size: number;
  has(id: string): boolean;
  [Symbol.iterator](): Iterator<string>;
}

/** The texts of the wanted ids.
 *  @param what What they are ids of, in the plural.
 *  @throws An `InputError` if the file has none of them. */
export async function textsOf(
  input: string | ByteSource | undefined,
  ids: WantedIds,
  what: string,
  platform: Platform,
): Promise<Map<string, ShownText>> {
  const found = new Map<string, ShownText>();
  if (input === undefined || ids.size === 0) return found;
  const { readTexts, shownText } = await import('../formats/texts.js');
  const source = sourceOf(input, platform);
  let first: string | undefined;
  const texts = await readTexts(source, (id) => {
    first ??= id;
    return ids.has(id);
  });
  if (texts.size === 0) {
    const [wanted] = ids;
    throw new InputError({
      source: source.name,
      message: `has none of the ${ids.size} ${what} that are shown, such as ${wanted}${first === undefined ? '' : `; its first id is ${first}`}`,
      wayOut: 'give the file whose ids are those of judgements and runs',
    });
  }
  for (const [id, record] of texts) found.set(id, { ...record, shown: shownText(record) });
  return found;
}

/** The topics that decide, with the texts of their queries, and with titles and links of the documents that moved. */
export async function withTexts(
  found: readonly DecidingTopics[],
  { queries, documents }: TextFiles,
  platform: Platform,
): Promise<DecidingTopics[]> {
  const topics = found.flatMap((one) => one.topics);
  const ofQueries = await textsOf(queries, new Set(topics.map(({ topic }) => topic)), 'topics', platform);
  const docs = new Set(topics.flatMap(({ moved = [] }) => moved.map(({ doc }) => doc)));
  const ofDocuments = await textsOf(documents, docs, 'documents', platform);
  return found.map((one) => ({
    ...one,
    topics: one.topics.map((topic) => ({
      ...topic,
      query: ofQueries.get(topic.topic)?.shown,
      moved: topic.moved?.map((moved) => ({ ...moved, title: ofDocuments.get(moved.doc)?.shown, url: ofDocuments.get(moved.doc)?.url })),
    })),
  }));
}

/** The texts of queries, in the order of the topics; undefined where none were given. */
export async function queryTexts(
  queries: TextFiles['queries'],
  topics: readonly string[],
  platform: Platform,
): Promise<readonly (string | null)[] | undefined> {
  if (queries === undefined) return undefined;
  const texts = await textsOf(queries, new Set(topics), 'topics', platform);
  return topics.map((topic) => texts.get(topic)?.shown ?? null);
}

/** The report with the texts of its queries. */
export async function withQueries(
  report: TrecReport | ComparisonReport,
  queries: TextFiles['queries'],
  platform: Platform,
): Promise<Report> {
  const texts = await queryTexts(queries, report.topics, platform);
  if (texts === undefined) return report;
  const ofTopic = new Map(report.topics.map((topic, t) => [topic, texts[t]]));
  return { ...report, queries: texts, ...(report.kind === 'comparison' ? { verdict: verdictWithQueries(report.verdict, ofTopic) } : {}) };
}

function verdictWithQueries(verdict: Verdict | undefined, texts: ReadonlyMap<string, string | null>): Verdict | undefined {
  if (verdict === undefined) return undefined;
  const withQuery = (one: VerdictTopic): VerdictTopic => ({ ...one, query: texts.get(one.topic) ?? undefined });
  const { gains, losses } = verdict.topics;
  return { ...verdict, topics: { ...verdict.topics, gains: gains.map(withQuery), losses: losses.map(withQuery) } };
}
