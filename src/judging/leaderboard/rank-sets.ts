import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { requireFraction, requireResamples, requireSeed } from '../../stats/checks.js';
import { chiSquareDraw } from '../random-variates.js';
import { comparePairs, type Pairs, pairAt } from './rank-pairs.js';
import { meansOf, type ScoreMatrix } from './ranks.js';
import { selectInPlace } from './selection.js';
import { semidefiniteFactor } from './symmetric-solve.js';

/** How confidence sets of ranks are made. */
export interface RankSetOptions {
  /** 0.95 by default. */
  readonly level?: number | undefined;
  /** Draws for the critical value; 10,000 by default. */
  readonly draws?: number | undefined;
  /** 1 by default. */
  readonly seed?: number | undefined;
  /** *student* (the default) allows for the spread being estimated; *normal* is the published form. */
  readonly quantile?: 'student' | 'normal' | undefined;
  /** Stop after the first round, with wider sets. */
  readonly singleStep?: boolean | undefined;
  /** Also the set of each system alone, which holds for that system but not for all at once. */
  readonly marginal?: boolean | undefined;
}

/** Ranks that a system may have. */
export interface RankSet {
  readonly low: number;
  readonly high: number;
}

/** One round of the step-down procedure. */
export interface RankSetStep {
  /** Ordered pairs of systems that were not decided yet. */
  readonly pairs: number;
  readonly critical: number;
  /** How far the pair nearest to being decided otherwise is from the critical value. */
  readonly closestMargin: number;
}

/** Ranks of all systems that hold together with the given confidence. */
export interface RankSets {
  readonly sets: readonly RankSet[];
  readonly steps: readonly RankSetStep[];
  /** Sets of each system alone, where they were asked for. */
  readonly marginal: readonly RankSet[] | undefined;
  /** Whether it is decided which of two systems is better. */
  readonly isToldApart: (a: number, b: number) => boolean;
  readonly method: string;
  readonly level: number;
  readonly draws: number;
  readonly seed: number;
  readonly quantile: 'student' | 'normal';
}

/** Means of systems with what their errors have in common. */
export interface EstimatedMeans {
  readonly means: ArrayLike<number>;
  /** A matrix whose rows, multiplied by independent standard normal numbers, have the covariance of the means: row j at j * columns. */
  readonly factor: Float64Array;
  readonly columns: number;
  /** Degrees of freedom of the covariance; infinite if it is known. */
  readonly degreesOfFreedom: number;
}

/** The means of systems over topics. The centred scores are a square root of their covariance, so that none has to be computed. */
export function estimatedMeans(scores: ScoreMatrix): EstimatedMeans {
  const { numSystems, numTopics, values } = scores;
  if (numTopics < 2) {
    throw new InputError({
      message: `found ${numTopics === 1 ? '1 topic' : 'no topics'}, and how sure a rank is shows only over several topics`,
      wayOut: 'give scores of at least 2 topics',
    });
  }
  const means = meansOf(scores);
  const factor = new Float64Array(numSystems * numTopics);
  const scale = 1 / Math.sqrt(numTopics * (numTopics - 1));
  for (let j = 0; j < numSystems; j++) {
    for (let t = 0; t < numTopics; t++) factor[j * numTopics + t] = (values[t * numSystems + j] - means[j]) * scale;
  }
  return { means, factor, columns: numTopics, degreesOfFreedom: numTopics - 1 };
}

/** Simultaneous confidence sets of ranks: Mogstad, Romano, Shaikh and Wilhelm, doi:10.1093/restud/rdad006. */
export function rankSets(estimated: EstimatedMeans, options: RankSetOptions = {}): RankSets {
  const { level = 0.95, draws = 10_000, seed = 1, quantile = 'student', singleStep = false, marginal = false } = options;
  requireFraction('level', level);
  requireResamples(draws, 20);
  requireSeed(seed);
  const p = estimated.means.length;
  if (p < 2) {
    throw new InputError({ message: 'found one system, and its rank is 1', wayOut: 'give at least 2 systems' });
  }
  const pairs = comparePairs(estimated);
  const normals = drawMeans(estimated, draws, seed, quantile);
  const first = firstMaxima(pairs, normals, draws, p, marginal);
  const { decided, steps } = stepDown(pairs, normals, draws, level, singleStep, first.all);
  return {
    sets: setsOf(p, pairs, decided),
    steps,
    isToldApart: (a, b) => a !== b && decided[pairAt(p, Math.min(a, b), Math.max(a, b))] !== 0,
    marginal: marginal ? marginalSets(p, pairs, normals, draws, level, singleStep, first.own) : undefined,
    method: `Mogstad and others, ${singleStep ? 'single step' : 'step-down'}`,
    level,
    draws,
    seed,
    quantile,
  };
}

