/** The formulas of search engines' tools written down once more, plainly and with nothing shared with the product: a list of documents and
 *  a map of ratings. */
export interface Answer {
  readonly docs: readonly string[];
  readonly ratings: ReadonlyMap<string, number>;
}

const gain = (rating: number): number => 2 ** rating - 1;

function dcgOf(ratings: readonly (number | undefined)[]): number {
  return ratings.reduce<number>((sum, rating, i) => (rating === undefined ? sum : sum + gain(rating) / Math.log2(i + 2)), 0);
}

function errOf(ratings: readonly (number | undefined)[], highest: number): number {
  let value = 0;
  let notSatisfied = 1;
  for (const [i, rating] of ratings.entries()) {
    if (rating === undefined) continue;
    const satisfied = gain(rating) / 2 ** highest;
    value += (notSatisfied * satisfied) / (i + 1);
    notSatisfied *= 1 - satisfied;
  }
  return value;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function best(ratings: Iterable<number>): number[] {
  return [...ratings].sort((a, b) => b - a);
}

function precisions(relevant: readonly boolean[]): number {
  return relevant.reduce((sum, isRelevant, i) => sum + (isRelevant ? relevant.slice(0, i + 1).filter(Boolean).length / (i + 1) : 0), 0);
}

/** `_rank_eval` of Elasticsearch and OpenSearch. */
export function slowRankEval({ docs, ratings }: Answer, k: number, threshold: number, unknown: number | undefined): Record<string, number> {
  const whole = new Map([...ratings].map(([doc, rating]) => [doc, Math.trunc(rating)]));
  const hits = docs.slice(0, k);
  const rated = hits.filter((doc) => whole.has(doc)).length;
  const isRelevant = (doc: string): boolean => (whole.get(doc) ?? -Infinity) >= threshold;
  const relevant = hits.filter(isRelevant).length;
  const first = hits.findIndex(isRelevant);
  const withUnknown = hits.map((doc) => whole.get(doc) ?? unknown);
  const ideal = dcgOf(best(whole.values()).slice(0, hits.length));
  return {
    P: share(relevant, hits.length),
    "P(divisor='judged')": share(relevant, rated),
    R: share(relevant, [...whole.keys()].filter(isRelevant).length),
    RR: first < 0 ? 0 : 1 / (first + 1),
    DCG: dcgOf(withUnknown),
    nDCG: ideal === 0 ? 0 : dcgOf(withUnknown) / ideal,
    ERR: errOf(withUnknown, 3),
  };
}

/** The scorers of Quepid in the browser. */
export function slowQuepid({ docs, ratings }: Answer, k: number): Record<string, number> {
  const shown = docs.slice(0, k).map((doc) => ratings.get(doc) ?? 0);
  const whole = best([...ratings.values()].map(Math.trunc));
  const ideal = dcgOf(whole);
  const cut = dcgOf(whole.slice(0, k));
  const first = shown.findIndex((rating) => rating > 0);
  const values: Record<string, number> = {
    P: share(shown.filter((rating) => rating > 0).length, shown.length),
    RR: first < 0 ? 0 : 1 / (first + 1),
    CG: shown.reduce((sum, rating) => sum + rating, 0),
    DCG: dcgOf(shown),
    nDCG: ideal === 0 ? 0 : dcgOf(shown) / ideal,
    "nDCG(ideal_depth='cutoff')": cut === 0 ? 0 : dcgOf(shown) / cut,
    ERR: errOf(shown, 3),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Math.max(0, value)]));
}

/** The search relevance workbench of OpenSearch before its values are rounded: from 2025 on, or with the threshold of 2026. */
export function slowWorkbench({ docs, ratings }: Answer, k: number, withThreshold: boolean): Record<string, number> {
  const all = best(ratings.values()).reverse();
  const highest = all.at(-1) ?? 0;
  const threshold = withThreshold && highest !== 0 ? Math.max(highest / 2, all[Math.ceil(0.9 * all.length) - 1]) : 0;
  const isRelevant = (doc: string): boolean => (ratings.get(doc) ?? 0) > 0 && (ratings.get(doc) ?? 0) >= threshold;
  const hits = docs.slice(0, k);
  const numRelevant = [...ratings.keys()].filter(isRelevant).length;
  const ideal = dcgOf(best(ratings.values()).slice(0, k));
  return {
    P: share(hits.filter(isRelevant).length, hits.length),
    AP: share(precisions(hits.map(isRelevant)), numRelevant),
    nDCG: ideal > 0 ? dcgOf(hits.map((doc) => ratings.get(doc))) / ideal : 0,
  };
}
