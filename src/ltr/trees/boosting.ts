import { type Random, seededRandom } from '../../core/numbers/random.js';
import type { Model, OptionValue, StartingTrees, TrainingRequest } from '../ranker.js';
import { firstTrees, joinedTrees } from '../training/joined-trees.js';
import { Pause } from '../training/pause.js';
import { toScorer } from './ensemble.js';
import type { GrownTree } from './grown-tree.js';
import { binningOf, growthRules } from './growth-rules.js';
import type { BoostingValues, TreeValues } from './options.js';
import { drawRows } from './row-sample.js';
import { TreeTraining, type TreeTrainingPlan } from './tree-training.js';

/** What differs between learners that add tree to tree. */
export interface BoostingPlan extends Pick<TreeTrainingPlan, 'pairs' | 'gradients' | 'base' | 'plain'> {
  readonly learner: string;
  readonly objective: string;
  readonly options: TreeValues & BoostingValues;
  /** Whether splits are judged by the number of documents instead of by second derivatives. */
  readonly byDocuments?: boolean | undefined;
}

/** Adds trees one by one, each grown on the gradients at the scores that the trees before it give. */
export async function boost(request: TrainingRequest, plan: BoostingPlan): Promise<Model> {
  const { options } = plan;
  await request.team?.started?.();
  const training = new TreeTraining(request, {
    growth: growthRules(options, options.minHessian, request.train, plan.byDocuments),
    ...binningOf(options, request.train),
    pairs: plan.pairs,
    gradients: plan.gradients,
    base: plan.base,
    plain: plan.plain,
  });
  const modelOf = ({ numFirst, trees, weights, best, iterations }: Grown): Model => {
    const grown = toScorer(trees, weights, training, plan.base);
    const scorer = request.start === undefined ? grown : joinedTrees(firstTrees(request.start.scorer, numFirst), grown);
    return toModel(plan.learner, request, scorer, { objective: plan.objective, iterations, best });
  };
  try {
    return modelOf(await growTrees(request, plan, training, modelOf));
  } finally {
    await training.close();
  }
}

interface Grown {
  /** How many of the trees that training began with are kept. */
  readonly numFirst: number;
  readonly trees: readonly GrownTree[];
  readonly weights: Float64Array;
  readonly iterations: number;
  readonly best: { readonly iteration: number; readonly validation: number } | undefined;
}

async function growTrees(
  request: TrainingRequest,
  { options, gradients }: BoostingPlan,
  training: TreeTraining,
  modelOf: (grown: Grown) => Model,
): Promise<Grown> {
  const { start, snapshots } = request;
  const pause = new Pause();
  if (start?.resumes === true && (gradients !== undefined || request.objective.ownThread === true)) await remember(training, start, pause);
  const trees: GrownTree[] = [];
  let weights: number[] = [];
  const before = start?.iterations ?? 0;
  let best: Grown['best'] = start?.best ?? (start === undefined ? undefined : bestAtStart(before, training.validationValue()));
  let bestWeights: number[] = [];
  let iteration = before;
  const last = options.trees + (start?.resumes === false ? before : 0);
  const isOutOfPatience = (): boolean => best !== undefined && options.patience > 0 && iteration - best.iteration >= options.patience;
  while (iteration < last && !isOutOfPatience()) {
    await pause.ifDue();
    if (request.signal?.aborted) break;
    iteration++;
    const random = seededRandom(request.seed, iteration);
    const dropped = dropTrees(training, trees, weights, options.dropRate, random);
    training.computeGradients();
    training.drawFeatures(options.featureSample, random);
    const rows = drawRows(training, options, request.train, iteration, random);
    const tree = training.grow(rows, random);
    const isStump = tree.numNodes === 1;
    for (let n = 0; n < tree.numNodes; n++) tree.value[n] = isStump ? 0 : options.rate * tree.value[n];
    // trees that were left out come back weaker, to make room for the one that was grown in their place
    const factor = 1 / (1 + dropped.length);
    training.grower.addToScores(factor);
    // of rows whose queries teach nothing nobody asks for the score, unless all training data are watched
    if (rows !== training.rows || request.watchesTraining === true)
      training.addToTraining(tree, factor, marked(rows, training.layout.numRows));
    training.addToValidation(tree, factor);
    weights = bringBack(training, trees, weights, dropped);
    trees.push(tree);
    weights.push(factor);
    const validation = training.validationValue();
    request.onIteration?.({ iteration, of: last, training: training.trainingValue(), validation });
    if (validation !== undefined && (best === undefined || validation > best.validation)) {
      best = { iteration, validation };
      // weights that are never changed are those of the first trees
      if (options.dropRate > 0) bestWeights = [...weights];
    }
    // nothing is left to split, and the next tree would see the same
    if (isStump && !drawsAnything(options)) break;
    if (snapshots?.isDue(iteration) === true) {
      // all trees, those after the best among them, or training could not go on from there
      await snapshots.save(modelOf({ numFirst: Infinity, trees, weights: Float64Array.from(weights), iterations: iteration, best }));
    }
  }
  const kept = best === undefined ? trees.length : Math.max(0, best.iteration - before);
  const isRestored = best !== undefined && options.dropRate > 0;
  return {
    // where the same training goes on, the best may be among what it began with
    numFirst: start?.resumes === true ? (best?.iteration ?? Infinity) : Infinity,
    trees: trees.slice(0, kept),
    weights: Float64Array.from(isRestored ? bestWeights : weights.slice(0, kept)),
    iterations: iteration,
    best,
  };
}