/** Draws of the errors of all means: those of one draw stand together. */
function drawMeans(estimated: EstimatedMeans, draws: number, seed: number, quantile: string): Float64Array {
  const p = estimated.means.length;
  const { factor, columns } = shortFactor(estimated);
  const { degreesOfFreedom } = estimated;
  const out = new Float64Array(draws * p);
  const normals = new Float64Array(columns);
  const random = seededRandom(seed);
  const student = quantile === 'student' && Number.isFinite(degreesOfFreedom);
  for (let draw = 0; draw < draws; draw++) {
    for (let c = 0; c < columns; c++) normals[c] = random.normal();
    const scale = student ? 1 / Math.sqrt(chiSquareDraw(random, degreesOfFreedom) / degreesOfFreedom) : 1;
    for (let j = 0, at = 0; j < p; j++) {
      let sum = 0;
      for (let c = 0; c < columns; c++, at++) sum += factor[at] * normals[c];
      out[draw * p + j] = sum * scale;
    }
  }
  return out;
}

/** Where there are fewer systems than topics, a factor of the same covariance with a column per system, which needs fewer normal numbers. */
function shortFactor({ means, factor, columns }: EstimatedMeans): Pick<EstimatedMeans, 'factor' | 'columns'> {
  const p = means.length;
  if (columns <= p) return { factor, columns };
  const covariance = new Float64Array(p * p);
  for (let j = 0; j < p; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = 0;
      for (let c = 0; c < columns; c++) sum += factor[j * columns + c] * factor[k * columns + c];
      covariance[j * p + k] = sum;
      covariance[k * p + j] = sum;
    }
  }
  return { factor: semidefiniteFactor(covariance, p), columns: p };
}

/** Ordered pairs as bits of unordered ones: 1 if the first being better is open, 2 if the second being better is. */
const BOTH_OPEN = 3;

/** @returns For each unordered pair, 1 if the first is better, -1 if the second is, 0 if it is open. */
function stepDown(
  pairs: Pairs,
  normals: Float64Array,
  draws: number,
  level: number,
  singleStep: boolean,
  first: Float64Array,
): { decided: Int8Array; steps: RankSetStep[] } {
  const count = pairs.first.length;
  const decided = pairs.certain.slice();
  const open = new Uint8Array(count); // fits: two bits, below 4
  for (let i = 0; i < count; i++) open[i] = pairs.precision[i] === 0 ? 0 : BOTH_OPEN;
  const steps: RankSetStep[] = [];
  const p = normals.length / draws;
  let maxima: Float64Array | undefined;
  for (;;) {
    const active = openPairs(pairs, open);
    if (active.ordered === 0) break;
    maxima = maxima === undefined ? first : stepMaxima(active, normals, draws, p, level, maxima);
    const critical = upperQuantile(maxima, draws, level);
    let found = false;
    let closestMargin = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      if (open[i] === 0) continue;
      const value = pairs.statistic[i];
      if ((open[i] & 1) !== 0) closestMargin = Math.min(closestMargin, Math.abs(value - critical));
      if ((open[i] & 2) !== 0) closestMargin = Math.min(closestMargin, Math.abs(-value - critical));
      if ((open[i] & 1) !== 0 && value > critical) {
        decided[i] = 1;
        open[i] &= 2;
        found = true;
      } else if ((open[i] & 2) !== 0 && -value > critical) {
        decided[i] = -1;
        open[i] &= 1;
        found = true;
      }
    }
    steps.push({ pairs: active.ordered, critical, closestMargin });
    if (!found || singleStep) break;
  }
  return { decided, steps };
}

/** Pairs that are open in both directions, and those open in one, turned so that this one is "first is better". */
interface ActivePairs {
  readonly ordered: number;
  readonly both: PairList;
  readonly one: PairList;
}

interface PairList {
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  readonly precision: Float64Array;
}

function openPairs(pairs: Pairs, open: Uint8Array): ActivePairs {
  const both: number[] = [];
  const one: number[] = [];
  for (let i = 0; i < open.length; i++) {
    if (open[i] === BOTH_OPEN) both.push(i);
    else if (open[i] !== 0) one.push(i);
  }
  const list = (of: readonly number[]): PairList => ({
    first: Uint32Array.from(of, (i) => (open[i] === 2 ? pairs.second[i] : pairs.first[i])), // fits: entries
    second: Uint32Array.from(of, (i) => (open[i] === 2 ? pairs.first[i] : pairs.second[i])), // fits: entries
    precision: Float64Array.from(of, (i) => pairs.precision[i]),
  });
  return { ordered: 2 * both.length + one.length, both: list(both), one: list(one) };
}

function maximumOf({ both, one }: ActivePairs, normals: Float64Array, start: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < both.first.length; i++) {
    const value = Math.abs(normals[start + both.first[i]] - normals[start + both.second[i]]) * both.precision[i];
    if (value > most) most = value;
  }
  for (let i = 0; i < one.first.length; i++) {
    const value = (normals[start + one.first[i]] - normals[start + one.second[i]]) * one.precision[i];
    if (value > most) most = value;
  }
  return most;
}

/** The maximum of every draw over the pairs that are open. After the first round only the largest are needed, and since maxima over fewer
 *  pairs are not larger, draws are looked at from the largest old one down, until none that is left can be among them; the others keep
 *  their old value, which is below the quantile. */
