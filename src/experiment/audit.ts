/** What is odd in files, before anything is scored. */
import {
  type AuditedFile,
  type AuditOptions,
  auditLetorOptions,
  auditPredictions,
  auditQrels,
  auditRun,
  auditTestSet,
  readCandidPredictions,
  readCandidRun,
} from '../audit/index.js';
import { readJudgements, readLetor } from '../formats/read.js';
import { inferFormat } from '../formats/recognise.js';
import { type ByteSource, openSource } from '../formats/source.js';
import { ChosenColumns, type ColumnSettings } from '../formats/tables/chosen-columns.js';
import type { ReportAudit } from '../report/model.js';

/** Audits judgements and runs, or a learning-to-rank test file, which is recognised by its first line, and predictions. What cannot be
 *  read is reported, not refused. */
export async function auditSources(
  first: ByteSource,
  others: readonly ByteSource[],
  options: AuditOptions & ColumnSettings = {},
  onProgress?: (done: number, total: number) => void,
): Promise<AuditedFile[]> {
  const chosen = new ChosenColumns(options);
  // opened once, so that it may be a pipe
  const input = await openSource(first);
  const files: AuditedFile[] = [];
  if (inferFormat(first.fileName ?? '', input.start, ['qrels']).format.name === 'letor') {
    const reading = await readLetor(input, auditLetorOptions);
    files.push(auditTestSet(first.name, reading, options));
    for (const source of others) files.push(auditPredictions(source.name, reading.matrix, await readCandidPredictions(source), options));
    chosen.refuseUnused();
    return files;
  }
  const reading = await readJudgements(input, { lenient: true, ...chosen.of('qrels') });
  files.push(auditQrels(first.name, reading, options));
  for (const [r, source] of others.entries()) {
    onProgress?.(r, others.length);
    files.push(auditRun(source.name, reading.qrels, await readCandidRun(source, chosen.of('run')), options));
  }
  chosen.refuseUnused();
  return files;
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
