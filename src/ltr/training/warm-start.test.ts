import { describe, expect, it } from 'vitest';
import { letorText } from '../../../test/helpers/feature-data.js';
import { parseLetor } from '../../formats/letor/reader.js';
import { parseMeasure } from '../../measures/parse.js';
import { lambdamart } from '../learners/lambdamart.js';
import { linearRegression } from '../learners/linear-regression.js';
import { mart } from '../learners/mart.js';
import { modelFromJson, modelToJson } from '../models/json.js';
import { readModel } from '../models/read-model.js';
import { writeModel } from '../models/write-model.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { type TrainRankerOptions, trainRanker } from '../train.js';

const read = (seed: number) => parseLetor(letorText(seed, 30), { features: 'dense' }).matrix;
const train = read(3);
const validation = read(4);
const objective = parseMeasure('nDCG@10');
const options = { trees: 20, leaves: 5, minDocs: 3, rowSample: 0.7, featureSample: 0.8 };
const usual: TrainRankerOptions = { learner: lambdamart, train, objective, options };

const baseline = new Float64Array(30).fill(0.5);

/** The models that a training saves at these iterations, as they come back from a file. */
async function saved(request: TrainRankerOptions, ...iterations: number[]): Promise<Model[]> {
  const models: Model[] = [];
  const save = async (model: Model): Promise<void> => void models.push(modelFromJson(modelToJson(model)));
  await trainRanker({ ...request, snapshots: { isDue: (iteration) => iterations.includes(iteration), save } });
  return models;
}

describe('training that goes on', () => {
  it.each([
    ['lambdamart', usual],
    ['lambdamart, stopped by validation data', { ...usual, validation, options: { ...options, trees: 60, patience: 5 } }],
    ['mart', { learner: mart, train, metric: objective, options }],
    ['scaled features and curves', { ...usual, validation, normalisation: 'zscore', history: true }],
    // these learn something of their own along the way, or draw random numbers
    ['clicks, bias by pairs', { ...usual, options: { ...options, clicks: 'unbiased', positions: 5 } }],
    ['clicks, a score for each position', { ...usual, options: { ...options, clicks: 'position', positions: 5 } }],
    ['clicks, known chances', { ...usual, options: { ...options, clicks: 'propensities', propensities: [1, 0.5, 0.3] } }],
    ['noisy orders', { ...usual, options: { ...options, loss: 'yetirank' } }],
    ['risk by the values of the tree before', { ...usual, risk: { alpha: 2, baseline, measure: 'georisk' } }],
    ['the price of a constraint', { ...usual, constraints: [{ measure: parseMeasure('ERR'), least: 0.6 }] }],
  ] satisfies [string, TrainRankerOptions][])('from what it saved comes to the same bytes: %s', async (_, request) => {
    const whole = modelToJson(await trainRanker(request));
    for (const model of await saved(request, 1, 4, 9, 12)) {
      expect(modelToJson(await trainRanker({ ...request, from: { model, resumes: true } }))).toBe(whole);
    }
  });

  it('a model that was saved is complete: it has all trees of its iterations', async () => {
    const [four] = await saved(usual, 4);
    const direct = await trainRanker({ ...usual, options: { ...options, trees: 4 } });
    expect(scoreMatrix(four, train)).toEqual(scoreMatrix(direct, train));
    expect(four.training).toMatchObject({ iterations: 4, seed: 1 });
  });

  it.each([
    ['another seed', { seed: 2 }, 'another seed'],
    ['other options', { options: { ...options, leaves: 6 } }, 'another value of leaves'],
    ['other data', { train: validation }, 'other training data'],
    ['trees that are left out', { options: { ...options, dropRate: 0.1 } }, 'cannot go on from what was saved'],
  ])('%s is another training', async (_, change, message) => {
    const [model] = await saved(usual, 4);
    await expect(trainRanker({ ...usual, ...change, from: { model, resumes: true } })).rejects.toThrow(message);
  });
});

describe('trees that are added to a model', () => {
  it.each(['gradus', 'lightgbm', 'xgboost', 'ranklib'] as const)('of %s: first its trees, then so many further ones', async (format) => {
    const own = await trainRanker({ ...usual, options: { ...options, trees: 6 } });
    const text = format === 'gradus' ? modelToJson(own) : writeModel(own, format).content;
    const model = readModel(text);
    const more = await trainRanker({ ...usual, from: { model } });
    expect(more.scorer.kind === 'trees' && more.scorer.treeWeights.length).toBe(26);
    const before = scoreMatrix(model, train);
    const after = scoreMatrix(more, train);
    // the further trees alone, by their place behind the first ones
    const { scorer } = more;
    if (scorer.kind !== 'trees') throw new Error('no trees');
    const weights = scorer.treeWeights.map((weight, t) => (t < 6 ? 0 : weight));
    const added = scoreMatrix({ ...more, scorer: { ...scorer, base: 0, treeWeights: weights } }, train);
    for (const [row, score] of after.entries()) expect(score).toBeCloseTo(before[row] + added[row], 5);
    expect(added.some((score) => score !== 0)).toBe(true);
  });

  it('none is kept that makes validation worse', async () => {
    const model = await trainRanker({ ...usual, validation, options: { ...options, trees: 40 } });
    const more = await trainRanker({ ...usual, validation, from: { model }, options: { ...options, rate: 1, trees: 3 } });
    expect(more.training?.best?.validation).toBeGreaterThanOrEqual(model.training?.best?.validation ?? 1);
  });

  it.each([
    ['a linear model', linearRegression, {}, 'trees cannot be added to a model of kind linear'],
    ['scores besides', lambdamart, { initialScores: new Float64Array(train.numRows) }, 'both say where scores begin'],
    ['another scale', lambdamart, { normalisation: 'zscore' as const }, 'says itself how features are scaled'],
  ])('%s is refused', async (_, learner, change, message) => {
    const first = { ...usual, learner, ...(learner === lambdamart ? {} : { objective: undefined, metric: objective, options: {} }) };
    const model = await trainRanker(first);
    await expect(trainRanker({ ...usual, ...change, from: { model } })).rejects.toThrow(message);
  });

  it('a learner that cannot is refused', async () => {
    const model = await trainRanker(usual);
    const request = { learner: linearRegression, train, metric: objective, from: { model } };
    await expect(trainRanker(request)).rejects.toThrow('cannot go on from a model');
  });
});
