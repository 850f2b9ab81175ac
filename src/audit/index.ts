/** Anomalies in judgements, runs and learning-to-rank sets, and how tools handle them. */

export { auditLetorOptions, auditPredictions, auditTestSet } from './audit-letor.js';
export { auditQrels, auditRun } from './audit-run.js';
export type { AuditedFile, AuditOptions, Finding, FindingKind, Severity } from './finding.js';
export { isAtLeast } from './finding.js';
export { type CandidRun, readCandidPredictions, readCandidRun } from './read.js';
