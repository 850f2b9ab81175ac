import { describe, expect, it } from 'vitest';
import { letorText } from '../../test/helpers/feature-data.js';
import { featureLists, type LabelledDoc } from '../../test/helpers/feature-lists.js';
import type { FeatureMatrix } from '../core/feature-matrix.js';
import { parseLetor } from '../formats/letor/reader.js';
import { parseMeasure } from '../measures/parse.js';
import { fitNormalisation, normalisationNames, normaliseMatrix } from './dataset.js';
import { evaluateModel } from './evaluate-model.js';
import { fingerprintOf } from './fingerprint.js';
import { modelFromJson, modelToJson } from './models/json.js';
import { learnerNames, loadLearner } from './registry.js';
import { scoreMatrix } from './scoring/score.js';
import { trainRanker } from './train.js';

const read = (seed: number, queries = 20, features: 'dense' | 'sparse' = 'dense') =>
  parseLetor(letorText(seed, queries), { features }).matrix;
const train = read(1);
const test = read(2);
const objective = parseMeasure('nDCG@10');

describe('trainRanker(request)', () => {
  it.each(normalisationNames)(
    '%s: the model scores raw data as one trained on normalised data scores normalised data',
    async (normalisation) => {
      const learner = await loadLearner('adarank');
      const model = await trainRanker({ learner, train, objective, normalisation, options: { rounds: 5 } });
      const scale = fitNormalisation(train, normalisation);
      const plain = await trainRanker({ learner, train: normaliseMatrix(train, scale), objective, options: { rounds: 5 } });
      expect(model.scorer).toEqual(plain.scorer);
      expect(scoreMatrix(model, test)).toEqual(scoreMatrix(plain, normaliseMatrix(test, scale)));
      // and after a journey through a file too
      expect(scoreMatrix(modelFromJson(modelToJson(model)), test)).toEqual(scoreMatrix(model, test));
    },
  );

  it('calls other threads only for sets that are worth it', async () => {
    const learner = await loadLearner('lambdamart');
    const calls: number[] = [];
    const team = {
      size: 2,
      run: async () => {
        calls.push(1);
        return [];
      },
      close: async () => undefined,
    };
    const options = { trees: 1, leaves: 2 };
    const alone = await trainRanker({ learner, train, objective, options });
    expect((await trainRanker({ learner, train, objective, options, team })).scorer).toEqual(alone.scorer);
    expect(calls).toEqual([]);
    const numFeatures = Math.ceil(2 ** 21 / train.numRows);
    const values = Float64Array.from({ length: train.numRows * numFeatures }, (_, i) => (i * 7919) % 61);
    const features = { layout: 'dense' as const, numFeatures, firstFeature: 1, numGiven: values.length, values };
    await trainRanker({ learner, train: { ...train, features }, objective, options, team });
    expect(calls).toEqual([1]);
  });

  it('sparse and dense data give the same model', async () => {
    const learner = await loadLearner('lambdamart');
    const trained = async (layout: 'dense' | 'sparse') =>
      modelToJson(await trainRanker({ learner, train: read(1, 20, layout), objective, options: { trees: 5, leaves: 4 } }));
    expect(await trained('sparse')).toBe(await trained('dense'));
  });

  it('writes its papers', async () => {
    const learner = await loadLearner('adarank');
    const model = await trainRanker({ learner, train, validation: test, objective, seed: 7, convention: 'letor4', options: { rounds: 3 } });
    expect(model.training).toMatchObject({ objective: 'nDCG@10', seed: 7, convention: 'letor4', data: fingerprintOf(train) });
    expect(model.training?.best?.validation).toBeCloseTo(evaluateModel(model, test, [objective], { ties: 'file' }).aggregate(0), 12);
  });

  it('ends at once when the signal has fired, with a model that scores', async () => {
    const learner = await loadLearner('lambdamart');
    const controller = new AbortController();
    const model = await trainRanker({
      learner,
      train,
      objective,
      options: { trees: 1000, leaves: 4 },
      signal: controller.signal,
      onIteration: ({ iteration }) => {
        if (iteration === 3) controller.abort();
      },
    });
    expect(model.training?.iterations).toBe(3);
    expect(scoreMatrix(model, test).every(Number.isFinite)).toBe(true);
  });

  it('refuses what cannot be, before it begins', async () => {
    const [adarank, rankboost, lambdamart] = await Promise.all(['adarank', 'rankboost', 'lambdamart'].map(loadLearner));
    await expect(trainRanker({ learner: rankboost, train, objective })).rejects.toThrow(
      'RankBoost minimises a loss of its own and cannot optimise nDCG@10',
    );
    await expect(trainRanker({ learner: lambdamart, train, objective: parseMeasure('R@5') })).rejects.toThrow(
      'LambdaMART cannot optimise R@5; it can optimise',
    );
    await expect(trainRanker({ learner: adarank, train, objective, options: { trees: 3 } })).rejects.toThrow('adarank has no option trees');
    await expect(trainRanker({ learner: lambdamart, train, objective, queryWeights: Float64Array.of(1) })).rejects.toThrow(
      '1 weights for 20 queries',
    );
    const perDocument = { learner: lambdamart, train, objective } as const;
    await expect(trainRanker({ ...perDocument, documentWeights: Float64Array.of(1) })).rejects.toThrow(/^1 weights for \d+ documents/);
    const initialScores = new Float64Array(train.numRows).fill(Number.NaN, 2, 3);
    await expect(trainRanker({ ...perDocument, initialScores })).rejects.toThrow(
      'the initial score of document 3 is NaN, expected a finite number',
    );
    await expect(trainRanker({ learner: adarank, train, objective, initialScores })).rejects.toThrow('AdaRank cannot begin with scores');
    const misspelt = { ...perDocument, initalScores: new Float64Array(3) };
    await expect(trainRanker(misspelt)).rejects.toThrow('trainRanker has no option initalScores; did you mean initialScores?');
    const noFeatures = parseLetor(letorText(1, 3), { features: false }).matrix;
    await expect(trainRanker({ learner: adarank, train: noFeatures, objective })).rejects.toThrow('the data was read without its features');
    const weights = new Float64Array(20).fill(1).fill(-1, 3, 4);
    await expect(trainRanker({ learner: lambdamart, train, objective, queryWeights: weights })).rejects.toThrow(
      'the weight of query 4 is -1, expected a number from 0',
    );
  });

  it('refuses features that their scale makes infinite, and says which', async () => {
    const doc = (label: number, ...cells: number[]): LabelledDoc => ({ label, cells });
    const tiny = featureLists([[doc(1, 1, 1e-310), doc(0, 2, 0)]]);
    const request = { learner: await loadLearner('adarank'), train: tiny, objective, normalisation: 'minmax' } as const;
    await expect(trainRanker(request)).rejects.toThrow(
      'feature 2 differs so little in the training data that minmax makes it infinite on line 1 of the training data; take the feature out, or normalise by query-minmax',
    );
    await expect(trainRanker({ ...request, normalisation: 'query-minmax' })).resolves.toHaveProperty('learner', 'adarank');
    const small = featureLists([[doc(1, 1, 1e-200), doc(0, 2, 0)]]);
    const large = featureLists([[doc(1, 1, 1e200), doc(0, 2, 0)]]);
    await expect(trainRanker({ ...request, train: small, validation: large })).rejects.toThrow(
      'minmax makes it infinite on line 1 of the validation data',
    );
  });

  it('refuses data that no learner could use, whichever it is', async () => {
    const doc = (label: number, ...cells: number[]): LabelledDoc => ({ label, cells });
    const good = featureLists([[doc(1, 1), doc(0, 2)]]);
    const none = { ...featureLists([]), features: good.features };
    const cases: [FeatureMatrix, FeatureMatrix, string][] = [
      [featureLists([[doc(1, 1), doc(0, Infinity)]]), good, 'line 2 of the training data has an infinite feature'],
      [good, featureLists([[doc(1, 1), doc(0, -Infinity)]]), 'line 2 of the validation data has an infinite feature'],
      [featureLists([[doc(Number.NaN, 1), doc(0, 2)]]), good, 'line 1 of the training data has the label NaN, expected a finite number'],
      [good, featureLists([[doc(1, 1, 2)]]), 'the validation data has features up to 2, the training data up to 1'],
      [featureLists([[doc(1)]]), good, 'the training data has no features'],
      [none, good, 'the training data hold no documents'],
      [good, none, 'the validation data hold no documents'],
    ];
    for (const name of learnerNames) {
      const learner = await loadLearner(name);
      const aim = learner.objectives === 'own' ? { metric: objective } : { objective };
      for (const [given, validation, message] of cases) {
        await expect(trainRanker({ learner, train: given, validation, ...aim })).rejects.toThrow(message);
      }
    }
  });
});
