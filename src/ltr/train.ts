import { type FeatureMatrix, numQueries } from '../core/feature-matrix.js';
import { unknownParam } from '../core/params.js';
import { InputError } from '../core/problem.js';
import type { Measure } from '../measures/measure.js';
import {
  checkData,
  checkNormalised,
  fitNormalisation,
  hasMissingCells,
  type NormalisationName,
  normaliseMatrix,
  withColumnsOf,
  withMissingCells,
} from './dataset.js';
import type { EvaluationRules } from './evaluate-model.js';
import { fingerprintOf } from './fingerprint.js';
import type { QueryObjective } from './losses/query-objective.js';
import { type Objective, objectiveOf, type RankingMetric } from './objectives/index.js';
import { constrainedObjective, type RiskRule, riskObjective } from './objectives/risk.js';
import { checkOptions, type GivenOptions } from './options.js';
import type { Iteration, Learner, Model, Team, TrainingSet, TrainingSnapshots } from './ranker.js';
import { CurveRecorder, stackSets, type WatchedSet } from './training/curves.js';
import {
  asModelReads,
  checkResumable,
  extensibleModel,
  joinedCurves,
  leavesOutAsMissing,
  startingTrees,
  type TrainingStart,
} from './training/warm-start.js';
import { tieRuleOf } from './training/watch.js';

/** What to train, on what, and how. */
export interface TrainRankerOptions {
  readonly learner: Learner;
  readonly train: FeatureMatrix;
  /** What the learner chooses by among what it finds on its way, and stops early by. */
  readonly validation?: FeatureMatrix | undefined;
  /** What is optimised, with the parameters of a convention filled in. Learners with a loss of their own take none. */
  readonly objective?: Measure | undefined;
  /** Gives the gradients in the place of the objective, which is then only watched; for LambdaMART. */
  readonly gradients?: QueryObjective | undefined;
  /** A baseline, against which losses of the objective count more than gains. */
  readonly risk?: RiskRule | undefined;
  /** Measures whose means over the training queries must not fall below these values, for learners that ask what swaps change. */
  readonly constraints?: readonly { readonly measure: Measure; readonly least: number }[] | undefined;
  /** What is watched on the validation data: a measure, or a metric of the program; the objective by default. */
  readonly metric?: Measure | RankingMetric | undefined;
  /** The rules by which rankings are judged where something is chosen by them; those of Gradus by default. Give the same to
   *  `evaluateModel`, and it reports the value that was chosen by. */
  readonly rules?: EvaluationRules | undefined;
  /** Options of the learner; defaults for the others. */
  readonly options?: GivenOptions | undefined;
  /** How much each query of the training data counts, for the learners that can weigh them; 1 each by default. */
  readonly queryWeights?: Float64Array | undefined;
  /** Further sets that are watched besides the validation data. */
  readonly watch?: readonly WatchedSet[] | undefined;
  /** Measures that are watched besides the metric, on all of these sets. */
  readonly watchMeasures?: readonly Measure[] | undefined;
  /** Which of these the best model is chosen and training is stopped by: `validation:nDCG@10`. By default the metric on the validation data
   *  or, without any, on the first further set. */
  readonly stopOn?: string | undefined;
  /** Whether the model is to hold what was seen after each iteration. */
  readonly history?: boolean | undefined;
  /** How much each document of the training data counts, for the learners that can weigh them; 1 each by default. */
  readonly documentWeights?: Float64Array | undefined;
  /** Scores that the training documents have already, which the model adds to, for the learners that can begin with them. They are no part
   *  of the model. */
  readonly initialScores?: Float64Array | undefined;
  /** A model to go on from: trees are added to those of any model of trees, whoever made it. */
  readonly from?: TrainingStart | undefined;
  /** Saves the model on the way, as it is then; `from` can go on from it. */
  readonly snapshots?: TrainingSnapshots | undefined;
  readonly normalisation?: NormalisationName | undefined;
  /** *zero*: a cell that the data leaves out is 0, as LETOR files mean it; *missing*: it is not known. Cells that are NaN in the
   *  data are not known either way. *zero* by default. */
  readonly absent?: 'zero' | 'missing' | undefined;
  readonly seed?: number | undefined;
  readonly onIteration?: ((progress: Iteration) => void) | undefined;
  /** When it fires, training ends and the best model so far is returned. */
  readonly signal?: AbortSignal | undefined;
  readonly team?: Team | undefined;
  /** The name of the convention that gave the measures their parameters, to be written into the model. */
  readonly convention?: string | undefined;
}

