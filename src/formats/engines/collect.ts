/** What the readers of the engines' files have in common: rankings and ratings on their way into a run and judgements. */

import { IdTable } from '../../core/ids.js';
import type { InputError } from '../../core/problem.js';
import { RowCollector } from '../../core/run.js';
import { scoreOfRank } from '../../core/stated-ranks.js';
import type { QrelsReading, ReadOptions, RunReading } from '../reader.js';
import { type ProblemKind, ReadingLog } from '../reading-log.js';
import { GradeReader } from '../tables/grade-words.js';
import { unratedOf } from '../topic-rows.js';

/** What one search answered: the documents, the best first. */
export interface ListedTopic {
  readonly topic: string;
  readonly line: number;
  readonly docs: readonly string[];
  /** NaN where a document has none. */
  readonly scores?: readonly number[] | undefined;
  /** Which of several runs it belongs to. */
  readonly run?: string | undefined;
  /** Whether the order of the documents means nothing, because they stood in an object. */
  readonly isUnordered?: boolean | undefined;
}

/** What somebody said about one document. */
export interface Rating {
  readonly topic: string;
  readonly line: number;
  readonly doc: string;
  readonly grade: number;
}

/** What readers are given, and where they say what they found. */
export class ReadingContext {
  readonly options: ReadOptions;
  readonly log: ReadingLog;
  readonly notes: string[] = [];
  /** Queries that the file names, rated or not. */
  readonly queries: IdTable = new IdTable();
  /** Its grades, as far as they are words. */
  readonly grades: GradeReader;
  /** What the file calls its run. */
  runName: string | undefined;

  constructor(options: ReadOptions) {
    this.options = options;
    this.log = new ReadingLog(options);
    this.grades = new GradeReader(options);
  }

  /** Something that lenient reading leaves out. */
  bad(kind: ProblemKind, line: number, message: string, wayOut: string): void {
    this.log.add(kind, line, () => message, wayOut);
  }

