import { visitEntries } from './entries.js';
import { InputError } from './problem.js';
import { roomFor } from './room.js';
import type { RunLike } from './run.js';
import { isRank, OrderWitness, RANK_WORDS, repeatedScore, scoreOfRank } from './stated-ranks.js';
import { topicProblem } from './topic-sizes.js';

/** A run in the texts that a program holds. It can be judged as it is: ids become bytes, and get numbers, only where something
 *  needs them. */
export interface TextRun {
  readonly name: string;
  /** The number of each topic, in the order they were first seen. */
  readonly topicNumbers: ReadonlyMap<string, number>;
  /** The rows of topic t are offsets[t] to offsets[t + 1]. */
  readonly offsets: Uint32Array;
  /** The document of each row. */
  readonly docs: readonly string[];
  readonly scores: Float64Array;
  /** What the input said about each row's rank, where it said anything. */
  readonly ranks?: Float64Array | undefined;
  /** True if the input gave ranks and no scores, as in `Run`. */
  readonly ranksOnly?: boolean | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** Collects what a program holds, and refuses what is no run. */
export function toTextRun(input: RunLike, name = 'run'): TextRun {
  const rows = new TextRows();
  const ranks: number[] = [];
  const witness = new OrderWitness();
  let ranksOnly: boolean | undefined;
  visitEntries(input, 'score', (entry) => {
    const { record, rank } = entry;
    const hasScore = entry.value !== undefined && entry.value !== null;
    ranksOnly ??= !hasScore && rank !== undefined;
    if (ranksOnly && (hasScore || !isRank(rank ?? Number.NaN))) {
      throw new InputError({
        message: `topic ${entry.topic}, document ${entry.doc}: expected ${hasScore ? 'no score, as before' : RANK_WORDS}, found ${String(hasScore ? entry.value : rank)}`,
        wayOut: 'give every document a score, or none',
      });
    }
    const value = ranksOnly ? scoreOfRank(rank ?? 0) : entry.value;
    if (typeof value !== 'number' || Number.isNaN(value)) {
      throw new InputError({
        message: `topic ${entry.topic}, document ${entry.doc}: expected a number as score, found ${String(value)}`,
        wayOut: 'leave the document out or give it a score',
      });
    }
    rows.add(entry.topic, entry.doc, value);
    if (typeof record?.rank !== 'number') return;
    ranks[rows.docs.length - 1] = record.rank;
    witness.see(rows.topic, record.rank, value);
  });
  if (ranks.length > 0) rows.ranks = Array.from(rows.docs, (_, row) => ranks[row] ?? Number.NaN);
  const grouped = rows.finish();
  if (ranksOnly) refuseEqualRanks(grouped);
  return { name, ...grouped, ...(ranksOnly ? { ranksOnly } : {}), notes: witness.notes('leave the scores out of the records') };
}

/** Rows in any order, to be grouped by topic. Nearly all come grouped, so what is written down is where another topic begins. */
class TextRows {
  readonly topicNumbers = new Map<string, number>();
  readonly docs: string[] = [];
  readonly values: number[] = [];
  ranks: number[] | undefined;
  /** The number of the last row's topic. */
  topic = -1;
  private topicText: string | undefined;
  private readonly topicOfStretch: number[] = [];
  private readonly starts: number[] = [];

  add(topic: string, doc: string, value: number): void {
    if (topic !== this.topicText) this.begin(topic);
    this.docs.push(doc);
    this.values.push(value);
  }

  private begin(topic: string): void {
    this.topicText = topic;
    this.topic = this.topicNumbers.get(topic) ?? this.topicNumbers.size;
    this.topicNumbers.set(topic, this.topic);
    this.topicOfStretch.push(this.topic);
    this.starts.push(this.docs.length);
  }

  finish(): Pick<TextRun, 'topicNumbers' | 'offsets' | 'docs' | 'scores' | 'ranks'> {
    const { topicNumbers, topicOfStretch, starts } = this;
    roomFor(this.docs.length, this.docs.length, 'rows');
    const numTopics = topicNumbers.size;
    const ends = [...starts.slice(1), this.docs.length];
    const offsets = new Uint32Array(numTopics + 1); // fits: entries
    for (const [s, topic] of topicOfStretch.entries()) offsets[topic + 1] += ends[s] - starts[s];
    for (let topic = 0; topic < numTopics; topic++) offsets[topic + 1] += offsets[topic];
    const problem = topicProblem(offsets, (topic) => [...topicNumbers.keys()][topic]);
    if (problem !== undefined) throw new InputError(problem);
    let { docs, values, ranks } = this;
    if (topicOfStretch.length > numTopics) {
      const places = this.placesByTopic(offsets, ends);
      docs = places.map((row) => this.docs[row]);
      values = places.map((row) => this.values[row]);
      ranks = ranks && places.map((row) => (this.ranks as number[])[row]);
    }
    return { topicNumbers, offsets, docs, scores: new Float64Array(values), ranks: ranks && new Float64Array(ranks) };
  }

  /** The rows ordered by topic, and by time of arrival within a topic. */
  private placesByTopic(offsets: Uint32Array, ends: readonly number[]): number[] {
    const next = Array.from(offsets);
    const places = new Array<number>(this.docs.length);
    for (const [s, topic] of this.topicOfStretch.entries()) {
      for (let row = this.starts[s]; row < ends[s]; row++) places[next[topic]++] = row;
    }
    return places;
  }
}

function refuseEqualRanks({ topicNumbers, offsets, docs, scores }: Pick<TextRun, 'topicNumbers' | 'offsets' | 'docs' | 'scores'>): void {
  for (const [topic, number] of topicNumbers) {
    const equal = repeatedScore(scores, offsets[number], offsets[number + 1]);
    if (equal === undefined) continue;
    throw new InputError({
      message: `topic ${topic}: documents ${docs[equal.first]} and ${docs[equal.second]} both have rank ${0 - scores[equal.first]}`,
      wayOut: 'give each document a rank of its own',
    });
  }
}
