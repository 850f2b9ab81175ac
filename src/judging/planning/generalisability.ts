import { InputError } from '../../core/problem.js';
import { quantileSorted } from '../../stats/bootstrap.js';
import { requireFraction, requireWhole } from '../../stats/checks.js';
import { chiSquaredDistribution, fDistribution } from '../../stats/distributions/distributions.js';
import { meansOf, type ScoreMatrix, scoreMatrix } from '../leaderboard/ranks.js';

/** Where the spread of scores comes from: systems, topics, or neither. */
export interface VarianceComponents {
  readonly numSystems: number;
  readonly numTopics: number;
  readonly meanSquareSystems: number;
  readonly meanSquareTopics: number;
  readonly meanSquareResidual: number;
  /** Components of variance; one that comes out negative is 0. */
  readonly systems: number;
  readonly topics: number;
  readonly residual: number;
  readonly notes: readonly string[];
}

/** Leaves the weakest systems out: keeps those whose mean is at least this quantile of the means.
 *  @returns Which systems are kept. */
export function strongerSystems(scores: ScoreMatrix, drop: number): number[] {
  const means = meansOf(scores);
  const bar = drop > 0 ? quantileSorted(means.slice().sort(), drop) : Number.NEGATIVE_INFINITY;
  return Array.from(means.keys()).filter((j) => means[j] >= bar);
}

/** The scores of some systems. */
export function someSystems({ numSystems, numTopics, values }: ScoreMatrix, kept: readonly number[]): ScoreMatrix {
  return scoreMatrix(kept.map((j) => Float64Array.from({ length: numTopics }, (_, t) => values[t * numSystems + j])));
}

/** A generalisability study of systems crossed with topics (Brennan, Generalizability Theory, 2001). */
export function varianceComponents(scores: ScoreMatrix): VarianceComponents {
  const { numSystems: ns, numTopics: nq, values } = scores;
  if (ns < 2 || nq < 2) {
    throw new InputError({
      message: `components of variance need at least 2 systems and 2 topics, found ${ns} and ${nq}`,
      wayOut: 'give scores of more systems or topics',
    });
  }
  const systems = meansOf(scores);
  const grand = systems.reduce((sum, mean) => sum + mean, 0) / ns;
  let squaresTopics = 0;
  let squaresResidual = 0;
  for (let t = 0; t < nq; t++) {
    let mean = 0;
    for (let j = 0; j < ns; j++) mean += values[t * ns + j] / ns;
    squaresTopics += (mean - grand) ** 2;
    for (let j = 0; j < ns; j++) squaresResidual += (values[t * ns + j] - systems[j] - mean + grand) ** 2;
  }
  const squaresSystems = systems.reduce((sum, mean) => sum + (mean - grand) ** 2, 0);
  const meanSquareSystems = (nq * squaresSystems) / (ns - 1);
  const meanSquareTopics = (ns * squaresTopics) / (nq - 1);
  const meanSquareResidual = squaresResidual / ((ns - 1) * (nq - 1));
  const components = { systems: (meanSquareSystems - meanSquareResidual) / nq, topics: (meanSquareTopics - meanSquareResidual) / ns };
  const notes = Object.entries(components)
    .filter(([, component]) => component < 0)
    .map(([name]) => `the variance of ${name} comes out negative and counts as 0`);
  return {
    numSystems: ns,
    numTopics: nq,
    meanSquareSystems,
    meanSquareTopics,
    meanSquareResidual,
    systems: Math.max(0, components.systems),
    topics: Math.max(0, components.topics),
    residual: meanSquareResidual,
    notes,
  };
}

/** A coefficient of reliability with its interval, and the topics that a wanted value needs. */
export interface Reliability {
  /** Null where nothing varies. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Null where no number of topics is enough. */
  readonly topics: number | null;
  readonly topicsLow: number | null;
  readonly topicsHigh: number | null;
}

/** A decision study: how reliable scores over some number of topics would be. */
export interface DecisionStudy {
  readonly numTopics: number;
  readonly stability: number;
  /** E rho²: for the order of systems. */
  readonly relative: Reliability;
  /** Phi: for their absolute scores. */
  readonly absolute: Reliability;
}

/** What a decision study asks. */
export interface DecisionOptions {
  readonly numTopics: number;
  /** The coefficient wanted; 0.95 by default. */
  readonly stability?: number | undefined;
  /** Probability outside the interval on each side; 0.025 by default. */
  readonly tail?: number | undefined;
}

