/** The rules of other tools by name and version, and explanations of a difference between them. */

export type { ComputedMeasures, Convention, ConventionRules, GradeLimits, PrintedRule } from './convention.js';
export { applyConvention, conventionParams, judgingRulesOf, plainRules } from './convention.js';
export { evaluateUnder } from './evaluate-under.js';
export type { Contribution, ConventionValue, Explanation, RuleName } from './explain.js';
export { explain, valuesUnder } from './explain.js';
export { type LetorScript, letor2, letor3, letor4, letorScripts, mslr } from './letor-scripts.js';
export { computes, measureUnder, refuseJudgements, rulesFor } from './measures-of-tools.js';
export { comparePair, type PairComparison } from './pair-comparison.js';
export { defaultRankLibVersion, type RankLibVersion, rankLibVersions } from './ranklib-versions.js';
export { type ParameterDefaults, parameterDefaults, readMeasures } from './read-measures.js';
export { conventionNames, conventions, findConvention, gradusConvention } from './registry.js';
export { upperThreshold } from './upper-threshold.js';
