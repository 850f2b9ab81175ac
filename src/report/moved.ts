/** What changed in the rankings on the topics that decide, with titles and links of the documents. */
import type { MovedDocument } from './by-topic.js';
import type { ComparisonReport, ReportTable } from './model.js';

/** A relevant document that two systems rank differently on a topic. */
export interface MovedOnTopic extends MovedDocument {
  readonly topic: string;
}

/** An address that a reader may follow, if it is one of the web; a file may hold anything. */
export function webAddress(url: string | undefined): string | null {
  const address = url?.trim() ?? '';
  return /^https?:\/\/[^\s"'<>\\^`{|}]+$/i.test(address) ? address : null;
}

/** The documents that moved; nothing where they are not known. */
export function movedTables({ moved = [], verdict }: ComparisonReport): ReportTable[] {
  if (moved.length === 0 || verdict === undefined) return [];
  const { system, against } = verdict.pair;
  const rank = (place: number | undefined): string => (place === undefined ? 'not retrieved' : String(place));
  const hasTitles = moved.some(({ title }) => title !== undefined);
  return [
    {
      id: 'moved-documents',
      title: 'Documents that moved',
      caption: `Ranks of the relevant documents that moved most between ${against} and ${system}`,
      columns: [
        { name: 'topic', kind: 'text' },
        { name: 'document', kind: 'text' },
        ...(hasTitles ? [{ name: 'title', kind: 'text' } as const] : []),
        { name: 'grade', kind: 'number', digits: 0 },
        { name: `rank by ${against}`, kind: 'text' },
        { name: `rank by ${system}`, kind: 'text' },
      ],
      rows: moved.map(({ topic, doc, title, grade, from, to }) => [
        topic,
        doc,
        ...(hasTitles ? [title ?? ''] : []),
        Number.isInteger(grade) ? grade : String(grade),
        rank(from),
        rank(to),
      ]),
      links: { column: hasTitles ? 2 : 1, addresses: moved.map(({ url }) => webAddress(url)) },
    },
  ];
}
