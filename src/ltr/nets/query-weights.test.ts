import { describe, expect, test } from 'vitest';
import { matrixOf, requestFor } from '../../../test/helpers/training-sets.js';
import { lambdarank } from '../learners/lambdarank.js';
import { listnet } from '../learners/listnet.js';
import { ranknet } from '../learners/ranknet.js';
import { softrank } from '../learners/softrank.js';

const options = { epochs: 20, layers: 0, standardise: false, rate: 0.05, patience: 0 };
// the feature is right in the first query and the wrong way round in the second
const right = [
  [1, 2],
  [0, 1],
];
const wrong = [
  [1, 1],
  [0, 2],
];

describe.each([ranknet, lambdarank, listnet, softrank])('$title', (learner) => {
  const slope = async (queries: number[][][], weights: number[]): Promise<number> => {
    const { scorer } = await learner.train(requestFor(learner, matrixOf(queries), { options, queryWeights: Float64Array.from(weights) }));
    // without layers it is linear
    if (scorer.kind !== 'linear') throw new Error(`expected a linear scorer, found ${scorer.kind}`);
    return scorer.weights[0];
  };

  test('a query of weight 0 might as well not be there', async () => {
    expect(await slope([right, wrong], [1, 0])).toBe(await slope([right], [1]));
  });

  test('the query that weighs more is ranked rightly', async () => {
    expect(await slope([right, wrong], [1, 0.1])).toBeGreaterThan(0);
    expect(await slope([right, wrong], [0.1, 1])).toBeLessThan(0);
  });
});
