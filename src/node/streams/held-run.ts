import { hashBytes } from '../../core/hash.js';
import { IdTable } from '../../core/ids.js';
import { ScoreTable } from '../../core/score-table.js';
import { equalBytes, readText } from '../../core/text.js';
import { ScannedTopicLines } from '../../core/topic-lines.js';
import type { RunScores, ScoringJob } from '../../experiment/score.js';
import type { RunColumns } from '../../formats/memory/columns.js';
import type { IdColumn } from '../../formats/memory/id-column.js';
import { scoreColumns } from '../../measures/plan.js';
import { finishRows, TopicScores, valueRows } from './topic-scores.js';

/** Scores a run that a program holds as columns, where its rows stand: no document gets a number or a copy. Undefined if the rows of a
 *  topic are not together, ids are numbers of a dictionary, or something is wrong: whoever makes a run of the columns says what. */
export function scoreHeldRun(columns: RunColumns, job: ScoringJob): RunScores | undefined {
  const { qrels, measures, rules, planOptions } = job;
  const { docs, scores, name = 'run' } = columns;
  if (scores === undefined) return undefined;
  for (let row = 0; row < scores.length; row++) if (Number.isNaN(scores[row])) return undefined;
  const topics = placesOf(columns.topics);
  const places = placesOf(docs);
  if (topics === undefined || places === undefined || places.count !== scores.length) return undefined;
  const stretches = stretchesOf(topics, columns.rowsOfTopics, scores.length);
  if (stretches === undefined) return undefined;
  const rows = valueRows(qrels.topics, measures.length);
  // the lines of a program are what it says they are: nothing below a cutoff is looked at
  const scoring = { grammar: 'c', rules, planOptions, rows } as const;
  const scorer = new TopicScores(scoring, measures, qrels);
  const { bytes, starts, ends } = places;
  for (const { row, from, to } of stretches) {
    const topic = qrels.topics.findBytes(topics.bytes, topics.starts[row], topics.ends[row]);
    if (topic < 0) continue;
    const docHash = new Uint32Array(to - from); // fits: hashes
    for (let line = 0; line < docHash.length; line++) docHash[line] = hashBytes(bytes, starts[from + line], ends[from + line]);
    const lines = new ScannedTopicLines({
      bytes,
      docStart: starts.subarray(from, to),
      docEnd: ends.subarray(from, to),
      docHash,
      numbers: scores.subarray(from, to),
      numLines: to - from,
    });
    if (!scorer.add(topic, lines)) return undefined;
    rows.answered[rows.rowOf[topic]] = 1;
  }
  const numAnswered = rows.answered.reduce((sum, one) => sum + one, 0);
  const kept = finishRows(scoring, measures, qrels);
  const names = Array.from(rows.topics.subarray(0, kept), (topic) => qrels.topics.text(topic));
  return {
    table: new ScoreTable([name], names, scoreColumns(measures), rows.values.slice(0, kept * measures.length)),
    numMissing: qrels.topics.size - numAnswered,
    numRows: scores.length,
    firstTopic: () => (topics.count === 0 ? undefined : readText(topics.bytes, topics.starts[0], topics.ends[0])),
  };
}

/** Where each id of a column stands. */
interface IdPlaces {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly count: number;
}

function placesOf(column: IdColumn): IdPlaces | undefined {
  if ('codes' in column) return undefined;
  const { bytes } = column;
  if ('offsets' in column) {
    const { offsets } = column;
    const count = offsets.length - 1;
    for (let i = 0; i < count; i++) if (offsets[i] >= offsets[i + 1]) return undefined;
    return count < 0 || offsets[count] > bytes.length ? undefined : { bytes, starts: offsets, ends: offsets.subarray(1), count };
  }
  const { separator, count } = column;
  const starts = new Uint32Array(count); // fits: bytes
  const ends = new Uint32Array(count); // fits: bytes
  let at = 0;
  for (let i = 0; i < count; i++) {
    starts[i] = at;
    while (at < bytes.length && bytes[at] !== separator) at++;
    ends[i] = at;
    if (starts[i] === at) return undefined;
    at++;
  }
  return count > 0 && at === bytes.length + 1 ? { bytes, starts, ends, count } : undefined;
}

/** Rows of one topic: `row` is where its id stands. */
interface Stretch {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

function stretchesOf(
  { bytes, starts, ends, count }: IdPlaces,
  rowsOfTopics: Uint32Array | undefined,
  numRows: number,
): readonly Stretch[] | undefined {
  const stretches: Stretch[] = [];
  if (rowsOfTopics === undefined) {
    if (count !== numRows) return undefined;
    for (let from = 0; from < count; ) {
      let to = from + 1;
      while (to < count && equalBytes(bytes, starts[to], ends[to], bytes, starts[from], ends[from])) to++;
      stretches.push({ row: from, from, to });
      from = to;
    }
  } else {
    if (rowsOfTopics.length !== count) return undefined;
    let from = 0;
    for (let row = 0; row < count; row++) {
      const to = from + rowsOfTopics[row];
      if (to > from) stretches.push({ row, from, to });
      from = to;
    }
    if (from !== numRows) return undefined;
  }
  const seen = new IdTable(stretches.length);
  for (const { row } of stretches) seen.internBytes(bytes, starts[row], ends[row]);
  return seen.size === stretches.length ? stretches : undefined;
}
