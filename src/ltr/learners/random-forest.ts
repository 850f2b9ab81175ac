import { numQueries } from '../../core/feature-matrix.js';
import { seededRandom } from '../../core/numbers/random.js';
import type { Learner, LearnerOption, Model, TrainingRequest } from '../ranker.js';
import { Pause } from '../training/pause.js';
import { toModel } from '../trees/boosting.js';
import { toScorer } from '../trees/ensemble.js';
import type { GrownTree } from '../trees/grown-tree.js';
import { binningOf, growthRules } from '../trees/growth-rules.js';
import { type TreeValues, treeOptions } from '../trees/options.js';
import { rowsOf, TreeTraining } from '../trees/tree-training.js';

interface ForestValues {
  readonly trees: number;
  readonly querySample: number;
}

const forestOptions: Readonly<Record<keyof ForestValues, LearnerOption>> = {
  trees: { type: 'integer', default: 300, min: 1, max: 1e6, help: 'trees', ranklib: '-bag' },
  querySample: {
    type: 'number',
    default: 1,
    min: 0.001,
    max: 1,
    help: 'queries that each tree is grown on, as a share of all, drawn with replacement',
    ranklib: '-srate',
  },
};

const options: Readonly<Record<string, LearnerOption>> = {
  ...forestOptions,
  ...treeOptions,
  leaves: { ...treeOptions.leaves, default: 100 },
  minDocs: { ...treeOptions.minDocs, default: 1 },
  featureSample: { ...treeOptions.featureSample, default: 0.3, ranklib: '-frate' },
};

/** Random forest: trees that predict the labels, each grown on queries and features drawn at random, averaged. */
export const randomForest: Learner = {
  name: 'random-forest',
  aliases: ['rf', 'forest'],
  title: 'Random forest',
  help: 'Averages regression trees that predict the label, each grown on queries drawn with replacement and a share of the features.',
  citation: { text: 'Breiman, Random forests, Machine Learning 45, 2001', doi: '10.1023/A:1010933404324' },
  ranklib: 8,
  weighsQueries: true,
  growsOnBins: true,
  options,
  objectives: 'own',
  train: (request) => trainForest(request),
};

/** What `randomForest` does, with a choice of arithmetic for tests.
 *  @param plain  without WebAssembly; the model is the same */
export async function trainForest(request: TrainingRequest, plain = false): Promise<Model> {
  const values = request.options as TrainingRequest['options'] & TreeValues & ForestValues;
  const growth = growthRules(values, 0, request.train);
  await request.team?.started?.();
  const training = new TreeTraining(request, { growth, ...binningOf(values, request.train), pairs: undefined, base: 0, plain });
  try {
    const trees = await growForest(request, values, training);
    const scorer = toScorer(trees, new Float64Array(trees.length).fill(1), training, 0, Math.max(1, trees.length));
    return toModel(randomForest.name, request, scorer, { objective: 'squared error', iterations: trees.length });
  } finally {
    await training.close();
  }
}

async function growForest(request: TrainingRequest, values: TreeValues & ForestValues, training: TreeTraining): Promise<GrownTree[]> {
  const pause = new Pause();
  const { train } = request;
  const draws = Math.max(1, Math.round(values.querySample * training.queries.length));
  const trees: GrownTree[] = [];
  while (trees.length < values.trees) {
    await pause.ifDue();
    if (request.signal?.aborted) break;
    const random = seededRandom(request.seed, trees.length + 1);
    // a query that is drawn twice weighs twice as much; a Newton step from 0 is then the mean label of what was drawn
    const times = new Float64Array(numQueries(train));
    for (let draw = 0; draw < draws; draw++) times[training.queries[random.below(training.queries.length)]]++;
    training.drawFeatures(values.featureSample, random);
    training.weighQueries(times);
    training.computeGradients();
    const drawn = training.queries.filter((q) => times[q] > 0);
    const tree = training.grow(rowsOf(drawn, train.queryOffsets), random);
    trees.push(tree);
    training.addToValidation(tree, 1);
    request.onIteration?.({ iteration: trees.length, of: values.trees, validation: training.validationValue() });
  }
  return trees;
}
