import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Learner, Model, TrainingSet, TreeScorer } from '../src/ltr/ranker.js';
import { featureLists, randomQueries } from './helpers/feature-lists.js';
import { repository } from './helpers/run-gradus.js';

/** Threads load modules by themselves, so that this is about the built package. */
const built = async (path: string) => await import(`${pathToFileURL(repository).href}/dist/${path}`);

function inSharedMemory(matrix: TrainingSet): TrainingSet {
  const { features } = matrix;
  if (features.layout !== 'dense') throw new Error('these cells are sparse');
  const values = new Float64Array(new SharedArrayBuffer(features.values.length * 8));
  values.set(features.values);
  return { ...matrix, features: { ...features, values } };
}

describe('learners that grow trees', () => {
  it('give the same model with any number of threads', async () => {
    const [{ createTeam }, { objectiveOf }, { checkOptions }] = await Promise.all(
      ['node/threads/team.js', 'ltr/objectives/index.js', 'ltr/options.js'].map(built),
    );
    const { parseMeasures } = await built('measures/parse.js');
    const learners: Learner[] = [];
    learners.push((await built('ltr/learners/lambdamart.js')).lambdamart);
    learners.push((await built('ltr/learners/mart.js')).mart);
    learners.push((await built('ltr/learners/random-forest.js')).randomForest);
    const train = featureLists(randomQueries(21, { queries: 120, features: 9, missing: 0.05, longest: 60 }));
    for (const text of ['nDCG@10', 'AP', 'ERR']) {
      for (const learner of learners) {
        if (text !== 'nDCG@10' && learner.name !== 'lambdamart') continue;
        const others =
          text === 'ERR'
            ? { splitBy: 'documents', nodeFeatureSample: 0.5 }
            : text === 'AP'
              ? { categorical: '3', minCategoryDocs: 5, extraTrees: true, smoothing: 2, interactions: '1,2,3;3,4,5,6' }
              : {};
        const options = checkOptions(learner, { trees: 5, leaves: 12, ...others });
        const models: Model[] = [];
        for (const threads of [1, 2, 3]) {
          const team = createTeam(threads);
          expect(team.size).toBe(threads);
          models.push(await learner.train({ train, objective: objectiveOf(parseMeasures(text)[0]), options, seed: 5, team }));
          await team.close();
        }
        expect((models[0].scorer as TreeScorer).feature.length).toBeGreaterThan(5);
        expect(models[1]).toEqual(models[0]);
        expect(models[2]).toEqual(models[0]);
      }
    }
  });

  it('give the same model when all threads put cells into bins', async () => {
    const { createTeam } = await built('node/threads/team.js');
    const { lambdamart } = await built('ltr/learners/lambdamart.js');
    const { objectiveOf } = await built('ltr/objectives/index.js');
    const { checkOptions } = await built('ltr/options.js');
    const { parseMeasures } = await built('measures/parse.js');
    const plain = featureLists(randomQueries(5, { queries: 300, features: 19, missing: 0.1, longest: 60 }));
    const others = featureLists(randomQueries(6, { queries: 90, features: 19, missing: 0.1, longest: 60 }));
    const request = {
      objective: objectiveOf(parseMeasures('nDCG@10')[0]),
      options: checkOptions(lambdamart, { trees: 4, leaves: 12 }),
      seed: 5,
    };
    const alone = await lambdamart.train({ ...request, train: plain, validation: others });
    for (const threads of [2, 3]) {
      const team = createTeam(threads);
      for (const validation of [others, inSharedMemory(others)]) {
        expect(await lambdamart.train({ ...request, train: inSharedMemory(plain), validation, team })).toEqual(alone);
      }
      const same = featureLists([
        [
          { label: 1, cells: [1] },
          { label: 1, cells: [2] },
        ],
      ]);
      await expect(lambdamart.train({ ...request, train: same, team })).rejects.toThrow('the training data teach nothing');
      // and the team is free for more
      expect(await lambdamart.train({ ...request, train: plain, validation: others, team })).toEqual(alone);
      await team.close();
    }
  });

  it('a team tells what failed in a thread', async () => {
    const { createTeam } = await built('node/threads/team.js');
    const team = createTeam(2);
    await expect(team.run(new URL('data:text/javascript,export function work() { throw new Error("too bad") }'), {})).rejects.toThrow(
      'too bad',
    );
    // and goes on
    await team.run(
      new URL('data:text/javascript,export function work(array, number) { array[0] += number }'),
      new Int32Array(new SharedArrayBuffer(4)),
    );
    await team.close();
  });
});
