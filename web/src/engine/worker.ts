/** The worker's side: each call is answered with a result or with the problems in its way. */
import { InputError, type Problem } from 'gradus';
import type { AuditedFile } from 'gradus/audit';
import { type ComparisonReport, type HtmlOptions, htmlReport, type Report, type ReportTable, reportTables } from 'gradus/report';
import { answerCalls } from './calls.js';
import { catalogue, measureHelp } from './catalogue.js';
import { explainConventions } from './explaining.js';
import { type ExportRequest, exported } from './exporting.js';
import type {
  Answer,
  Catalogue,
  ExplainAnswer,
  FileKind,
  FileSummary,
  MeasureHelp,
  Progress,
  Results,
  Settings,
  TopicRanking,
} from './protocol.js';
import { comparisonReport, type ReportForm, type ReportKind, reportOf, reportText } from './reporting.js';
import { Session } from './session.js';
import { prepareReaders } from './sources.js';
import { topicRanking } from './topic.js';
import { measureWords } from './words.js';

const session = new Session();

async function answer<T>(compute: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: await compute() };
  } catch (error) {
    return { problems: problemsOf(error) };
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof InputError) return error.problems;
  if (error instanceof RangeError && /memory|allocation|length/i.test(error.message)) {
    return [{ message: 'there is not enough memory for this file here', wayOut: 'use the command line: gradus eval' }];
  }
  const reason = error instanceof Error ? error.message : String(error);
  return [{ message: `something went wrong that should not have: ${reason}`, wayOut: 'please report it' }];
}

/** Tells about progress at most ten times a second. */
function calmly(onProgress: Progress | undefined): Progress {
  let last = 0;
  return (done, total, what) => {
    const now = performance.now();
    if (onProgress === undefined || now - last < 100) return;
    last = now;
    onProgress(done, total, what);
  };
}

/** Each function is called from the page, so its arguments and results are plain data, and progress goes by message. */
export const engine = {
  /** @param base The address of the page, beside which its words are. */
  catalogue: async (base: string): Promise<Catalogue> => catalogue(await measureWords(base)),

  measureHelp: (text: string, base: string): Promise<Answer<MeasureHelp>> =>
    answer(async () => measureHelp(text, await measureWords(base))),

  add: (id: number, file: File, as: FileKind | undefined, lenient: boolean, onProgress?: Progress): Promise<Answer<FileSummary>> =>
    answer(() => session.add(id, file, as, lenient, calmly(onProgress))),

  remove: (id: number): void => session.remove(id),

  chooseJudgements: (id: number): void => session.chooseJudgements(id),

  evaluate: (settings: Settings, onProgress?: Progress): Promise<Answer<Results>> =>
    answer(() => session.evaluate(settings, calmly(onProgress))),

  audit: (settings: Settings): Promise<Answer<AuditedFile[]>> =>
    answer(async () => session.audit(await session.material(session.plan(settings)))),

  topic: (settings: Settings, topic: string, file: number, measure: string): Promise<Answer<TopicRanking>> =>
    answer(async () => {
      const plan = session.plan(settings);
      const chosen = plan.measures.find(({ text }) => text === measure) ?? plan.measures[0];
      const { qrels, run, name } = session.topicMaterial(await session.material(plan), topic, file);
      return topicRanking(qrels, run, name, file, topic, chosen, plan);
    }),

  explain: (settings: Settings, file: number, measure: string, conventions: readonly string[]): Promise<Answer<ExplainAnswer>> =>
    answer(async () => {
      const plan = session.plan({ ...settings, measures: measure, convention: 'gradus', rel: null });
      return explainConventions(await session.material(plan), file, plan.measures[0], conventions);
    }),

  comparison: (settings: Settings): Promise<Answer<{ report: ComparisonReport; tables: ReportTable[] }>> =>
    answer(async () => {
      const report = await comparisonReport(session, settings, false);
      return { report, tables: reportTables(report) };
    }),

  report: (settings: Settings, kind: ReportKind): Promise<Answer<Report>> => answer(() => reportOf(session, settings, kind)),

  reportText: (settings: Settings, kind: ReportKind, form: ReportForm): Promise<Answer<string>> =>
    answer(async () => reportText(await reportOf(session, settings, kind), form)),

  reportPage: (report: Report, parts: HtmlOptions): Promise<Answer<string>> => answer(() => htmlReport(report, parts)),

  exported: (settings: Settings, request: ExportRequest): Promise<Answer<string>> =>
    answer(async () => {
      const plan = session.plan(settings);
      return exported(request, await session.scores(plan, await session.material(plan)));
    }),
};

export type Engine = typeof engine;

answerCalls(engine);

const QUIET = 3000;
setTimeout(() => void prepareReaders().catch(() => undefined), QUIET);
