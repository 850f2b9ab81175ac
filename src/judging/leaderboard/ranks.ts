/** Differences of means up to this are ties. */
export const TIED_MEANS = 1e-12;

/** 1 for the largest mean; systems whose means are equal share the better place.
 *  @param tolerance Differences up to this are ties. */
export function ranksOfMeans(means: ArrayLike<number>, tolerance: number = TIED_MEANS): Uint32Array {
  const ranks = new Uint32Array(means.length); // fits: entries
  ranksInto(means, Float64Array.from(means), tolerance, ranks);
  return ranks;
}

/** The same without room of its own.
 *  @param sorted Room for the means, which are sorted there. */
export function ranksInto(means: ArrayLike<number>, sorted: Float64Array, tolerance: number, ranks: Uint32Array): void {
  const p = means.length;
  for (let j = 0; j < p; j++) sorted[j] = means[j];
  sorted.sort();
  for (let j = 0; j < p; j++) {
    // the first place in ascending order that is larger by more than the tolerance
    const bar = means[j] + tolerance;
    let low = 0;
    let high = p;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle] > bar) high = middle;
      else low = middle + 1;
    }
    ranks[j] = 1 + p - low;
  }
}

/** Scores of systems on topics: a row per topic. */
export interface ScoreMatrix {
  readonly numSystems: number;
  readonly numTopics: number;
  /** The score of system j on topic t is at t * numSystems + j. */
  readonly values: Float64Array;
}

/** Lays out the scores of systems, each an array over the same topics. */
export function scoreMatrix(systems: readonly ArrayLike<number>[]): ScoreMatrix {
  const numSystems = systems.length;
  const numTopics = systems[0]?.length ?? 0;
  const values = new Float64Array(numSystems * numTopics);
  for (let t = 0; t < numTopics; t++) for (let j = 0; j < numSystems; j++) values[t * numSystems + j] = systems[j][t];
  return { numSystems, numTopics, values };
}

/** The mean of each system. */
export function meansOf({ numSystems, numTopics, values }: ScoreMatrix): Float64Array {
  const means = new Float64Array(numSystems);
  for (let t = 0; t < numTopics; t++) for (let j = 0; j < numSystems; j++) means[j] += values[t * numSystems + j];
  for (let j = 0; j < numSystems; j++) means[j] /= numTopics;
  return means;
}
