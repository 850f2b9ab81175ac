import { visitEntries } from './entries.js';
import { lengthened, scratchFor } from './growing-arrays.js';
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
  /** The rows of topic t are offsets[t] to offsets[t + 1]; the array may be longer than there are topics. */
  readonly offsets: Uint32Array;
  /** The document of each row. */
  readonly docs: readonly string[];
  /** The score of each row; the array may be longer than there are rows. */
  readonly scores: Float64Array;
  /** What the input said about each row's rank, where it said anything. */
  readonly ranks?: Float64Array | undefined;
  /** True if the input gave ranks and no scores, as in `Run`. */
  readonly ranksOnly?: boolean | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** Collects what a program holds, and refuses what is no run.
 *  @param rows  space to work in: the run is made of it, and is gone when it is cleared */
export function toTextRun(input: RunLike, name = 'run', rows: TextRows = new TextRows()): TextRun {
  rows.clear();
  // nearly everything that programs hold is topic → document → score, all of it numbers; whatever else there is goes entry by entry
  if (rows.addNested(input)) return { name, ...rows.finish() };
  rows.clear();
  return collected(input, name, rows);
}

/** Collects entry by entry: every form that a run may have, and what is said about one that is none. */
export function collected(input: RunLike, name: string, rows: TextRows): TextRun {
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
  if (ranks.length > 0) rows.ranks = Float64Array.from(rows.docs, (_, row) => ranks[row] ?? Number.NaN);
  const grouped = rows.finish();
  if (ranksOnly) refuseEqualRanks(grouped);
  return { name, ...grouped, ...(ranksOnly ? { ranksOnly } : {}), notes: witness.notes('leave the scores out of the records') };
}

/** Rows in any order, to be grouped by topic. Nearly all come grouped, so what is written down is where another topic begins. The
 *  space can be used for one run after another. */
export class TextRows {
  topicNumbers: Map<string, number> = new Map();
  readonly docs: string[] = [];
  ranks: Float64Array | undefined;
  /** The number of the last row's topic. */
  topic = -1;
  private scores: Float64Array = new Float64Array(16);
  private offsets: Uint32Array = new Uint32Array(8); // fits: entries
  private topicText: string | undefined;
  private readonly topicOfStretch: number[] = [];
  private readonly starts: number[] = [];

  /** Lets go of everything but the space. */
  clear(): void {
    this.topicNumbers = new Map();
    this.docs.length = 0;
    this.ranks = undefined;
    this.topic = -1;
    this.topicText = undefined;
    this.topicOfStretch.length = 0;
    this.starts.length = 0;
  }

  add(topic: string, doc: string, value: number): void {
    if (topic !== this.topicText) this.begin(topic);
    const row = this.docs.push(doc) - 1;
    if (row === this.scores.length) this.scores = lengthened(this.scores, roomFor(row + 1, 2 * row, 'rows'));
    this.scores[row] = value;
  }

  /** Adds topic → document → score, in objects or Maps. False at the first thing that is something else: `collected` knows what. */
  addNested(input: object | null): boolean {
    if (typeof input !== 'object' || input === null) return false;
    if (input instanceof Map) {
      for (const [topic, docs] of input) if (!this.addTopic(String(topic), docs)) return false;
      return true;
    }
    if (Symbol.iterator in input) return false;
    const topics = input as Readonly<Record<string, unknown>>;
    for (const topic of Object.keys(topics)) if (!this.addTopic(topic, topics[topic])) return false;
    return true;
  }

  private addTopic(topic: string, given: unknown): boolean {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
    const scoreOf = given instanceof Map ? given : undefined;
    // pairs from Object.entries would cost an array per document
    const texts = scoreOf ? [...scoreOf.keys()] : Object.keys(given);
    const values = given as Readonly<Record<string, unknown>>;
    if (texts.length > 0 && topic !== this.topicText) this.begin(topic);
    const { docs } = this;
    let row = docs.length;
    const needed = row + texts.length;
    if (needed > this.scores.length) this.scores = lengthened(this.scores, roomFor(needed, 2 * needed, 'rows'));
    const { scores } = this;
    for (const doc of texts) {
      const score = scoreOf ? scoreOf.get(doc) : values[doc];
      if (typeof score !== 'number' || Number.isNaN(score)) return false;
      docs.push(String(doc));
      scores[row++] = score;
    }
    return true;
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
    const numTopics = topicNumbers.size;
    const numRows = this.docs.length;
    roomFor(numRows, numRows, 'rows');
    const endOf = (stretch: number): number => (stretch + 1 < starts.length ? starts[stretch + 1] : numRows);
    this.offsets = scratchFor(this.offsets, numTopics + 1);
    const { offsets } = this;
    offsets.fill(0, 0, numTopics + 1);
    for (let s = 0; s < starts.length; s++) offsets[topicOfStretch[s] + 1] += endOf(s) - starts[s];
    for (let topic = 0; topic < numTopics; topic++) offsets[topic + 1] += offsets[topic];
    const problem = topicProblem(offsets, numTopics, (topic) => [...topicNumbers.keys()][topic]);
    if (problem !== undefined) throw new InputError(problem);
    let docs: readonly string[] = this.docs;
    let { scores, ranks } = this;
    if (starts.length > numTopics) {
      const places = this.placesByTopic(offsets, endOf);
      docs = places.map((row) => this.docs[row]);
      scores = Float64Array.from(places, (row) => this.scores[row]);
      ranks = ranks && Float64Array.from(places, (row) => (this.ranks as Float64Array)[row]);
    }
    return { topicNumbers, offsets, docs, scores, ranks };
  }

  /** The rows ordered by topic, and by time of arrival within a topic. */
  private placesByTopic(offsets: Uint32Array, endOf: (stretch: number) => number): number[] {
    const next = Array.from(offsets);
    const places = new Array<number>(this.docs.length);
    for (const [s, topic] of this.topicOfStretch.entries()) {
      for (let row = this.starts[s]; row < endOf(s); row++) places[next[topic]++] = row;
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
