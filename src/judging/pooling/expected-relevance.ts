import { choleskyFactor, solveCholesky } from '../leaderboard/symmetric-solve.js';

/** The runs of one topic, for a model of what nobody judged: each holds documents of the pool by number, with the rank of each. */
export interface PooledTopic {
  readonly numDocs: number;
  readonly runs: readonly { readonly docs: Uint32Array; readonly ranks: Uint32Array }[];
}

/** What is known of a topic: the documents that were judged, and for each document whether it is relevant. */
export interface TopicJudgements {
  readonly judged: readonly number[];
  readonly isRelevant: (doc: number) => boolean;
}

/** Weights that documents have in rank-biased precision (by their persistence) and in reciprocal ranks, summed over the runs. */
const features: readonly ((rank: number) => number)[] = [
  (rank) => (rank <= 100 ? 0.9 ** (rank - 1) : 0),
  (rank) => 1 / (rank + 10),
  (rank) => (rank <= 100 ? 0.5 ** (rank - 1) : 0),
];
/** The smallest sum, so that its logarithm exists. */
const LEAST = 1e-3;
/** Penalty of the coefficients and of the topics' own levels. */
const RIDGE = 1;
/** How much likeness to a judged document counts: the cosine of where runs place both, to this power. */
const LIKENESS = 5;
/** Weight of the prior against the documents that are alike. */
const PRIOR = 1;
const MOST_STEPS = 25;

/** How probable it is that each document of a pool is relevant: by how high runs place it, learned from the judged documents of all topics
 *  with a level for each topic (logistic regression), and by what became of judged documents that the same runs place alike. Judged documents
 *  are 0 or 1. In which order documents were judged does not matter as long as it followed where runs place them. */
export class RelevanceModel {
  private readonly topics: readonly PooledTopic[];
  private readonly inputs: readonly (readonly Float64Array[])[];
  private readonly places: readonly (readonly Float64Array[])[];
  /** By topic and document, how alike the others are; computed for documents that were judged. */
  private readonly likeness: readonly Map<number, Float64Array>[];

  constructor(topics: readonly PooledTopic[]) {
    this.topics = topics;
    this.inputs = standardised(topics.map((topic) => features.map((weight) => placeWeights(topic, weight))));
    this.places = topics.map(placesOf);
    this.likeness = topics.map(() => new Map());
  }

  /** Probabilities by topic and document. */
  probabilities(known: readonly TopicJudgements[]): Float64Array[] {
    const fitted = this.fit(known);
    return fitted.map((own, t) => {
      const { judged, isRelevant } = known[t];
      const n = this.topics[t].numDocs;
      const surplus = new Float64Array(n);
      const weight = new Float64Array(n).fill(PRIOR);
      for (const other of judged) {
        const alike = this.likenessTo(t, other);
        const [rest, spread] = [(isRelevant(other) ? 1 : 0) - own[other], own[other] * (1 - own[other])];
        for (let d = 0; d < n; d++) {
          surplus[d] += alike[d] * rest;
          weight[d] += alike[d] * spread;
        }
      }
      const result = own.map((p, d) => logistic(Math.log(p / (1 - p)) + surplus[d] / weight[d]));
      for (const d of judged) result[d] = isRelevant(d) ? 1 : 0;
      return result;
    });
  }

  /** How alike the documents of a topic are to one: the cosine of the places that runs give both, to a power. */
  private likenessTo(topic: number, doc: number): Float64Array {
    const known = this.likeness[topic].get(doc);
    if (known !== undefined) return known;
    const places = this.places[topic];
    const found = Float64Array.from(places, (own) => {
      let cosine = 0;
      for (let r = 0; r < own.length; r++) cosine += own[r] * places[doc][r];
      return Math.max(0, cosine) ** LIKENESS;
    });
    this.likeness[topic].set(doc, found);
    return found;
  }