  /** Something that leaves no sense in the file. */
  fatal(message: string, wayOut: string, line?: number): InputError {
    return this.log.fatal(message, wayOut, line === undefined || line === 0 ? undefined : line);
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** The topic of an answer that does not name its query.
   *  @param place Its place among several answers, from 0; undefined if it is the only one. */
  nameOfAnswer(place?: number): string {
    const { topicNames, fileStem, onChoice } = this.options;
    if (topicNames !== undefined) onChoice?.('topic');
    if (place === undefined) return topicNames?.[0] ?? fileStem ?? '1';
    return topicNames?.[place] ?? String(place + 1);
  }

  /** Refuses names that are not as many as the answers. */
  checkNames(numAnswers: number, what: string): void {
    const { topicNames } = this.options;
    if (topicNames === undefined || topicNames.length === numAnswers) return;
    throw this.fatal(
      `has ${numAnswers} ${what}${numAnswers === 1 ? '' : 's'} for ${topicNames.length} ${topicNames.length === 1 ? 'topic' : 'topics'}`,
      'name one topic for each of them, in the same order',
    );
  }
}

/** A topic for a message: texts of queries have quotes. */
export function shownTopic(topic: string): string {
  return /\s/.test(topic) ? `topic ${JSON.stringify(topic)}` : `topic ${topic}`;
}

/** Makes a run of rankings. The order of a list is data: scores order the documents only where they fall along all lists. */
export function runOf(rankings: Iterable<ListedTopic>, context: ReadingContext): RunReading {
  const { options, log } = context;
  const rows = new RowCollector();
  const listed: number[] = [];
  const ranks: number[] = [];
  let scoresDecide = true;
  let anyOrdered = false;
  for (const ranking of chosenRun([...rankings], context)) {
    const { topic, line, scores } = ranking;
    const numTopics = rows.topics.size;
    const number = rows.topics.intern(topic);
    if (number < numTopics) {
      context.bad(
        'wrong shape',
        line,
        `${shownTopic(topic)} is answered twice`,
        'give each answer a topic of its own; --lenient keeps the first',
      );
      continue;
    }
    const places = new Map<string, number>();
    let previous = Number.POSITIVE_INFINITY;
    for (const [place, doc] of ranking.docs.entries()) {
      const before = places.get(doc);
      if (before !== undefined && options.repeatedDocuments !== 'ranked') {
        const wayOut = 'chunks of one document? --lenient keeps the first';
        context.bad(
          'duplicate document',
          line,
          `${shownTopic(topic)}: document ${doc} stands at ranks ${before + 1} and ${place + 1}`,
          wayOut,
        );
        continue;
      }
      if (before === undefined) places.set(doc, place);
      const score = scores?.[place] ?? Number.NaN;
      if (!ranking.isUnordered) {
        anyOrdered = true;
        if (score > previous) {
          context.note(`${shownTopic(topic)}: scores rise from rank ${place} to rank ${place + 1}, so the order of the list is kept`);
        }
        if (!(score < previous)) scoresDecide = false;
        previous = score;
      }
      rows.add(number, rows.docs.intern(doc), score);
      listed.push(score);
      ranks.push(place + 1);
    }
  }
  const { offsets, docOf, values } = rows.finish();
  const skipped = log.close(Math.max(values.length, rows.topics.size), 'results of a search', true, 'holds no results');
  const name = options.name ?? context.runName ?? options.fileStem ?? 'run';
  const run = { name, topics: rows.topics, docs: rows.docs, offsets, docOf, notes: context.notes };
  if (scoresDecide || !anyOrdered) return { run: { ...run, scores: values }, skipped };
  return {
    run: {
      ...run,
      scores: Float64Array.from(ranks, scoreOfRank),
      ranksOnly: true,
      ranks: options.ranks ? Float64Array.from(ranks) : undefined,
      listedScores: listed.some((score) => !Number.isNaN(score)) ? Float64Array.from(listed) : undefined,
    },
    skipped,
  };
}

/** The rankings of the run that was asked for, of which there may be several. */
function chosenRun(rankings: readonly ListedTopic[], context: ReadingContext): readonly ListedTopic[] {
  const names = [...new Set(rankings.flatMap(({ run }) => (run === undefined ? [] : [run])))];
  const wanted = context.options.run;
  // a file with one run that has no name offers no choice
  if (names.length === 0) return rankings;
  if (wanted === undefined && names.length === 1) {
    context.runName ??= names[0];
    return rankings;
  }
  if (wanted === undefined) throw context.fatal(`holds ${names.length} runs (${names.slice(0, 20).join(', ')})`, '--run NAME picks one');
  context.options.onChoice?.('run');
  if (!names.includes(wanted)) {
    throw context.fatal(`holds no run ${wanted}`, `there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, 20).join(', ')}`);
  }
  context.runName = wanted;
  return rankings.filter(({ run }) => run === wanted);
}

/** Makes judgements of ratings. */
export function qrelsOf(ratings: Iterable<Rating>, context: ReadingContext): QrelsReading {
  const rows = new RowCollector();
  const grades = new Map<string, Map<string, number>>();
  for (const { topic, line, doc, grade } of ratings) {
    let judged = grades.get(topic);
    if (judged === undefined) {
      judged = new Map();
      grades.set(topic, judged);
    }
    const before = judged.get(doc);
    if (before !== undefined) {
      const message = `${shownTopic(topic)}, document ${doc}: rated twice (${before} and ${grade})`;
      context.bad('duplicate document', line, message, 'keep one of them; --lenient keeps the first');
      continue;
    }
    judged.set(doc, grade);
    rows.add(rows.topics.intern(topic), rows.docs.intern(doc), grade);
  }
  const { offsets, docOf, values } = rows.finish();
  const skipped = context.log.close(values.length, 'ratings of documents', true, 'holds no ratings');
  const unrated = unratedOf(context.queries, rows.topics);
  return { qrels: { topics: rows.topics, docs: rows.docs, offsets, docOf, grades: values, unrated }, skipped, notes: context.notes };
}
