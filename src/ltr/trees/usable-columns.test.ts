import { describe, expect, it } from 'vitest';
import { asSparse, featureLists } from '../../../test/helpers/feature-lists.js';
import { seededRandom } from '../../core/numbers/random.js';
import { parseMeasures } from '../../measures/parse.js';
import { lambdamart } from '../learners/lambdamart.js';
import { randomForest } from '../learners/random-forest.js';
import { objectiveOf } from '../objectives/index.js';
import { checkOptions, type GivenOptions } from '../options.js';
import type { Learner, TrainingSet, TreeScorer } from '../ranker.js';
import { selectColumns, usableColumns } from './usable-columns.js';

const objective = objectiveOf(parseMeasures('nDCG@10')[0]);

/** Documents of which features 3, 6, 9 … are 0 for most: the rarest for all but one or two. */
function rareFeatures(seed: number): TrainingSet {
  const random = seededRandom(seed);
  const cell = (f: number): number => (random.float() < (f % 3 === 2 ? 0.012 * f : 0.8) ? 1 + random.below(40) : 0);
  return featureLists(
    Array.from({ length: 30 }, () =>
      Array.from({ length: 10 }, () => {
        const cells = Array.from({ length: 12 }, (_, f) => cell(f));
        return { label: Math.min(4, Math.floor((cells[4] + cells[5] + cells[8]) / 20)), cells };
      }),
    ),
  );
}

const train = rareFeatures(5);
const validation = rareFeatures(6);
const scorerOf = async (learner: Learner, given: GivenOptions, set: (matrix: TrainingSet) => TrainingSet): Promise<TreeScorer> => {
  const options = checkOptions(learner, given);
  return (await learner.train({ train: set(train), validation: set(validation), objective, options, seed: 3 })).scorer as TreeScorer;
};

describe('columns that can set enough documents apart', () => {
  it('are those in which so many documents have another value than 0', () => {
    const small = asSparse(featureLists([[1, 2, 0, 4].map((x, i) => ({ label: 0, cells: [x, i === 1 ? 7 : 0, 0, 5] }))]));
    const rows = Uint32Array.of(0, 1, 2, 3);
    expect(usableColumns(small.features, rows, 3)).toEqual(Uint32Array.of(0, 3));
    expect(usableColumns(small.features, rows, 1)).toEqual(Uint32Array.of(0, 1, 3));
    // the rows that teach count
    expect(usableColumns(small.features, rows.subarray(1), 3)).toEqual(Uint32Array.of(3));
    // trees without any column cannot be made
    expect(usableColumns(small.features, rows, 9)).toEqual(Uint32Array.of(0));
    expect(selectColumns(small.features, Uint32Array.of(1, 3))).toMatchObject({
      numFeatures: 2,
      rowOffsets: Uint32Array.of(0, 1, 3, 4, 5),
      columns: Uint32Array.of(1, 0, 1, 1, 1),
      values: Float64Array.of(5, 7, 5, 5, 5),
    });
  });

  it.each<[Learner, GivenOptions]>([
    [lambdamart, { trees: 20, leaves: 7, minDocs: 20 }],
    [lambdamart, { trees: 20, leaves: 7, minDocs: 1 }],
    [lambdamart, { trees: 20, leaves: 7, minDocs: 10, featureSample: 0.5, rowSample: 0.7 }],
    [lambdamart, { trees: 20, leaves: 7, minDocs: 15, monotone: [0, 0, 1, 0, 1, 1, 0, 0, -1] }],
    [randomForest, { trees: 20, leaves: 7, minDocs: 12 }],
  ])('are all that trees need: %j', async (learner, options) => {
    // dense data keep every column
    const all = await scorerOf(learner, options, (matrix) => matrix);
    expect(all.feature.some((f) => f > 3)).toBe(true);
    expect(await scorerOf(learner, options, asSparse)).toEqual(all);
  });

  it('are all that memory is taken for: a million features of 200 documents', async () => {
    const numFeatures = 1_000_000;
    const few = featureLists(
      Array.from({ length: 20 }, (_, q) => Array.from({ length: 10 }, (__, d) => ({ label: d % 3, cells: [d % 3, q + 1] }))),
    );
    const { features, ...others } = asSparse(few);
    if (features.layout !== 'sparse') throw new Error('sparse features expected');
    // two features, far apart
    const columns = features.columns.map((c) => (c === 0 ? 123_456 : 654_321));
    const wide: TrainingSet = { ...others, features: { ...features, numFeatures, columns } };
    const options = checkOptions(lambdamart, { trees: 3, leaves: 4 });
    const { scorer } = await lambdamart.train({ train: wide, objective, options, seed: 1 });
    expect((scorer as TreeScorer).feature[0]).toBe(123_456);
  });
});