function stepMaxima(active: ActivePairs, normals: Float64Array, draws: number, p: number, level: number, old: Float64Array): Float64Array {
  const needed = draws - Math.floor(level * (draws - 1));
  // three times as many as are needed are nearly always enough, and much faster to sort than all
  for (const candidates of [Math.min(draws, 3 * needed), draws]) {
    const found = maximaOfLargest(active, normals, p, old, needed, candidates);
    if (found !== undefined) return found;
  }
  return old;
}

/** @returns Undefined if a draw beyond the candidates may be among the largest. */
function maximaOfLargest(
  active: ActivePairs,
  normals: Float64Array,
  p: number,
  old: Float64Array,
  needed: number,
  candidates: number,
): Float64Array | undefined {
  const bar = candidates === old.length ? Number.NEGATIVE_INFINITY : selectInPlace(old.slice(), old.length - candidates);
  const chosen: number[] = [];
  for (let draw = 0; draw < old.length; draw++) if (old[draw] >= bar) chosen.push(draw);
  const order = Uint32Array.from(chosen).sort((a, b) => old[b] - old[a]); // fits: entries
  const maxima = old.slice();
  // the largest new maxima so far, the smallest of them first
  const largest = new Float64Array(needed).fill(Number.NEGATIVE_INFINITY);
  for (const draw of order) {
    if (largest[0] >= old[draw]) break;
    const value = maximumOf(active, normals, draw * p);
    maxima[draw] = value;
    if (value > largest[0]) insertInto(largest, value);
  }
  return largest[0] >= bar || order.length === old.length ? maxima : undefined;
}

/** Replaces the smallest of a sorted array. */
function insertInto(sorted: Float64Array, value: number): void {
  let at = 0;
  while (at + 1 < sorted.length && sorted[at + 1] < value) {
    sorted[at] = sorted[at + 1];
    at++;
  }
  sorted[at] = value;
}

function upperQuantile(maxima: Float64Array, draws: number, level: number): number {
  const moved = maxima.slice();
  const at = level * (draws - 1);
  const below = Math.floor(at);
  const value = selectInPlace(moved, Math.min(below, draws - 1));
  if (below >= draws - 1) return value;
  let next = Number.POSITIVE_INFINITY;
  for (let i = below + 1; i < draws; i++) if (moved[i] < next) next = moved[i];
  return value + (at - below) * (next - value);
}

function setsOf(p: number, { first, second }: Pairs, decided: Int8Array): RankSet[] {
  const better = new Uint32Array(p); // fits: entries
  const worse = new Uint32Array(p); // fits: entries
  for (let i = 0; i < decided.length; i++) {
    if (decided[i] === 0) continue;
    const [winner, loser] = decided[i] > 0 ? [first[i], second[i]] : [second[i], first[i]];
    better[loser]++;
    worse[winner]++;
  }
  return Array.from({ length: p }, (_, j) => ({ low: 1 + better[j], high: p - worse[j] }));
}

/** The largest difference of every draw over all pairs, and over the pairs of each system: those of one system stand together. */
function firstMaxima(
  { precision }: Pairs,
  normals: Float64Array,
  draws: number,
  p: number,
  byOne: boolean,
): { all: Float64Array; own: Float64Array } {
  const all = new Float64Array(draws);
  const own = new Float64Array(byOne ? draws * p : 0);
  const most = new Float64Array(p);
  for (let draw = 0; draw < draws; draw++) {
    const start = draw * p;
    most.fill(0);
    let at = 0;
    for (let j = 0; j < p; j++) {
      const z = normals[start + j];
      let mostOfOne = most[j];
      for (let k = j + 1; k < p; k++, at++) {
        const value = Math.abs(z - normals[start + k]) * precision[at];
        if (value > mostOfOne) mostOfOne = value;
        if (value > most[k]) most[k] = value;
      }
      most[j] = mostOfOne;
    }
    let largest = 0;
    for (let j = 0; j < p; j++) {
      if (most[j] > largest) largest = most[j];
      if (byOne) own[j * draws + draw] = most[j];
    }
    all[draw] = largest;
  }
  return { all, own };
}

function marginalSets(
  p: number,
  pairs: Pairs,
  normals: Float64Array,
  draws: number,
  level: number,
  singleStep: boolean,
  first: Float64Array,
): RankSet[] {
  const own: number[][] = Array.from({ length: p }, () => []);
  for (let i = 0; i < pairs.first.length; i++) {
    own[pairs.first[i]].push(i);
    own[pairs.second[i]].push(i);
  }
  return own.map((indices, j) => {
    const part: Pairs = {
      first: Uint32Array.from(indices, (i) => pairs.first[i]), // fits: entries
      second: Uint32Array.from(indices, (i) => pairs.second[i]), // fits: entries
      statistic: Float64Array.from(indices, (i) => pairs.statistic[i]),
      precision: Float64Array.from(indices, (i) => pairs.precision[i]),
      certain: Int8Array.from(indices, (i) => pairs.certain[i]), // fits: signs, from -1 to 1
    };
    const { decided } = stepDown(part, normals, draws, level, singleStep, first.subarray(j * draws, (j + 1) * draws));
    return setsOf(p, part, decided)[j];
  });
}
