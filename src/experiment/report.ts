/** Reports, from files to the plain model that every form is written from. */
import { auditQrels, auditRun, readCandidRun } from '../audit/index.js';
import { computes } from '../conventions/measures-of-tools.js';
import { parameterDefaults, readMeasures } from '../conventions/read-measures.js';
import type { ScoreTable } from '../core/score-table.js';
import { nothingSkipped } from '../formats/reader.js';
import { type ByteSource, keepBytes } from '../formats/source.js';
import { ChosenColumns } from '../formats/tables/chosen-columns.js';
import type { Measure } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import { buildComparisonReport, defaultReportMeasures, planComparison } from '../report/build-comparison.js';
import { buildTrecReport, trecReportMeasures } from '../report/build-trec.js';
import type { ComparisonReport, Provenance, Report, ReportAudit, ReportFile, TrecReport } from '../report/model.js';
import { type MovedOnTopic, webAddress } from '../report/moved.js';
import type { Verdict } from '../report/verdict/model.js';
import type { MissingPolicy } from '../stats/alignment.js';
import type { CompareOptions, Comparison } from '../stats/compare.js';
import { reportedAudit } from './audit.js';
import { decidingTopics } from './by-topic.js';
import { comparableRuns, compareScores } from './comparison.js';
import type { ExperimentRequest } from './experiment.js';
import { fingerprintOf, type ResultInputs } from './fingerprint.js';
import { isReadable, type JudgementsInput, type Material, openMaterial, type RunMaterial, sourceOf } from './material.js';
import { directionsOf, shownPaths } from './names.js';
import { noteText } from './notes.js';
import { type Plan, planOf } from './plan.js';
import type { Platform } from './platform.js';
import { scoreRuns } from './score.js';
import { type TextFiles, withQueries } from './texts.js';
import { areCheckable, checkRules, verdictChecks } from './verdict/checks.js';
import { standingsOf } from './verdict/standings.js';
import { verdictOf } from './verdict/verdict.js';

/** Runs are audited one by one, which takes longer than to score them; with more of them it has to be asked for. */
export const MOST_AUDITED = 20;

/** The convention of the TREC report if none is asked for. */
export const trecReportConvention = 'trec_eval';

/** What is reported, and how the report presents itself. */
export interface ReportRequest extends ExperimentRequest {
  /** The report of the TREC conferences about each run, instead of a comparison. */
  readonly trec?: boolean | undefined;
  /** Where the texts of the queries are, to be shown beside the topics. */
  readonly queries?: TextFiles['queries'];
  /** Where titles and links of documents are, to show which of them moved on the topics that decide. */
  readonly documents?: TextFiles['documents'];
  /** The run that the TREC report is about, against the median, best and worst of the others. */
  readonly about?: string | undefined;
  readonly comparison?: Omit<CompareOptions, 'measures' | 'missing' | 'directions'> | undefined;
  /** Draw precision against recall also over readers who draw the line between relevant and not at different grades. */
  readonly graded?: boolean | undefined;
  /** Say what is odd in the files; by default for a few runs. */
  readonly audit?: boolean | undefined;
  /** List every pair that was tested; by default those with the best, where there are many. */
  readonly pairs?: boolean | undefined;
  /** The smallest difference that matters, set before looking; systems that certainly differ by less are called equivalent. */
  readonly margin?: number | undefined;
  /** Judgements by others, with which those of the report are compared. */
  readonly agree?: readonly JudgementsInput[] | undefined;
  /** Say what missing judgements can change. */
  readonly bounds?: boolean | undefined;
  readonly title?: string | undefined;
  /** Lines above the TREC report. */
  readonly header?: readonly { readonly name: string; readonly value: string }[] | undefined;
  /** The command that made it, and when. */
  readonly command?: string | null | undefined;
  readonly date?: string | null | undefined;
}

/** Where a report gets its material, and what it says of the files. */
export interface ReportMaterial {
  open(plan: Plan): Promise<Material>;
  /** What is odd in the files, once the runs are scored. */
  audits(): readonly ReportAudit[];
  /** Size and checksum of the judgements and of each run, in their order. */
  files(): Promise<readonly ReportFile[]>;
}

/** Makes a report. Files are read once: a run that is scored and audited is held in memory meanwhile, one at a time.
 *  @param material Where the files come from, if somebody has opened them already. */
export async function reportExperiment(request: ReportRequest, platform: Platform, material?: ReportMaterial): Promise<Report> {
  const wantsAudit = request.trec !== true && (request.audit ?? request.runs.length <= MOST_AUDITED);
  const files = material ?? new ReportFiles(request, platform, wantsAudit);
  const report = request.trec === true ? await trecReport(request, platform, files) : await comparisonReport(request, platform, files);
  // files that somebody else opened have the names that they gave them
  const given = material === undefined ? [request.judgements, ...request.runs] : [];
  const inputs = given.flatMap((input) => (isReadable(input) ? [sourceOf(input, platform).name] : []));
  return withShownPaths(await withQueries(report, request.queries, platform), inputs);
}

