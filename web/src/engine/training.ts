/** Training on this page, in a worker of its own. */
import { InputError } from 'gradus';
import { readFeatureFile, setsOfOne, type TrainingSets, trainAgainst, trainingNotes, trainingPlanOf } from 'gradus/experiment';
import { type LearnerOption, learnerNames, loadLearner, type Model, modelToJson } from 'gradus/ltr';
import type { Progress } from './protocol.js';
import { blobSource, pagePlatform } from './sources.js';

export interface LearnerChoice {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  /** Whether it follows the measure; the others have a goal of their own, and are chosen by it. */
  readonly followsMeasure: boolean;
  readonly options: readonly { readonly name: string; readonly help: string; readonly default: number | string; readonly whole: boolean }[];
}

export interface TrainingFiles {
  readonly train: File;
  /** Both or none: one file is divided. */
  readonly validation?: File | undefined;
  readonly test?: File | undefined;
}

export interface TrainingAsked {
  readonly files: TrainingFiles;
  readonly learner: string;
  readonly against: string;
  readonly measure: string;
  readonly convention: string;
  readonly options: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly alpha: number;
}

/** One point of the curve. */
export interface TrainingStep {
  readonly iteration: number;
  readonly of: number;
  readonly training: number | null;
  readonly validation: number | null;
}

export interface TrainingAnswer {
  readonly measure: string;
  readonly learner: string;
  readonly against: string;
  readonly counts: {
    readonly train: number;
    readonly validation: number;
    readonly test: number;
    readonly documents: number;
    readonly features: number;
  };
  readonly notes: readonly string[];
  /** How many iterations there were, and the one that was kept. */
  readonly iterations: number;
  readonly kept: number;
  readonly isStopped: boolean;
  /** What was seen after each iteration. */
  readonly curves: readonly { readonly set: string; readonly points: readonly { readonly x: number; readonly y: number }[] }[];
  readonly validation: number;
  readonly againstValidation: number;
  readonly test: number;
  readonly againstTest: number;
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number; readonly pValue: number };
  readonly queries: readonly { readonly query: string; readonly value: number; readonly against: number }[];
  readonly importance: readonly { readonly id: number; readonly name: string | null; readonly loss: number }[];
  /** The model in our own format. */
  readonly model: string;
}

/** Options that people turn first; the command line has them all. */
const USUAL_OPTIONS = ['trees', 'leaves', 'rate', 'minDocs', 'patience', 'iterations', 'rounds', 'epochs', 'restarts', 'c'];

export async function learnerChoices(): Promise<LearnerChoice[]> {
  const learners = await Promise.all(learnerNames.map(loadLearner));
  return learners.map(({ name, title, help, objectives, options }) => ({
    name,
    title,
    help,
    followsMeasure: objectives !== 'own',
    options: USUAL_OPTIONS.flatMap((option) => {
      const spec: LearnerOption | undefined = options[option];
      if (spec === undefined || (typeof spec.default !== 'number' && spec.default !== 'auto')) return [];
      return [{ name: option, help: spec.help, default: spec.default, whole: spec.type !== 'number' }];
    }),
  }));
}

let held: { readonly files: TrainingFiles; readonly seed: number; readonly sets: TrainingSets } | undefined;
let stopping: AbortController | undefined;

async function setsOf(files: TrainingFiles, seed: number, onProgress: Progress): Promise<TrainingSets> {
  const isSame = (a: File | undefined, b: File | undefined): boolean =>
    a?.name === b?.name && a?.size === b?.size && a?.lastModified === b?.lastModified;
  if (
    held !== undefined &&
    held.seed === seed &&
    (['train', 'validation', 'test'] as const).every((part) => isSame(held?.files[part], files[part]))
  )
    return held.sets;
  const read = (file: File) =>
    readFeatureFile(
      blobSource(file, (done, total) => onProgress(done, total, `reading ${file.name}`)),
      {},
      pagePlatform,
    );
  const { validation, test } = files;
  const train = await read(files.train);
  const sets =
    validation === undefined || test === undefined
      ? setsOfOne(train, seed)
      : { train, validation: await read(validation), test: await read(test) };
  held = { files, seed, sets };
  return sets;
}

/** Trains, telling of every iteration; what was found so far is the answer if somebody stops it. */
export async function train(asked: TrainingAsked, onStep: (step: TrainingStep) => void, onProgress: Progress): Promise<TrainingAnswer> {
  const { files, learner, against, measure, convention, options, seed, alpha } = asked;
  const sets = await setsOf(files, seed, onProgress);
  const controller = new AbortController();
  stopping = controller;
  const settings = { objective: measure, metric: measure, convention };
  const chosen = await loadLearner(learner);
  const watchesTraining = chosen.growsOnBins === true;
  let iterations = 0;
  const trained = await trainAgainst(sets, {
    ...settings,
    learner,
    against,
    options,
    seed,
    alpha,
    signal: controller.signal,
    onIteration: ({ iteration, of, training, validation }) => {
      iterations = iteration;
      onStep({ iteration, of, training: watchesTraining ? (training ?? null) : null, validation: validation ?? null });
    },
  });
  const { model } = trained.trained;
  const [values, others] = [trained.trained.test, trained.against.test];
  return {
    measure: trained.plan.metric.text,
    learner: chosen.title,
    against: (await loadLearner(against)).title,
    counts: {
      train: sets.train.queryOffsets.length - 1,
      validation: sets.validation.queryOffsets.length - 1,
      test: sets.test.queryOffsets.length - 1,
      documents: sets.train.numRows + sets.validation.numRows + sets.test.numRows,
      features: model.numFeatures,
    },
    notes: trainingNotes(sets.train, trainingPlanOf(settings, chosen), {}),
    iterations,
    kept: model.training?.best?.iteration ?? iterations,
    isStopped: controller.signal.aborted,
    curves: curvesOf(model, trained.plan.metric.text),
    validation: trained.trained.validation,
    againstValidation: trained.against.validation,
    test: values.aggregate(0),
    againstTest: others.aggregate(0),
    difference: trained.difference,
    queries: values.topics.map((query, q) => ({ query, value: values.column(0)[q], against: others.column(0)[q] })),
    importance: trained.importance.map(({ id, name, loss = 0 }) => ({ id, name: name ?? null, loss })),
    model: modelToJson(model),
  };
}

/** The curves of the measure; a loss is another scale. */
function curvesOf({ training }: Model, measure: string): TrainingAnswer['curves'] {
  const { iterations = [], curves = [] } = training?.history ?? {};
  return curves
    .filter((curve) => curve.measure === measure)
    .map(({ set, values }) => ({ set, points: values.map((y, i) => ({ x: iterations[i], y })).filter(({ y }) => Number.isFinite(y)) }));
}

export function stopTraining(): void {
  if (stopping === undefined) throw new InputError('nothing is being trained');
  stopping.abort();
}
