import { lengthened, scratchFor } from '../core/growing-arrays.js';
import { IdTable } from '../core/ids.js';
import { RankingScratch } from '../core/order.js';
import { InputError } from '../core/problem.js';
import { roomFor } from '../core/room.js';
import { type Run, type RunLike, toRun } from '../core/run.js';
import { contributionsOf, Fuser, type TopicContributions } from './combine.js';
import { compareNumbered, type JoinedRuns, joinRuns, TopicCandidates } from './join.js';
import { type FuseOptions, type FusionPlan, planFusion, weightsFor } from './options.js';

/** One ranking made of several:
 *
 *      fuse([bm25, neural])                                                  // reciprocal rank fusion
 *      fuse([bm25, neural], { method: 'wsum', norm: 'min-max', weights: [0.3, 0.7] })
 *
 *  The documents of each topic stand in the order of their fused scores, equal ones by id in descending byte order, as trec_eval
 *  would put them. The same runs in another order give the same scores. */
export function fuse(inputs: readonly RunLike[], options: FuseOptions = {}): Run {
  return fuseRuns(inputs, options).run;
}

/** A fused run, and what was noticed on the way. */
export interface Fused {
  readonly run: Run;
  /** Topics that some of the runs do not answer. */
  readonly numPartial: number;
}

/** `fuse`, and what there is to tell about it. */
export function fuseRuns(inputs: readonly RunLike[], options: FuseOptions = {}): Fused {
  const plan = planFusion(options);
  const runs = inputs.map((input, r) => toRun(input, `run ${r + 1}`));
  const weights = weightsFor(plan.method, options.weights, runs.length);
  const joined = joinRuns(runs, plan);
  const candidates = new TopicCandidates(joined, plan);
  const run = writeRun(joined, plan, (topic) => {
    candidates.moveTo(topic);
    return { contributions: contributionsOf(candidates, joined, topic, plan), weights };
  });
  return { run, numPartial: joined.numPartial };
}

/** Fuses topic after topic into a run.
 *  @param partsOf The contributions to a topic, and the weights to fuse them with. */
export function writeRun(
  joined: JoinedRuns,
  plan: FusionPlan,
  partsOf: (topic: number) => { contributions: TopicContributions; weights: Float64Array },
): Run {
  const { topics, docs, order } = joined;
  const fuser = new Fuser(plan, joined);
  const ranking = new RankingScratch();
  const offsets = new Uint32Array(order.length + 1); // fits: entries
  let docOf = new Uint32Array(4096); // fits: entries
  let scores = new Float64Array(4096);
  let fused = new Float64Array(4096);
  let numRows = 0;
  for (const [place, topic] of order.entries()) {
    const { contributions, weights } = partsOf(topic);
    const own = contributions.docs;
    fused = scratchFor(fused, own.length);
    fuser.fuse(contributions, weights, fused, 0);
    const inOrder = ranking.rank(fused, 0, own.length, 'docno', (a, b) => compareNumbered(docs, own[a], own[b]));
    const count = Math.min(own.length, plan.depth);
    if (numRows + count > docOf.length) {
      const capacity = roomFor(numRows + count, 2 * (numRows + count), 'fused rows');
      docOf = lengthened(docOf, capacity);
      scores = lengthened(scores, capacity);
    }
    for (let i = 0; i < count; i++) {
      const c = inOrder ? i : ranking.order[i];
      if (!Number.isFinite(fused[c])) {
        throw new InputError({
          message: `topic ${topics.text(topic)}: the fused score of document ${docs.text(own[c])} is ${fused[c]}`,
          wayOut: 'the scores or weights are too large; normalise with min-max',
        });
      }
      docOf[numRows] = own[c];
      scores[numRows++] = fused[c];
    }
    offsets[place + 1] = numRows;
  }
  return {
    name: plan.name,
    topics: writtenTopics(joined),
    docs,
    offsets,
    docOf: docOf.slice(0, numRows),
    scores: scores.slice(0, numRows),
    ranks: ranksOf(offsets),
  };
}

/** The fused topics, numbered in the order in which they were written. */
export function writtenTopics({ topics, order }: JoinedRuns): IdTable {
  const { bytes, offsets, hashes } = topics;
  const written = new IdTable(order.length);
  for (const topic of order) written.internHashed(bytes, offsets[topic], offsets[topic + 1], hashes[topic]);
  return written;
}

function ranksOf(offsets: Uint32Array): Float64Array {
  const ranks = new Float64Array(offsets[offsets.length - 1]);
  for (let topic = 0; topic + 1 < offsets.length; topic++) {
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) ranks[row] = row - offsets[topic] + 1;
  }
  return ranks;
}