/** Trains a ranker and gives the model with all its papers: how features are brought to scale, what was optimised under which
 *  rules, from which data. Everything that can be wrong is found before the first iteration.
 *
 *      const model = await trainRanker({ learner: await loadLearner('lambdamart'), train, objective: parseMeasure('nDCG@10') });
 *      const scores = scoreMatrix(model, test);
 */
export async function trainRanker(request: TrainRankerOptions): Promise<Model> {
  const { learner, seed = 1 } = request;
  checkKeys(request);
  const options = checkOptions(learner, request.options);
  const { objective, metric } = objectivesFor(learner, request.objective, request.metric);
  if (request.gradients !== undefined && learner.takesGradients !== true) {
    throw new InputError({
      message: `${learner.title} takes no gradients of a program`,
      wayOut: 'leave gradients out, or take lambdamart',
    });
  }
  if (request.risk !== undefined && learner.weighsRisk !== true) {
    throw new InputError({
      message: `${learner.title} cannot be trained against a baseline`,
      wayOut: 'take lambdamart, lambdarank or coordinate-ascent',
    });
  }
  const constraints = request.constraints ?? [];
  if ((constraints.length > 0 || (request.risk?.measure ?? 'urisk') !== 'urisk') && learner.asksSwaps !== true) {
    const what = constraints.length > 0 ? 'several measures' : request.risk?.measure;
    throw new InputError({ message: `${learner.title} cannot be trained for ${what}`, wayOut: 'take lambdamart or lambdarank' });
  }
  const from = request.from && startFor(request, request.from);
  const read = (matrix: FeatureMatrix, role: string): TrainingSet => {
    const set = checkDocuments(matrix, role);
    return from === undefined ? set : asModelReads(set, from);
  };
  const checked = read(request.train, 'training');
  const others = request.validation && read(request.validation, 'validation');

  const notKnown = from === undefined ? request.absent === 'missing' || hasMissingCells(request.train) : leavesOutAsMissing(from);
  const { binned } = request.train;
  const cells = (set: TrainingSet): TrainingSet => (notKnown && set.binned === undefined ? withMissingCells(set) : set);
  const missing = notKnown ? Number.NaN : 0;
  const train = cells(checked);
  const watchedSets: WatchedSet[] = [
    ...(others === undefined ? [] : [{ name: 'validation', matrix: others }]),
    ...(request.watch ?? []).map(({ name, matrix }) => ({ name, matrix: read(matrix, name) })),
  ];
  const { normalisation: method } = request;
  if (binned !== undefined && (learner.growsOnBins !== true || method !== undefined)) {
    throw new Error(`${learner.name} needs the values of features, and only their bins were read`);
  }
  const normalisation = from === undefined ? method && fitNormalisation(train, method, missing) : from.normalisation;
  const scaled = (set: TrainingSet, role: string): TrainingSet =>
    normalisation === undefined ? set : checkNormalised(normaliseMatrix(set, normalisation, missing), role, method ?? normalisation.method);

  const { onIteration, signal, team, convention, queryWeights, documentWeights, initialScores, rules } = request;
  if (queryWeights !== undefined) checkWeights(learner, queryWeights, numQueries(request.train));
  checkPerDocument(learner, documentWeights, 'weight', request.train.numRows, 0);
  checkPerDocument(learner, initialScores, 'initial score', request.train.numRows, -Infinity);
  const stacked = watchedSets.map(({ name, matrix }) =>
    scaled(cells(withColumnsOf(checkDocuments(matrix, name), checked, name, missing)), name),
  );
  const recorder = recorderFor(request, watchedSets, metric ?? objective);
  const withPapers = (model: Model): Model => ({
    ...model,
    // what the data left out is 0 unless it was said to be unknown, whatever the learner can do with unknown values
    missing: notKnown ? model.missing : 0,
    ...(from === undefined ? {} : { missing: from.missing, leftOut: from.leftOut, inputs: from.inputs }),
    ...(from !== undefined && from.numFeatures > model.numFeatures
      ? { numFeatures: from.numFeatures, featureNames: from.featureNames }
      : {}),
    normalisation,
    training: model.training && {
      ...model.training,
      convention,
      ties: tieRuleOf((metric ?? objective).measure, rules),
      data: fingerprintOf(request.train),
      ...(request.history === true && recorder !== undefined
        ? { history: joinedCurves(request.from?.model.training?.history, recorder.curves) }
        : {}),
    },
  });
  const { snapshots } = request;
  const model = await learner.train({
    start:
      request.from &&
      from &&
      startingTrees(
        request.from,
        from,
        request.train,
        watchedSets.map(({ matrix }) => matrix),
      ),
    snapshots: snapshots && { ...snapshots, save: async (saved) => await snapshots.save(withPapers(saved)) },
    train: scaled(train, 'training'),
    validation: stacked.length === 0 ? undefined : stackSets(stacked, missing),
    watchesTraining: request.history,
    objective: constrainedObjective(
      request.risk === undefined ? objective : riskObjective(objective, request.risk),
      constraints.map(({ measure, least }) => ({ objective: objectiveOf(measure), least })),
    ),
    // the baseline has values for training queries only
    metric: recorder?.metric ?? metric ?? objective,
    gradients: request.gradients,
    rules,
    options,
    queryWeights,
    documentWeights,
    initialScores,
    seed,
    onIteration: (progress) => {
      recorder?.note(progress);
      onIteration?.(progress);
    },
    signal,
    team: isWorthSharing(checked) ? team : undefined,
  });
  return withPapers(model);
}

