import { closest } from '../core/closest.js';
import { InputError } from '../core/problem.js';

/** How the scores of a run on a topic are made comparable with those of others. *borda* also gives values to documents that the run
 *  left out. */
export type ScoreNormalisation = 'none' | 'min-max' | 'max' | 'sum' | 'z-score' | 'rank' | 'borda';

/** The words that `ScoreNormalisation` allows. */
export const normalisations: readonly ScoreNormalisation[] = ['none', 'min-max', 'max', 'sum', 'z-score', 'rank', 'borda'];

const otherNames: Readonly<Record<string, ScoreNormalisation>> = { minmax: 'min-max', zmuv: 'z-score', zscore: 'z-score' };

/** Finds a normalisation by its name in any usual spelling: `min_max`, `zmuv`, `Z-Score`. */
export function findNormalisation(name: string): ScoreNormalisation {
  const key = name.toLowerCase().replace(/_/g, '-');
  const found = normalisations.find((known) => known === key) ?? otherNames[key.replace(/-/g, '')];
  if (found !== undefined) return found;
  const close = closest(key, normalisations);
  throw new InputError({
    message: `${name === '' ? 'an empty name' : name} is no normalisation, expected one of ${normalisations.join(', ')}`,
    wayOut: close === undefined ? undefined : `did you mean ${close}?`,
  });
}

/** Normalises the scores of one run on one topic in place: `values[0 … count - 1]`, best rank first. The topic has `numCandidates`
 *  documents in all runs together. Where all scores are equal, *min-max* gives 1 and *sum* equal shares: a run that retrieved a
 *  document has said something in its favour, which 0 would deny. False if *max* meets no positive score. */
export function normaliseInPlace(kind: ScoreNormalisation, values: Float64Array, count: number, numCandidates: number): boolean {
  if (count === 0) return true;
  switch (kind) {
    case 'none':
      return true;
    case 'min-max': {
      const { least, most } = limitsOf(values, count);
      for (let i = 0; i < count; i++) values[i] = most === least ? 1 : (values[i] - least) / (most - least);
      return true;
    }
    case 'max': {
      const { most } = limitsOf(values, count);
      if (!(most > 0)) return false;
      for (let i = 0; i < count; i++) values[i] /= most;
      return true;
    }
    case 'sum': {
      const { least, most } = limitsOf(values, count);
      let sum = 0;
      for (let i = 0; i < count; i++) sum += values[i] - least;
      for (let i = 0; i < count; i++) values[i] = most === least ? 1 / count : (values[i] - least) / sum;
      return true;
    }
    case 'z-score':
      standardise(values, count);
      return true;
    case 'rank':
      for (let i = 0; i < count; i++) values[i] = 1 - i / count;
      return true;
    case 'borda':
      for (let i = 0; i < count; i++) values[i] = 1 - i / numCandidates;
      return true;
  }
}

/** What *borda* gives to each document that a run of `count` documents left out: the mean of what is left. */
export function bordaOfAbsent(count: number, numCandidates: number): number {
  return 0.5 - (count - 1) / (2 * numCandidates);
}

function limitsOf(values: Float64Array, count: number): { least: number; most: number } {
  let least = values[0];
  let most = values[0];
  for (let i = 1; i < count; i++) {
    if (values[i] < least) least = values[i];
    if (values[i] > most) most = values[i];
  }
  return { least, most };
}

/** Zero mean and unit variance (of the list itself, not of a population behind it); all 0 if the scores are equal. */
function standardise(values: Float64Array, count: number): void {
  const { least, most } = limitsOf(values, count);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i];
  const mean = sum / count;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += (values[i] - mean) * (values[i] - mean);
  const deviation = Math.sqrt(squares / count);
  for (let i = 0; i < count; i++) values[i] = most === least ? 0 : (values[i] - mean) / deviation;
}
