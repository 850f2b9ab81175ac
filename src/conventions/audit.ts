export { auditLetorOptions, auditPredictions, auditTestSet } from './audit/audit-letor.js';
export { auditQrels, auditRun } from './audit/audit-run.js';
export type { AuditedFile, AuditOptions, Finding, FindingKind, Severity } from './audit/finding.js';
export { isAtLeast } from './audit/finding.js';
export { type CandidRun, readCandidPredictions, readCandidRun } from './audit/read.js';
