/** The rules of other tools by name and version, stand-ins for these tools, explanations of a difference, and audits of files. */

export type { AuditedFile, AuditOptions, Finding, FindingKind, Severity } from './audit.js';
export { auditLetorOptions, auditPredictions, auditQrels, auditRun, auditTestSet } from './audit.js';
export type { ComputedMeasures, Convention, ConventionRules, GradeLimits, PrintedRule } from './convention.js';
export { applyConvention, conventionParams, judgingRulesOf, plainRules } from './convention.js';
export { evaluateUnder } from './evaluate-under.js';
export type { Contribution, ConventionValue, Explanation, RuleName } from './explain.js';
export { explain, valuesUnder } from './explain.js';
export { runLetor } from './letor/run-letor.js';
export { type LetorScript, letor2, letor3, letor4, letorScripts, mslr } from './letor/scripts.js';
export { runLetorTtest } from './letor/ttest.js';
export { computes, measureUnder, refuseJudgements, rulesFor } from './measures-of-tools.js';
export { runRankLib } from './ranklib/run-ranklib.js';
export { defaultRankLibVersion, rankLibVersions } from './ranklib/versions.js';
export { type ParameterDefaults, parameterDefaults, readMeasures } from './read-measures.js';
export { conventionNames, conventions, findConvention, gradusConvention } from './registry.js';
export type { ToolHost } from './tool-host.js';
export type { FastRequest, FastResult, TrecEvalHost } from './trec-eval/host.js';
export { runTrecEval } from './trec-eval/run-trec-eval.js';
export { runTrecEval81 } from './trec-eval-81.js';
export { runYahoo } from './yahoo.js';
