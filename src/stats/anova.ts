import { requireSystems, type Values } from './checks.js';
import { fDistribution } from './distributions/distributions.js';
import { allEqual, meanOf } from './moments.js';

/** The scores that an analysis of variance takes apart. */
export interface AnovaOptions {
  /** One array of per-topic values per system, all over the same topics in the same order. */
  readonly systems: readonly Values[];
}

/** One line of an analysis-of-variance table. */
export interface AnovaEffect {
  readonly sumOfSquares: number;
  readonly degreesOfFreedom: number;
  readonly meanSquare: number;
  /** Infinite when there is an effect and no error at all. */
  readonly statistic: number;
  readonly pValue: number;
}

/** The variation that no effect explains, by which the effects are measured. */
export interface AnovaError {
  readonly sumOfSquares: number;
  readonly degreesOfFreedom: number;
  readonly meanSquare: number;
}

/** Whether systems differ by more than their scores vary from topic to topic. */
export interface OneWayAnovaResult {
  readonly test: 'one-way analysis of variance';
  readonly method: 'F distribution';
  readonly systemMeans: Float64Array;
  readonly systems: AnovaEffect;
  readonly error: AnovaError;
}

/** Whether systems differ, once the difficulty of the topics is taken out. */
export interface TwoWayAnovaResult {
  readonly test: 'two-way analysis of variance without replication';
  readonly method: 'F distribution';
  readonly systemMeans: Float64Array;
  readonly systems: AnovaEffect;
  readonly topics: AnovaEffect;
  readonly error: AnovaError;
}

/** Are the systems' means equal, when topics are taken as unrelated? Weaker than the two-way analysis wherever topics differ. */
export function oneWayAnova(options: AnovaOptions): OneWayAnovaResult {
  const { systems } = options;
  requireSystems(systems, 2, 2);
  const { systemMeans, systemSquares } = decompose(systems);
  const topics = systems[0].length;
  let within = 0;
  for (let s = 0; s < systems.length; s++) {
    if (allEqual(systems[s])) continue;
    for (let t = 0; t < topics; t++) within += (systems[s][t] - systemMeans[s]) ** 2;
  }
  const error = errorLine(within, systems.length * (topics - 1));
  return {
    test: 'one-way analysis of variance',
    method: 'F distribution',
    systemMeans,
    systems: effectLine(systemSquares, systems.length - 1, error),
    error,
  };
}

/** Are the systems' means equal, once each topic's difficulty is taken out? The error is what neither system nor topic explains. */
export function twoWayAnova(options: AnovaOptions): TwoWayAnovaResult {
  const { systems } = options;
  requireSystems(systems, 2, 2);
  const { systemMeans, systemSquares, topicSquares, restSquares } = decompose(systems);
  const topics = systems[0].length;
  const error = errorLine(restSquares, (systems.length - 1) * (topics - 1));
  return {
    test: 'two-way analysis of variance without replication',
    method: 'F distribution',
    systemMeans,
    systems: effectLine(systemSquares, systems.length - 1, error),
    topics: effectLine(topicSquares, topics - 1, error),
    error,
  };
}

/** Sums of squares of the system effects, the topic effects and the rest, each from centred values so that nothing cancels. */
function decompose(systems: readonly Values[]): {
  systemMeans: Float64Array;
  systemSquares: number;
  topicSquares: number;
  restSquares: number;
} {
  const topics = systems[0].length;
  const systemMeans = Float64Array.from(systems, (values) => meanOf(values));
  const grandMean = meanOf(systemMeans);
  const topicMeans = new Float64Array(topics);
  for (let t = 0; t < topics; t++) {
    let sum = 0;
    for (const values of systems) sum += values[t];
    topicMeans[t] = sum / systems.length;
  }
  let systemSquares = 0;
  let restSquares = 0;
  for (let s = 0; s < systems.length; s++) {
    systemSquares += topics * (systemMeans[s] - grandMean) ** 2;
    for (let t = 0; t < topics; t++) restSquares += (systems[s][t] - systemMeans[s] - topicMeans[t] + grandMean) ** 2;
  }
  let topicSquares = 0;
  for (let t = 0; t < topics; t++) topicSquares += systems.length * (topicMeans[t] - grandMean) ** 2;
  // what is left of exactly additive scores is rounding, not error
  const total = systemSquares + topicSquares + restSquares;
  const significant = (squares: number): number => (squares < total * 1e-28 ? 0 : squares);
  return {
    systemMeans,
    systemSquares: significant(systemSquares),
    topicSquares: significant(topicSquares),
    restSquares: significant(restSquares),
  };
}

function errorLine(sumOfSquares: number, degreesOfFreedom: number): AnovaError {
  return { sumOfSquares, degreesOfFreedom, meanSquare: sumOfSquares / degreesOfFreedom };
}

function effectLine(sumOfSquares: number, degreesOfFreedom: number, error: AnovaError): AnovaEffect {
  const meanSquare = sumOfSquares / degreesOfFreedom;
  const statistic = meanSquare === 0 ? 0 : meanSquare / error.meanSquare;
  return {
    sumOfSquares,
    degreesOfFreedom,
    meanSquare,
    statistic,
    pValue: fDistribution(degreesOfFreedom, error.degreesOfFreedom).upperTail(statistic),
  };
}
