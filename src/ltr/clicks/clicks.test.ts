import { describe, expect, it } from 'vitest';
import { featureLists } from '../../../test/helpers/feature-lists.js';
import { seededRandom } from '../../core/numbers/random.js';
import { parseMeasure } from '../../measures/parse.js';
import { lambdamart } from '../learners/lambdamart.js';
import { scoreMatrix } from '../scoring/score.js';
import { trainRanker } from '../train.js';
import { estimatePropensities, harvestPropensities, type Impression } from './position-bias.js';
import { cascadeModel, dynamicBayesianModel, positionBasedModel, userHabits } from './simulate.js';
import { positionBiasedLambdaRank, propensityWeightedLambdaRank, unbiasedLambdaMart } from './unbiased.js';

const shareOf = (draws: number, draw: () => Uint8Array, k: number): number => {
  let clicks = 0;
  for (let i = 0; i < draws; i++) clicks += draw()[k];
  return clicks / draws;
};

describe('click models', () => {
  it('PBM: rank 2 is looked at half the time, and label 0 clicked by mistake', () => {
    const random = seededRandom(1);
    const draw = () => positionBasedModel({ noise: 0.2 })([0, 4, 0], random);
    expect(shareOf(4000, draw, 1)).toBeCloseTo(0.5, 1);
    expect(shareOf(4000, draw, 0)).toBeCloseTo(0.2, 1);
  });

  it('cascade: one click at most, and nothing below it', () => {
    const random = seededRandom(2);
    for (let i = 0; i < 200; i++) expect(cascadeModel()([4, 4, 4], random)).toEqual(Uint8Array.of(1, 0, 0));
  });

  it('DBN: the second document is seen if the first did not satisfy', () => {
    const random = seededRandom(3);
    const draw = () => dynamicBayesianModel(userHabits.navigational)([4, 4], random);
    // 0.95 · (1 - 0.95 · 0.9)
    expect(Math.abs(shareOf(8000, draw, 1) - 0.95 * (1 - 0.95 * 0.9))).toBeLessThan(0.02);
  });
});

/** Documents with true attraction, shown in orders that differ from impression to impression, so that positions and documents can be told
 *  apart. */
function simulatedLog(sessions: number): Impression[] {
  const random = seededRandom(4);
  const looks = [1, 0.5, 1 / 3, 0.25];
  const log: Impression[] = [];
  for (let s = 0; s < sessions; s++) {
    const query = String(s % 10);
    const shift = random.below(4);
    for (let k = 0; k < 4; k++) {
      const doc = (k + shift) % 4;
      const attraction = 0.2 + 0.2 * ((doc + Number(query)) % 4);
      log.push({ query, doc: String(doc), rank: k + 1, clicked: random.float() < looks[k] * attraction });
    }
  }
  return log;
}

describe('position bias', () => {
  it('expectation maximisation finds the chances that made the clicks', () => {
    const { propensities } = estimatePropensities(simulatedLog(20_000));
    [1, 0.5, 1 / 3, 0.25].forEach((truth, k) => {
      expect(Math.abs(propensities[k] - truth)).toBeLessThan(0.03);
    });
  });

  it('harvested interventions find them too', () => {
    const propensities = harvestPropensities(simulatedLog(20_000));
    [1, 0.5, 1 / 3, 0.25].forEach((truth, k) => {
      expect(Math.abs(propensities[k] - truth)).toBeLessThan(0.03);
    });
  });

  it('a log without clicks is refused', () => {
    expect(() => estimatePropensities([{ query: '1', doc: 'a', rank: 1, clicked: false }])).toThrow('the log holds no click');
  });
});

describe('LambdaMART on clicks', () => {
  // the first feature is relevance, the second tells how high the old ranker put the document; it showed bad documents first
  const random = seededRandom(8);
  const queries = Array.from({ length: 400 }, () => {
    const relevance = Array.from({ length: 6 }, () => random.float()).sort((x, y) => x - y);
    return relevance.map((value, k) => ({
      label: random.float() < (1 / (k + 1)) * value ? 1 : 0,
      cells: [value + 0.2 * random.normal(), -k],
    }));
  });
  const train = featureLists(queries);
  const objective = parseMeasure('nDCG@6');
  const options = { trees: 30, leaves: 5 };
  /** How often a document with more of the first feature is put above one with less, of the same position. */
  const agreement = async (gradients: Parameters<typeof trainRanker>[0]['gradients']): Promise<number> => {
    const scores = scoreMatrix(await trainRanker({ learner: lambdamart, train, objective, options, gradients }), train);
    let [right, all] = [0, 0];
    for (let q = 0; q < 400; q++) {
      for (let i = 0; i < 6; i++) {
        for (let j = 0; j < i; j++) {
          // relevance rises with the position
          if (scores[q * 6 + i] > scores[q * 6 + j]) right++;
          all++;
        }
      }
    }
    return right / all;
  };

  it('ranks by relevance once the bias is known or estimated, and by position without', async () => {
    const naive = await agreement(undefined);
    const weighted = await agreement(propensityWeightedLambdaRank([1, 1 / 2, 1 / 3, 1 / 4, 1 / 5, 1 / 6]));
    const unbiased = await agreement(unbiasedLambdaMart({ positions: 6 }));
    expect(weighted).toBeGreaterThan(naive + 0.1);
    expect(unbiased).toBeGreaterThan(naive);
  });

  it('estimates a bias that falls with the position, where relevance does not depend on it', async () => {
    const shown = featureLists(
      Array.from({ length: 400 }, () =>
        Array.from({ length: 6 }, (_, k) => {
          const relevance = random.float();
          return { label: random.float() < relevance / (k + 1) ? 1 : 0, cells: [relevance] };
        }),
      ),
    );
    const unbiased = unbiasedLambdaMart({ positions: 6 });
    const byScore = positionBiasedLambdaRank({ positions: 6 });
    for (const gradients of [unbiased, byScore]) await trainRanker({ learner: lambdamart, train: shown, objective, options, gradients });
    const { clicked } = unbiased.bias();
    expect(clicked[0]).toBe(1);
    expect(clicked[1]).toBeLessThan(0.9);
    expect(clicked[5]).toBeLessThan(clicked[1]);
    const bias = byScore.bias();
    expect(bias[0]).toBeGreaterThan(bias[1]);
    expect(bias[1]).toBeGreaterThan(bias[5]);
  });
});
