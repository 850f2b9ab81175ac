import { describe, expect, it } from 'vitest';
import { featureLists, randomQueries } from '../../../test/helpers/feature-lists.js';
import { parseMeasure } from '../../measures/parse.js';
import { coordinateAscent } from '../learners/coordinate-ascent.js';
import { lambdamart } from '../learners/lambdamart.js';
import { listnet } from '../learners/listnet.js';
import { scoreMatrix } from '../scoring/score.js';
import { trainRanker } from '../train.js';
import { objectiveOf } from './index.js';
import { riskObjective } from './risk.js';

const train = featureLists(randomQueries(17, { queries: 40, features: 5 }));
const measure = parseMeasure('nDCG@5');
const numQueries = train.queryOffsets.length - 1;
const alpha = 4;

describe('riskObjective', () => {
  it.each(['nDCG@5', 'AP', 'ERR'])('%s: a swap changes the value by what swapDelta says', (text) => {
    const plain = objectiveOf(parseMeasure(text)).prepare(train.labels, train.queryOffsets);
    const baseline = Float64Array.from({ length: numQueries }, (_, q) => (q % 7) / 7);
    const prepared = riskObjective(objectiveOf(parseMeasure(text)), { alpha, baseline }).prepare(train.labels, train.queryOffsets);
    for (let q = 0; q < numQueries; q++) {
      const order = Uint32Array.from({ length: train.queryOffsets[q + 1] - train.queryOffsets[q] }, (_, i) => i);
      const present = prepared.value(q, order);
      const difference = plain.value(q, order) - baseline[q];
      expect(present).toBeCloseTo(difference < 0 ? 5 * difference : difference, 14);
      prepared.fixOrder(q, order);
      for (let a = 0; a < Math.min(order.length, 4); a++) {
        for (let b = a + 1; b < order.length; b++) {
          const swapped = order.with(a, order[b]).with(b, order[a]);
          expect(prepared.swapDelta(a, b)).toBeCloseTo(prepared.value(q, swapped) - present, 12);
        }
      }
    }
  });

  it.each([lambdamart, coordinateAscent])(
    '$name keeps what the baseline has, although most queries would gain by the contrary',
    async (learner) => {
      // four queries want the feature to be large, one wants it small; the baseline does what the one wants
      const doc = (label: number, cell: number) => ({ label, cells: [cell] });
      const many = [doc(0, 1), doc(1, 2)];
      const one = [doc(1, 1), doc(0, 2)];
      const torn = featureLists([many, many, many, many, one]);
      const objective = parseMeasure('nDCG');
      const lost = 1 / Math.log2(3);
      const baseline = Float64Array.of(lost, lost, lost, lost, 1);
      const options = learner === lambdamart ? { trees: 5, leaves: 2, minDocs: 1, normalise: false } : { restarts: 1 };
      const direction = async (alpha?: number): Promise<number> => {
        const risk = alpha === undefined ? undefined : { alpha, baseline };
        const [low, high] = scoreMatrix(await trainRanker({ learner, train: torn, objective, options, risk }), torn);
        return Math.sign(high - low);
      };
      expect(await direction()).toBe(1);
      expect(await direction(2)).toBe(1);
      // 4 gains against a loss that counts 11 times
      expect(await direction(10)).toBe(-1);
    },
  );

  it('is refused by learners with a loss of their own, and without a value for each query', async () => {
    const risk = { alpha, baseline: new Float64Array(3) };
    await expect(trainRanker({ learner: listnet, train, metric: measure, risk })).rejects.toThrow(
      'ListNet cannot be trained against a baseline',
    );
    await expect(trainRanker({ learner: lambdamart, train, objective: measure, risk })).rejects.toThrow(
      `3 values of the baseline for ${numQueries} queries`,
    );
  });
});