/** The model to go on from, in the columns of the data. */
function startFor(request: TrainRankerOptions, { model, resumes }: TrainingStart) {
  const { learner, train, initialScores } = request;
  if (resumes === true) checkResumable(request, model);
  const normalisation = resumes === true ? undefined : request.normalisation;
  if (normalisation !== undefined) {
    throw new InputError({
      message: 'a model that training goes on from says itself how features are scaled',
      wayOut: 'leave the normalisation out',
    });
  }
  if (initialScores !== undefined) {
    throw new InputError({
      message: 'initial scores and a model to go on from both say where scores begin',
      wayOut: 'give one of them',
    });
  }
  return extensibleModel(learner, model, train.features?.firstFeature ?? 1);
}

/** What `trainRanker` can be told. */
const knownKeys: Readonly<Record<keyof TrainRankerOptions, true>> = {
  learner: true,
  train: true,
  validation: true,
  objective: true,
  metric: true,
  gradients: true,
  risk: true,
  constraints: true,
  rules: true,
  options: true,
  watch: true,
  watchMeasures: true,
  stopOn: true,
  history: true,
  queryWeights: true,
  documentWeights: true,
  initialScores: true,
  from: true,
  snapshots: true,
  normalisation: true,
  absent: true,
  seed: true,
  onIteration: true,
  signal: true,
  team: true,
  convention: true,
};

/** What watches several things; undefined where only one is watched and nothing is noted. */
function recorderFor(
  { watchMeasures = [], watch = [], stopOn, history, rules, learner }: TrainRankerOptions,
  sets: readonly WatchedSet[],
  main: Objective,
): CurveRecorder | undefined {
  if (watch.length === 0 && watchMeasures.length === 0 && stopOn === undefined && history !== true) return undefined;
  if (sets.length === 0 && (watchMeasures.length > 0 || stopOn !== undefined)) {
    throw new InputError({ message: 'there are no data to watch a measure on', wayOut: 'give validation data' });
  }
  const mainName = main.watched?.name ?? main.measure.text;
  const measures = [main, ...watchMeasures.filter(({ text }) => text !== mainName).map(objectiveOf)];
  return new CurveRecorder(sets, measures, rules, stopOn, learner.growsOnBins === true ? mainName : 'loss');
}

