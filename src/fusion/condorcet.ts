/** Orders the candidates of a topic so that none stands directly above one that a majority of the runs prefers to it: a path
 *  through the graph of majorities, found by sorting (Montague and Aslam, doi:10.1145/584792.584881). A run prefers what it ranks
 *  higher, and what it ranks to what it left out; about two documents that it left out it says nothing. Majorities may run in
 *  circles, and then several such paths exist: the one taken is that of a stable merge sort that starts from the order of Borda
 *  counts, equal ones by `compareCandidates`.
 *
 *  @param ranks The rank of candidate c in run r at c * numRuns + r; NaN where the run left it out.
 *  @param out Gets, from `at` on, the number of candidates for the first, one less for the next, and so on. */
export function condorcetScores(
  ranks: Float64Array,
  numCandidates: number,
  weights: Float64Array,
  compareCandidates: (a: number, b: number) => number,
  out: Float64Array,
  at: number,
): void {
  const numRuns = weights.length;
  // 0.1 + 0.2 against 0.3 is no majority
  const rounding = 1e-12 * weights.reduce((sum, weight) => sum + weight, 0);
  const isBeaten = (above: number, below: number): boolean => {
    let votes = 0;
    for (let r = 0; r < numRuns; r++) {
      const a = ranks[above * numRuns + r];
      const b = ranks[below * numRuns + r];
      if (Number.isNaN(a)) votes += Number.isNaN(b) ? 0 : weights[r];
      else votes += Number.isNaN(b) || a < b ? -weights[r] : weights[r];
    }
    return votes > rounding;
  };
  let order: Uint32Array = bordaOrder(ranks, numCandidates, weights, compareCandidates);
  let merged: Uint32Array = new Uint32Array(numCandidates); // fits: entries
  for (let width = 1; width < numCandidates; width *= 2) {
    for (let left = 0; left < numCandidates; left += 2 * width) {
      const middle = Math.min(left + width, numCandidates);
      const right = Math.min(left + 2 * width, numCandidates);
      let i = left;
      let j = middle;
      for (let k = left; k < right; k++) {
        const fromRight = i >= middle || (j < right && isBeaten(order[i], order[j]));
        merged[k] = fromRight ? order[j++] : order[i++];
      }
    }
    [order, merged] = [merged, order];
  }
  for (let i = 0; i < numCandidates; i++) out[at + order[i]] = numCandidates - i;
}

function bordaOrder(
  ranks: Float64Array,
  numCandidates: number,
  weights: Float64Array,
  compareCandidates: (a: number, b: number) => number,
): Uint32Array {
  const numRuns = weights.length;
  const points = new Float64Array(numCandidates);
  for (let r = 0; r < numRuns; r++) {
    let listed = 0;
    for (let c = 0; c < numCandidates; c++) if (!Number.isNaN(ranks[c * numRuns + r])) listed++;
    for (let c = 0; c < numCandidates; c++) {
      const rank = ranks[c * numRuns + r];
      points[c] += weights[r] * (Number.isNaN(rank) ? (numCandidates - listed + 1) / 2 : numCandidates - rank + 1);
    }
  }
  // counts that differ by rounding only are equal, in whatever order the runs were added
  const unit = 2 ** -36 * numCandidates * weights.reduce((sum, weight) => sum + weight, 0);
  for (let c = 0; c < numCandidates; c++) points[c] = Math.round(points[c] / unit);
  return Uint32Array.from(points, (_, c) => c).sort((a, b) => points[b] - points[a] || compareCandidates(a, b)); // fits: entries
}