/** How reliable scores over `numTopics` topics are (Urbano, Marrero and Martín, doi:10.1145/2484028.2484038). */
export function decisionStudy(components: VarianceComponents, options: DecisionOptions): DecisionStudy {
  const { numTopics: n, stability: wanted = 0.95, tail = 0.025 } = options;
  requireWhole('number of topics', n, 1);
  requireFraction('stability', wanted);
  requireFraction('tail', tail);
  const { systems, topics, residual } = components;
  const share = (noise: number): number | null => (systems + noise > 0 ? systems / (systems + noise / n) : null);
  const needed = (noise: number): number | null => (systems > 0 ? ceiling((wanted * noise) / (systems * (1 - wanted))) : null);
  const ratios = [1 - tail, tail].map((p) => relativeRatio(components, p));
  const phis = [1 - tail, tail].map((p) => absoluteShare(components, p));
  // both are spread over systems against noise per topic
  const [lowRatio, highRatio] = ratios;
  const [lowPhi, highPhi] = phis.map((phi) => phi / (1 - phi));
  return {
    numTopics: n,
    stability: wanted,
    relative: reliability(share(residual), needed(residual), lowRatio, highRatio, n, wanted),
    absolute: reliability(share(topics + residual), needed(topics + residual), lowPhi, highPhi, n, wanted),
  };
}

function reliability(value: number | null, topics: number | null, low: number, high: number, n: number, wanted: number): Reliability {
  const limit = (ratio: number): number | null => (Number.isNaN(ratio) ? null : ratio > 0 ? limitOf(ratio, n) : 0);
  const needed = (ratio: number): number | null => (ratio > 0 ? ceiling(wanted / (ratio * (1 - wanted))) : null);
  return { value, topics, low: limit(low), high: limit(high), topicsLow: needed(high), topicsHigh: needed(low) };
}

function limitOf(ratio: number, n: number): number {
  return Number.isFinite(ratio) ? (n * ratio) / (1 + n * ratio) : 1;
}

/** Rounded up, where errors of rounding do not make one more of a whole number. */
function ceiling(x: number): number {
  return Math.ceil(x * (1 - 1e-12));
}

/** The variance of systems beside that of the residual, at a limit of its interval. */
function relativeRatio({ numSystems, numTopics, meanSquareSystems, meanSquareResidual }: VarianceComponents, p: number): number {
  const [ds, dq] = [numSystems - 1, numTopics - 1];
  return (meanSquareSystems / (meanSquareResidual * fDistribution(ds, ds * dq).quantile(p)) - 1) / numTopics;
}

/** Phi of a single topic, at a limit of its interval. */
function absoluteShare(components: VarianceComponents, p: number): number {
  const { numSystems: ns, numTopics: nq, meanSquareSystems: s, meanSquareTopics: q, meanSquareResidual: e } = components;
  const [ds, dq] = [ns - 1, nq - 1];
  const infinite = chiSquaredDistribution(ds).quantile(p) / ds;
  const residual = fDistribution(ds, ds * dq).quantile(p);
  const topics = fDistribution(ds, dq).quantile(p);
  const y = (s * s - infinite * s * e + (infinite - residual) * residual * e * e) / (ds * infinite * s * e + topics * s * q);
  return (ns * y) / (ns * y + nq);
}

/** What other studies say goes with a coefficient: regressions over TREC collections (Urbano, Marrero and Martín,
 *  doi:10.1145/2484028.2484038), and rough. */
export interface RoughMeaning {
  readonly tau: number;
  readonly tauAp: number;
  readonly power: number;
  readonly minorConflict: number;
  readonly majorConflict: number;
  readonly absoluteSensitivity: number;
}

/** Figures that go with E rho². */
export function meaningOfRelative(value: number): RoughMeaning {
  return {
    tau: value ** 2.84729794002905,
    tauAp: value ** 3.98652984123827,
    power: value ** 4.77902509574171,
    minorConflict: (1 - value) ** 1.53337366741287,
    majorConflict: (1 - value) ** 2.62976839002005,
    absoluteSensitivity: (1 - value) ** 1.54402996734738,
  };
}

/** Figures that go with Phi. */
export function meaningOfAbsolute(value: number): { readonly relativeSensitivity: number; readonly rmse: number } {
  return { relativeSensitivity: (1 - value) ** 1.29759126030214, rmse: (1 - value) ** 3.27642726002903 };
}
