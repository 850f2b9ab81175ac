import { lengthened } from '../core/growing-arrays.js';
import { type Ids, IdTable, idText, sortedIds } from '../core/ids.js';
import { RankingScratch } from '../core/order.js';
import { InputError, printable } from '../core/problem.js';
import { roomFor } from '../core/room.js';
import type { Run } from '../core/run.js';
import { compareBytes } from '../core/text.js';
import { fusionMethods } from './methods.js';
import type { FusionPlan } from './options.js';

/** The runs to be fused, with one numbering of topics and documents for all. */
export interface JoinedRuns {
  readonly runs: readonly Run[];
  readonly docs: IdTable;
  readonly topics: IdTable;
  /** For each run: the number of its documents in `docs`, and of the topics in the run, or -1. */
  readonly docNumbers: readonly Uint32Array[];
  readonly topicNumbers: readonly Int32Array[];
  /** The topics that are fused, in ascending byte order of their ids. */
  readonly order: Uint32Array;
  /** Topics that some runs do not answer. */
  readonly numPartial: number;
}

/** Numbers the topics and documents of all runs, and applies the policy for topics that only some of them answer. */
export function joinRuns(runs: readonly Run[], plan: FusionPlan): JoinedRuns {
  if (runs.length === 0) throw new InputError('found no run to fuse, expected at least 1');
  refuseRanksOnly(runs, plan);
  const docs = new IdTable(runs.reduce((most, run) => Math.max(most, run.docs.size), 16));
  const topics = new IdTable();
  const docNumbers = runs.map((run) => intern(docs, run.docs));
  const answered = runs.map((run) => Uint32Array.from(intern(topics, run.topics))); // fits: entries
  const topicNumbers = runs.map((run, r) => {
    const numbers = new Int32Array(topics.size).fill(-1); // fits: topics, at most evaluationLimits.ids, or -1
    for (let topic = 0; topic < run.topics.size; topic++) {
      if (run.offsets[topic + 1] > run.offsets[topic]) numbers[answered[r][topic]] = topic;
    }
    return numbers;
  });
  const order: number[] = [];
  let numPartial = 0;
  for (const topic of sortedIds(topics)) {
    const without = runs.filter((_, r) => topicNumbers[r][topic] < 0);
    if (without.length === runs.length) continue;
    if (without.length > 0) {
      numPartial++;
      if (plan.topics === 'error') {
        throw new InputError({
          message: `topic ${topics.text(topic)} is not answered by ${without.map(({ name }) => name).join(', ')}`,
          wayOut: 'fuse what there is with the policy union, or leave such topics out with common',
        });
      }
      if (plan.topics === 'common') continue;
    }
    order.push(topic);
  }
  if (order.length === 0) {
    throw new InputError({ message: 'the runs have no topic in common', wayOut: 'fuse what there is with the policy union' });
  }
  return { runs, docs, topics, docNumbers, topicNumbers, order: Uint32Array.from(order), numPartial }; // fits: entries
}

/** Negated ranks stand where scores would be, and must not be added up as if they were some. */
function refuseRanksOnly(runs: readonly Run[], { method, norm }: FusionPlan): void {
  const ranked = runs.find(({ ranksOnly }) => ranksOnly);
  if (ranked === undefined || method.from === 'ranks' || norm === 'rank' || norm === 'borda') return;
  const others = fusionMethods.filter(({ from }) => from === 'ranks').map(({ name }) => name);
  throw new InputError({
    message: `run ${printable(ranked.name)} has ranks but no scores, which ${method.name} adds up or compares`,
    wayOut: `normalise by rank or borda, or take a method that looks at ranks: ${others.join(', ')}`,
  });
}

function intern(into: IdTable, ids: IdTable): Uint32Array {
  const numbers = new Uint32Array(ids.size); // fits: entries
  const { bytes, offsets, hashes } = ids;
  for (let id = 0; id < ids.size; id++) numbers[id] = into.internHashed(bytes, offsets[id], offsets[id + 1], hashes[id]);
  return numbers;
}

/** The documents of one topic in all runs, in scratch space that grows to the longest topic met. A *candidate* is a document that
 *  any run retrieved, numbered in the order of the runs and their rankings. */
