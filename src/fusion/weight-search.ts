import { limits } from '../core/limits.js';
import { type Random, shuffleInPlace } from '../core/numbers/random.js';
import { InputError } from '../core/problem.js';

/** *grid* looks at all weights that are multiples of the step and add up to 1; *coordinate* changes one weight at a time and keeps
 *  what helps, from several starts. */
export type WeightSearch = 'grid' | 'coordinate';

/** How many weight vectors of `numRuns` runs are multiples of 1/steps that add up to 1. */
export function simplexGridSize(numRuns: number, steps: number): number {
  let size = 1;
  for (let i = 1; i < numRuns; i++) size = (size * (steps + i)) / i;
  return Math.round(size);
}

/** All weight vectors that are multiples of 1/steps and add up to 1, the first weight largest first. */
export function simplexGrid(numRuns: number, steps: number): Float64Array[] {
  const found: Float64Array[] = [];
  const parts = new Uint32Array(numRuns); // fits: at most limits.weightSteps
  const fill = (run: number, left: number): void => {
    if (run === numRuns - 1) {
      parts[run] = left;
      found.push(Float64Array.from(parts, (part) => part / steps));
      return;
    }
    for (let part = left; part >= 0; part--) {
      parts[run] = part;
      fill(run + 1, left - part);
    }
  };
  fill(0, steps);
  return found;
}

/** The number of steps from 0 to 1.
 *  @throws An `InputError` if the step does not divide 1. */
export function stepsOf(step: number): number {
  const steps = Math.round(1 / step);
  if (steps > limits.weightSteps) {
    throw new InputError({
      message: `step: expected at most ${limits.weightSteps} steps from 0 to 1, found ${step}`,
      wayOut: `use a step of at least ${1 / limits.weightSteps}`,
    });
  }
  if (step > 0 && step <= 1 && Math.abs(steps * step - 1) < 1e-9) return steps;
  throw new InputError({ message: `step: expected a part of 1 such as 0.1 or 0.05, found ${step}` });
}

/** How good weights are on the training topics; larger is better. */
export type WeightWorth = (weights: Float64Array) => number;

/** The best of the vectors. Of equally good ones the one nearest to equal weights, which has the least to regret; then the first. */
export function bestOf(vectors: readonly Float64Array[], worthOf: WeightWorth): Float64Array {
  let best = vectors[0];
  let bestValue = Number.NEGATIVE_INFINITY;
  for (const weights of vectors) {
    const value = worthOf(weights);
    if (value > bestValue || (value === bestValue && unevenness(weights) < unevenness(best) - 1e-12)) {
      best = weights;
      bestValue = value;
    }
  }
  return best;
}

function unevenness(weights: Float64Array): number {
  let sum = 0;
  for (const weight of weights) sum += weight * weight;
  return sum;
}

/** Starts of a coordinate search beside equal weights. */
const RANDOM_STARTS = 2;
const MOST_ROUNDS = 50;

/** Changes one weight at a time: each is tried at every step from 0 to 1 while the others keep their proportions, and the best
 *  is kept, until a whole round changes nothing. Begins with equal weights and some drawn at random, and keeps the best end. */
export function coordinateSearch(numRuns: number, steps: number, random: Random, worthOf: WeightWorth): Float64Array {
  const equal = new Float64Array(numRuns).fill(1 / numRuns);
  const starts = [equal, ...Array.from({ length: RANDOM_STARTS }, () => randomWeights(numRuns, steps, random))];
  return bestOf(
    starts.map((start) => climb(start, steps, random, worthOf)),
    worthOf,
  );
}

function climb(start: Float64Array, steps: number, random: Random, worthOf: WeightWorth): Float64Array {
  let best = start;
  let bestValue = worthOf(start);
  const order = Uint32Array.from(start, (_, run) => run); // fits: numbers of runs, at most limits.files
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let changed = false;
    shuffleInPlace(random, order);
    for (const run of order) {
      for (let step = 0; step <= steps; step++) {
        const weights = withWeight(best, run, step / steps);
        const value = worthOf(weights);
        if (value > bestValue) {
          best = weights;
          bestValue = value;
          changed = true;
        }
      }
    }
    if (!changed) break;
  }
  return best;
}

/** The weights with one of them changed and the others scaled so that all add up to 1. */
function withWeight(weights: Float64Array, run: number, weight: number): Float64Array {
  let others = 0;
  for (let r = 0; r < weights.length; r++) if (r !== run) others += weights[r];
  // what is all on one run is shared evenly by the others when that one gives way
  return weights.map((old, r) => {
    if (r === run) return weight;
    return tidy(others > 0 ? (old / others) * (1 - weight) : (1 - weight) / (weights.length - 1));
  });
}

/** Twelve decimals, so that the same weights reached on two ways are the same. */
function tidy(weight: number): number {
  return Math.round(weight * 1e12) / 1e12;
}

/** A point of the grid, each as likely as any other: where `numRuns - 1` bars stand among the steps. */
function randomWeights(numRuns: number, steps: number, random: Random): Float64Array {
  // fits: at most limits.weightSteps and limits.files
  const places = Uint32Array.from({ length: steps + numRuns - 1 }, (_, i) => i);
  shuffleInPlace(random, places);
  const bars = [...places.subarray(0, numRuns - 1)].sort((a, b) => a - b);
  return Float64Array.from({ length: numRuns }, (_, r) => ((bars[r] ?? places.length) - (r === 0 ? -1 : bars[r - 1]) - 1) / steps);
}
