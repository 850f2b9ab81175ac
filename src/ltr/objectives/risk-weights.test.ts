import { describe, expect, it } from 'vitest';
import { featureLists, randomQueries } from '../../../test/helpers/feature-lists.js';
import { seededRandom } from '../../core/numbers/random.js';
import { parseMeasure } from '../../measures/parse.js';
import { baselineRisk, geoRisks } from '../../stats/risk.js';
import { evaluateModel } from '../evaluate-model.js';
import { coordinateAscent } from '../learners/coordinate-ascent.js';
import { lambdamart } from '../learners/lambdamart.js';
import { trainRanker } from '../train.js';
import { geoRiskSlopes, riskWeights, tRiskSlopes } from './risk-weights.js';

const random = seededRandom(6);
const values = Float64Array.from({ length: 12 }, () => random.float());
const baseline = Float64Array.from({ length: 12 }, () => random.float());

/** The derivative of a function by one of its numbers, by a central difference. */
function slope(of: (numbers: Float64Array) => number, at: Float64Array, q: number): number {
  const step = 1e-6;
  return (of(at.with(q, at[q] + step)) - of(at.with(q, at[q] - step))) / (2 * step);
}

describe('what a query is worth to a risk measure', () => {
  it.each([0, 1, 5])('alpha %d: the derivatives of TRisk and GeoRisk, by finite differences of the measures themselves', (alpha) => {
    const own = geoRiskSlopes(values, baseline, alpha);
    const byDifference = tRiskSlopes(values, baseline, alpha);
    for (let q = 0; q < values.length; q++) {
      expect(own[q]).toBeCloseTo(
        slope((numbers) => geoRisks([numbers, baseline], alpha)[0].geoRisk, values, q),
        7,
      );
      // a loss of the measure is one of 1 + alpha times as much of the transformed difference
      const factor = values[q] < baseline[q] ? 1 + alpha : 1;
      expect(factor * byDifference[q]).toBeCloseTo(
        slope((numbers) => baselineRisk(numbers, baseline, alpha).tRisk ?? 0, values, q),
        6,
      );
    }
  });

  it('weights have a mean of 1, none is negative, and equal values weigh alike', () => {
    for (const measure of ['trisk', 'georisk'] as const) {
      const weights = riskWeights(measure, values, baseline, 2);
      expect(weights.reduce((sum, weight) => sum + weight, 0) / weights.length).toBeCloseTo(1, 12);
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0);
    }
    expect([...riskWeights('trisk', baseline, baseline, 2)]).toEqual(Array(12).fill(1));
  });
});

describe('training', () => {
  const train = featureLists(randomQueries(17, { queries: 60, features: 5 }));
  const objective = parseMeasure('nDCG@5');
  const options = { trees: 30, leaves: 4, minDocs: 2 };
  const numQueries = train.queryOffsets.length - 1;
  const old = Float64Array.from({ length: numQueries }, (_, q) => (q % 5) / 5);

  it.each(['trisk', 'georisk'] as const)('for %s is another training than for URisk, and the same each time', async (measure) => {
    const model = async (own: typeof measure | 'urisk') =>
      (await trainRanker({ learner: lambdamart, train, objective, options, risk: { alpha: 3, baseline: old, measure: own } })).scorer;
    const first = await model(measure);
    expect(await model(measure)).toEqual(first);
    expect(await model('urisk')).not.toEqual(first);
    await expect(trainRanker({ learner: coordinateAscent, train, objective, risk: { alpha: 3, baseline: old, measure } })).rejects.toThrow(
      'cannot be trained for',
    );
  });

  it('a constraint keeps a measure that the objective alone would give up', async () => {
    // two features: the first says what comes first (label 2), the second what is relevant at all (labels 1 and 2)
    const random = seededRandom(9);
    const queries = Array.from({ length: 40 }, () => [
      { label: 2, cells: [1, random.float()] },
      ...Array.from({ length: 4 }, () => ({ label: 1, cells: [random.float() * 0.5, 0.6 + random.float()] })),
      ...Array.from({ length: 5 }, () => ({ label: 0, cells: [0.3 + random.float(), random.float() * 0.5] })),
    ]);
    const torn = featureLists(queries);
    const kept = parseMeasure('P(rel=1)@5');
    const worth = async (least?: number): Promise<number> => {
      const constraints = least === undefined ? undefined : [{ measure: kept, least }];
      const request = {
        learner: lambdamart,
        train: torn,
        objective: parseMeasure('RR(rel=2)'),
        options: { trees: 40, leaves: 3, minDocs: 5 },
      };
      return evaluateModel(await trainRanker({ ...request, constraints }), torn, [kept]).aggregate(0);
    };
    const without = await worth();
    const least = 0.9;
    expect(without).toBeLessThan(least);
    expect(await worth(least)).toBeGreaterThan(Math.max(without, least - 0.03));
  });
});