/** The report without the paths of the machine on which it was made. */
export function withShownPaths<Kind extends Report>(report: Kind, inputs: readonly string[]): Kind {
  const shown = [...shownPaths(inputs)].sort(([a], [b]) => b.length - a.length);
  if (shown.length === 0) return report;
  const short = (text: string): string => shown.reduce((words, [path, tail]) => words.replaceAll(path, tail), text);
  const { provenance, notes } = report;
  return {
    ...report,
    notes: notes.map(short),
    provenance: { ...provenance, files: provenance.files.map((file) => ({ ...file, name: short(file.name) })) },
    ...(report.kind === 'comparison' ? { audit: report.audit.map((audit) => ({ ...audit, file: short(audit.file) })) } : {}),
  };
}

async function trecReport(request: ReportRequest, platform: Platform, files: ReportMaterial): Promise<TrecReport> {
  // trec_eval averages over the topics that both sides have
  const missing = request.missing ?? 'skip';
  const plan = planOf(
    { ...request, convention: request.convention ?? trecReportConvention, measures: trecReportMeasures, missing },
    { skippedWords: 'left out of its averages' },
  );
  const scored = await scoreRuns(plan, await files.open(plan), platform, request);
  return buildTrecReport({
    tables: scored.tables,
    run: request.about,
    title: request.title,
    header: request.header ?? [],
    notes: scored.notes.map(noteText),
    provenance: await provenanceOf(request, { plan, judgements: scored.qrels }, missing, null, await files.files(), platform),
  });
}

async function comparisonReport(request: ReportRequest, platform: Platform, files: ReportMaterial): Promise<ComparisonReport> {
  const missing = request.missing ?? 'zero';
  const asked = planOf({ ...request, missing }, { otherwise: defaultReportMeasures, skippedWords: 'left out for all systems' });
  const { convention } = asked;
  const names = asked.measures.map(({ text }) => text);
  const directions = directionsOf(names);
  const material = await files.open(asked);
  const defaults = parameterDefaults(convention, request.rel);
  const read = (spelling: string): Measure => {
    const plain = parseMeasure(spelling);
    // what the tool does not compute is drawn by our own rules
    return computes(convention, plain) ? readMeasures([spelling], defaults)[0] : plain;
  };
  const drawn = planComparison(asked.measures, material.judgements.qrels.grades, read, request);
  const checked = material.runs.length > 1 && areCheckable(material.runs.map(({ source }) => source)) ? checkRules(asked.measures[0]) : [];
  const scored = await scoreRuns({ ...asked, measures: drawn.measures }, material, platform, { ...request, alongside: checked });
  const scores = { ...comparableRuns(scored, missing), measures: names };
  const options = { ...request.comparison, directions, effectIntervals: false };
  const comparison =
    scored.tables.length < 2 ? undefined : await compareScores({ ...scores, notes: [] }, options, platform, request.threads);
  const report = buildComparisonReport({
    plan: drawn,
    table: scores.table,
    comparison,
    directions,
    missing,
    alpha: request.comparison?.alpha,
    audit: files.audits(),
    title: request.title,
    notes: scores.notes,
    provenance: await provenanceOf(
      request,
      { plan: asked, judgements: scored.qrels },
      missing,
      drawnSeed(request, comparison),
      await files.files(),
      platform,
    ),
  });
  // tables that few reports have: whoever shows numbers only does not load what makes them
  const { trustTables } = await import('./report-trust.js');
  const trust = await trustTables(scores, request, asked, platform);
  if (comparison === undefined) return { ...report, trust };
  const checks = verdictChecks(scored, names[0], missing);
  const verdict = verdictOf({ scores, comparison, margin: request.margin, checks });
  return {
    ...report,
    verdict,
    ...(request.documents === undefined ? {} : { moved: await movedDocuments(request, asked, scores.table, verdict, platform) }),
    standings: standingsOf(scores, comparison, checks),
    trust,
    ...(request.pairs === true ? { listsPairs: true } : {}),
  };
}

/** At most so many documents of a topic are shown. */
const MOST_MOVED = 2;

/** The documents that moved on the topics that decide, with their titles and links. */
async function movedDocuments(
  request: ReportRequest,
  plan: Plan,
  table: ScoreTable,
  { measure, pair, topics: { gains, losses } }: Verdict,
  platform: Platform,
): Promise<readonly MovedOnTopic[]> {
  const { queries: _, documents, ...material } = request;
  const [found] = await decidingTopics(
    {
      table,
      measures: [measure],
      reference: pair.against,
      others: [pair.system],
      most: table.topics.length,
      material: { ...material, plan },
      documents,
    },
    platform,
  );
  const movedOn = new Map(found.topics.map(({ topic, moved = [] }) => [topic, moved]));
  return [...gains, ...losses].flatMap(({ topic }) =>
    (movedOn.get(topic) ?? []).slice(0, MOST_MOVED).map((moved) => ({ ...moved, topic, url: webAddress(moved.url) ?? undefined })),
  );
}

