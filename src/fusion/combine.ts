import type { Ids } from '../core/ids.js';
import { lnOfInteger } from '../core/numbers/logarithm.js';
import { InputError, printable } from '../core/problem.js';
import { condorcetScores } from './condorcet.js';
import { compareNumbered, type JoinedRuns, type TopicCandidates } from './join.js';
import { bordaOfAbsent, normaliseInPlace } from './normalise.js';
import type { FusionPlan } from './options.js';

/** What every run says about the candidates of one topic, before the weights: enough to fuse the topic with any weights. */
export interface TopicContributions {
  /** The document of each candidate. */
  readonly docs: Uint32Array;
  /** What run r contributes to candidate c, at c * numRuns + r: a normalised score or a function of the rank; NaN where the run has
   *  nothing to say. For *condorcet* it is the rank itself. */
  readonly values: Float64Array;
}

/** The contributions of the topic that the candidates were moved to. */
export function contributionsOf(candidates: TopicCandidates, joined: JoinedRuns, topic: number, plan: FusionPlan): TopicContributions {
  const { numCandidates, starts, listed, scores } = candidates;
  const numRuns = joined.runs.length;
  const values = new Float64Array(numCandidates * numRuns).fill(Number.NaN);
  for (let r = 0; r < numRuns; r++) {
    const count = starts[r + 1] - starts[r];
    const own = scores.subarray(starts[r], starts[r + 1]);
    if (plan.norm === undefined) contributeByRank(plan, own, count, numCandidates);
    else if (!normaliseInPlace(plan.norm, own, count, numCandidates)) {
      throw new InputError({
        message: `run ${printable(joined.runs[r].name)}, topic ${joined.topics.text(topic)}: no score is above 0, so the greatest cannot be a unit`,
        wayOut: 'normalise with min-max or z-score',
      });
    }
    const otherwise = contributionOfAbsent(plan, own, count, numCandidates);
    if (!Number.isNaN(otherwise)) for (let c = 0; c < numCandidates; c++) values[c * numRuns + r] = otherwise;
    for (let i = 0; i < count; i++) values[listed[starts[r] + i] * numRuns + r] = own[i];
  }
  return { docs: candidates.docs.slice(0, numCandidates), values };
}

function contributeByRank({ method, parameter }: FusionPlan, out: Float64Array, count: number, numCandidates: number): void {
  let power = 1 - parameter;
  for (let i = 0; i < count; i++) {
    const rank = i + 1;
    if (method.name === 'rrf') out[i] = 1 / (parameter + rank);
    else if (method.name === 'rbc') {
      out[i] = power;
      power *= parameter;
    } else if (method.name === 'borda') out[i] = numCandidates - i;
    else if (method.name === 'condorcet') out[i] = rank;
    else out[i] = 1 / (rank * rank);
  }
}

/** What a run says about a document that it left out; NaN if nothing. */
function contributionOfAbsent(plan: FusionPlan, own: Float64Array, count: number, numCandidates: number): number {
  if (plan.method.name === 'borda') return (numCandidates - count + 1) / 2;
  if (plan.norm === 'borda') return bordaOfAbsent(count, numCandidates);
  // the list is in the order of scores, and every normalisation keeps it
  return plan.absent === 'least' && count > 0 ? own[count - 1] : Number.NaN;
}

/** Fuses topics with given weights, in scratch space of its own. */
export class Fuser {
  private readonly plan: FusionPlan;
  private readonly numRuns: number;
  private readonly docs: Ids;
  private readonly kept: Float64Array;

  constructor(plan: FusionPlan, { runs, docs }: JoinedRuns) {
    this.plan = plan;
    this.numRuns = runs.length;
    this.docs = docs;
    this.kept = new Float64Array(runs.length);
  }

  /** Writes the fused score of every candidate to out[at], out[at + 1] … */
  fuse({ docs, values }: TopicContributions, weights: Float64Array, out: Float64Array, at: number): void {
    const { numRuns, kept, plan } = this;
    if (plan.method.name === 'condorcet') {
      condorcetScores(values, docs.length, weights, (a, b) => compareNumbered(this.docs, docs[b], docs[a]), out, at);
      return;
    }
    const weighted = plan.method.name !== 'wmnz';
    // lighter runs first, whatever order they were given in
    // fits: numbers of runs, at most limits.files
    const order = Uint32Array.from(weights, (_, r) => r).sort((a, b) => weights[a] - weights[b]);
    for (let c = 0; c < docs.length; c++) {
      let count = 0;
      let weightOfCounted = 0;
      for (let i = 0; i < numRuns; i++) {
        const r = order[i];
        const value = values[c * numRuns + r];
        if (Number.isNaN(value)) continue;
        weightOfCounted += weights[r];
        insertAscending(kept, count++, weighted ? weights[r] * value : value);
      }
      out[at + c] = this.combined(count, weightOfCounted);
    }
  }

  /** `kept[0 … count - 1]` holds the contributions in ascending order, so that sums do not depend on the order of the runs and
   *  documents that should tie do. */
  private combined(count: number, weightOfCounted: number): number {
    const { kept, plan } = this;
    const { method, parameter } = plan;
    if (method.name === 'combmin') return kept[0];
    if (method.name === 'combmax') return kept[count - 1];
    if (method.name === 'combmed') return count % 2 === 1 ? kept[count >> 1] : (kept[count / 2 - 1] + kept[count / 2]) / 2;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += kept[i];
    switch (method.name) {
      case 'combmnz':
      case 'isr':
        return sum * count;
      case 'combanz':
        return sum / count;
      case 'combgmnz':
        return sum * count ** parameter;
      case 'mixed':
        return sum * Math.sqrt(count);
      case 'wmnz':
        return sum * weightOfCounted;
      case 'logisr':
        return sum * lnOfInteger(count);
      case 'lognisr':
        return sum * Math.log(count + parameter);
      default:
        return sum;
    }
  }
}

function insertAscending(sorted: Float64Array, count: number, value: number): void {
  let hole = count;
  while (hole > 0 && sorted[hole - 1] > value) {
    sorted[hole] = sorted[hole - 1];
    hole--;
  }
  sorted[hole] = value;
}
