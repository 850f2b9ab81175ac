/** Models that are trained on some queries and tested on others, on all cores. */
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { SHARED_PARTS_WORDS, SharedParts, wordsForParts } from '../../core/shared-parts.js';
import { evaluateModel } from '../../ltr/evaluate-model.js';
import { selectQueries, splitQueries } from '../../ltr/folds.js';
import type { Model, Team } from '../../ltr/ranker.js';
import { loadLearner } from '../../ltr/registry.js';
import { isWorthSharing } from '../../ltr/train.js';
import type { ClosableTeam, Platform } from '../platform.js';
import { type RankerRequest, trainOne } from '../training/train.js';
import { type TrainingSettings, trainingPlanOf } from '../training/training-data.js';
import type { Candidate } from './search-space.js';

/** What all trials have in common: plain data, for other threads. */
export interface TrialSettings
  extends Pick<TrainingSettings, 'objective' | 'metric' | 'rel' | 'convention'>,
    Pick<RankerRequest, 'normalisation' | 'seed' | 'missing'> {
  /** The share of the training queries that is set aside to choose the best iteration by. */
  readonly validateShare?: number | undefined;
}

/** One model to be trained and tested. */
export interface TrialJob extends Candidate {
  /** Tells it from all others of the same work. */
  readonly key: string;
  /** Queries to train on, and to test on, by their numbers. */
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** What came of it. */
export interface TrialResult {
  /** The metric on each test query; NaN where it has no value. */
  readonly values: readonly number[];
  readonly mean: number;
  /** How many numbers the model holds: weights of a linear model or net, leaves of trees. */
  readonly size: number;
  /** What training took. */
  readonly seconds: number;
}

/** Trains one model on some of the queries and tests it on others. */
export async function runTrial(
  settings: TrialSettings,
  whole: FeatureMatrix,
  { learner: name, options, train: trainQueries, test: testQueries }: TrialJob,
  { team, signal }: { readonly team?: Team | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<TrialResult> {
  const learner = await loadLearner(name);
  const plan = trainingPlanOf(ownSettings(settings, learner.objectives === 'own'), learner);
  const rest = selectQueries(whole, trainQueries);
  const { validateShare: share } = settings;
  const { first: train, rest: validation } = share === undefined ? { first: rest, rest: undefined } : splitQueries(rest, 1 - share);
  const begun = performance.now();
  const model = await trainOne({ ...settings, learner, options, signal }, plan, { train, validation }, team, { at: 0, of: 1 });
  const seconds = (performance.now() - begun) / 1000;
  const table = evaluateModel(model, selectQueries(whole, testQueries), [plan.metric], plan.rules);
  return { values: [...table.column(0)], mean: table.aggregate(0), size: sizeOf(model), seconds };
}

/** A learner with a loss of its own is judged by the objective of the others. */
export function ownSettings<Settings extends Pick<TrainingSettings, 'objective' | 'metric'>>(
  settings: Settings,
  hasOwnLoss: boolean,
): Settings {
  return hasOwnLoss ? { ...settings, metric: settings.metric ?? settings.objective } : settings;
}

function sizeOf({ scorer }: Model): number {
  if (scorer.kind === 'linear') return scorer.weights.reduce((count, weight) => count + Number(weight !== 0), 0);
  if (scorer.kind === 'trees') return scorer.feature.reduce((count, feature) => count + Number(feature < 0), 0);
  return scorer.layers.reduce((count, { weights, bias }) => count + weights.length + bias.length, 0);
}

/** What every thread knows. */
export interface TrialWork {
  readonly settings: TrialSettings;
  readonly whole: FeatureMatrix;
  readonly jobs: readonly TrialJob[];
  /** Which jobs are taken. */
  readonly control: Int32Array;
}

/** Takes jobs until none is left. */
export async function takeTrials(
  { settings, whole, jobs, control }: TrialWork,
  onDone?: (job: number) => void,
  signal?: AbortSignal,
): Promise<[job: number, result: TrialResult][]> {
  const parts = new SharedParts(control);
  const results: [number, TrialResult][] = [];
  try {
    for (let part = parts.next(); part >= 0; part = parts.next()) {
      const result = await runTrial(settings, whole, jobs[part], { signal });
      // what was cut short is no result
      if (signal?.aborted === true) {
        parts.stop();
        break;
      }
      results.push([part, result]);
      parts.advance(1);
      onDone?.(parts.done);
    }
  } catch (error) {
    parts.stop();
    throw error;
  }
  return results;
}

/** How trials are done. */
export interface TrialManner {
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Results of trials that were done before, by key. */
  readonly known?: Map<string, TrialResult> | undefined;
  /** Called when there are more of them. */
  readonly onKnown?: ((known: ReadonlyMap<string, TrialResult>) => Promise<void>) | undefined;
  /** Called with how many queries all trainings were given together. */
  readonly onDone?: ((done: number) => void) | undefined;
}

/** Jobs that each thread gets before results are reported. */
const JOBS_PER_THREAD = 4;

/** Does trials: small ones side by side, large ones with all threads on each. The results are the same for any number of threads. */
export class Trials {
  private readonly settings: TrialSettings;
  private readonly whole: FeatureMatrix;
  private readonly platform: Platform;
  private readonly manner: TrialManner;
  private readonly known: Map<string, TrialResult>;
  private readonly isLarge: boolean;
  private team: ClosableTeam | undefined;
  private work = 0;

  constructor(settings: TrialSettings, whole: FeatureMatrix, platform: Platform, manner: TrialManner) {
    this.settings = settings;
    this.isLarge = isWorthSharing(whole);
    this.platform = platform;
    this.manner = manner;
    this.known = manner.known ?? new Map();
    this.whole = whole;
  }

  /** The results of jobs, in their order; undefined if the work was ended before its time. */
  async run(jobs: readonly TrialJob[]): Promise<TrialResult[] | undefined> {
    const { manner, known } = this;
    const open = jobs.filter(({ key }) => !known.has(key));
    for (let at = 0; at < open.length && manner.signal?.aborted !== true; ) {
      const team = this.isLarge ? undefined : await this.sharedTeam();
      const some = open.slice(at, at + JOBS_PER_THREAD * (team?.size ?? 1));
      const queries = some.reduce((sum, { train }) => sum + train.length, 0);
      const onDone = (done: number): void => manner.onDone?.(this.work + (queries * done) / some.length);
      for (const [job, result] of await this.runSome(some, team, onDone)) known.set(some[job].key, result);
      at += some.length;
      this.work += queries;
      await manner.onKnown?.(known);
    }
    const results = jobs.map(({ key }) => known.get(key));
    return results.every((result) => result !== undefined) ? results : undefined;
  }

  async close(): Promise<void> {
    await this.team?.close();
  }

  private async sharedTeam(): Promise<ClosableTeam | undefined> {
    const { threads } = this.manner;
    if (threads !== 1) this.team ??= await this.platform.threadTeam?.(threads);
    return this.team;
  }

  private async runSome(
    jobs: readonly TrialJob[],
    team: Team | undefined,
    onDone: (done: number) => void,
  ): Promise<[number, TrialResult][]> {
    const { settings, manner } = this;
    if (this.isLarge) return await this.runEach(jobs, onDone);
    const control = team === undefined ? new Int32Array(SHARED_PARTS_WORDS) : wordsForParts(); // fits: numbers of jobs, and flags
    new SharedParts(control).offer(jobs.length);
    const work: TrialWork = { settings, whole: this.whole, jobs, control };
    const others = team?.run(new URL('./trial-worker.js', import.meta.url), { ...work, whole: plainMatrix(this.whole) });
    // a failure elsewhere shows when the others are awaited
    others?.catch(() => undefined);
    const own = await takeTrials(work, onDone, manner.signal);
    return [...own, ...(((await others) ?? []) as [number, TrialResult][][]).flat()];
  }

  private async runEach(jobs: readonly TrialJob[], onDone: (done: number) => void): Promise<[number, TrialResult][]> {
    const { manner, settings, whole, platform } = this;
    const results: [number, TrialResult][] = [];
    for (const [j, job] of jobs.entries()) {
      const team = await platform.trainingTeam?.(await loadLearner(job.learner), manner.threads);
      try {
        const result = await runTrial(settings, whole, job, { team, signal: manner.signal });
        if (manner.signal?.aborted === true) break;
        results.push([j, result]);
        onDone(j + 1);
      } finally {
        await team?.close();
      }
    }
    return results;
  }
}

/** The matrix with ids that other threads can be sent. */
function plainMatrix(matrix: FeatureMatrix): FeatureMatrix {
  const { size, bytes, offsets } = matrix.queries;
  return { ...matrix, queries: { size, bytes: bytes.slice(0, offsets[size]), offsets: offsets.slice(0, size + 1) } };
}
