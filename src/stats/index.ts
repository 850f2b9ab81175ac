/** Significance tests, corrections for many comparisons, intervals, effect sizes, power, and the agreement of rankings. */

export {
  type AgreementOptions,
  type ListAgreement,
  type ListsAgreement,
  listsAgreement,
  type RankCoefficients,
  type ResultList,
  type ScoreAgreement,
  scoreAgreement,
} from './agreement.js';
export { type AlignedScores, alignedScores, alignTables, MISSING_POLICIES, type MissingPolicy } from './alignment.js';
export {
  type AnovaEffect,
  type AnovaError,
  type AnovaOptions,
  type OneWayAnovaResult,
  oneWayAnova,
  type TwoWayAnovaResult,
  twoWayAnova,
} from './anova.js';
export {
  type BootstrapAllPairsOptions,
  type BootstrapAllPairsResult,
  type BootstrapIntervalOptions,
  type BootstrapIntervalResult,
  type BootstrapTestOptions,
  type BootstrapTestResult,
  bootstrapAllPairs,
  bootstrapInterval,
  bootstrapTest,
} from './bootstrap.js';
export type { Alternative, Values } from './checks.js';
export {
  type CounterfactualEstimate,
  type CounterfactualOptions,
  type CounterfactualResult,
  counterfactual,
  FEW_EFFECTIVE_QUERIES,
  type LoggedQuery,
} from './clicks/counterfactual.js';
export {
  balanced,
  balancedCredit,
  type InterleavedList,
  type InterleavingCredit,
  type InterleavingMethod,
  type InterleavingTeam,
  type InterleavingTest,
  interleave,
  interleavingMethods,
  interleavingTest,
  probabilisticCredit,
  probabilityOfList,
  teamDraftCredit,
  teamDraftOutcomes,
} from './clicks/interleaving.js';
export { type OptimisedInterleaving, optimisedInterleaving } from './clicks/optimised-interleaving.js';
export {
  type ComparedPair,
  type ComparedSystem,
  type CompareOptions,
  type Comparison,
  compareSystems,
  type Direction,
  type MeasureComparison,
} from './compare.js';
export {
  CORRECTION_METHODS,
  type CorrectionMethod,
  type CorrectionOptions,
  type CorrectionResult,
  correctPValues,
  findCorrection,
} from './correction.js';
export { type ApCorrelationOptions, type ApCorrelationResult, apCorrelation } from './correlation/ap-correlation.js';
export { type CorrelationOptions, pearsonCorrelation, rootMeanSquareError, spearmanCorrelation } from './correlation/correlation.js';
export { type KendallTauOptions, type KendallTauResult, kendallTau } from './correlation/kendall-tau.js';
export { type OverlapOptions, overlapAt, rankWithoutTies, rankWithTies, type TiedRanking } from './correlation/overlap.js';
export { type RankBiasedOverlap, type RankBiasedOverlapOptions, rankBiasedOverlap } from './correlation/rank-biased-overlap.js';
export {
  betaDistribution,
  binomialDistribution,
  chiSquaredDistribution,
  type Distribution,
  fDistribution,
  normalDistribution,
  tDistribution,
} from './distributions/distributions.js';
export { noncentralFUpperTail, noncentralTCdf, noncentralTUpperTail } from './distributions/noncentral.js';
export { studentizedRangeDistribution } from './distributions/studentized-range.js';
export {
  type EffectSizeOptions,
  type EffectSizes,
  effectSizes,
  type MeanIntervalOptions,
  meanInterval,
  type StandardizedDifference,
} from './effect-size.js';
export {
  type FriedmanOptions,
  type FriedmanResult,
  friedmanTest,
  type NemenyiOptions,
  type NemenyiResult,
  nemenyiTest,
} from './friedman.js';
export { type FallenTopic, type GatedMeasure, type GateOptions, type GateResult, gateCandidate } from './gate.js';
export { type Interval, standardDeviationOf } from './moments.js';
export { COMPARISON_TESTS, type ComparisonTest, isJointTest } from './pair-tests.js';
export { detectableDifference, type PowerPlan, type PowerResult, powerOf, topicsNeeded } from './power.js';
export { type RandomizationOptions, type RandomizationResult, randomizationTest } from './randomization.js';
export type { Resampler } from './resampler.js';
export { createResampler, pairNumber } from './resampling.js';
export { type BaselineRisk, baselineRisk, type GeoRisk, geoRisks } from './risk.js';
export { type SignTestOptions, type SignTestResult, signTest, type WinTieLoss, type WinTieLossOptions, winTieLoss } from './sign-test.js';
export { type PairedTTestOptions, type PairedTTestResult, pairedTTest } from './t-test.js';
export {
  type RandomizedTukeyHsdOptions,
  type RandomizedTukeyHsdResult,
  randomizedTukeyHsd,
  type TukeyHsdOptions,
  type TukeyHsdResult,
  tukeyHsd,
} from './tukey-hsd.js';
export { type WilcoxonOptions, type WilcoxonResult, wilcoxonSignedRank } from './wilcoxon.js';
