import { InputError } from '../../core/problem.js';
import { normalDistribution } from '../../stats/distributions/distributions.js';
import { compareTexts } from './lists.js';

/** Measures whose value over all completions of missing judgements is known. *sumAP* is average precision times the number of relevant
 *  documents. */
export type CompletedMeasure =
  | { readonly name: 'AP' }
  | { readonly name: 'sumAP' }
  | { readonly name: 'P'; readonly k: number }
  | { readonly name: 'DCG'; readonly k: number }
  | { readonly name: 'nDCG'; readonly k: number }
  | { readonly name: 'RBP'; readonly p: number };

/** A ranking with some judgements missing. */
export interface IncompleteTopic {
  /** Rankings of one or two systems. */
  readonly rankings: readonly (readonly string[])[];
  /** Grades that are known. */
  readonly judged: ReadonlyMap<string, number>;
  /** Documents that no ranking holds and that may be relevant, such as those of other runs. */
  readonly candidates?: readonly string[] | undefined;
  /** How probable it is that an unjudged document is relevant; 0.5 where nothing is said. */
  readonly probability?: ((doc: string) => number) | undefined;
  /** The grades a document may get, ascending; 0 and 1 by default. */
  readonly grades?: readonly number[] | undefined;
}

/** All documents of a topic by number. */
export interface TopicDocuments {
  readonly docs: readonly string[];
  /** Rank of each document in each ranking, from 1; 0 where it does not occur. */
  readonly ranks: readonly Uint32Array[];
  readonly lists: readonly Uint32Array[];
  /** The grade of each document, 0 for those that nobody judged. */
  readonly grades: Float64Array;
  readonly unjudged: readonly number[];
  readonly probabilities: Float64Array;
}

/** Numbers the documents of a topic. */
export function topicDocuments({ rankings, judged, candidates = [], probability = () => 0.5 }: IncompleteTopic): TopicDocuments {
  const docs = [...new Set([...judged.keys(), ...rankings.flat(), ...candidates])];
  const placeOf = new Map(docs.map((doc, d) => [doc, d]));
  const lists = rankings.map((list) => Uint32Array.from(list, (doc) => placeOf.get(doc) ?? 0)); // fits: entries
  const unjudged = Array.from(docs.keys())
    .filter((d) => !judged.has(docs[d]))
    .sort((a, b) => compareTexts(docs[a], docs[b]));
  const probabilities = new Float64Array(docs.length);
  for (const d of unjudged) {
    const p = probability(docs[d]);
    if (!(p >= 0 && p <= 1))
      throw new InputError({ message: `document ${docs[d]} has probability ${p}`, wayOut: 'give probabilities from 0 to 1' });
    probabilities[d] = p;
  }
  return {
    docs,
    lists,
    ranks: lists.map((list) => {
      const ranks = new Uint32Array(docs.length); // fits: entries
      for (let i = 0; i < list.length; i++) ranks[list[i]] = i + 1;
      return ranks;
    }),
    grades: Float64Array.from(docs, (doc) => judged.get(doc) ?? 0),
    unjudged,
    probabilities,
  };
}

/** The weight of a rank in DCG. */
export function discountAt(rank: number): number {
  return 1 / Math.log2(rank + 1);
}

/** The weight that a linear measure gives a rank. */
export function rankWeight(measure: CompletedMeasure, rank: number): number {
  if (rank === 0) return 0;
  if (measure.name === 'RBP') return (1 - measure.p) * measure.p ** (rank - 1);
  if (measure.name === 'P') return rank <= measure.k ? 1 / measure.k : 0;
  if (measure.name === 'DCG') return rank <= measure.k ? discountAt(rank) : 0;
  return 0;
}

/** Whether a measure is a sum of weights of relevant documents. */
export function isLinear({ name }: CompletedMeasure): boolean {
  return name === 'P' || name === 'DCG' || name === 'RBP';
}

