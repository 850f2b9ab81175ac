/** Rankers that are trained by another program, on as many machines as it has, and used here. */
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import { withColumnsOf } from '../../ltr/dataset.js';
import { readModel } from '../../ltr/models/read-model.js';
import type { Learner, Model } from '../../ltr/ranker.js';
import { chosenLength } from '../../ltr/training/chosen-length.js';
import { tieRuleOf } from '../../ltr/training/watch.js';
import type { EngineTraining, TrainingEngineSettings } from '../engine.js';
import type { Platform } from '../platform.js';
import { learnerOf, type RankerRequest, readingOf, withLoss } from '../training/train.js';
import { type FeatureInput, readFeatureFiles, type TrainingFiles, type TrainingPlan, trainingPlanOf } from '../training/training-data.js';
import { xgboostTraining } from './xgboost-parameters.js';

/** A ranker that an engine trains, which is chosen and tested here. */
export interface EngineTrainRequest
  extends Omit<RankerRequest, 'signal' | 'threads' | 'normalisation'>,
    Pick<TrainingFiles, 'validate' | 'test'>,
    TrainingEngineSettings {
  /** Its name: `spark`. */
  readonly engine: string;
  /** Paths or patterns of Parquet files that every machine can read. */
  readonly train: readonly string[];
  /** A file where what is trained so far is kept, and from which an ended training goes on. */
  readonly checkpoint?: string | undefined;
  /** How options are written in messages. */
  readonly spelling?: ((option: string) => string) | undefined;
}

/** What was trained, and what it is judged on. */
export interface EngineTrainedRanker {
  readonly plan: TrainingPlan;
  readonly model: Model;
  readonly validation: FeatureMatrix | undefined;
  readonly tests: readonly FeatureMatrix[];
  readonly training: EngineTraining;
}

/** Has a ranker trained by an engine. Validation and test data are read here; the first say after how many trees the model is best by the
 *  metric, whatever its convention, and the model is cut there. */
export async function trainOnEngine(asked: EngineTrainRequest, platform: Platform): Promise<EngineTrainedRanker> {
  const learner = await learnerOf(asked);
  const request = withLoss(asked, learner);
  const engine = platform.trainingEngines?.[request.engine];
  if (engine === undefined) throw new InputError({ message: `nothing can be trained on ${request.engine} here`, wayOut: 'leave it out' });
  const plan = trainingPlanOf(request, learner);
  const { seed = 1, options = {}, spelling, train, checkpoint, columns, features, ignore, onProgress, onNote } = request;
  const goal = xgboostTraining(objectiveLearner(learner), options, objectiveOf(plan), seed, spelling);
  // before a cluster works for hours
  const read = async (inputs: readonly FeatureInput[], role: string): Promise<FeatureMatrix> =>
    await readFeatureFiles(inputs, role, readingOf(request), platform);
  const { validate = [], test = [] } = request;
  const unplaced = validate.length === 0 ? undefined : await read(validate, 'validation');
  const unplacedTests: FeatureMatrix[] = [];
  for (const input of test) unplacedTests.push(await read([input], 'test'));

  const { master, conf, python, workers } = request;
  const training = await engine({
    ...goal,
    master,
    conf,
    python,
    workers,
    train,
    columns,
    features,
    ignore,
    checkpoint,
    onProgress,
    onNote,
  });
  const imported = readModel(training.model, { firstFeature: 1 });
  const trees: Model = { ...imported, firstFeature: 1, numFeatures: training.featureNames.length, featureNames: training.featureNames };
  const placed = (matrix: FeatureMatrix, role: string): FeatureMatrix => inColumnsOf(matrix, trees, role);
  const validation = unplaced && placed(unplaced, 'validation');
  const chosen = validation && chosenLength(trees, validation, plan.metric, plan.rules);
  const model: Model = {
    ...(chosen?.model ?? trees),
    training: {
      objective: objectiveOf(plan).text,
      convention: plan.convention,
      ties: tieRuleOf(plan.metric, plan.rules),
      options: {
        ...training.parameters,
        trainer: training.trainer,
        workers: training.workers,
        documents: training.documents,
        queries: training.queries,
      },
      seed,
      iterations: goal.trees,
      best: chosen?.best,
      ...(request.history === true && chosen !== undefined ? { history: historyOf(plan, chosen.values) } : {}),
    },
  };
  return { plan, model, validation, tests: unplacedTests.map((matrix) => placed(matrix, 'test')), training };
}

function objectiveLearner(learner: Learner): Learner {
  if (learner.name === 'lambdamart') return learner;
  throw new InputError({ message: `${learner.name} cannot be trained on Spark`, wayOut: 'take lambdamart' });
}

function objectiveOf({ objective, metric }: TrainingPlan): TrainingPlan['metric'] {
  return objective ?? metric;
}

/** The data in the columns of a model with names. */
function inColumnsOf(matrix: FeatureMatrix, { numFeatures, featureNames }: Model, role: string): FeatureMatrix {
  const features = {
    layout: 'dense',
    numFeatures,
    firstFeature: 1,
    numGiven: 0,
    names: featureNames,
    values: new Float64Array(0),
  } as const;
  return withColumnsOf(matrix, { ...matrix, features }, role, Number.NaN);
}

function historyOf({ metric }: TrainingPlan, values: readonly number[]): NonNullable<Model['training']>['history'] {
  return { iterations: values.map((_, i) => i + 1), curves: [{ set: 'validation', measure: metric.text, values }] };
}