/** A misspelt key would otherwise be ignored, and a default taken in its place. */
function checkKeys(request: TrainRankerOptions): void {
  const names = Object.keys(knownKeys);
  const problems = Object.keys(request)
    .filter((key) => !Object.hasOwn(knownKeys, key))
    .map((key) => unknownParam('trainRanker', 'option', key, names));
  if (problems.length > 0) throw new InputError(problems);
}

/** Values below which threads wait for each other longer than they work. */
const FEW_VALUES = 2 ** 21;

/** Whether the data are so many that threads are worth their waiting for each other. */
export function isWorthSharing({ features, binned }: Pick<FeatureMatrix, 'features' | 'binned'>): boolean {
  if (binned !== undefined || features === undefined) return binned !== undefined;
  return (features.layout === 'dense' ? features.values.length : features.numGiven) >= FEW_VALUES;
}

function checkDocuments(matrix: FeatureMatrix, role: string): TrainingSet {
  const checked = checkData(matrix, role);
  if (matrix.numRows === 0) throw new InputError({ message: `the ${role} data hold no documents`, wayOut: 'check the file' });
  return checked;
}

/** The measures as objectives, refused if the learner has no use for them. */
function objectivesFor(learner: Learner, wanted: Measure | undefined, watched: TrainRankerOptions['metric']) {
  const { objectives, title } = learner;
  if (objectives === 'own') {
    if (wanted !== undefined) {
      throw new InputError({
        message: `${title} minimises a loss of its own and cannot optimise ${wanted.text}`,
        wayOut: 'leave the objective out; a metric says what is watched on validation data',
      });
    }
    if (watched === undefined || isHook(watched)) throw new Error(`${learner.name} needs a measure to choose by`);
    return { objective: objectiveOf(watched), metric: objectiveOf(watched) };
  }
  if (wanted === undefined) throw new Error(`${learner.name} needs an objective`);
  const objective = objectiveOf(wanted);
  if (objectives !== 'any' && (!objectives.includes(wanted.def.name) || !objective.canSwap)) {
    throw new InputError({
      message: `${title} cannot optimise ${wanted.text}`,
      wayOut: `it can optimise ${objectives.join(', ')}; AdaRank and coordinate ascent take any measure`,
    });
  }
  const metric = watched && (isHook(watched) ? { ...objective, watched } : objectiveOf(watched));
  return { objective, metric };
}

function isHook(metric: Measure | RankingMetric): metric is RankingMetric {
  return 'value' in metric;
}

function checkPerDocument(
  { title, weighsDocuments }: Learner,
  numbers: Float64Array | undefined,
  noun: 'weight' | 'initial score',
  numRows: number,
  least: number,
): void {
  if (numbers === undefined) return;
  if (weighsDocuments !== true) {
    const what = noun === 'weight' ? 'cannot weigh documents' : 'cannot begin with scores';
    throw new InputError({ message: `${title} ${what}`, wayOut: `leave the ${noun}s out, or take lambdamart or mart` });
  }
  if (numbers.length !== numRows) {
    throw new InputError({
      message: `${numbers.length} ${noun}s for ${numRows} documents`,
      wayOut: 'give one for each document, in the order of the data',
    });
  }
  const odd = numbers.findIndex((number) => !(number >= least && Math.abs(number) < Infinity));
  if (odd >= 0) {
    const expected = least === 0 ? 'a number from 0' : 'a finite number';
    throw new InputError(`the ${noun} of document ${odd + 1} is ${numbers[odd]}, expected ${expected}`);
  }
}

function checkWeights({ title, weighsQueries }: Learner, weights: Float64Array, numberOfQueries: number): void {
  if (weighsQueries !== true) throw new InputError({ message: `${title} cannot weigh queries`, wayOut: 'leave the weights out' });
  if (weights.length !== numberOfQueries) {
    throw new InputError({
      message: `${weights.length} weights for ${numberOfQueries} queries`,
      wayOut: 'give one for each query, in the order of the data',
    });
  }
  const odd = weights.findIndex((weight) => !(weight >= 0 && weight < Infinity));
  if (odd >= 0) throw new InputError(`the weight of query ${odd + 1} is ${weights[odd]}, expected a number from 0`);
}
