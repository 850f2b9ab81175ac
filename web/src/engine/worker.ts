/** The worker's side: each call is answered with a result or with the problems in its way. */
import { InputError, type Problem } from 'gradus';
import type { AuditedFile } from 'gradus/audit';
import { type Lesson, type LessonResult, type LessonSettings, lessonOf, type OrdersBy, type SystemOrders } from 'gradus/experiment';
import { previewTable, type TablePreview } from 'gradus/formats';
import type { ComparisonReport, HtmlOptions, Report, ReportTable } from 'gradus/report';
import type { KeptSession } from '../kept/session.js';
import { answerCalls } from './calls.js';
import { catalogue, measureHelp } from './catalogue.js';
import type { ExportRequest } from './exporting.js';
import type { FoundDocument } from './finding.js';
import { filesOfFolders, type GivenFile, type PlacedFile } from './folders.js';
import type { FusionAnswer, FusionAsked, FusionChoices } from './fusing.js';
import { type LeaderboardAnswer, leaderboardAnswer, type PairAnswer, pairAnswer, type VerdictAnswer, verdictAnswer } from './glance.js';
import type { JudgingChoice, JudgingStep, OwnJudgement } from './judging.js';
import type { InformednessAnswer, PowerAnswer, ToolsAnswer } from './laboratory.js';
import type { Answer, Catalogue, FileReading, FileSummary, MeasureHelp, Progress, Results, Settings, TopicRanking } from './protocol.js';
import type { ReportForm, ReportKind } from './reporting.js';
import { Session } from './session.js';
import { blobSource, prepareReaders } from './sources.js';
import { topicRanking } from './topic.js';
import type { LearnerChoice, TrainingAnswer, TrainingAsked, TrainingStep } from './training.js';
import type { TrustAnswer, TrustAsked } from './trust.js';
import { measureWords } from './words.js';

const session = new Session();

/** Loaded when somebody opens a comparison or a report. */
const reporting = (): Promise<typeof import('./reporting.js')> => import('./reporting.js');
/** Loaded when somebody fuses or trains. */
const fusing = (): Promise<typeof import('./fusing.js')> => import('./fusing.js');
const training = (): Promise<typeof import('./training.js')> => import('./training.js');

