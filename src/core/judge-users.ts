import { compareIds, sortedIds } from './ids.js';
import { rankRunTopic, type TopicView, topicInRun } from './judge.js';
import { RunTopicLines, TopicJudge } from './judge-topic.js';
import type { JudgingRules } from './judging-rules.js';
import { InputError } from './problem.js';
import type { Qrels } from './qrels.js';
import type { Run } from './run.js';

/** What readers bring along. */
export interface Readers {
  /** The documents that the reader of each topic knows already. Groups tell several readers of a topic apart. */
  readonly known?: Qrels | undefined;
  /** How many relevant documents the reader of each topic expects to find, by topic id. */
  readonly expected?: ReadonlyMap<string, number> | undefined;
}

/** One ranking set against its judgements and against what one reader knows. */
export interface UserTopic {
  readonly view: TopicView;
  /** 1 at each rank index whose document the reader knows. */
  readonly known: Uint8Array;
  /** The grades of all documents the reader knows, retrieved or not; -1 for one that nobody judged. */
  readonly knownGrades: Float64Array;
  /** How many relevant documents the reader expects; undefined if nobody said. */
  readonly expected: number | undefined;
}

/** Visits the judged topics in byte order of their ids, once for each reader; a topic that nobody knows anything about has one
 *  reader who knows nothing. */
export function forEachUserTopic(
  run: Run,
  qrels: Qrels,
  readers: Readers,
  rules: JudgingRules,
  visit: (topic: number, judged: UserTopic, reader: number, numReaders: number) => void,
): void {
  if (rules.ties === 'expected') {
    throw new InputError({
      message: "ties='expected' is not there for measures that ask what the reader knows",
      wayOut: "ties='optimistic' and ties='pessimistic' give the bounds",
    });
  }
  const judge = new TopicJudge(qrels, rules);
  const lines = new RunTopicLines(run);
  for (const topic of sortedIds(qrels.topics)) {
    const runTopic = topicInRun(run, qrels, topic);
    if (runTopic < 0 && rules.missingTopics === 'skip') continue;
    const from = qrels.offsets[topic];
    const to = qrels.offsets[topic + 1];
    if (runTopic >= 0) {
      rankRunTopic(judge, lines, run, qrels, topic, runTopic);
      judge.grade(from, to);
    } else judge.gradeMissing(from, to);
    const expected = readers.expected?.get(qrels.topics.text(topic));
    const knownRows = readersOf(readers.known, qrels, topic);
    for (const [reader, rows] of knownRows.entries()) {
      visit(topic, userTopic(judge, qrels, topic, readers.known, rows, expected, rules), reader, knownRows.length);
    }
  }
}

/** The rows of `known` about a topic, reader by reader. */
function readersOf(known: Qrels | undefined, qrels: Qrels, topic: number): number[][] {
  const { bytes, offsets } = qrels.topics;
  const at = known === undefined ? -1 : known.topics.findBytes(bytes, offsets[topic], offsets[topic + 1]);
  if (known === undefined || at < 0) return [[]];
  const { groups } = known;
  const byReader = new Map<number, number[]>();
  for (let row = known.offsets[at]; row < known.offsets[at + 1]; row++) {
    const reader = groups?.of[row] ?? 0;
    const own = byReader.get(reader) ?? [];
    byReader.set(reader, own);
    own.push(row);
  }
  if (groups === undefined) return [...byReader.values()];
  return [...byReader.entries()].sort(([a], [b]) => compareIds(groups.ids, a, groups.ids, b)).map(([, own]) => own);
}

function userTopic(
  judge: TopicJudge,
  qrels: Qrels,
  topic: number,
  known: Qrels | undefined,
  rows: readonly number[],
  expected: number | undefined,
  rules: JudgingRules,
): UserTopic {
  const { view } = judge;
  const knownLines = new Set<number>();
  const knownGrades = new Float64Array(rows.length).fill(-1);
  if (known !== undefined) {
    for (const [i, row] of rows.entries()) {
      const doc = known.docOf[row];
      const line = judge.lineOf(known.docs, doc);
      if (line >= 0) knownLines.add(line);
      knownGrades[i] = gradeOf(known, doc, qrels, topic);
    }
  }
  const flags = new Uint8Array(view.numRetrieved);
  for (let rank = 0, at = 0; at < view.numRetrieved; rank++) {
    if (rules.judgedOnly && judge.codeAt(rank) < 0) continue;
    flags[at++] = knownLines.has(judge.lineAt(rank)) ? 1 : 0;
  }
  return { view, known: flags, knownGrades, expected };
}

/** The grade that the topic's judgements give to a document of `known`; -1 if they do not mention it. */
function gradeOf(known: Qrels, doc: number, qrels: Qrels, topic: number): number {
  const { bytes, offsets } = known.docs;
  const judged = qrels.docs.findBytes(bytes, offsets[doc], offsets[doc + 1]);
  if (judged < 0) return -1;
  for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) if (qrels.docOf[row] === judged) return qrels.grades[row];
  return -1;
}
