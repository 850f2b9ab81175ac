import { InputError } from '../../core/problem.js';
import type { Interval } from '../../stats/moments.js';
import { intervalOf } from './chance-corrected.js';
import type { CodedRatings } from './ratings.js';
import { countGrades, totalSums } from './sums.js';

/** What differences of grades mean. */
export const MEASUREMENT_LEVELS = ['nominal', 'ordinal', 'interval', 'ratio'] as const;
/** *nominal*: grades are equal or not. *ordinal*: they have an order. *interval*: their differences count. *ratio*: they have a zero as well. */
export type MeasurementLevel = (typeof MEASUREMENT_LEVELS)[number];

/** Krippendorff's alpha (Content Analysis, 4th edition, 2018), for any number of judges and missing grades.
 *  @returns Null if all grades that can be compared are equal.
 *  @throws An `InputError` if no unit has two grades, and for negative grades on the ratio level. */
export function krippendorffAlpha(coded: CodedRatings, level: MeasurementLevel): number | null {
  const sums = totalSums(coded);
  if (sums.pairedUnits === 0) {
    throw new InputError({
      message: 'no document of any topic was graded by two judges, so their agreement is not defined',
      wayOut: 'give judgements of the same documents; topics and documents are matched by their ids',
    });
  }
  refuseNegative(coded.categories, level);
  const value = alphaValue(sums, coded.categories, level);
  return Number.isNaN(value) ? null : value;
}

/** Refuses grades that have no ratio. */
export function refuseNegative(categories: ArrayLike<number>, level: MeasurementLevel): void {
  if (level === 'ratio' && categories.length > 0 && categories[0] < 0) {
    throw new InputError({
      message: `grade ${categories[0]} is negative, and the ratio level needs grades from 0 on`,
      wayOut: 'use the interval level, or hold the grades to a scale such as --scale 0-3 --outside clip',
    });
  }
}

/** The value alone, from sums: fast enough to be resampled. NaN where it is not defined. */
export function alphaValue(
  { numCategories: q, coincidences }: { readonly numCategories: number; readonly coincidences: ArrayLike<number> },
  categories: ArrayLike<number>,
  level: MeasurementLevel,
): number {
  const margins = new Float64Array(q);
  let n = 0;
  for (let c = 0; c < q; c++) {
    for (let k = 0; k < q; k++) margins[c] += coincidences[c * q + k];
    n += margins[c];
  }
  let observed = 0;
  let expected = 0;
  for (let c = 0; c < q; c++) {
    let between = margins[c];
    for (let k = c + 1; k < q; k++) {
      between += margins[k];
      const distance = distanceOf(level, categories[c], categories[k], between - (margins[c] + margins[k]) / 2);
      observed += coincidences[c * q + k] * distance;
      expected += margins[c] * margins[k] * distance;
    }
  }
  return expected > 0 ? 1 - ((n - 1) * observed) / expected : Number.NaN;
}

/** @param between The number of grades from the one to the other, half of those at both ends. */
function distanceOf(level: MeasurementLevel, c: number, k: number, between: number): number {
  if (level === 'nominal') return 1;
  if (level === 'ordinal') return between * between;
  return level === 'interval' ? (k - c) ** 2 : ((k - c) / (k + c)) ** 2;
}

/** Alpha with weights of agreement in place of a level, and its standard error for independent units, as the package irrCAC has it. With
 *  identity weights it is the nominal alpha, with quadratic ones the interval alpha; with Gwet's ordinal weights it is *not* the ordinal one. */
export function weightedAlpha(
  coded: CodedRatings,
  weights: ArrayLike<number>,
  level = 0.95,
): { readonly value: number; readonly standardError: number | null; readonly interval: Interval | null } | null {
  const q = coded.categories.length;
  const counts = new Float64Array(q);
  let units = 0;
  let grades = 0;
  const totals = new Float64Array(q);
  for (let u = 0; u < coded.topicOf.length; u++) {
    const given = countGrades(coded, u, counts);
    if (given < 2) continue;
    units++;
    grades += given;
    for (let k = 0; k < q; k++) totals[k] += counts[k];
  }
  if (units === 0) return null;
  const perUnit = grades / units;
  const shares = totals.map((total) => total / grades);
  const chance = Float64Array.from({ length: q }, (_, k) => {
    let sum = 0;
    for (let l = 0; l < q; l++) sum += ((weights[k * q + l] + weights[l * q + k]) / 2) * shares[l];
    return sum;
  });
  let expected = 0;
  for (let k = 0; k < q; k++) expected += shares[k] * chance[k];
  if (expected > 1 - 1e-15) return null;
  // agreement and chance of each unit, weighted by how many grades it has
  const agreements: number[] = [];
  const chances: number[] = [];
  const sizes: number[] = [];
  for (let u = 0; u < coded.topicOf.length; u++) {
    const given = countGrades(coded, u, counts);
    if (given < 2) continue;
    let agreed = 0;
    let random = 0;
    for (let k = 0; k < q; k++) {
      if (counts[k] === 0) continue;
      let weighted = 0;
      for (let l = 0; l < q; l++) weighted += weights[k * q + l] * counts[l];
      agreed += counts[k] * (weighted - 1);
      random += counts[k] * chance[k];
    }
    agreements.push(agreed / (perUnit * (given - 1)));
    chances.push(random / perUnit);
    sizes.push((given - perUnit) / perUnit);
  }
  const plain = agreements.reduce((sum, agreed) => sum + agreed, 0) / units;
  const observed = plain + (1 - plain) / grades;
  const value = (observed - expected) / (1 - expected);
  const plainValue = (plain - expected) / (1 - expected);
  let squares = 0;
  for (let u = 0; u < units; u++) {
    const own = (agreements[u] - observed * sizes[u] - expected) / (1 - expected);
    const random = chances[u] - expected * sizes[u];
    squares += (own - (2 * (1 - plainValue) * (random - expected)) / (1 - expected) - plainValue) ** 2;
  }
  const standardError = units < 2 ? null : Math.sqrt(squares / (units * (units - 1)));
  return { value, standardError, interval: intervalOf(value, standardError, units, level) };
}
