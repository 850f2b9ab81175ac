/** Rankers that are trained and tested on files. */
import { type FeatureMatrix, numQueries } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import { judgedLists, withRanks } from '../../core/ranked-lists.js';
import type { Run } from '../../core/run.js';
import { ScoreTable } from '../../core/score-table.js';
import { evaluateModel, evaluateScores, inRecordOrder } from '../../ltr/evaluate-model.js';
import { foldsOf, selectQueries, splitQueries } from '../../ltr/folds.js';
import { findLossName } from '../../ltr/losses/names.js';
import type { RiskMeasure } from '../../ltr/objectives/risk-weights.js';
import { checkOptions, type GivenOptions } from '../../ltr/options.js';
import type { Learner, Model, OptionValue, Team } from '../../ltr/ranker.js';
import { loadLearner } from '../../ltr/registry.js';
import { scoreMatrix } from '../../ltr/scoring/score.js';
import { drawnFrom, gridOf, parseCandidates } from '../../ltr/search.js';
import { type TrainRankerOptions, trainRanker } from '../../ltr/train.js';
import { MAX_BINS } from '../../ltr/trees/bin-edges.js';
import type { Measure } from '../../measures/measure.js';
import { sourceOf } from '../material.js';
import type { Platform } from '../platform.js';
import { DEFAULT_RISK, readBaseline } from '../risk.js';
import { beginsAnew, type ContinuedTraining, snapshotsFor, startOf } from './continued-training.js';
import {
  type FeatureInput,
  type FeatureSettings,
  readFeatureFiles,
  readFold,
  readTrainingData,
  type TrainingData,
  type TrainingFiles,
  type TrainingPlan,
  type TrainingSettings,
  trainingNotes,
  trainingPlanOf,
} from './training-data.js';

