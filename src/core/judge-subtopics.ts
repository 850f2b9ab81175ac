import { compareIds, sortedIds } from './ids.js';
import { DuplicateError, rankRunTopic, topicInRun } from './judge.js';
import { RunTopicLines, TopicJudge } from './judge-topic.js';
import type { JudgingRules } from './judging-rules.js';
import { InputError } from './problem.js';
import type { Qrels } from './qrels.js';
import type { Run } from './run.js';
import type { TieGroups } from './tie-groups.js';

/** One topic whose documents were judged once per subtopic, set against a ranking. The judged documents are numbered in
 *  ascending byte order of their ids, the subtopics in the order they were met. */
export interface SubtopicTopic {
  readonly numRetrieved: number;
  /** The judged document at each rank index, or -1; beyond the end of the ranking where the depth cuts through a tie. */
  readonly docAt: Int32Array;
  readonly numDocs: number;
  readonly numSubtopics: number;
  /** The judgements of document d are offsets[d] to offsets[d + 1]. */
  readonly offsets: Uint32Array;
  readonly subtopicOf: Uint32Array;
  readonly grades: Float64Array;
  /** The stretches of equal scores, where the rule for ties asks for the mean over all orders. */
  readonly ties: TieGroups | undefined;
}

/** Visits the judged topics in byte order of their ids, each with its ranking set against the judgements of its subtopics:
 *  the groups of the judgements. */
export function forEachSubtopicTopic(
  run: Run,
  qrels: Qrels,
  rules: JudgingRules,
  visit: (topic: number, judged: SubtopicTopic) => void,
): void {
  if (rules.ties === 'optimistic' || rules.ties === 'pessimistic') {
    throw new InputError({
      message: `ties='${rules.ties}' has no meaning where a document has a grade for each subtopic`,
      wayOut: "take the mean over all orders with ties='expected'",
    });
  }
  const judge = new TopicJudge(qrels, rules);
  const lines = new RunTopicLines(run);
  for (const topic of sortedIds(qrels.topics)) {
    const runTopic = topicInRun(run, qrels, topic);
    if (runTopic < 0 && rules.missingTopics === 'skip') continue;
    if (runTopic >= 0) rankRunTopic(judge, lines, run, qrels, topic, runTopic);
    visit(topic, judgeSubtopics(runTopic >= 0 ? judge : undefined, qrels, topic, rules));
  }
}

function judgeSubtopics(judge: TopicJudge | undefined, qrels: Qrels, topic: number, rules: JudgingRules): SubtopicTopic {
  const rows = rowsByDocument(qrels, topic);
  const { subtopicOf, numSubtopics } = numberSubtopics(qrels, rows);
  const offsets: number[] = [];
  const docs: number[] = [];
  for (const [i, row] of rows.entries()) {
    const doc = qrels.docOf[row];
    if (docs[docs.length - 1] !== doc) {
      docs.push(doc);
      offsets.push(i);
    } else if (subtopicOf.subarray(offsets[offsets.length - 1], i).includes(subtopicOf[i])) {
      throw new DuplicateError('qrels', qrels.topics, topic, qrels.docs, doc);
    }
  }
  offsets.push(rows.length);

  const ties = rules.ties === 'expected' ? judge?.tieGroups : undefined;
  const numRetrieved = judge?.numRetrieved ?? 0;
  const docAt = new Int32Array(ties === undefined ? numRetrieved : ties.starts[ties.count]).fill(-1);
  for (const [number, doc] of docs.entries()) {
    const rank = judge?.rankOf(qrels.docs, doc) ?? -1;
    if (rank >= 0 && rank < docAt.length) docAt[rank] = number;
  }
  const judgements = {
    numDocs: docs.length,
    numSubtopics,
    offsets: Uint32Array.from(offsets),
    subtopicOf,
    grades: Float64Array.from(rows, (row) => qrels.grades[row]),
  };
  const noTies = rules.ties === 'expected' ? { starts: new Uint32Array(1), count: 0 } : undefined;
  if (!rules.judgedOnly) return { ...judgements, numRetrieved, docAt, ties: ties ?? noTies };
  return { ...judgements, ...withoutUnjudged(docAt.subarray(0, numRetrieved), ties ?? noTies) };
}

/** The topic's rows, those of a document together, documents in byte order of their ids. */
function rowsByDocument({ docOf, docs, offsets }: Qrels, topic: number): Uint32Array {
  const rows = Uint32Array.from({ length: offsets[topic + 1] - offsets[topic] }, (_, i) => offsets[topic] + i);
  return rows.sort((a, b) => (docOf[a] === docOf[b] ? a - b : compareIds(docs, docOf[a], docs, docOf[b])));
}

function numberSubtopics({ groups }: Qrels, rows: Uint32Array): { subtopicOf: Uint32Array; numSubtopics: number } {
  if (groups === undefined) {
    throw new InputError({
      message: 'this needs judgements per subtopic, and the judgements do not tell subtopics apart',
      wayOut: 'name the subtopic in the second column of the judgements, and read them with it kept',
    });
  }
  const numbers = new Map<number, number>();
  const subtopicOf = rows.map((row) => {
    const known = numbers.get(groups.of[row]) ?? numbers.size;
    numbers.set(groups.of[row], known);
    return known;
  });
  return { subtopicOf, numSubtopics: numbers.size };
}

/** Takes unjudged documents out of the ranking and out of its ties. */
function withoutUnjudged(docAt: Int32Array, ties: TieGroups | undefined): Pick<SubtopicTopic, 'numRetrieved' | 'docAt' | 'ties'> {
  const kept = docAt.filter((doc) => doc >= 0);
  if (ties === undefined) return { numRetrieved: kept.length, docAt: kept, ties };
  const starts = [0];
  for (let g = 0, at = 0; g < ties.count; g++) {
    for (let i = ties.starts[g]; i < Math.min(ties.starts[g + 1], docAt.length); i++) if (docAt[i] >= 0) at++;
    if (at > starts[starts.length - 1]) starts.push(at);
  }
  return { numRetrieved: kept.length, docAt: kept, ties: { starts: Uint32Array.from(starts), count: starts.length - 1 } };
}