/** Asks for the gradients of all iterations before once more, for objectives that learn something of their own from each of them, such as
 *  the bias of positions, the price of a constraint, or which random numbers come next. */
async function remember(training: TreeTraining, start: StartingTrees, pause: Pause): Promise<void> {
  training.scores.fill(start.scorer.base);
  for (let tree = 0; tree < start.iterations; tree++) {
    await pause.ifDue();
    training.computeGradients();
    const added = start.treeScores(tree);
    for (let row = 0; row < added.length; row++) training.scores[row] += added[row];
  }
  training.scores.set(start.trainScores);
}

/** A model that is added to is the best so far. */
function bestAtStart(iteration: number, validation: number | undefined): Grown['best'] {
  return validation === undefined ? undefined : { iteration, validation };
}

/** Whether one tree sees something else than the one before, although scores are the same. */
function drawsAnything({
  rowSample,
  sampleBy,
  featureSample,
  nodeFeatureSample,
  extraTrees,
  dropRate,
}: TreeValues & BoostingValues): boolean {
  return rowSample < 1 || sampleBy === 'gradient' || featureSample < 1 || nodeFeatureSample < 1 || extraTrees || dropRate > 0;
}

/** Takes some trees out of all scores; tells which (Vinayak and Gilad-Bachrach's DART). */
function dropTrees(
  training: TreeTraining,
  trees: readonly GrownTree[],
  weights: readonly number[],
  rate: number,
  random: Random,
): number[] {
  if (rate === 0) return [];
  const dropped: number[] = [];
  for (let t = 0; t < trees.length; t++) if (random.float() < rate) dropped.push(t);
  for (const t of dropped) {
    training.addToTraining(trees[t], -weights[t]);
    training.addToValidation(trees[t], -weights[t]);
  }
  return dropped;
}

function bringBack(training: TreeTraining, trees: readonly GrownTree[], weights: number[], dropped: readonly number[]): number[] {
  if (dropped.length === 0) return weights;
  const after = [...weights];
  for (const t of dropped) {
    after[t] *= dropped.length / (1 + dropped.length);
    training.addToTraining(trees[t], after[t]);
    training.addToValidation(trees[t], after[t]);
  }
  return after;
}

function marked(rows: Uint32Array, numRows: number): Uint8Array {
  const marks = new Uint8Array(numRows); // fits: flags
  for (const row of rows) marks[row] = 1;
  return marks;
}

/** Trees as a model with its papers. */
export function toModel(
  learner: string,
  request: TrainingRequest,
  scorer: Model['scorer'],
  record: { readonly objective: string; readonly iterations: number; readonly best?: Grown['best'] },
): Model {
  const { features } = request.train;
  const options: Readonly<Record<string, OptionValue>> = request.options;
  return {
    learner,
    firstFeature: features.firstFeature,
    numFeatures: features.numFeatures,
    featureNames: features.names,
    // cells that sparse data left out were 0 in training; dense data say themselves where something is missing
    missing: features.layout === 'sparse' ? 0 : Number.NaN,
    scorer,
    training: { objective: record.objective, options, seed: request.seed, iterations: record.iterations, best: record.best },
  };
}