/** How a ranker is trained, whatever it is trained on. */
export interface RankerRequest
  extends TrainingSettings,
    Omit<FeatureSettings, 'team' | 'threads' | 'bins' | 'model' | 'labelled'>,
    Pick<TrainRankerOptions, 'normalisation' | 'seed' | 'signal'> {
  /** A learner, or its name. */
  readonly learner: string | Learner;
  /** Options of the learner. */
  readonly options?: GivenOptions | undefined;
  /** Whether models are to hold what was seen after each iteration. */
  readonly history?: boolean | undefined;
  /** Threads in all; all cores by default. The model is the same for any number. */
  readonly threads?: number | undefined;
  /** Called with how many models have been trained, with the share of the one at work, and how many there will be. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Which options of the learner are tried. */
export interface SearchRequest {
  /** Values to try, such as `rate=0.05,0.1`. */
  readonly grid?: readonly string[] | undefined;
  /** How many combinations are drawn at random; all of them by default. */
  readonly random?: number | undefined;
  /** How the name of an option may also be written. */
  readonly spelling?: ((option: string) => string) | undefined;
}

/** A ranker that is trained on files, and chosen and tested on others. */
export interface TrainRequest extends RankerRequest, TrainingFiles, SearchRequest, ContinuedTraining {
  /** How much more a loss against the baseline counts than a gain: 1 + alpha times; 1 by default. */
  readonly alpha?: number | undefined;
  /** Measures in which the mean over the training queries must not fall below that of the baseline, while the objective is made larger. */
  readonly keep?: readonly string[] | undefined;
  /** Which risk measure the model is trained for, against the baseline; URisk by default. */
  readonly riskMeasure?: RiskMeasure | undefined;
  /** Called after each model with which is the best so far. */
  readonly onTrial?: ((best: Trial) => void) | undefined;
}

/** One model that was trained, with what validation data says of it. */
export interface Trial {
  /** All options of the learner. */
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly model: Model;
  /** The metric on validation data, and its mean; undefined if there is none. */
  readonly watched: ScoreTable | undefined;
  readonly validation: number | undefined;
}

/** What was trained, and on what. */
export interface TrainedRanker {
  readonly plan: TrainingPlan;
  readonly data: TrainingData;
  /** Empty if training was ended before the first. */
  readonly trials: readonly Trial[];
  /** The trial with the highest value on validation data, the first of equal ones. */
  readonly best: Trial | undefined;
}

/** Trains a ranker on files, with the threads that the platform has, and chooses by validation data among all that was tried.
 *
 *      const { best } = await trainFromFiles({ learner: 'lambdamart', train: ['train.txt'], validate: ['vali.txt'] }, nodePlatform);
 */
export async function trainFromFiles(asked: TrainRequest, platform: Platform): Promise<TrainedRanker> {
  const learner = await learnerOf(asked);
  const request = withLoss(asked, learner);
  const plan = trainingPlanOf(request, learner);
  const combinations = trialOptions(learner, request);
  const team = await platform.trainingTeam?.(learner, request.threads);
  try {
    const data = await readTrainingData(
      request,
      // a model that is there already is asked for scores, which need the values
      { ...readingOf(request), team, bins: beginsAnew(request, platform) ? binsOf(learner, request, combinations) : undefined },
      platform,
      (whole) => noteData(request, request.train, whole, plan, platform),
    );
    const risk = await riskOf(request, plan, data, platform);
    const from = await startOf(request, data, platform);
    const snapshots = snapshotsFor(request);
    const trials: Trial[] = [];
    for (const [t, options] of combinations.entries()) {
      if (request.signal?.aborted === true) break;
      const model = await trainOne(
        { ...request, learner, options },
        plan,
        data,
        team,
        { at: t, of: combinations.length },
        { ...risk, from, snapshots },
      );
      const watched = data.validation && evaluateModel(model, data.validation, [plan.metric], plan.rules);
      trials.push({ options: checkOptions(learner, options), model, watched, validation: watched?.aggregate(0) });
      request.onTrial?.(bestOf(trials));
    }
    return { plan, data, trials, best: trials.length === 0 ? undefined : bestOf(trials) };
  } finally {
    await team?.close();
  }
}

/** The options of each trial: those given, with the candidates of the search put over them.
 *  @throws An `InputError` if the learner does not take one of them. */
export function trialOptions(
  learner: Learner,
  { options: given = {}, grid = [], random, seed = 1, spelling = (name) => name }: SearchRequest & Pick<RankerRequest, 'options' | 'seed'>,
): GivenOptions[] {
  if (grid.length === 0) return [given];
  const candidates = grid.map((text) =>
    parseCandidates(text, (written) => {
      const found = Object.entries(learner.options).find(([name]) => name === written || spelling(name) === written);
      return found && { name: found[0], spec: found[1] };
    }),
  );
  const repeated = candidates.find(({ name }, c) => candidates.findIndex((other) => other.name === name) < c);
  if (repeated !== undefined) {
    const name = spelling(repeated.name);
    throw new InputError({ message: `--grid gives values of ${name} twice`, wayOut: `put them together, as in --grid ${name}=1,2` });
  }
  return (random === undefined ? gridOf(candidates) : drawnFrom(candidates, random, learner, seed)).map((combination) => {
    const trial = { ...given, ...combination };
    checkOptions(learner, trial);
    return trial;
  });
}

/** How many bins for values all trials need, where they need nothing else of the training data. */
function binsOf(learner: Learner, { normalisation }: RankerRequest, trials: readonly GivenOptions[]): number | undefined {
  if (learner.growsOnBins !== true || normalisation !== undefined) return undefined;
  const complete = trials.map((options) => checkOptions(learner, options));
  // bins that are found by another rule are found from the values
  if (complete.some(({ growth, categorical }) => growth !== 'gradus' || categorical !== '')) return undefined;
  const [first] = complete.map(({ bins }) => bins);
  if (typeof first !== 'number' || first >= MAX_BINS) return undefined;
  return complete.every(({ bins }) => bins === first) ? first : undefined;
}

function bestOf(trials: readonly Trial[]): Trial {
  return trials.reduce((sofar, trial) => ((trial.validation ?? 0) > (sofar.validation ?? 0) ? trial : sofar));
}

/** What the model is not to lose against, for the training queries: as a risk of its objective, and in other measures. */
async function riskOf(
  { baseline, alpha = DEFAULT_RISK, riskMeasure, keep = [] }: TrainRequest,
  { objective, rules, kept }: TrainingPlan,
  { whole, train }: TrainingData,
  platform: Platform,
): Promise<Pick<TrainRankerOptions, 'risk' | 'constraints'>> {
  if (baseline === undefined || objective === undefined) return {};
  const valuesOf = async (measure: Measure): Promise<Float64Array> =>
    await readBaseline(sourceOf(baseline, platform), whole, train, measure, rules);
  if (keep.length === 0) return { risk: { alpha, baseline: await valuesOf(objective), measure: riskMeasure } };
  const constraints: NonNullable<TrainRankerOptions['constraints']>[number][] = [];
  for (const measure of kept) {
    const values = await valuesOf(measure);
    constraints.push({ measure, least: values.reduce((sum, value) => sum + value, 0) / values.length });
  }
  return { constraints };
}

/** An objective that is the name of a loss is the option of the learner that chooses it; the measure is then the usual one. */
export function withLoss<Request extends RankerRequest>(request: Request, learner: Learner): Request {
  const loss = request.objective === undefined ? undefined : findLossName(request.objective);
  if (loss === undefined) return request;
  if (!Object.hasOwn(learner.options, 'loss')) {
    throw new InputError({
      message: `${learner.name} cannot follow the loss ${loss}`,
      wayOut: 'take lambdamart, or a measure as the objective',
    });
  }
  return { ...request, objective: undefined, options: { ...request.options, loss } };
}

/** The learner of a request, loaded if it has only been named. */
export async function learnerOf({ learner }: Pick<RankerRequest, 'learner'>): Promise<Learner> {
  return typeof learner === 'string' ? await loadLearner(learner) : learner;
}

/** How the documents are read that a ranker is trained on. */
export function readingOf(request: Omit<RankerRequest, 'learner'>): FeatureSettings {
  const { lenient, columns, features, ignore, header, numFeatures, featureNames, firstFeature, missing, threads = 'all', onNote } = request;
  return { lenient, columns, features, ignore, header, numFeatures, featureNames, firstFeature, missing, threads, onNote };
}

/** Tells what a person should know about the training data. */
export function noteData(
  request: Omit<RankerRequest, 'learner'>,
  files: readonly FeatureInput[],
  whole: FeatureMatrix,
  plan: TrainingPlan,
  platform: Platform,
): void {
  const names = files.map((file) => sourceOf(file, platform).name).join(' and ');
  for (const note of trainingNotes(whole, plan, request)) request.onNote?.(`${names}: ${note}`);
}

/** Trains one model of those that there will be. */
export async function trainOne(
  request: RankerRequest & { readonly learner: Learner },
  { objective, metric, rules, convention, watched: watchMeasures }: TrainingPlan,
  {
    train,
    validation,
    queryWeights,
    documentWeights,
    initialScores,
    watched: watch,
  }: Pick<TrainingData, 'train' | 'validation'> & Partial<TrainingData>,
  team: Team | undefined,
  { at, of }: { readonly at: number; readonly of: number },
  further: Pick<TrainRankerOptions, 'risk' | 'constraints' | 'from' | 'snapshots'> = {},
): Promise<Model> {
  const { learner, options, normalisation, missing, seed, signal, onProgress } = request;
  return await trainRanker({
    ...{ documentWeights, initialScores, watch, watchMeasures, stopOn: request.stopOn, history: request.history },
    ...{ learner, train, validation, queryWeights, objective, metric, rules, convention, options, normalisation, seed, signal, team },
    ...further,
    absent: missing === 'nan' ? 'missing' : 'zero',
    onIteration: ({ iteration, of: most }) => onProgress?.(at + iteration / most, of),
  });
}

/** A ranker that is trained and tested on folds in turn. */
export interface CrossValidationRequest extends RankerRequest, Pick<TrainingFiles, 'validateShare'> {
  /** Documents to cut into folds, those of all files together. */
  readonly train?: readonly FeatureInput[] | undefined;
  /** How many folds; 5 by default. */
  readonly folds?: number | undefined;
  /** Draw the folds at random instead of cutting them in the order of the file. */
  readonly shuffle?: boolean | undefined;
  /** Folders with a fold each, in the place of `train`. */
  readonly folders?: readonly string[] | undefined;
  /** Called for each model; the next fold waits for it. */
  readonly onFold?: ((fold: number, model: Model) => void | Promise<void>) | undefined;
}

/** One fold: the model that was trained without it, and what that is worth on it. */
export interface FoldResult {
  readonly name: string;
  readonly queries: number;
  readonly table: ScoreTable;
  readonly model: Model;
}

/** What came of all folds. */
export interface CrossValidation {
  readonly plan: TrainingPlan;
  /** How many folds there are; fewer have results if training was ended before its time. */
  readonly numFolds: number;
  readonly folds: readonly FoldResult[];
  /** The score that each document had when it was tested, in the order of the file; undefined for folds that are folders. */
  readonly predictions: Float64Array | undefined;
}

/** How many folds there are. */
export function numFoldsOf({ folders = [], folds = 5 }: Pick<CrossValidationRequest, 'folders' | 'folds'>): number {
  return folders.length > 0 ? folders.length : folds;
}

/** Trains on all folds but one and tests on that one, for each in turn. */
export async function crossValidate(asked: CrossValidationRequest, platform: Platform): Promise<CrossValidation> {
  const learner = await learnerOf(asked);
  const request = withLoss(asked, learner);
  const { train: files = [], folders = [], shuffle = false, seed = 1, validateShare: share, signal } = request;
  const plan = trainingPlanOf(request, learner);
  const reading = readingOf(request);
  const whole = files.length === 0 ? undefined : await readFeatureFiles(files, 'training', reading, platform);
  if (whole !== undefined) noteData(request, files, whole, plan, platform);
  const numFolds = numFoldsOf(request);
  const cut = whole && foldsOf(numQueries(whole), numFolds, shuffle ? seed : undefined);
  const dataOf = async (fold: number): Promise<Pick<TrainingData, 'train' | 'validation' | 'tests'>> => {
    if (whole === undefined || cut === undefined) return await readFold(folders[fold], reading, platform);
    const rest = selectQueries(whole, cut[fold].train);
    const { first: train, rest: validation } = share === undefined ? { first: rest, rest: undefined } : splitQueries(rest, 1 - share);
    return { train, validation, tests: [selectQueries(whole, cut[fold].test)] };
  };
  const predictions = whole && new Float64Array(whole.numRecords);
  const team = await platform.trainingTeam?.(learner, request.threads);
  const folds: FoldResult[] = [];
  try {
    for (let fold = 0; fold < numFolds; fold++) {
      const { tests, ...data } = await dataOf(fold);
      const [test] = tests;
      const model = await trainOne({ ...request, learner }, plan, data, team, { at: fold, of: numFolds });
      // a fold that was cut short is not comparable with the others
      if (signal?.aborted === true) break;
      await request.onFold?.(fold, model);
      const scores = scoreMatrix(model, test);
      const placed = inRecordOrder(test, scores);
      if (predictions !== undefined) for (const record of test.records ?? []) predictions[record] = placed[record];
      const table = evaluateScores(scores, test, plan.reported, plan.rules);
      folds.push({ name: folders[fold] ?? String(fold + 1), queries: numQueries(test), table, model });
    }
  } finally {
    await team?.close();
  }
  return { plan, numFolds, folds, predictions };
}

/** The queries of all folds in one table. */
export function pooledFolds(folds: readonly Pick<FoldResult, 'table'>[]): ScoreTable {
  const tables = folds.map(({ table }) => table);
  const topics = tables.flatMap((table, f) => table.topics.map((topic) => `${f + 1} ${topic}`));
  const values = new Float64Array(topics.length * tables[0].columns.length);
  let at = 0;
  for (const table of tables) {
    values.set(table.values, at);
    at += table.values.length;
  }
  return new ScoreTable(['all folds'], topics, tables[0].columns, values);
}

/** Documents with the scores of a model. */
export interface ScoredDocuments {
  /** In the order of the file. */
  readonly scores: Float64Array;
  /** The same as a ranking. */
  readonly run: Run;
  /** The labels of the documents as judgements. */
  readonly qrels: Qrels;
}

/** Ranks documents by a model. Equal scores stand in the order that the model was chosen by; where that is no order, by id.
 *  @param source What the documents are called in messages.
 *  @param name The run's tag; by default that of the learner.
 *  @throws An `InputError` if a score is not a finite number. */
export function scoreDocuments(
  model: Model,
  matrix: FeatureMatrix,
  { source, name = model.learner }: { readonly source?: string | undefined; readonly name?: string | undefined } = {},
): ScoredDocuments {
  const byRow = scoreMatrix(model, matrix);
  const odd = byRow.findIndex((score) => !Number.isFinite(score));
  if (odd >= 0) {
    throw new InputError({
      source,
      line: matrix.lines[odd],
      message: `the model gives the document a score of ${byRow[odd]}, expected a finite number`,
      wayOut: 'check the sizes of its features and of the numbers in the model',
    });
  }
  const scores = inRecordOrder(matrix, byRow);
  const { run, qrels } = judgedLists(matrix, scores, name);
  const ties = model.training?.ties;
  return { scores, run: withRanks(run, ties === 'file' || ties === 'docno-ascending' ? ties : 'docno'), qrels };
}