export class TopicCandidates {
  numCandidates = 0;
  /** The document of each candidate. */
  docs: Uint32Array = new Uint32Array(2048); // fits: entries
  /** The list of run r is listed[starts[r]] to listed[starts[r + 1]]: candidates, best rank first, with their scores. */
  readonly starts: Uint32Array;
  listed: Uint32Array = new Uint32Array(2048); // fits: entries
  scores: Float64Array = new Float64Array(2048);
  private readonly joined: JoinedRuns;
  private readonly plan: FusionPlan;
  private readonly ranking: RankingScratch = new RankingScratch();
  /** For each document: the candidate's number plus one, where `seenIn` says that it was met in the topic at hand; and the run
   *  that met it last, plus one. */
  private readonly candidateOf: Uint32Array;
  private readonly seenIn: Uint32Array;
  private readonly lastRun: Uint32Array;
  private numTopics = 0;

  constructor(joined: JoinedRuns, plan: FusionPlan) {
    this.joined = joined;
    this.plan = plan;
    this.starts = new Uint32Array(joined.runs.length + 1); // fits: entries; roomFor refuses longer lists
    this.candidateOf = new Uint32Array(joined.docs.size); // fits: entries
    this.seenIn = new Uint32Array(joined.docs.size); // fits: numbers of topics visited, of which there are fewer than entries
    this.lastRun = new Uint32Array(joined.docs.size); // fits: numbers of runs, which are arguments
  }

  moveTo(topic: number): void {
    const { joined, starts } = this;
    this.numTopics++;
    this.numCandidates = 0;
    for (let r = 0; r < joined.runs.length; r++) {
      const own = joined.topicNumbers[r][topic];
      starts[r + 1] = own < 0 ? starts[r] : this.list(r, topic, own, starts[r]);
    }
  }

  /** Lists one run's documents from place `at` on, and tells where the list ends. */
  private list(r: number, topic: number, own: number, at: number): number {
    const run = this.joined.runs[r];
    const numbers = this.joined.docNumbers[r];
    const start = run.offsets[own];
    const count = run.offsets[own + 1] - start;
    this.reserve(at + count);
    const { candidateOf, seenIn, lastRun, ranking, numTopics } = this;
    // the whole list is looked at, so that a mistake far down is one whatever the window is
    for (let row = start; row < start + count; row++) {
      const doc = numbers[run.docOf[row]];
      if (!Number.isFinite(run.scores[row]))
        throw this.refusal(run, topic, doc, `has the score ${run.scores[row]}, expected a finite number`);
      if (seenIn[doc] !== numTopics) {
        seenIn[doc] = numTopics;
        candidateOf[doc] = 0;
        lastRun[doc] = 0;
      }
      if (lastRun[doc] === r + 1) throw this.refusal(run, topic, doc, 'appears more than once, expected one line per topic and document');
      lastRun[doc] = r + 1;
    }
    const compareDocs = (a: number, b: number): number => compareNumbered(run.docs, run.docOf[start + a], run.docOf[start + b]);
    const inOrder = ranking.rank(run.scores, start, count, this.plan.ties, compareDocs);
    const kept = Math.min(count, this.plan.window);
    for (let i = 0; i < kept; i++) {
      const row = start + (inOrder ? i : ranking.order[i]);
      const doc = numbers[run.docOf[row]];
      if (candidateOf[doc] === 0) {
        this.docs[this.numCandidates] = doc;
        candidateOf[doc] = ++this.numCandidates;
      }
      this.listed[at + i] = candidateOf[doc] - 1;
      this.scores[at + i] = run.scores[row];
    }
    return at + kept;
  }

  private reserve(needed: number): void {
    if (needed <= this.listed.length) return;
    const capacity = roomFor(needed, 2 * needed, 'documents of a topic in all runs');
    this.docs = lengthened(this.docs, capacity);
    this.listed = lengthened(this.listed, capacity);
    this.scores = lengthened(this.scores, capacity);
  }

  private refusal(run: Run, topic: number, doc: number, message: string): InputError {
    const { topics, docs } = this.joined;
    return new InputError(`run ${printable(run.name)}, topic ${idText(topics, topic)}: document ${idText(docs, doc)} ${message}`);
  }
}

/** Byte order of two ids of one table. */
export function compareNumbered({ bytes, offsets }: Ids, a: number, b: number): number {
  return compareBytes(bytes, offsets[a], offsets[a + 1], bytes, offsets[b], offsets[b + 1]);
}