/** A seed belongs to the account only if something was drawn. */
function drawnSeed({ comparison: options }: ReportRequest, comparison: Comparison | undefined): number | null {
  if (comparison === undefined) return null;
  return comparison.resamples !== null || options?.interval === 'bootstrap' ? comparison.seed : null;
}

/** The files of a report: opened once each where they are audited or pipes, and accounted for. */
class ReportFiles implements ReportMaterial {
  private readonly found: ReportAudit[] = [];
  private readonly request: ReportRequest;
  private readonly platform: Platform;
  private readonly wantsAudit: boolean;
  /** By the names of the sources. */
  private readonly fingerprints: Map<string, ReportFile> = new Map();
  private sources: readonly ByteSource[] = [];

  constructor(request: ReportRequest, platform: Platform, wantsAudit: boolean) {
    this.request = request;
    this.platform = platform;
    this.wantsAudit = wantsAudit;
  }

  async open(plan: Plan): Promise<Material> {
    const { request, platform } = this;
    const given = isReadable(request.judgements) ? sourceOf(request.judgements, platform) : undefined;
    const judgements = given === undefined ? request.judgements : await this.keep(given, 'judgements');
    const material = await openMaterial({ ...request, judgements }, plan, platform);
    const { name, qrels, skipped } = material.judgements;
    if (this.wantsAudit) this.found.push(reportedAudit(auditQrels(name, { qrels, skipped: skipped ?? nothingSkipped }, request)));
    this.sources = material.runs.flatMap(({ source }) => (source === undefined ? [] : [source]));
    return { ...material, runs: material.runs.map((run) => this.watched(run, material.judgements)) };
  }

  /** A run that is audited, or that comes through a pipe, is kept in memory while both is done. */
  private watched(entry: RunMaterial, { qrels, lists }: Material['judgements']): RunMaterial {
    const { name, source } = entry;
    if (source?.isReopenable === true && !this.wantsAudit) return entry;
    const chosen = new ChosenColumns(this.request).of('run');
    return {
      name,
      source: undefined,
      read: async (wanted) => {
        const kept = source && (await this.keep(source, 'run'));
        const reading = await entry.read(wanted, kept);
        if (this.wantsAudit) {
          const candid = kept === undefined ? { ...reading, skipped: nothingSkipped } : await readCandidRun(kept, { ...chosen, lists });
          this.found.push(reportedAudit(auditRun(name, qrels, candid, this.request)));
        }
        return reading;
      },
    };
  }

  private async keep(source: ByteSource, role: ReportFile['role']): Promise<ByteSource> {
    const kept = await keepBytes(source);
    await this.account(kept, role);
    return kept;
  }

  private async account(source: ByteSource, role: ReportFile['role']): Promise<void> {
    // what a program holds is no file
    if (source.held !== undefined) return;
    const { name, size: bytes = 0 } = source;
    const sha256 = await this.platform.sha256?.(source.open());
    if (sha256 !== undefined) this.fingerprints.set(name, { role, name, bytes, sha256 });
  }

  audits(): readonly ReportAudit[] {
    return this.found;
  }

  async files(): Promise<readonly ReportFile[]> {
    for (const source of this.sources) if (!this.fingerprints.has(source.name)) await this.account(source, 'run');
    const { judgements } = this.request;
    const names = [...(isReadable(judgements) ? [sourceOf(judgements, this.platform)] : []), ...this.sources].map(({ name }) => name);
    return names.flatMap((name) => this.fingerprints.get(name) ?? []);
  }
}

const topicRules: Readonly<Record<MissingPolicy, string>> = {
  zero: 'a judged topic that a run does not answer counts as an empty ranking',
  skip: 'a judged topic that a run does not answer is left out',
  error: 'a judged topic that a run does not answer is refused',
};

async function provenanceOf(
  { rel, command = null, date = null }: ReportRequest,
  made: { readonly plan: Plan; readonly judgements: ResultInputs['judgements'] },
  missing: MissingPolicy,
  seed: number | null,
  files: readonly ReportFile[],
  platform: Platform,
): Promise<Provenance> {
  const { name, rules } = made.plan.convention;
  const fingerprint = await fingerprintOf(made, platform);
  return {
    program: `Gradus ${platform.version}`,
    command,
    date,
    files,
    convention: name,
    rules: [
      { name: 'equal scores', value: rules.ties },
      { name: 'scores', value: rules.scorePrecision === 'float32' ? 'rounded to 32 bits' : '64 bits' },
      { name: 'topics', value: topicRules[missing] },
      { name: 'relevant from grade', value: String(rel ?? rules.relevanceFloor) },
    ],
    seed,
    ...(fingerprint === undefined ? {} : { fingerprint: { judgements: fingerprint.judgements, rules: fingerprint.rules } }),
  };
}
