/** The report model, from the same scores as everything else on the page. */
import { InputError, type Measure } from 'gradus';
import { type AuditedFile, computes, parameterDefaults, readMeasures } from 'gradus/conventions';
import {
  buildComparisonReport,
  buildTrecReport,
  type ComparisonReport,
  type Provenance,
  planComparison,
  type Report,
  type ReportAudit,
  trecReportMeasures,
  writeCsvReport,
  writeJsonReport,
  writeLatexReport,
  writeMarkdownReport,
  writeTextReport,
} from 'gradus/report';
import { alignTables, type CompareOptions, compareSystems, isJointTest } from 'gradus/stats';
import type { Settings } from './protocol.js';
import { type Material, namedNotes, type Plan, type Session } from './session.js';

export type ReportKind = 'comparison' | 'trec';
export type ReportForm = 'md' | 'latex' | 'csv' | 'json' | 'text';

/** Looking at a run closely takes longer than to score it. */
const MOST_AUDITED = 20;

export async function comparisonReport(session: Session, settings: Settings, withFiles: boolean): Promise<ComparisonReport> {
  const plan = session.plan(settings);
  const compared = plan.measures.filter(({ def }) => def.direction !== 'neither');
  if (compared.length === 0) {
    throw new InputError({ message: 'none of these measures says which system is better', wayOut: 'add one such as nDCG@10' });
  }
  const material = await session.material(plan);
  const read = (spelling: string): Measure => {
    const own = readMeasures([spelling])[0];
    // what the tool does not compute is drawn by our own rules
    return computes(plan.convention, own)
      ? readMeasures([spelling], parameterDefaults(plan.convention, settings.rel ?? undefined))[0]
      : own;
  };
  const wanted = planComparison(compared, material.qrels.grades, read);
  const tables = session.score({ ...plan, measures: wanted.measures }, material);
  const table = alignTables(tables);
  const directions = Object.fromEntries(compared.map(({ text, def }) => [text, def.direction === 'lower' ? 'lower' : 'higher'] as const));
  const missing = plan.rules.missingTopics === 'skip' ? 'skip' : 'zero';
  const { test, alpha, seed, baseline } = settings;
  const names = material.runs.map(({ name }) => name);
  const options: CompareOptions = {
    measures: compared.map(({ text }) => text),
    test: test as CompareOptions['test'],
    correction: (isJointTest(test as NonNullable<CompareOptions['test']>) ? 'none' : settings.correction) as CompareOptions['correction'],
    alpha,
    seed,
    missing,
    directions,
    effectIntervals: false,
    ...(names.includes(baseline) ? { baseline } : {}),
  };
  const comparison = names.length > 1 ? compareSystems(table, options) : undefined;
  return buildComparisonReport({
    plan: wanted,
    table,
    comparison,
    directions,
    missing,
    alpha,
    notes: namedNotes(tables),
    // the page has a tab of its own for what is odd
    audit: withFiles && names.length <= MOST_AUDITED ? session.audit(material).map(plainAudit) : [],
    provenance: await provenanceOf(
      session,
      plan,
      material,
      comparison === undefined || comparison.resamples === null ? null : seed,
      withFiles,
    ),
  });
}

/** The report of the TREC conferences, by the rules of trec_eval: of the version that was chosen, or of the usual one. */
async function trecReport(session: Session, settings: Settings): Promise<Report> {
  const convention = settings.convention.startsWith('trec_eval') ? settings.convention : 'trec_eval';
  const plan = session.plan({ ...settings, convention, measures: trecReportMeasures.join(' ') });
  const material = await session.material(plan);
  return buildTrecReport({
    tables: session.score(plan, material),
    header: [{ name: 'Judgements', value: session.nameOf(material.judgements) }],
    provenance: await provenanceOf(session, plan, material, null, true),
  });
}

export async function reportOf(session: Session, settings: Settings, kind: ReportKind): Promise<Report> {
  return kind === 'trec' ? await trecReport(session, settings) : await comparisonReport(session, settings, true);
}

export function reportText(report: Report, form: ReportForm): string {
  const parts: string[] = [];
  const sink = { write: (text: string): void => void parts.push(text) };
  const write = { md: writeMarkdownReport, latex: writeLatexReport, csv: writeCsvReport, json: writeJsonReport, text: writeTextReport }[
    form
  ];
  write(report, sink);
  return parts.join('');
}

function plainAudit({ name, what, size, findings }: AuditedFile): ReportAudit {
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

async function provenanceOf(
  session: Session,
  { convention, rules }: Plan,
  { judgements, runs }: Material,
  seed: number | null,
  withFiles: boolean,
): Promise<Provenance> {
  const files: Provenance['files'][number][] = [];
  if (withFiles) {
    for (const [role, id] of [['judgements', judgements] as const, ...runs.map(({ file }) => ['run', file] as const)]) {
      const file = session.fileOf(id);
      const sha256 = file && (await sha256Of(file));
      if (file !== undefined && sha256 !== undefined) files.push({ role, name: file.name, bytes: file.size, sha256 });
    }
  }
  return {
    program: `Gradus ${__GRADUS_VERSION__}`,
    command: null,
    date: null,
    files,
    convention: convention.name,
    rules: Object.entries(rules).map(([name, value]) => ({ name, value: String(value) })),
    seed,
  };
}

/** Undefined where the page was not loaded in a way that browsers trust. */
async function sha256Of(file: File): Promise<string | undefined> {
  if (globalThis.crypto?.subtle === undefined) return undefined;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
