/** How much two lists of results have in common, each value rounded to two decimals. */
export interface PairComparison {
  /** The documents in both lists as a share of those in either. */
  readonly jaccard: number;
  /** Rank-biased overlap down to the end of the longer list, with p = 0.5 and its weights scaled to add up to 1 … */
  readonly rbo50: number;
  /** … and with p = 0.9. */
  readonly rbo90: number;
  /** The documents in both lists as a share of all, each weighted by how often the lists name it. */
  readonly frequencyWeighted: number;
}

/** Compares two lists of results as OpenSearch's search relevance workbench does in a pairwise experiment. Two empty lists have nothing in
 *  common: all values are 0. */
export function comparePair(first: readonly string[], second: readonly string[]): PairComparison {
  const all = new Set([...first, ...second]);
  const inSecond = new Set(second);
  const common = new Set(first.filter((doc) => inSecond.has(doc)));
  return {
    jaccard: twoDecimals(all.size === 0 ? 0 : common.size / all.size),
    rbo50: twoDecimals(overlapToTheEnd(first, second, 0.5)),
    rbo90: twoDecimals(overlapToTheEnd(first, second, 0.9)),
    frequencyWeighted: twoDecimals(frequencyWeighted(first, second, all, common)),
  };
}

function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Rank-biased overlap of two finite lists: a list that has ended stays as it is. */
function overlapToTheEnd(first: readonly string[], second: readonly string[], p: number): number {
  const depth = Math.max(first.length, second.length);
  if (depth === 0) return 0;
  const a = new Set<string>();
  const b = new Set<string>();
  let common = 0;
  let sum = 0;
  for (let d = 0; d < depth; d++) {
    if (d < first.length && !a.has(first[d])) {
      a.add(first[d]);
      if (b.has(first[d])) common++;
    }
    if (d < second.length && !b.has(second[d])) {
      b.add(second[d]);
      if (a.has(second[d])) common++;
    }
    sum += p ** d * (common / Math.max(a.size, b.size));
  }
  return (sum * (1 - p)) / (1 - p ** depth);
}

function frequencyWeighted(first: readonly string[], second: readonly string[], all: Set<string>, common: Set<string>): number {
  const share = (list: readonly string[]): ((doc: string) => number) => {
    const counts = new Map<string, number>();
    for (const doc of list) counts.set(doc, (counts.get(doc) ?? 0) + 1);
    return (doc) => (list.length === 0 ? 0 : (counts.get(doc) ?? 0) / list.length);
  };
  const ofFirst = share(first);
  const ofSecond = share(second);
  let total = 0;
  let shared = 0;
  for (const doc of all) {
    const weight = (ofFirst(doc) + ofSecond(doc)) / 2;
    total += weight;
    if (common.has(doc)) shared += weight;
  }
  return total === 0 ? 0 : shared / total;
}
