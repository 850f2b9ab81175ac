import { IdTable } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import { ScoreTable } from '../../core/score-table.js';
import { equalBytes, readText } from '../../core/text.js';
import { ScannedTopicLines } from '../../core/topic-lines.js';
import type { RunScores, ScoringJob } from '../../experiment/score.js';
import type { RunColumns } from '../../formats/memory/columns.js';
import { type IdPlaces, IdScanner, roomForPlaces } from '../../formats/memory/id-scanner.js';
import { scoreColumns } from '../../measures/plan.js';
import { finishRows, TopicScores, valueRows } from './topic-scores.js';

/** Scores a run that a program holds as columns, where its rows stand: no document gets a number or a copy. Undefined if the rows of a
 *  topic are not together, ids are numbers of a dictionary, or something is wrong: whoever makes a run of the columns says what. */
export function scoreHeldRun(columns: RunColumns, job: ScoringJob): RunScores | undefined {
  return scoreHeldParts(columns.name, [columns], job);
}

/** The same for a run that comes in parts, each with all rows of its topics. A part is not looked at any more when the next one is taken. */
export function scoreHeldParts(name = 'run', parts: Iterable<RunColumns>, job: ScoringJob): RunScores | undefined {
  const { qrels, measures, rules, planOptions } = job;
  const rows = valueRows(qrels.topics, measures.length);
  // the lines of a program are what it says they are: nothing below a cutoff is looked at
  const scoring = { grammar: 'c', rules, planOptions, rows } as const;
  const scorer = new PartScorer(new TopicScores(scoring, measures, qrels), job);
  try {
    for (const part of parts) {
      if (!scorer.add(part)) return undefined;
    }
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
  for (const topic of scorer.answered) rows.answered[rows.rowOf[topic]] = 1;
  const kept = finishRows(scoring, measures, qrels);
  const names = Array.from(rows.topics.subarray(0, kept), (topic) => qrels.topics.text(topic));
  return {
    table: new ScoreTable([name], names, scoreColumns(measures), rows.values.slice(0, kept * measures.length)),
    numMissing: qrels.topics.size - scorer.answered.length,
    numRows: scorer.numRows,
    firstTopic: () => scorer.firstTopic,
  };
}

/** Scores the topics of one part after another. */
class PartScorer {
  /** The judged topics that were met, as numbers of the qrels. */
  readonly answered: number[] = [];
  numRows = 0;
  firstTopic: string | undefined;
  private readonly scorer: TopicScores;
  private readonly qrels: ScoringJob['qrels'];
  private readonly seen: IdTable = new IdTable();
  private places: IdPlaces = roomForPlaces(1024);

  constructor(scorer: TopicScores, { qrels }: Pick<ScoringJob, 'qrels'>) {
    this.scorer = scorer;
    this.qrels = qrels;
  }

  /** False for what cannot be scored where it stands.
   *  @throws An `InputError` for ids that are none. */
  add({ topics, rowsOfTopics, docs, scores }: RunColumns): boolean {
    if (scores === undefined || 'codes' in topics || 'codes' in docs) return false;
    for (let row = 0; row < scores.length; row++) if (Number.isNaN(scores[row])) return false;
    const topicScanner = new IdScanner(topics, 'topic');
    const topicPlaces = roomForPlaces(topicScanner.count);
    topicScanner.take(topicScanner.count, topicPlaces);
    const stretches = stretchesOf(topics.bytes, topicPlaces, rowsOfTopics, scores.length);
    const docScanner = new IdScanner(docs, 'document');
    if (stretches === undefined || docScanner.count !== scores.length) return false;
    for (const { row, from, to } of stretches) {
      const [start, end] = [topicPlaces.starts[row], topicPlaces.ends[row]];
      const hash = topicPlaces.hashes[row];
      const numSeen = this.seen.size;
      // the rows of a topic that was there before are not together
      if (this.seen.internHashed(topics.bytes, start, end, hash) < numSeen) return false;
      this.firstTopic ??= readText(topics.bytes, start, end);
      const topic = this.qrels.topics.findHashed(topics.bytes, start, end, hash);
      if (!this.addTopic(topic, docScanner, docs.bytes, scores.subarray(from, to))) return false;
    }
    this.numRows += scores.length;
    return true;
  }

  private addTopic(topic: number, docs: IdScanner, bytes: Uint8Array, scores: Float64Array): boolean {
    const numLines = scores.length;
    if (this.places.starts.length < numLines) this.places = roomForPlaces(2 * numLines);
    const { starts, ends, hashes } = this.places;
    docs.take(numLines, this.places);
    if (topic < 0) return true;
    this.answered.push(topic);
    return this.scorer.add(
      topic,
      new ScannedTopicLines({ bytes, docStart: starts, docEnd: ends, docHash: hashes, numbers: scores, numLines }),
    );
  }
}

/** Rows of one topic: `row` is where its id stands. */
interface Stretch {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

function stretchesOf(
  bytes: Uint8Array,
  { starts, ends }: IdPlaces,
  rowsOfTopics: Uint32Array | undefined,
  numRows: number,
): readonly Stretch[] | undefined {
  const count = starts.length;
  const stretches: Stretch[] = [];
  if (rowsOfTopics === undefined) {
    if (count !== numRows) return undefined;
    for (let from = 0; from < count; ) {
      let to = from + 1;
      while (to < count && equalBytes(bytes, starts[to], ends[to], bytes, starts[from], ends[from])) to++;
      stretches.push({ row: from, from, to });
      from = to;
    }
    return stretches;
  }
  if (rowsOfTopics.length !== count) return undefined;
  let from = 0;
  for (let row = 0; row < count; row++) {
    const to = from + rowsOfTopics[row];
    if (to > from) stretches.push({ row, from, to });
    from = to;
  }
  return from === numRows ? stretches : undefined;
}