/** The value of a ranking when every document has a grade. A topic without relevant documents has AP and nDCG 0. */
export function completedValue(measure: CompletedMeasure, list: Uint32Array, grades: Float64Array): number {
  if (measure.name === 'AP' || measure.name === 'sumAP') return averagePrecision(list, grades, measure.name === 'AP');
  let sum = 0;
  const end = measure.name === 'RBP' ? list.length : Math.min(measure.k, list.length);
  for (let i = 0; i < end; i++) {
    const grade = grades[list[i]];
    if (grade <= 0) continue;
    if (measure.name === 'nDCG') sum += grade * discountAt(i + 1);
    else sum += (measure.name === 'P' ? 1 : grade) * rankWeight(measure, i + 1);
  }
  if (measure.name !== 'nDCG') return sum;
  const ideal = idealGain(grades, measure.k);
  return ideal > 0 ? sum / ideal : 0;
}

function averagePrecision(list: Uint32Array, grades: Float64Array, divided: boolean): number {
  let hits = 0;
  let sum = 0;
  for (let i = 0; i < list.length; i++) if (grades[list[i]] > 0) sum += ++hits / (i + 1);
  if (!divided) return sum;
  let relevant = 0;
  for (const grade of grades) if (grade > 0) relevant++;
  return relevant > 0 ? sum / relevant : 0;
}

/** The gain of the best ranking there can be. */
export function idealGain(grades: ArrayLike<number>, k: number): number {
  const best = Float64Array.from(grades).sort().reverse();
  let sum = 0;
  for (let i = 0; i < Math.min(k, best.length) && best[i] > 0; i++) sum += best[i] * discountAt(i + 1);
  return sum;
}

/** What one number may be over all completions. */
export interface CompletedRange {
  readonly low: number;
  readonly high: number;
  readonly expected: number;
}

/** The difference of two systems over all completions. */
export interface CompletedDifference extends CompletedRange {
  readonly variance: number;
  readonly firstBetter: number;
  readonly equal: number;
}

/** Completions that are counted through one by one. */
const MOST_ENUMERATED = 18;

/** Every completion of the missing judgements by relevant or not, counted through. The documents are independent of each other.
 *  @throws An `InputError` if more than 18 documents are unjudged. */
export function enumerateCompletions(
  topic: IncompleteTopic,
  measure: CompletedMeasure,
): { readonly systems: readonly CompletedRange[]; readonly difference: CompletedDifference | undefined } {
  const { lists, grades, unjudged, probabilities } = topicDocuments(topic);
  if (unjudged.length > MOST_ENUMERATED) {
    throw new InputError({
      message: `${unjudged.length} documents are unjudged, and completions are counted through up to ${MOST_ENUMERATED}`,
      wayOut: 'judge more of them, or ask for bounds and expected values of a linear measure',
    });
  }
  const systems = lists.map(() => new Range());
  const difference = new Range();
  let [firstBetter, equal] = [0, 0];
  for (let completion = 0; completion < 2 ** unjudged.length; completion++) {
    let probability = 1;
    for (const [bit, d] of unjudged.entries()) {
      grades[d] = (completion >>> bit) & 1;
      probability *= grades[d] === 1 ? probabilities[d] : 1 - probabilities[d];
    }
    const values = lists.map((list) => completedValue(measure, list, grades));
    for (const [s, value] of values.entries()) systems[s].add(value, probability);
    if (values.length < 2) continue;
    const between = values[0] - values[1];
    difference.add(between, probability);
    if (Math.abs(between) <= 1e-12) equal += probability;
    else if (between > 0) firstBetter += probability;
  }
  return {
    systems: systems.map((range) => range.result()),
    difference: lists.length < 2 ? undefined : { ...difference.result(), variance: difference.variance(), firstBetter, equal },
  };
}

class Range {
  private low = Number.POSITIVE_INFINITY;
  private high = Number.NEGATIVE_INFINITY;
  private sum = 0;
  private readonly seen: [value: number, probability: number][] = [];

  add(value: number, probability: number): void {
    this.low = Math.min(this.low, value);
    this.high = Math.max(this.high, value);
    this.sum += value * probability;
    this.seen.push([value, probability]);
  }

  result(): CompletedRange {
    return { low: this.low, high: this.high, expected: this.sum };
  }

