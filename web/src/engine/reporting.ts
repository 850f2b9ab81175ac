/** The report model, from the same scores as everything else on the page. */
import { InputError } from 'gradus';
import {
  type Material,
  MOST_AUDITED,
  type Plan,
  type ReportMaterial,
  type ReportRequest,
  reportExperiment,
  reportedAudit,
  trecReportConvention,
} from 'gradus/experiment';
import {
  type ComparisonReport,
  type Report,
  type ReportAudit,
  type ReportFile,
  writeCsvReport,
  writeJsonReport,
  writeLatexReport,
  writeMarkdownReport,
  writeTextReport,
} from 'gradus/report';
import { type CompareOptions, isJointTest } from 'gradus/stats';
import type { Settings } from './protocol.js';
import { type PageMaterial, requestOf, type Session } from './session.js';
import { blobSource, pagePlatform } from './sources.js';

export { htmlReport, reportTables } from 'gradus/report';

export type ReportKind = 'comparison' | 'trec';
export type ReportForm = 'md' | 'latex' | 'csv' | 'json' | 'text';

/** A comparison of the runs on the page.
 *  @param withFiles Say also what is odd in the files, and where they come from; the page has a tab of its own for that. */
export async function comparisonReport(session: Session, settings: Settings, withFiles: boolean): Promise<ComparisonReport> {
  const { measures } = session.plan(settings);
  const compared = measures.filter(({ def }) => def.direction !== 'neither');
  if (compared.length === 0) {
    throw new InputError({ message: 'none of these measures says which system is better', wayOut: 'add one such as nDCG@10' });
  }
  const material = new ReportedFiles(session, withFiles);
  const { names } = await material.page(session.plan(settings));
  const { test, alpha, seed, baseline } = settings;
  const request: ReportRequest = {
    ...material.request(settings, names),
    measures: compared,
    graded: true,
    comparison: {
      test: test as CompareOptions['test'],
      correction: (isJointTest(test as NonNullable<CompareOptions['test']>) ? 'none' : settings.correction) as CompareOptions['correction'],
      alpha,
      seed,
      ...(names.includes(baseline) ? { baseline } : {}),
    },
  };
  return (await reportExperiment(request, pagePlatform, material)) as ComparisonReport;
}

/** The report of the TREC conferences, by the rules of trec_eval: of the version that was chosen, or of the usual one. */
async function trecReport(session: Session, settings: Settings): Promise<Report> {
  const convention = settings.convention.startsWith('trec_eval') ? settings.convention : trecReportConvention;
  const plan = session.plan({ ...settings, convention });
  const material = new ReportedFiles(session, true);
  const page = await material.page(plan);
  const request: ReportRequest = {
    ...material.request({ ...settings, convention }, page.names),
    trec: true,
    header: [{ name: 'Judgements', value: session.nameOf(page.judgements) }],
  };
  return await reportExperiment(request, pagePlatform, material);
}

/** The files of the page, which have been read already. */
class ReportedFiles implements ReportMaterial {
  private readonly session: Session;
  private readonly withFiles: boolean;
  private current: PageMaterial | undefined;

  constructor(session: Session, withFiles: boolean) {
    this.session = session;
    this.withFiles = withFiles;
  }

  async page(plan: Plan): Promise<PageMaterial> {
    this.current = await this.session.material(plan);
    return this.current;
  }

  /** The files are opened here, so that their names are all that has to be said. */
  request(settings: Settings, names: readonly string[]): ReportRequest {
    return { ...requestOf(settings), judgements: '', runs: names, names, queries: this.session.texts.queryFile };
  }

  async open(plan: Plan): Promise<Material> {
    return (await this.page(plan)).material;
  }

  audits(): readonly ReportAudit[] {
    const page = this.current;
    return !this.withFiles || page === undefined || page.runs.length > MOST_AUDITED ? [] : this.session.audit(page).map(reportedAudit);
  }

  async files(): Promise<readonly ReportFile[]> {
    const page = this.current;
    if (!this.withFiles || page === undefined) return [];
    const files: ReportFile[] = [];
    for (const [i, id] of [page.judgements, ...page.files].entries()) {
      const file = this.session.fileOf(id);
      const sha256 = file && (await pagePlatform.sha256?.(blobSource(file).open()));
      if (file !== undefined && sha256 !== undefined) {
        files.push({ role: i === 0 ? 'judgements' : 'run', name: file.name, bytes: file.size, sha256 });
      }
    }
    return files;
  }
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
