/** A ranker that is watched while it is trained, and judged on queries that had no part in it beside a simpler one. */
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import type { ScoreTable } from '../../core/score-table.js';
import { evaluateModel } from '../../ltr/evaluate-model.js';
import { splitQueries } from '../../ltr/folds.js';
import { type FeatureImportance, shuffledImportance } from '../../ltr/models/importance.js';
import type { GivenOptions } from '../../ltr/options.js';
import type { Iteration, Model } from '../../ltr/ranker.js';
import { loadLearner } from '../../ltr/registry.js';
import { trainRanker } from '../../ltr/train.js';
import { pairedTTest } from '../../stats/t-test.js';
import { type TrainingPlan, type TrainingSettings, trainingPlanOf } from './training-data.js';

/** What a ranker is trained on, chosen by and judged on. */
export interface TrainingSets {
  readonly train: FeatureMatrix;
  readonly validation: FeatureMatrix;
  readonly test: FeatureMatrix;
}

/** Which share of the queries each part has when there is one file for all. */
const TRAINING_SHARE = 0.6;

/** Divides the queries of one file, drawn by the seed: three fifths to train on, a fifth to choose by, a fifth to test on. */
export function setsOfOne(matrix: FeatureMatrix, seed: number): TrainingSets {
  const { first: train, rest } = splitQueries(matrix, TRAINING_SHARE, seed);
  const { first: validation, rest: test } = splitQueries(rest, 0.5, seed);
  return { train, validation, test };
}

/** What is trained, and how. */
export interface TrainAgainstRequest extends TrainingSettings {
  readonly learner: string;
  /** The learner of the simpler model. */
  readonly against: string;
  readonly options?: GivenOptions | undefined;
  readonly seed?: number | undefined;
  /** Of the interval of the difference: 1 − alpha. */
  readonly alpha?: number | undefined;
  readonly onIteration?: ((progress: Iteration) => void) | undefined;
  /** When it fires, training ends and the best model so far is judged. */
  readonly signal?: AbortSignal | undefined;
}

/** A model with what it is worth. */
export interface JudgedModel {
  readonly model: Model;
  readonly validation: number;
  readonly test: ScoreTable;
}

/** The two models, and what the difference between them is worth. */
export interface TrainedAgainst {
  readonly plan: TrainingPlan;
  readonly trained: JudgedModel;
  readonly against: JudgedModel;
  /** Of the means over the test queries: the trained model's less the other's. */
  readonly difference: { readonly mean: number; readonly low: number; readonly high: number; readonly pValue: number };
  /** What the measure loses on the test queries when a feature is shuffled, the largest loss first. */
  readonly importance: readonly FeatureImportance[];
}

/** Trains a ranker and a simpler one on the same queries, and judges both on others. */
export async function trainAgainst(sets: TrainingSets, request: TrainAgainstRequest): Promise<TrainedAgainst> {
  const { seed = 1, alpha = 0.05, signal } = request;
  const learner = await loadLearner(request.learner);
  const plan = trainingPlanOf(request, learner);
  const { objective, metric, rules, convention } = plan;
  const common = { train: sets.train, validation: sets.validation, metric, rules, convention, seed };
  const model = await trainRanker({
    ...common,
    learner,
    objective,
    options: request.options,
    watch: [{ name: 'test', matrix: sets.test }],
    history: true,
    onIteration: request.onIteration,
    signal,
  });
  const simple = await loadLearner(request.against);
  const simplePlan = trainingPlanOf(request, simple);
  const other = await trainRanker({ ...common, learner: simple, objective: simplePlan.objective });
  const judged = (one: Model): JudgedModel => ({
    model: one,
    validation: evaluateModel(one, sets.validation, [metric], rules).aggregate(0),
    test: evaluateModel(one, sets.test, [metric], rules),
  });
  const trained = judged(model);
  const against = judged(other);
  const [first, second] = [trained.test.column(0), against.test.column(0)];
  const both = Array.from(first, (_, q) => q).filter((q) => !Number.isNaN(first[q]) && !Number.isNaN(second[q]));
  const { meanDifference, interval, pValue } = pairedTTest({
    first: Float64Array.from(both, (q) => first[q]),
    second: Float64Array.from(both, (q) => second[q]),
    level: 1 - alpha,
  });
  const importance = shuffledImportance(model, sets.test, { measure: metric, rules, seed, repeats: SHUFFLES });
  return {
    plan,
    trained,
    against,
    difference: { mean: meanDifference, low: interval.low, high: interval.high, pValue },
    importance: importance.sort((a, b) => (b.loss ?? 0) - (a.loss ?? 0) || a.id - b.id),
  };
}

/** How often each feature is shuffled. */
const SHUFFLES = 2;
