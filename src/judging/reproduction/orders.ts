import { InputError } from '../../core/problem.js';
import { kendallTau } from '../../stats/correlation/kendall-tau.js';
import { compareTexts } from '../pooling/lists.js';

/** Kendall's tau union as the package repro_eval computes it: the documents of both lists are numbered in the order of their ids, and the two
 *  sequences of numbers are compared position by position. It depends on how documents are called; lists of different lengths have none.
 *  @returns Null where it is not defined. */
export function kendallTauUnion(original: readonly string[], reproduced: readonly string[]): number | null {
  if (original.length !== reproduced.length) {
    throw new InputError({
      message: `Kendall's tau union compares lists position by position, and one has ${original.length} documents and the other ${reproduced.length}`,
      wayOut: 'compare by tau over ranks, which takes lists of any length',
    });
  }
  const numbers = new Map([...new Set([...original, ...reproduced])].sort(compareTexts).map((doc, i) => [doc, i]));
  const places = (list: readonly string[]): Float64Array => Float64Array.from(list, (doc) => numbers.get(doc) ?? 0);
  return tauOf(places(original), places(reproduced));
}

/** Tau-b of ranks over the documents of both lists, where those that a list lacks are tied behind all others. Names play no part.
 *  @returns Null where it is not defined. */
export function tauOverUnion(original: readonly string[], reproduced: readonly string[]): number | null {
  const docs = [...new Set([...original, ...reproduced])];
  const ranks = (list: readonly string[]): Float64Array => {
    const places = new Map(list.map((doc, i) => [doc, i]));
    return Float64Array.from(docs, (doc) => places.get(doc) ?? list.length);
  };
  return tauOf(ranks(original), ranks(reproduced));
}

function tauOf(first: Float64Array, second: Float64Array): number | null {
  const flat = (values: Float64Array): boolean => values.every((value) => value === values[0]);
  return first.length < 2 || flat(first) || flat(second) ? null : kendallTau({ first, second }).tau;
}

/** Rank-biased overlap down to a fixed depth, as repro_eval computes it: a list that ends contributes what it has, so that two short lists do
 *  not reach 1. */
export function overlapToDepth(original: readonly string[], reproduced: readonly string[], p = 0.95, depth = 1000): number {
  const [inFirst, inSecond] = [new Set<string>(), new Set<string>()];
  let [overlap, sum, total, weight] = [0, 0, 0, 1];
  for (let d = 1; d <= depth; d++) {
    const [a, b] = [original[d - 1], reproduced[d - 1]];
    if (a !== undefined && a === b) overlap++;
    else {
      if (a !== undefined && inSecond.has(a)) overlap++;
      if (b !== undefined && inFirst.has(b)) overlap++;
    }
    if (a !== undefined) inFirst.add(a);
    if (b !== undefined) inSecond.add(b);
    sum += (weight * overlap) / d;
    total += weight;
    weight *= p;
  }
  return sum / total;
}
