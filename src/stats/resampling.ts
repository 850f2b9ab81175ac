import { InputError } from '../core/problem.js';
import { requireSeed, requireSystems, requireWhole, type Values } from './checks.js';
import type { Resampler } from './resampler.js';
import { createJsResampler } from './resampling-js.js';
import { type ObservedPairs, observePairs } from './resampling-pairs.js';
import { createWasmResampler } from './resampling-wasm.js';

/** Dice are 16 bits wide; this keeps rejections rare. */
const MOST_SYSTEMS = 4096;

/** A resampler that also tells what the samples of each pair are compared with. */
export interface PairResampler extends Resampler {
  observed(): ObservedPairs;
}

/** The fastest resampler that runs here; all give the same numbers. Takes one array of per-topic values per system. */
export function createResampler(systems: readonly Values[]): PairResampler {
  requireSystems(systems, 2, 2);
  if (systems.length > MOST_SYSTEMS) {
    throw new InputError({
      message: `found ${systems.length} systems, expected at most ${MOST_SYSTEMS}`,
      wayOut: 'compare fewer at a time',
    });
  }
  let known: ObservedPairs | undefined;
  const observed = (): ObservedPairs => {
    known ??= observePairs(systems);
    return known;
  };
  const resampler = createWasmResampler(systems, observed) ?? createJsResampler(systems, observed);
  const checkRange = (seed: number, from: number, to: number): void => {
    requireSeed(seed);
    requireWhole('first resample', from, 0);
    requireWhole('end of the resamples', to, from);
  };
  return {
    observed,
    permutedRanges(seed, from, to) {
      checkRange(seed, from, to);
      return resampler.permutedRanges(seed, from, to);
    },
    bootstrapExceedances(seed, from, to) {
      checkRange(seed, from, to);
      return resampler.bootstrapExceedances(seed, from, to);
    },
  };
}

/** Where the pair (i, j), i < j, stands among all pairs of `numSystems`: (0,1), (0,2), …, (1,2), … */
export function pairNumber(i: number, j: number, numSystems: number): number {
  return (i * (2 * numSystems - i - 1)) / 2 + (j - i - 1);
}