/** Loaded when somebody looks at measures and rules themselves. */
const laboratory = (): Promise<typeof import('./laboratory.js')> => import('./laboratory.js');

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

  add: (id: number, file: File, reading: FileReading, onProgress?: Progress): Promise<Answer<FileSummary>> =>
    answer(() => session.add(id, file, reading, calmly(onProgress))),

  /** How many lines of a file would have to be skipped to read the rest; null if that would leave nothing. */
  skippable: (file: File, reading: FileReading): Promise<Answer<number | null>> =>
    answer(async () => (await session.skippable(file, reading)) ?? null),

  /** The first rows of a table; null for what is none. */
  preview: (file: File): Promise<Answer<TablePreview | null>> =>
    answer(async () => (await previewTable(blobSource(file)).catch(() => undefined)) ?? null),

  /** What the files of folders stand for. */
  folders: (files: readonly PlacedFile[]): Promise<Answer<GivenFile[]>> => answer(() => filesOfFolders(files)),

  /** What measures say of a small ranking. */
  lesson: (lesson: Lesson, settings: LessonSettings): Promise<Answer<LessonResult>> => answer(() => lessonOf(lesson, settings)),

  remove: (id: number): void => session.remove(id),

  /** Calls the system of a file otherwise. */
  rename: (id: number, name: string | undefined): void => session.rename(id, name),

  /** The session inside a page that was saved; null if there is none. */
  savedSession: (file: File): Promise<Answer<KeptSession | null>> =>
    answer(async () => (await (await import('./session-file.js')).readSessionFile(file)) ?? null),

  /** A report as a page, with the session inside. */
  sessionFile: (report: Report, parts: HtmlOptions, kept: KeptSession): Promise<Answer<Blob>> =>
    answer(async () => await (await import('./session-file.js')).sessionFile(await (await reporting()).htmlReport(report, parts), kept)),

  chooseJudgements: (id: number): void => session.chooseJudgements(id),

  evaluate: (settings: Settings, onProgress?: Progress): Promise<Answer<Results>> =>
    answer(() => session.evaluate(settings, calmly(onProgress))),

  audit: (settings: Settings): Promise<Answer<AuditedFile[]>> =>
    answer(async () => session.audit(await session.material(session.plan(settings)))),

  topic: (settings: Settings, topic: string, file: number, measure: string): Promise<Answer<TopicRanking>> =>
    answer(async () => {
      const plan = session.plan(settings);
      const chosen = plan.measures.find(({ text }) => text === measure) ?? plan.measures[0];
      const page = await session.material(plan);
      const { qrels, run, name } = session.topicMaterial(page, topic, file);
      return await session.texts.beside(page, topicRanking(qrels, run, name, file, topic, chosen, plan));
    }),

  /** Documents by the beginning of their names, and their ranks by some of the systems. */
  findDocuments: (settings: Settings, text: string, files: readonly number[]): Promise<Answer<FoundDocument[]>> =>
    answer(async () => {
      const plan = session.plan(settings);
      return (await import('./finding.js')).findDocuments(session, plan, await session.material(plan), text, files);
    }),

  judge: (settings: Settings, own: readonly OwnJudgement[], choice: JudgingChoice): Promise<Answer<JudgingStep>> =>
    answer(async () => (await import('./judging.js')).judgingStep(session, settings, own, choice)),

  /** How far judgements and sizes can be trusted. */
  trust: (settings: Settings, asked: TrustAsked): Promise<Answer<TrustAnswer>> =>
    answer(async () => (await import('./trust.js')).trustAnswer(session, settings, asked)),

  tools: (
    settings: Settings,
    asked: { readonly file: number; readonly measure: string; readonly from: string },
    onProgress?: Progress,
  ): Promise<Answer<ToolsAnswer>> => answer(async () => (await laboratory()).toolsAnswer(session, settings, asked, calmly(onProgress))),

  orders: (
    settings: Settings,
    asked: { readonly by: OrdersBy; readonly measure: string },
    onProgress?: Progress,
  ): Promise<Answer<SystemOrders>> => answer(async () => (await laboratory()).ordersAnswer(session, settings, asked, calmly(onProgress))),

  power: (settings: Settings, onProgress?: Progress): Promise<Answer<PowerAnswer>> =>
    answer(async () => (await laboratory()).powerAnswer(session, settings, calmly(onProgress))),

  informedness: (settings: Settings, onProgress?: Progress): Promise<Answer<InformednessAnswer>> =>
    answer(async () => (await laboratory()).informednessAnswer(session, settings, calmly(onProgress))),

  fusionChoices: (): Promise<Answer<FusionChoices>> => answer(async () => (await fusing()).fusionChoices()),

  fusion: (settings: Settings, asked: FusionAsked): Promise<Answer<FusionAnswer>> =>
    answer(async () => (await fusing()).fusionAnswer(session, settings, asked)),

  /** The measure for eleven weights of one system. */
  fusionSweep: (settings: Settings, asked: FusionAsked, system: number): Promise<Answer<(number | null)[]>> =>
    answer(async () => (await fusing()).fusionSweep(session, settings, asked, system)),

  fusedRun: (settings: Settings, asked: FusionAsked): Promise<Answer<string>> =>
    answer(async () => (await fusing()).fusedRunText(session, settings, asked)),

  learners: (): Promise<Answer<LearnerChoice[]>> => answer(async () => (await training()).learnerChoices()),

  /** Trains; another worker is asked, so that everything else goes on. */
  train: (asked: TrainingAsked, onStep: (step: TrainingStep) => void, onProgress?: Progress): Promise<Answer<TrainingAnswer>> =>
    answer(async () => (await training()).train(asked, onStep, calmly(onProgress))),

  stopTraining: (): Promise<Answer<void>> => answer(async () => (await training()).stopTraining()),

  comparison: (settings: Settings): Promise<Answer<{ report: ComparisonReport; tables: ReportTable[] }>> =>
    answer(async () => {
      const { comparisonReport, reportTables } = await reporting();
      const report = await comparisonReport(session, settings, false);
      return { report, tables: reportTables(report) };
    }),

  verdict: (settings: Settings, measure: string, withChecks: boolean): Promise<Answer<VerdictAnswer | null>> =>
    answer(() => verdictAnswer(session, settings, measure, withChecks)),

  leaderboard: (settings: Settings, measure: string): Promise<Answer<LeaderboardAnswer>> =>
    answer(() => leaderboardAnswer(session, settings, measure)),

  /** Two systems, by their places. */
  pair: (settings: Settings, measure: string, a: number, b: number): Promise<Answer<PairAnswer>> =>
    answer(() => pairAnswer(session, settings, measure, a, b)),

  report: (settings: Settings, kind: ReportKind): Promise<Answer<Report>> =>
    answer(async () => (await reporting()).reportOf(session, settings, kind)),

  reportText: (settings: Settings, kind: ReportKind, form: ReportForm): Promise<Answer<string>> =>
    answer(async () => {
      const { reportOf, reportText } = await reporting();
      return reportText(await reportOf(session, settings, kind), form);
    }),

  reportPage: (report: Report, parts: HtmlOptions): Promise<Answer<string>> =>
    answer(async () => (await reporting()).htmlReport(report, parts)),

  exported: (settings: Settings, request: ExportRequest): Promise<Answer<string>> =>
    answer(async () => {
      const plan = session.plan(settings);
      const { exported } = await import('./exporting.js');
      return exported(request, await session.scores(plan, await session.material(plan)));
    }),
};

export type Engine = typeof engine;

answerCalls(engine);

const QUIET = 3000;
setTimeout(
  () =>
    void Promise.all([prepareReaders(), reporting(), import('./exporting.js'), laboratory(), fusing(), training()]).catch(() => undefined),
  QUIET,
);