  /** Logistic regression by Newton's method, a level for each topic and one coefficient for each input, in turns. */
  private fit(known: readonly TopicJudgements[]): Float64Array[] {
    const size = features.length + 1;
    const coefficients = new Float64Array(size);
    const levels = new Float64Array(this.topics.length);
    const oddsOf = (t: number, d: number): number => {
      let odds = levels[t] + coefficients[0];
      for (let k = 1; k < size; k++) odds += coefficients[k] * this.inputs[t][k - 1][d];
      return odds;
    };
    for (let step = 0; step < MOST_STEPS; step++) {
      const gradient = new Float64Array(size);
      const information = new Float64Array(size * size);
      for (const [t, { judged, isRelevant }] of known.entries()) {
        let [slope, curvature] = [-RIDGE * levels[t], RIDGE];
        for (const d of judged) {
          const p = logistic(oddsOf(t, d));
          slope += (isRelevant(d) ? 1 : 0) - p;
          curvature += p * (1 - p);
        }
        levels[t] += slope / curvature;
        for (const d of judged) {
          const p = logistic(oddsOf(t, d));
          const input = (k: number): number => (k === 0 ? 1 : this.inputs[t][k - 1][d]);
          for (let k = 0; k < size; k++) {
            gradient[k] += ((isRelevant(d) ? 1 : 0) - p) * input(k);
            for (let l = 0; l < size; l++) information[k * size + l] += p * (1 - p) * input(k) * input(l);
          }
        }
      }
      for (let k = 0; k < size; k++) {
        gradient[k] -= k === 0 ? 0 : RIDGE * coefficients[k];
        information[k * size + k] += k === 0 ? 1e-6 : RIDGE;
      }
      const factor = choleskyFactor(information, size);
      if (factor === undefined) break;
      const change = solveCholesky(factor, size, gradient);
      let largest = 0;
      for (let k = 0; k < size; k++) {
        coefficients[k] += change[k];
        largest = Math.max(largest, Math.abs(change[k]));
      }
      if (largest < 1e-6) break;
    }
    return this.topics.map(({ numDocs }, t) => Float64Array.from({ length: numDocs }, (_, d) => logistic(oddsOf(t, d))));
  }
}

function logistic(odds: number): number {
  return Math.min(1 - 1e-12, Math.max(1e-12, 1 / (1 + Math.exp(-odds))));
}

function placeWeights({ numDocs, runs }: PooledTopic, weight: (rank: number) => number): Float64Array {
  const sums = new Float64Array(numDocs);
  for (const { docs, ranks } of runs) for (let i = 0; i < docs.length; i++) sums[docs[i]] += weight(ranks[i]);
  return sums.map((sum) => Math.log(sum + LEAST));
}

/** Every input with mean 0 and standard deviation 1 over the documents of all topics. */
function standardised(inputs: readonly (readonly Float64Array[])[]): Float64Array[][] {
  const scales = features.map((_, k) => {
    let [count, sum, squares] = [0, 0, 0];
    for (const own of inputs) {
      for (const value of own[k]) {
        count++;
        sum += value;
        squares += value * value;
      }
    }
    const mean = count === 0 ? 0 : sum / count;
    return { mean, deviation: Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean)) || 1 };
  });
  return inputs.map((own) => own.map((values, k) => values.map((value) => (value - scales[k].mean) / scales[k].deviation)));
}

/** Where each run places each document, as a direction. */
function placesOf({ numDocs, runs }: PooledTopic): Float64Array[] {
  const places = Array.from({ length: numDocs }, () => new Float64Array(runs.length));
  for (const [r, { docs, ranks }] of runs.entries()) {
    for (let i = 0; i < docs.length; i++) places[docs[i]][r] = 1 / Math.log2(ranks[i] + 5);
  }
  return places.map((own) => {
    const length = Math.sqrt(own.reduce((sum, value) => sum + value * value, 0)) || 1;
    return own.map((value) => value / length);
  });
}

/** Average precision of each run over the topics, with probabilities in the place of relevance. */
export function expectedAveragePrecision(topics: readonly PooledTopic[], probabilities: readonly Float64Array[]): Float64Array {
  const means = new Float64Array(topics[0]?.runs.length ?? 0);
  for (const [t, { runs }] of topics.entries()) {
    const own = probabilities[t];
    const relevant = own.reduce((sum, p) => sum + p, 0);
    if (relevant === 0) continue;
    for (const [r, { docs, ranks }] of runs.entries()) {
      let [sum, above] = [0, 0];
      for (let i = 0; i < docs.length; i++) {
        const p = own[docs[i]];
        sum += (p * (1 + above)) / ranks[i];
        above += p;
      }
      means[r] += sum / relevant / topics.length;
    }
  }
  return means;
}

/** How much each document matters to the order of the runs: the variance, over runs, of how much its relevance moves their average precision,
 *  times the variance of its relevance. It is 0 for a document that was judged, and for one that all runs place alike. */
export function documentInfluence(topics: readonly PooledTopic[], probabilities: readonly Float64Array[]): Float64Array[] {
  return topics.map(({ numDocs, runs }, t) => {
    const own = probabilities[t];
    const relevant = Math.max(
      1,
      own.reduce((sum, p) => sum + p, 0),
    );
    const [sums, squares] = [new Float64Array(numDocs), new Float64Array(numDocs)];
    for (const { docs, ranks } of runs) {
      let below = 0;
      for (let i = 0; i < docs.length; i++) below += own[docs[i]] / ranks[i];
      let above = 0;
      for (let i = 0; i < docs.length; i++) {
        const d = docs[i];
        below -= own[d] / ranks[i];
        const move = ((1 + above) / ranks[i] + below) / relevant;
        sums[d] += move;
        squares[d] += move * move;
        above += own[d];
      }
    }
    const n = runs.length;
    return sums.map((sum, d) => Math.max(0, squares[d] / n - (sum / n) ** 2) * own[d] * (1 - own[d]));
  });
}
