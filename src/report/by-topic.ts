import { formatFixed } from '../core/numbers/print.js';
import { type Cell, type Grid, type GridForm, markdownText, type TableLook, type TextSink, visible, writeGrid } from './grid.js';
import { latexText } from './latex/text.js';
import { wrapText } from './width.js';

/** A relevant document whose rank differs; undefined where a ranking does not have it. */
export interface MovedDocument {
  readonly doc: string;
  readonly grade: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Its title, or the beginning of its text, and its address, where they are known. */
  readonly title?: string | undefined;
  readonly url?: string | undefined;
}

/** A topic that makes a part of a difference. */
export interface DecidingTopic {
  readonly topic: string;
  /** The text of the query, where it is known. */
  readonly query?: string | undefined;
  readonly before: number;
  readonly after: number;
  readonly difference: number;
  /** Whether it speaks for the system. */
  readonly isBetter: boolean;
  /** The relevant documents that moved most; undefined where the rankings are not known. */
  readonly moved: readonly MovedDocument[] | undefined;
}

/** Where the difference between two systems comes from. */
export interface DecidingTopics {
  readonly measure: string;
  readonly system: string;
  readonly against: string;
  /** Of the means. */
  readonly difference: number;
  /** Topics on which the system is better, worse or the same. */
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
  /** The largest differences first. */
  readonly topics: readonly DecidingTopic[];
}

/** `d7: rank 12 -> 1` */
export function movedText({ doc, grade, from, to, title }: MovedDocument): string {
  const rank = (place: number | undefined): string => (place === undefined ? 'not retrieved' : String(place));
  return `${doc}${title === undefined ? '' : ` "${title}"`} (grade ${grade}) ${rank(from)} -> ${rank(to)}`;
}

/** Prints the topics that decide, a table for each measure and pair of systems. */
export function writeDecidingTopics(
  form: string,
  found: readonly DecidingTopics[],
  sink: TextSink,
  { digits = 4, look }: { readonly digits?: number | undefined; readonly look?: TableLook | undefined } = {},
): void {
  const shown = (text: string): string => (form === 'md' ? markdownText(text) : form === 'latex' ? latexText(text) : visible(text));
  for (const one of found) {
    const { measure, system, against, better, worse, equal, difference, topics } = one;
    const means = `${signed(difference, digits)} on average`;
    const title = shown(
      `${measure}, ${system} against ${against}: better on ${better} topics, worse on ${worse}, equal on ${equal}; ${means}`,
    );
    sink.write(`\n${form === 'table' && look?.columns !== undefined ? wrapText(title, look.columns) : title}\n`);
    if (topics.length === 0) continue;
    if (form !== 'table') sink.write('\n');
    writeGrid(form as GridForm, topicGrid(one, digits, form === 'latex' ? '' : undefined, look?.columns), sink, look);
  }
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? '+' : ''}${formatFixed(value, digits)}`;
}

/** @param sign What stands before a difference; its own sign by default, which LaTeX does not have. */
function topicGrid(
  { system, against, topics }: DecidingTopics,
  digits: number,
  sign: string | undefined,
  columns = Number.POSITIVE_INFINITY,
): Grid {
  const hasRankings = topics.some(({ moved }) => moved !== undefined);
  const hasQueries = topics.some(({ query }) => query !== undefined);
  const widest =
    Math.max(...topics.map(({ topic }) => topic.length), 5) +
    (hasQueries ? Math.max(...topics.map(({ query = '' }) => query.length), 5) + 2 : 0) +
    Math.max(against.length, digits + 2) +
    Math.max(system.length, digits + 2);
  const room = columns - widest - digits - 14;
  return {
    columns: [
      { name: 'topic' },
      ...(hasQueries ? [{ name: 'query' }] : []),
      { name: against, numeric: true },
      { name: system, numeric: true },
      { name: 'difference' },
      ...(hasRankings ? [{ name: 'relevant documents that moved' }] : []),
    ],
    *rows() {
      for (const { topic, query, before, after, difference, isBetter, moved } of topics) {
        const verdict: Cell = {
          text: `${sign ?? (isBetter ? '▲ ' : '▼ ')}${signed(difference, digits)}`,
          marks: '',
          tone: isBetter ? 'better' : 'worse',
        };
        yield [
          topic,
          ...(hasQueries ? [query ?? ''] : []),
          formatFixed(before, digits),
          formatFixed(after, digits),
          verdict,
          ...(hasRankings ? [fitted((moved ?? []).map(movedText), Math.max(room, 29))] : []),
        ];
      }
    },
  };
}

/** As many of the texts as there is room for, and at least the first. */
function fitted(texts: readonly string[], room: number): string {
  let text = '';
  for (const one of texts) {
    const longer = text === '' ? one : `${text}, ${one}`;
    if (text !== '' && longer.length > room) break;
    text = longer;
  }
  return text;
}
