/** The largest sets of items that cannot be told apart: the maximal cliques of what is not told apart (Bron and Kerbosch,
 *  doi:10.1145/362342.362367, with Tomita's choice of the pivot, doi:10.1016/j.tcs.2006.06.015). A set need not be a row of neighbours.
 *  @param size How many items there are.
 *  @param isToldApart Of two places.
 *  @returns The places of each set in ascending order; the set with the first place comes first. Sets of one are left out unless the item
 *  can be told apart from all others. */
export function maximalGroups(size: number, isToldApart: (a: number, b: number) => boolean): number[][] {
  const neighbours = Array.from(
    { length: size },
    (_, a) => new Set(Array.from({ length: size }, (_, b) => b).filter((b) => a !== b && !isToldApart(a, b))),
  );
  const found: number[][] = [];
  const grow = (chosen: readonly number[], open: Set<number>, done: Set<number>): void => {
    if (open.size === 0 && done.size === 0) {
      found.push([...chosen].sort((a, b) => a - b));
      return;
    }
    let pivot = -1;
    let most = -1;
    for (const item of [...open, ...done]) {
      const shared = [...open].filter((other) => neighbours[item].has(other)).length;
      if (shared > most) [pivot, most] = [item, shared];
    }
    for (const item of [...open].filter((other) => !neighbours[pivot].has(other))) {
      const near = neighbours[item];
      grow([...chosen, item], new Set([...open].filter((other) => near.has(other))), new Set([...done].filter((other) => near.has(other))));
      open.delete(item);
      done.add(item);
    }
  };
  if (size > 0) grow([], new Set(Array.from({ length: size }, (_, i) => i)), new Set());
  return found.sort((a, b) => {
    const at = a.findIndex((place, i) => place !== b[i]);
    return at < 0 ? 0 : a[at] - (b[at] ?? Number.POSITIVE_INFINITY);
  });
}

/** Among more systems than this, only those that cannot be told apart from the best are of interest. */
const MOST_GROUPED = 20;

/** The sets of systems to draw bars over, as places in their order from the best down: all of them, or that of the best where there are
 *  many systems. */
export function groupsToDraw(size: number, isToldApart: (a: number, b: number) => boolean): number[][] {
  if (size <= MOST_GROUPED) return maximalGroups(size, isToldApart);
  return [Array.from({ length: size }, (_, place) => place).filter((place) => place === 0 || !isToldApart(0, place))];
}
