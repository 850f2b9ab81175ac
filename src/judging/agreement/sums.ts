import type { CodedRatings } from './ratings.js';

/** What every coefficient of agreement among any number of judges is computed from. All of it is a sum over units, so that the sums of some
 *  topics together are those of a sample of topics. */
export interface AgreementSums {
  readonly numCategories: number;
  /** Units with a grade, and units with two. */
  units: number;
  pairedUnits: number;
  /** Of each unit, the share of its grades that are of the category. */
  readonly shares: Float64Array;
  /** Of each unit with two grades, the share of its ordered pairs of grades that are of the two categories. */
  readonly pairShares: Float64Array;
  /** Krippendorff's coincidences: the same pairs, divided by the number of grades less one. */
  readonly coincidences: Float64Array;
}

/** Sums over no units. */
export function emptySums(numCategories: number): AgreementSums {
  const cells = numCategories * numCategories;
  return {
    numCategories,
    units: 0,
    pairedUnits: 0,
    shares: new Float64Array(numCategories),
    pairShares: new Float64Array(cells),
    coincidences: new Float64Array(cells),
  };
}

/** How many judges gave a unit each category.
 *  @returns How many judges gave it any. */
export function countGrades({ codes, numJudges, topicOf }: CodedRatings, unit: number, counts: Float64Array): number {
  counts.fill(0);
  let given = 0;
  for (let j = 0; j < numJudges; j++) {
    const code = codes[j * topicOf.length + unit];
    if (code < 0) continue;
    counts[code]++;
    given++;
  }
  return given;
}

/** The sums of each topic. */
export function sumsByTopic(coded: CodedRatings): AgreementSums[] {
  const q = coded.categories.length;
  const sums = Array.from({ length: coded.numTopics }, () => emptySums(q));
  const counts = new Float64Array(q);
  for (let u = 0; u < coded.topicOf.length; u++) {
    const given = countGrades(coded, u, counts);
    if (given > 0) addUnit(sums[coded.topicOf[u]], counts, given);
  }
  return sums;
}

/** Adds a unit by how often it got each category. */
export function addUnit(sums: AgreementSums, counts: ArrayLike<number>, given: number): void {
  const q = sums.numCategories;
  sums.units++;
  for (let k = 0; k < q; k++) sums.shares[k] += counts[k] / given;
  if (given < 2) return;
  sums.pairedUnits++;
  for (let k = 0; k < q; k++) {
    if (counts[k] === 0) continue;
    for (let l = 0; l < q; l++) {
      const pairs = k === l ? counts[k] * (counts[k] - 1) : counts[k] * counts[l];
      sums.pairShares[k * q + l] += pairs / (given * (given - 1));
      sums.coincidences[k * q + l] += pairs / (given - 1);
    }
  }
}

/** Adds the sums of other units. */
export function addSums(into: AgreementSums, from: AgreementSums): void {
  into.units += from.units;
  into.pairedUnits += from.pairedUnits;
  for (let k = 0; k < into.shares.length; k++) into.shares[k] += from.shares[k];
  for (let c = 0; c < into.pairShares.length; c++) {
    into.pairShares[c] += from.pairShares[c];
    into.coincidences[c] += from.coincidences[c];
  }
}

/** The sums over all units. */
export function totalSums(coded: CodedRatings): AgreementSums {
  const total = emptySums(coded.categories.length);
  for (const sums of sumsByTopic(coded)) addSums(total, sums);
  return total;
}

/** Sets sums back to those of no units. */
export function clearSums(sums: AgreementSums): void {
  sums.units = 0;
  sums.pairedUnits = 0;
  sums.shares.fill(0);
  sums.pairShares.fill(0);
  sums.coincidences.fill(0);
}
