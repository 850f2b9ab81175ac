/** Evaluates the measures themselves: how well they tell systems apart, what their values say about a ranking, and how stable the
 *  order of systems is that they give. */

export { type DiscriminativePower, discriminativePower, type MeasurePower, type PowerOptions } from './discriminative-power.js';
export { type ExpectedMeasure, expectedMeasure, type ListFacts } from './expected-measure.js';
export {
  type CurvePoint,
  forEachList,
  type GradedList,
  type InferredCurve,
  type InferredList,
  type InformativenessOptions,
  type InformativenessResult,
  inferList,
  informativeness,
  type MeasureInformativeness,
  type Relevance,
} from './informativeness.js';
export { type EntropyProblem, type EntropySolution, maximizeEntropy } from './maximum-entropy.js';
export {
  type Condition,
  type OrderAgreement,
  orderAgreements,
  poolsWithoutEach,
  poolToDepth,
  type SwapRateOptions,
  type SwapRates,
  swapRates,
} from './stability.js';
