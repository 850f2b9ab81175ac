/** Training that goes on from a model. */
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import { fingerprintOf } from '../fingerprint.js';
import { checkOptions, type GivenOptions } from '../options.js';
import type { Learner, Model, StartingTrees, TreeScorer } from '../ranker.js';
import { leftOutValue } from '../scoring/rows.js';
import { scoreMatrix } from '../scoring/score.js';
import type { TrainingCurves } from './curves.js';
import { treeAlone } from './joined-trees.js';

/** A model to go on from, and how. */
export interface TrainingStart {
  readonly model: Model;
  /** The model was saved in the course of the same training, which goes on as if it had not been ended. Otherwise as many trees as the
   *  learner is asked for are added to it. */
  readonly resumes?: boolean | undefined;
}

/** The model as one that trees can be added to: its trees in the columns of the data, without a divisor.
 *  @throws An `InputError` if it is no such model. */
export function extensibleModel(
  learner: Pick<Learner, 'title' | 'continues'>,
  model: Model,
  firstFeature: number,
): Model & { scorer: TreeScorer } {
  const { scorer } = model;
  if (learner.continues !== true) {
    throw new InputError({ message: `${learner.title} cannot go on from a model`, wayOut: 'take lambdamart or mart' });
  }
  if (scorer.kind !== 'trees') {
    throw new InputError({
      message: `trees cannot be added to a model of kind ${scorer.kind}`,
      wayOut: 'give its scores with --init-scores instead, and add both scores where the model is used',
    });
  }
  if (scorer.zeroIsMissing === true) {
    throw new InputError('the model takes zeros for missing values, which trees that are added to it do not');
  }
  const { treeWeights, divisor = 1, sums: _, divisor: __, ...trees } = scorer;
  const shift = model.firstFeature - firstFeature;
  const feature = shift === 0 ? trees.feature : trees.feature.map((column) => (column < 0 ? column : column + shift));
  if (shift < 0 && feature.some((column, node) => column < 0 && trees.feature[node] >= 0)) {
    throw new InputError(`the model uses feature ${model.firstFeature}, and those of the data begin with ${firstFeature}`);
  }
  return {
    ...model,
    firstFeature,
    numFeatures: model.numFeatures + shift,
    scorer: { ...trees, feature, base: trees.base / divisor, treeWeights: treeWeights.map((weight) => weight / divisor) },
  };
}

/** What training must have in common with the one that a model was saved by. */
interface ResumedTraining {
  readonly learner: Learner;
  readonly train: FeatureMatrix;
  readonly options?: GivenOptions | undefined;
  readonly seed?: number | undefined;
  readonly gradients?: unknown;
}

/** Refuses a model that is not of the same training.
 *  @throws An `InputError` that says what differs. */
export function checkResumable(
  { learner, train, options, seed = 1, gradients }: ResumedTraining,
  { training, learner: name }: Model,
): void {
  const complete = checkOptions(learner, options);
  if (complete.dropRate !== undefined && complete.dropRate !== 0) {
    throw new InputError('training that leaves out trees (dropRate) cannot go on from what was saved: their weights have changed since');
  }
  if (gradients !== undefined) throw new InputError('training by gradients of a program cannot go on from what was saved');
  const changed = Object.keys(complete).find(
    (option) =>
      option !== 'trees' && complete[option] !== 'auto' && JSON.stringify(complete[option]) !== JSON.stringify(training?.options[option]),
  );
  const differs =
    name !== learner.name
      ? 'another learner'
      : training?.seed !== seed
        ? 'another seed'
        : training.data !== fingerprintOf(train)
          ? 'other training data'
          : changed && `another value of ${changed}`;
  if (differs === undefined) return;
  throw new InputError({
    message: `what was saved belongs to a training with ${differs}`,
    wayOut: 'name another --checkpoint FILE, or remove this one to begin again',
  });
}

/** What the learner starts from: where scores begin, and which iteration comes next. */
export function startingTrees(
  { model, resumes = false }: TrainingStart,
  extensible: Model & { scorer: TreeScorer },
  train: FeatureMatrix,
  watched: readonly FeatureMatrix[],
): StartingTrees {
  const validation = watched.map((matrix) => scoreMatrix(model, matrix));
  const validationScores = new Float64Array(validation.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const scores of validation) {
    validationScores.set(scores, at);
    at += scores.length;
  }
  const trees = extensible.scorer.treeWeights.length;
  return {
    scorer: extensible.scorer,
    trainScores: scoreMatrix(model, train),
    validationScores,
    iterations: resumes ? (model.training?.iterations ?? trees) : trees,
    best: resumes ? model.training?.best : undefined,
    resumes,
    treeScores: (tree) => scoreMatrix({ ...model, scorer: treeAlone(scorerOf(model), tree) }, train),
  };
}

function scorerOf({ scorer }: Model): TreeScorer {
  if (scorer.kind !== 'trees') throw new Error('expected trees');
  return scorer;
}

/** Whether cells that the data leave out are unknown to the model. */
export function leavesOutAsMissing(model: Model): boolean {
  return Number.isNaN(leftOutValue(model));
}

/** The data as the model reads them: in 32-bit floats, if it does. */
export function asModelReads<Matrix extends FeatureMatrix>(matrix: Matrix, model: Pick<Model, 'inputs'>): Matrix {
  const { features } = matrix;
  if (model.inputs !== 'float32' || features === undefined) return matrix;
  return { ...matrix, features: { ...features, values: Float32Array.from(features.values) } }; // fits: the model itself rounds
}

/** The curves of a training that was ended, and of what came after it. */
export function joinedCurves(before: TrainingCurves | undefined, after: TrainingCurves): TrainingCurves {
  const same =
    before?.curves.length === after.curves.length &&
    before.curves.every(({ set, measure }, c) => set === after.curves[c].set && measure === after.curves[c].measure);
  if (before === undefined || !same) return after;
  return {
    iterations: [...before.iterations, ...after.iterations],
    curves: after.curves.map((curve, c) => ({ ...curve, values: [...before.curves[c].values, ...curve.values] })),
  };
}
