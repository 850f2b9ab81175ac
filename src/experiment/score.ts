import { refuseGradeFacts } from '../conventions/measures-of-tools.js';
import { withUnratedTopics } from '../conventions/unrated-topics.js';
import { unrelated } from '../core/common-topics.js';
import { judgedTopicsAnswered } from '../core/judging/judge.js';
import { defaultRules, type JudgingRules } from '../core/judging/judging-rules.js';
import { aboutWhat } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { ScoreTable } from '../core/score-table.js';
import type { Skipped } from '../formats/reader.js';
import type { ByteSource } from '../formats/source.js';
import { canBeStreamed, type Evaluator, evaluator } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { type PlanOptions, planOptionsFor } from '../measures/plan.js';
import type { Engine, EngineRequest, ScoreOrigin } from './engine.js';
import type { Material, RunMaterial } from './material.js';
import { namesOfRuns, renamed } from './names.js';
import { type Note, readingNotes, strangerNotes } from './notes.js';
import type { Plan } from './plan.js';
import type { Platform } from './platform.js';

/** What has to be known to score a run by measures that need no more than one line after another. */
export interface ScoringJob {
  readonly qrels: Qrels;
  readonly measures: readonly Measure[];
  readonly rules: JudgingRules;
  readonly planOptions: PlanOptions;
  /** Whether lines that cannot be read are to be left out. */
  readonly lenient: boolean;
  readonly threads?: number | undefined;
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/** The scores of one run. */
export interface RunScores {
  /** Of one system, which goes by the tag of the run. */
  readonly table: ScoreTable;
  /** Judged topics that the run does not answer. */
  readonly numMissing: number;
  /** Topics without judgements that count all the same; none by default. */
  readonly numUnrated?: number | undefined;
  /** How many documents the run ranks, over all topics. */
  readonly numRows: number;
  /** The first topic of the file, for messages. */
  firstTopic(): string | undefined;
}

/** A way to score a run. */
export interface ScoringStrategy {
  /** The scores, or undefined if the run is not made for this way; then the next one is tried. */
  score(source: ByteSource, job: ScoringJob): Promise<RunScores | undefined>;
  /** The same for many runs at a time, where that is faster; those without scores are then tried one by one. */
  scoreMany?(sources: readonly ByteSource[], job: ScoringJob): Promise<readonly (RunScores | undefined)[]>;
}

/** A run with its scores. */
export interface ScoredRun {
  /** What the run is called in messages: the name of its file. */
  readonly name: string;
  /** What it calls itself; empty if it does not. */
  readonly tag: string;
  /** Judged topics that the run does not answer. */
  readonly numMissing: number;
  /** Topics without judgements that count all the same. */
  readonly numUnrated: number;
  /** What lenient reading left out. */
  readonly skipped: Skipped | undefined;
  readonly origin: ScoreOrigin;
}

/** What every command and page goes on from. */
export interface ScoredRuns {
  readonly plan: Plan;
  /** Undefined where another program has read them. */
  readonly qrels: Qrels | undefined;
  readonly runs: readonly ScoredRun[];
  /** One table per run, by the name it goes by. */
  readonly tables: readonly ScoreTable[];
  /** By each of the other rules that were asked for: one table per run. */
  readonly alongside?: readonly (readonly ScoreTable[])[] | undefined;
  /** What a reader of the numbers must know, each once. */
  readonly notes: readonly Note[];
}

/** How scoring goes about its work; no number depends on it. */
export interface ScoringManner {
  /** What runs are called, in their order; by default, their tags or files. */
  readonly names?: readonly string[] | undefined;
  readonly lenient?: boolean | undefined;
  readonly threads?: number | undefined;
  readonly onProgress?: ((doneBytes: number, totalBytes: number, run: string) => void) | undefined;
  /** Score every run by these rules too while it is in memory, each with its own measures. */
  readonly alongside?: readonly OtherRules[] | undefined;
}

/** Rules in the place of those of the plan. */
export interface OtherRules {
  readonly measures: readonly Measure[];
  readonly rules: Partial<JudgingRules>;
}

/** Scores runs by a plan. Plain TREC runs are read part by part on all cores and never held in memory where the platform can do
 *  that; anything else is read as a whole.
 *  @throws An `InputError` for a run that answers none of the judged topics. */
export async function scoreRuns(plan: Plan, material: Material, platform: Platform, manner: ScoringManner = {}): Promise<ScoredRuns> {
  const { measures } = plan;
  const { judgements, known, expected } = material;
  const { qrels } = judgements;
  const rules = { ...defaultRules, ...plan.rules };
  const planOptions = planOptionsFor(qrels, measures, plan.planOptions);
  const countsUnrated = plan.convention.rules.unratedTopics === 'count';
  const { alongside = [] } = manner;
  // what is scored by several rules is read into memory once
  const streams = judgements.lists === undefined && !countsUnrated && canBeStreamed(measures, rules) && alongside.length === 0;
  const strategies = streams ? (platform.strategies ?? []) : [];
  const evaluatorOf = (judged: Qrels): Evaluator =>
    evaluator(judged, measures, { ...rules, ...planOptions, known, expected, unrelated: 'accept' });
  const inMemory = evaluatorOf(qrels);
  const others = alongside.map((other) => {
    const own = { ...rules, ...other.rules, ...planOptionsFor(qrels, other.measures, plan.planOptions) };
    return evaluator(qrels, other.measures, { ...own, known, expected, unrelated: 'accept' });
  });
  // a reader that can leave out the rows of other topics does so
  const judgedTopics = new Set(Array.from({ length: qrels.topics.size }, (_, topic) => qrels.topics.text(topic)));

  const jobOn = (name: string): ScoringJob => {
    const onProgress = manner.onProgress && ((done: number, total: number) => manner.onProgress?.(done, total, name));
    return { qrels, measures, rules, planOptions, lenient: manner.lenient === true, threads: manner.threads, onProgress };
  };
  const scoreOne = async (entry: RunMaterial): Promise<ScoresOfOne> => {
    const { source } = entry;
    const done = together.get(entry);
    if (done !== undefined) return { ...done, skipped: undefined };
    const job = jobOn(entry.name);
    for (const strategy of source === undefined ? [] : strategies) {
      const scores = await strategy.score(source as ByteSource, job);
      if (scores !== undefined) return { ...scores, skipped: undefined };
    }
    const { run, skipped } = await entry.read(countsUnrated ? {} : { topics: judgedTopics });
    const allTopics = countsUnrated ? withUnratedTopics(qrels, run) : qrels;
    return {
      table: aboutWhat(
        () => (plan.convention.name === 'gradus' ? undefined : `under ${plan.convention.name}`),
        () => (allTopics === qrels ? inMemory : evaluatorOf(allTopics)).evaluate(run),
      ),
      numUnrated: allTopics.topics.size - qrels.topics.size,
      numMissing: qrels.topics.size - judgedTopicsAnswered(qrels, run),
      numRows: run.scores.length,
      firstTopic: () => (run.topics.size === 0 ? undefined : run.topics.text(0)),
      skipped,
      strangers: () => strangerNotes(entry.name, run, judgements),
      alongside: others.map((other) => other.evaluate(run)),
    };
  };

  const together = new Map<RunMaterial, RunScores>();
  const files = material.runs.filter(({ source }) => source !== undefined);
  for (const strategy of files.length > 1 ? strategies : []) {
    const sources = files.map(({ source }) => source as ByteSource);
    const scores = (await strategy.scoreMany?.(sources, jobOn(`${files.length} runs`))) ?? [];
    for (const [r, found] of scores.entries()) if (found !== undefined) together.set(files[r], found);
  }

  const runs: ScoredRun[] = [];
  const tables: ScoreTable[] = [];
  const besides: (readonly ScoreTable[])[] = [];
  const strangers: Note[] = [];
  for (const entry of material.runs) {
    const scored = await scoreOne(entry);
    const { firstTopic, table, numMissing, numUnrated = 0, numRows, skipped, alongside: found = [] } = scored;
    besides.push(found);
    if (numMissing === qrels.topics.size) {
      throw unrelated(qrels, { first: firstTopic() }, { run: entry.name, qrels: judgements.name });
    }
    if (foundNothing(table, measures)) strangers.push(...(scored.strangers?.() ?? (await strangersAmong(entry, judgements))));
    const origin = { engine: 'gradus', version: platform.version, runRows: numRows, qrelsRows: qrels.grades.length };
    runs.push({ name: entry.name, tag: table.systems[0], numMissing, numUnrated, skipped, origin });
    tables.push(table);
  }
  material.finish?.();
  const notes = [...strangers, ...scoringNotes(material, runs, tables, plan)];
  const named = namedTables(runs, tables, manner.names);
  const byRules = alongside.map((_, o) => besides.map((own, r) => renamed(own[o], named[r].systems)));
  return { plan, qrels, runs, tables: named, alongside: byRules, notes };
}

/** Whether the measures that find good documents found none on any topic: worth a look at whether the files belong together. */
function foundNothing(table: ScoreTable, measures: readonly Measure[]): boolean {
  const finding = [...measures.keys()].filter((m) => measures[m].def.direction === 'higher');
  return finding.length > 0 && finding.every((m) => table.column(m).every((value) => value === 0 || Number.isNaN(value)));
}

/** With more bytes than this a run is not read into memory only to be looked at. */
const MOST_BYTES_AGAIN = 500_000_000;

/** Looks at the documents of a run that was scored without being held, in its file. */
async function strangersAmong({ name, source, read }: RunMaterial, judgements: Material['judgements']): Promise<Note[]> {
  if (source?.isReopenable !== true || (source.size ?? 0) > MOST_BYTES_AGAIN) return [];
  return strangerNotes(name, (await read()).run, judgements);
}

interface ScoresOfOne extends RunScores {
  readonly skipped: Skipped | undefined;
  /** What there is to say if none of its documents is judged, where the run is held. */
  readonly strangers?: (() => Note[]) | undefined;
  readonly alongside?: readonly ScoreTable[];
}

/** Has runs scored by another program, which reads the files itself. */
export async function scoreByEngine(plan: Plan, engine: Engine, request: EngineWork, names?: readonly string[]): Promise<ScoredRuns> {
  const { measures, rules, planOptions, fateOfMissing: fate } = plan;
  const done = await engine({ ...request, measures, rules, planOptions });
  for (const { facts } of done) refuseGradeFacts(plan.convention, measures, facts);
  const runs = done.map(({ path: name, table, facts, origin }): ScoredRun => {
    const numMissing = facts.judgedTopics - facts.answeredTopics;
    return { name, tag: table.systems[0], numMissing, numUnrated: 0, skipped: undefined, origin };
  });
  const notes = done.flatMap(({ path: source, facts: { judgedTopics: judged, answeredTopics } }): Note[] =>
    answeredTopics < judged ? [{ kind: 'missing-topics', source, missing: judged - answeredTopics, judged, fate }] : [],
  );
  const tables = done.map(({ table }) => table);
  return { plan, qrels: undefined, runs, tables: namedTables(runs, tables, names), notes };
}

function namedTables(runs: readonly ScoredRun[], tables: readonly ScoreTable[], given?: readonly string[]): ScoreTable[] {
  const names = namesOfRuns(
    runs.map(({ tag }) => tag),
    runs.map(({ name }) => name),
    given,
  );
  return tables.map((table, r) => renamed(table, [names[r]]));
}

type EngineWork = Omit<EngineRequest, 'measures' | 'rules' | 'planOptions'>;

/** How the files were read, how means over orders of equal scores were found and how exact they are, and topics that a run does not
 *  answer, with what becomes of them. */
function scoringNotes({ judgements }: Material, runs: readonly ScoredRun[], tables: readonly ScoreTable[], plan: Plan): Note[] {
  const judged = judgements.qrels.topics.size;
  const { convention, fateOfMissing: fate } = plan;
  return [
    ...readingNotes(judgements.name, judgements),
    ...runs.flatMap(({ name: source, skipped, numMissing: missing, numUnrated: unrated }, r): Note[] => [
      ...readingNotes(source, { skipped }),
      ...tables[r].notes.map((text): Note => ({ kind: 'about-scores', source, text })),
      ...(missing > 0 ? [{ kind: 'missing-topics', source, missing, judged, fate } as const] : []),
      ...(unrated > 0 ? [{ kind: 'unrated-topics', source, unrated, convention: convention.name } as const] : []),
    ]),
  ];
}
