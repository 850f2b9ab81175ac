/** What is odd in files, before anything is scored. */
import {
  type AuditedFile,
  type AuditOptions,
  auditLetorOptions,
  auditPredictions,
  auditQrels,
  auditRun,
  auditTestSet,
  type Finding,
  readCandidPredictions,
  readCandidRun,
} from '../audit/index.js';
import { InputError } from '../core/problem.js';
import { readJudgements, readLetor } from '../formats/read.js';
import { inferFormat } from '../formats/recognise.js';
import { type ByteSource, openSource } from '../formats/source.js';
import { ChosenColumns, type ColumnSettings } from '../formats/tables/chosen-columns.js';
import { metadataProblems } from '../judging/index.js';
import type { ReportAudit } from '../report/model.js';
import { headerIn, startOf } from './run-header.js';

/** Audits judgements and runs, or a learning-to-rank test file, which is recognised by its first line, and predictions. What cannot be
 *  read is reported, not refused. */
export async function auditSources(
  first: ByteSource,
  others: readonly ByteSource[],
  options: AuditOptions & ColumnSettings = {},
): Promise<AuditedFile[]> {
  const chosen = new ChosenColumns(options);
  // opened once, so that it may be a pipe
  const input = await openSource(first);
  const files: AuditedFile[] = [];
  if (first.held === undefined && inferFormat(first.fileName ?? '', input.start, ['qrels']).format.name === 'letor') {
    const reading = await readLetor(input, auditLetorOptions);
    files.push(auditTestSet(first.name, reading, options));
    for (const source of others) files.push(auditPredictions(source.name, reading.matrix, await readCandidPredictions(source), options));
    chosen.refuseUnused();
    return files;
  }
  const reading = await readJudgements(input, { lenient: true, ...chosen.of('qrels') });
  files.push(auditQrels(first.name, reading, options));
  for (const source of others) {
    const audited = auditRun(source.name, reading.qrels, await readCandidRun(source, chosen.of('run')), options);
    files.push({ ...audited, findings: [...audited.findings, ...(await headerFindings(source))] });
  }
  chosen.refuseUnused();
  return files;
}

/** What the header of a run by ir_metadata lacks; a run without one is nothing odd. */
async function headerFindings(source: ByteSource): Promise<Finding[]> {
  const start = await startOf(source);
  try {
    const header = start && headerIn(start, source.name);
    const problems = header === undefined ? [] : metadataProblems(header.metadata);
    if (problems.length === 0) return [];
    const sentence = `The header by ir_metadata is not complete: ${problems.join('; ')}.`;
    return [{ kind: 'header', severity: 'info', count: problems.length, of: problems.length, examples: [], sentence }];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [{ message, wayOut }] = error.problems;
    const sentence = `The header by ir_metadata cannot be read: ${message}.`;
    return [{ kind: 'header', severity: 'warning', count: 1, of: 1, examples: [], sentence, recommendation: wayOut }];
  }
}

/** What an audit found, as it stands in a report. */
export function reportedAudit({ name, what, size, findings }: AuditedFile): ReportAudit {
  return {
    file: name,
    what,
    size,
    findings: findings.map(({ severity, kind, sentence, recommendation, examples }) => ({
      severity,
      kind,
      sentence,
      recommendation: recommendation ?? null,
      examples,
    })),
  };
}
