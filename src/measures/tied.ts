import type { TopicView } from '../core/judging/judge.js';
import { cutsThroughTie } from '../core/judging/tie-groups.js';

/** Means over all orders of equal scores, in closed form. Each takes a topic that tells its ties. */

/** True if the depth cuts through a tie, so that the order decides which documents are there at all. */
export function isCut({ ties, numRetrieved }: TopicView): boolean {
  return ties !== undefined && cutsThroughTie(ties, numRetrieved);
}

/** Visits the groups of equal scores from the top: where each begins in the ranking, its size, and how many of its documents
 *  are at or above the level. The walk ends when `visit` answers true. */
export function forEachTie(topic: TopicView, level: number, visit: (from: number, size: number, hits: number) => unknown): void {
  const { codes, start, ties } = topic;
  if (ties === undefined) return;
  for (let g = 0; g < ties.count; g++) {
    const from = ties.starts[g];
    const to = ties.starts[g + 1];
    let hits = 0;
    for (let i = from; i < to; i++) if (codes[start + i] >= level) hits++;
    if (visit(from, to - from, hits) === true) return;
  }
}

/** The mean of a value that depends on the rank of the first document at or above the level; `otherwise` if there is none
 *  within the depth. The first of m such documents among t stands at place j with probability C(t-j, m-1) / C(t, m). */
export function expectedAtFirst(
  topic: TopicView,
  level: number,
  depth: number,
  valueAt: (rank: number, from: number, size: number) => number,
  otherwise: number,
): number {
  const limit = Math.min(depth, topic.numRetrieved);
  let result = otherwise;
  forEachTie(topic, level, (from, size, hits) => {
    if (hits === 0) return;
    let probability = hits / size;
    let left = 1;
    let sum = 0;
    for (let j = 1; j <= size - hits + 1; j++) {
      if (from + j > limit) {
        sum += left * otherwise;
        break;
      }
      sum += probability * valueAt(from + j, from, size);
      left -= probability;
      probability *= (size - j - hits + 1) / (size - j);
    }
    result = sum;
    return true;
  });
  return result;
}

/** A mean product below this adds nothing to a double. */
const NEGLIGIBLE = 1e-20;

/** The mean of a cascade: the sum over ranks of weight(rank) · gain(document) · the product of keep(document) over all
 *  documents above. Inside a tie the mean of that product over the j-1 documents above is the elementary symmetric
 *  polynomial of their keeps, divided by the number of its terms; it is built up document by document, as a mean
 *  throughout, so that nothing overflows. */
export function expectedCascade(
  topic: TopicView,
  depth: number,
  gainOf: (code: number) => number,
  keepOf: (code: number) => number,
  weightAt: (rank: number) => number,
): number {
  const { codes, start, ties } = topic;
  if (ties === undefined) return Number.NaN;
  const limit = Math.min(depth, topic.numRetrieved);
  let alive = 1;
  let sum = 0;
  for (let g = 0; g < ties.count && ties.starts[g] < limit; g++) {
    const from = ties.starts[g];
    const size = ties.starts[g + 1] - from;
    const counts = new Map<number, number>();
    for (let i = from; i < from + size; i++) counts.set(codes[start + i], (counts.get(codes[start + i]) ?? 0) + 1);
    for (const [code, count] of counts) {
      const gain = gainOf(code);
      if (gain === 0) continue;
      const means = meansOfProducts(counts, code, Math.min(size, limit - from), keepOf);
      let weighted = 0;
      for (let j = 0; j < means.length; j++) weighted += weightAt(from + j + 1) * means[j];
      sum += alive * gain * (count / size) * weighted;
    }
    for (const [code, count] of counts) alive *= keepOf(code) ** count;
  }
  return sum;
}

/** means[j], j below n: the mean product of the keeps of j documents drawn from the group without one of code `without`. */
function meansOfProducts(counts: ReadonlyMap<number, number>, without: number, n: number, keepOf: (code: number) => number): Float64Array {
  let size = 0;
  let highest = 0;
  const keeps: number[] = [];
  for (const [code, count] of counts) {
    const others = code === without ? count - 1 : count;
    const keep = keepOf(code);
    if (keep === 1) size += others;
    else for (let i = 0; i < others; i++) keeps.push(keep);
    if (others > 0) highest = Math.max(highest, keep);
  }
  // beyond this place nothing is left of the product
  const reach = highest < 1 ? Math.ceil(Math.log(NEGLIGIBLE) / Math.log(Math.max(highest, Number.MIN_VALUE))) + 1 : n;
  const means = new Float64Array(Math.min(n, reach));
  means.fill(1, 0, size + 1);
  for (const keep of keeps) {
    size++;
    for (let k = Math.min(size, means.length - 1); k > 0; k--) means[k] = (1 - k / size) * means[k] + (k / size) * keep * means[k - 1];
  }
  return means;
}

/** The mean over the relevant documents of a tie of a value that depends on how many others stand above: a document stands at
 *  each of the places among the `others` others equally often. The answer is the sum over the relevant documents. */
export function expectedAmongOthers(relevant: number, others: number, valueAt: (above: number) => number): number {
  if (relevant === 0) return 0;
  let sum = 0;
  for (let above = 0; above <= others; above++) sum += valueAt(above);
  return (relevant * sum) / (others + 1);
}