  variance(): number {
    return this.seen.reduce((sum, [value, probability]) => sum + probability * (value - this.sum) ** 2, 0);
  }
}

/** What is known of the difference of two systems, in closed form, and what to judge next. */
export interface OpenDifference {
  readonly expected: number;
  readonly variance: number;
  /** By the normal distribution; null where nothing is open. */
  readonly firstBetter: number | null;
  /** How much each unjudged document would move the expectation. */
  readonly weights: ReadonlyMap<string, number>;
  /** The document that would move it most; of those within 1e-12 the one with the smallest id. */
  readonly next: string | undefined;
}

/** Minimal test collections for average precision (after Carterette, Allan and Sitaraman, doi:10.1145/1148170.1148219): exact expectation and
 *  variance of the difference in R·AP where documents are relevant independently of each other. */
export function sumPrecisionDifference(topic: IncompleteTopic): OpenDifference {
  const { docs, ranks, grades, unjudged, probabilities } = topicDocuments(topic);
  const [first, second] = ranks;
  const n = docs.length;
  const isOpen = new Uint8Array(n); // fits: flags
  for (const d of unjudged) isOpen[d] = 1;
  const chance = Float64Array.from({ length: n }, (_, d) => (isOpen[d] === 1 ? probabilities[d] : grades[d] > 0 ? 1 : 0));
  const weight = (ranking: Uint32Array, i: number, j: number): number =>
    ranking[i] === 0 || ranking[j] === 0 ? 0 : 1 / Math.max(ranking[i], ranking[j]);
  const pairWeight = (i: number, j: number): number => weight(first, i, j) - weight(second, i, j);
  let expected = 0;
  let variance = 0;
  const moves = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const own = pairWeight(i, i);
    let move = own;
    expected += own * chance[i];
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const both = pairWeight(i, j);
      move += both * chance[j];
      if (j < i) continue;
      expected += both * chance[i] * chance[j];
      variance += both * both * chance[i] * (1 - chance[i]) * chance[j] * (1 - chance[j]);
    }
    moves[i] = move;
    variance += chance[i] * (1 - chance[i]) * move * move;
  }
  const weights = new Map(unjudged.map((d) => [docs[d], moves[d]]));
  return {
    expected,
    variance,
    firstBetter: variance > 0 ? normalDistribution.cdf(expected / Math.sqrt(variance)) : null,
    weights,
    next: largestWeight(weights),
  };
}

/** The same for a linear measure, where the weight of a document does not depend on others. */
export function linearDifference(topic: IncompleteTopic, measure: CompletedMeasure): OpenDifference {
  const { docs, lists, grades, unjudged, probabilities } = topicDocuments(topic);
  const weights = linearWeights(topic, measure);
  let expected = completedValue(measure, lists[0], grades) - completedValue(measure, lists[1], grades);
  let variance = 0;
  for (const d of unjudged) {
    const weight = weights.get(docs[d]) ?? 0;
    expected += weight * probabilities[d];
    variance += weight * weight * probabilities[d] * (1 - probabilities[d]);
  }
  return {
    expected,
    variance,
    firstBetter: variance > 0 ? normalDistribution.cdf(expected / Math.sqrt(variance)) : null,
    weights,
    next: largestWeight(weights),
  };
}

/** How much each unjudged document would move the difference of two systems in a linear measure. */
export function linearWeights(topic: IncompleteTopic, measure: CompletedMeasure): Map<string, number> {
  const { docs, ranks, unjudged } = topicDocuments(topic);
  return new Map(unjudged.map((d) => [docs[d], rankWeight(measure, ranks[0][d]) - rankWeight(measure, ranks[1][d])]));
}

/** The document with the largest weight in either direction; values within 1e-12 are ties, which go to the smallest id. */
export function largestWeight(weights: ReadonlyMap<string, number>): string | undefined {
  const most = Math.max(...Array.from(weights.values(), Math.abs));
  let best: string | undefined;
  for (const [doc, weight] of weights) {
    if (Math.abs(weight) >= most - 1e-12 && (best === undefined || compareTexts(doc, best) < 0)) best = doc;
  }
  return best;
}
