import { scratchFor } from '../growing-arrays.js';
/** A ranking cut into stretches of equal scores. The order inside a stretch means nothing. */
export interface TieGroups {
  /** Group g holds the rank indices starts[g] to starts[g + 1]. Most groups hold one document. The last may reach below the
   *  end of the ranking: then the depth cuts through it, and any of its documents may be among those that count. */
  readonly starts: Uint32Array;
  readonly count: number;
}

/** Scratch space for the groups of one ranking after another. */
export class TieScratch implements TieGroups {
  starts: Uint32Array = new Uint32Array(1025); // fits: entries
  count = 0;

  /** Finds the groups of a ranking whose documents have these scores in rank order. The ranking is cut at the depth, but the
   *  group that the depth cuts through is taken in whole. The answer is where it ends. */
  find(numRanked: number, depth: number, scoreAt: (rank: number) => number): number {
    this.starts = scratchFor(this.starts, numRanked + 1);
    const { starts } = this;
    let count = 0;
    let start = 0;
    while (start < numRanked && start < depth) {
      const score = scoreAt(start);
      let end = start + 1;
      while (end < numRanked && scoreAt(end) === score) end++;
      starts[count++] = start;
      start = end;
    }
    starts[count] = start;
    this.count = count;
    return start;
  }

  /** Sorts each group by code, highest or lowest first, and carries the lines of the ranking along. */
  sortByCode(codes: Float64Array, lines: Uint32Array, highestFirst: boolean): void {
    const { starts, count } = this;
    for (let g = 0; g < count; g++) {
      const start = starts[g];
      const end = starts[g + 1];
      if (end - start < 2) continue;
      const ranks = Array.from({ length: end - start }, (_, i) => start + i);
      ranks.sort((a, b) => (highestFirst ? codes[b] - codes[a] : codes[a] - codes[b]));
      const sortedCodes = ranks.map((rank) => codes[rank]);
      const sortedLines = ranks.map((rank) => lines[rank]);
      codes.set(sortedCodes, start);
      lines.set(sortedLines, start);
    }
  }
}

/** True if the depth cuts through a group, so that the order decides which documents count at all. */
export function cutsThroughTie(ties: TieGroups, numRetrieved: number): boolean {
  return ties.starts[ties.count] > numRetrieved;
}
