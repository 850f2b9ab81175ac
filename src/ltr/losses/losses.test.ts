import { describe, expect, it, test } from 'vitest';
import { featureLists, randomQueries } from '../../../test/helpers/feature-lists.js';
import { seededRandom } from '../../core/numbers/random.js';
import { parseMeasure } from '../../measures/parse.js';
import { evaluateModel } from '../evaluate-model.js';
import { lambdamart } from '../learners/lambdamart.js';
import { listnet } from '../learners/listnet.js';
import { mart } from '../learners/mart.js';
import type { TreeScorer } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { trainRanker } from '../train.js';
import { boostingOptions, treeOptions } from '../trees/options.js';
import { lossNames, rankingLoss } from './index.js';
import { listMleLoss, softmaxLoss, xeNdcgLoss } from './list-losses.js';
import { lambdaLossPairs, lambdaRankGradients, pairLoss, rankNetLoss } from './pair-losses.js';
import type { QueryObjective } from './query-objective.js';
import { smoothedNdcg, stochasticRankLoss, yetiRankLossOf, yetiRankPairs } from './random-losses.js';
import { approxNdcgLoss, neuralNdcgLoss, softPermutation } from './smooth-losses.js';

const labels = Float64Array.from([2, 0, 1, 0, 3, 1]);
const scores = Float64Array.from([0.3, -0.1, 0.8, 0.05, 0.5, -0.7]);
const gamma = [0.1, 0.7, 0.3, 0.2, 0.9, 0.45];
const ask = (loss: QueryObjective, at: Float64Array) => loss.gradients(at, { query: 0, labels, iteration: 1, random: seededRandom(7) });

/** The loss of fixed pairs: what LambdaLoss and YetiRank make smaller within one iteration. */
const ofPairs = (pairs: Parameters<typeof pairLoss>[0], unit?: number): QueryObjective => ({
  name: 'pairs',
  gradients: (at) => pairLoss(pairs, at, 1, unit),
});

const byLoss: readonly [name: string, loss: QueryObjective, hasHessian: boolean][] = [
  ['RankNet', rankNetLoss(), true],
  ['LambdaLoss with its weights held', ofPairs(lambdaLossPairs(scores, labels, 'ndcg-loss2++'), Math.LN2), true],
  ['NDCG-Loss1 with its weights held', ofPairs(lambdaLossPairs(scores, labels, 'ndcg-loss1'), Math.LN2), true],
  ['YetiRank with its orders held', ofPairs(yetiRankPairs([2, 4, 0, 5, 1, 3], labels)), true],
  ['ApproxNDCG', approxNdcgLoss(), false],
  ['ApproxNDCG, smooth', approxNdcgLoss({ temperature: 2 }), false],
  ['NeuralNDCG, one softmax per rank', neuralNdcgLoss({ rounds: 0 }), false],
  ['NeuralNDCG, scaled', neuralNdcgLoss({ temperature: 0.7, rounds: 7, balanced: 0 }), false],
  ['softmax', softmaxLoss(), true],
  ['ListMLE', listMleLoss(), true],
  ['p-ListMLE', listMleLoss({ positions: true }), true],
  ['XE-NDCG of the first order', xeNdcgLoss({ gamma, order: 1 }), true],
];

const step = 1e-5;
const moved = (i: number, by: number): Float64Array => scores.with(i, scores[i] + by);

test.each(byLoss)('%s: the gradient is what small steps find', (_, loss) => {
  const { gradient } = ask(loss, scores);
  for (let i = 0; i < scores.length; i++) {
    const up = ask(loss, moved(i, step)).loss ?? Number.NaN;
    const down = ask(loss, moved(i, -step)).loss ?? Number.NaN;
    expect(gradient[i]).toBeCloseTo((up - down) / (2 * step), 8);
  }
});

test.each(byLoss.filter(([, , hasHessian]) => hasHessian))('%s: the hessian is what small steps find', (_, loss) => {
  const { hessian } = ask(loss, scores);
  for (let i = 0; i < scores.length; i++) {
    const difference = ask(loss, moved(i, step)).gradient[i] - ask(loss, moved(i, -step)).gradient[i];
    expect(hessian[i]).toBeCloseTo(difference / (2 * step), 8);
  }
});

test.each(byLoss.filter(([, , hasHessian]) => !hasHessian))('%s: what stands for the hessian is positive', (_, loss) => {
  for (const value of Array.from(ask(loss, scores).hessian)) expect(value).toBeGreaterThan(0);
});

describe('ListMLE', () => {
  it('by hand: three documents with scores ln 3, ln 2 and 0 in this order of labels', () => {
    const three = { query: 0, labels: Float64Array.of(2, 1, 0), iteration: 1, random: seededRandom(1) };
    const { gradient, loss } = listMleLoss().gradients(Float64Array.of(Math.log(3), Math.log(2), 0), three);
    // drawn first with 3 of 6, then with 2 of 3
    expect(loss).toBeCloseTo(Math.log(2) + Math.log(1.5), 14);
    expect(gradient[0]).toBeCloseTo(1 / 2 - 1, 14);
    expect(gradient[1]).toBeCloseTo(1 / 3 + 2 / 3 - 1, 14);
    expect(gradient[2]).toBeCloseTo(1 / 6 + 1 / 3, 14);
  });

  it('p-ListMLE counts places 2^(n - k) - 1, in units of the first', () => {
    const three = { query: 0, labels: Float64Array.of(2, 1, 0), iteration: 1, random: seededRandom(1) };
    const { loss } = listMleLoss({ positions: true }).gradients(Float64Array.of(Math.log(3), Math.log(2), 0), three);
    // 3, 1 and 0
    expect(loss).toBeCloseTo(Math.log(2) + Math.log(1.5) / 3, 14);
  });

  it('takes lists of thousands of documents, and scores far apart', () => {
    const long = Float64Array.from({ length: 3000 }, (_, i) => i % 5);
    const { gradient } = listMleLoss({ positions: true }).gradients(
      long.map((_, i) => i),
      { query: 0, labels: long, iteration: 1, random: seededRandom(1) },
    );
    for (const value of Array.from(gradient)) expect(Number.isFinite(value)).toBe(true);
  });
});

describe('YetiRank', () => {
  it('by hand: neighbours with different labels, each place 0.85 of the one before', () => {
    // labels in this order: 1 0 3 0 2 1
    const pairs = yetiRankPairs([2, 3, 4, 1, 0, 5], labels);
    const expected = [
      [2, 3, 0.15],
      [4, 3, 0.15 * 0.85 * 3],
      [4, 1, 0.15 * 0.85 ** 2 * 3],
      [0, 1, 0.15 * 0.85 ** 3 * 2],
      [0, 5, 0.15 * 0.85 ** 4],
    ];
    expect(pairs.map(({ upper, lower }) => [upper, lower])).toEqual(expected.map(([upper, lower]) => [upper, lower]));
    pairs.forEach(({ weight }, i) => {
      expect(weight).toBeCloseTo(expected[i][2], 14);
    });
  });

  it('is the mean over its orders', () => {
    const orders = [
      [0, 1, 2, 3, 4, 5],
      [5, 3, 1, 4, 2, 0],
    ];
    const both = yetiRankLossOf(orders, scores, labels).gradient;
    const [first, second] = orders.map((order) => yetiRankLossOf([order], scores, labels).gradient);
    for (let i = 0; i < 6; i++) expect(both[i]).toBeCloseTo((first[i] + second[i]) / 2, 14);
  });
});

describe('smoothed nDCG', () => {
  it('two documents, in closed form: above with chance Φ(difference / (σ √2))', () => {
    const sigma = 0.5;
    const two = Float64Array.of(0.4, 0.1);
    const found = smoothedNdcg(two, Float64Array.of(1, 0), { sigma, samples: 40_000, random: seededRandom(3) });
    const spread = sigma * Math.SQRT2;
    const density = Math.exp(-0.5 * (0.3 / spread) ** 2) / (spread * Math.sqrt(2 * Math.PI));
    const slope = density * (1 - 1 / Math.log2(3));
    expect(Math.abs(found.gradient[0] - slope)).toBeLessThan(5 * found.standardErrors[0]);
    expect(Math.abs(found.gradient[1] + slope)).toBeLessThan(5 * found.standardErrors[1]);
    // Φ(0.424264) = 0.664302
    expect(found.value).toBeCloseTo(0.6643 + 0.3357 / Math.log2(3), 2);
  });

  it('has the gradient that another way of sampling finds: score times value', () => {
    const sigma = 0.5;
    const random = seededRandom(11);
    const samples = 100_000;
    const plain = { sigma, samples: 1, random };
    const sums = new Float64Array(6);
    const squares = new Float64Array(6);
    for (let s = 0; s < samples; s++) {
      const noise = scores.map(() => random.normal());
      // without noise of its own, the value is that of the noisy order
      const { value } = smoothedNdcg(
        scores.map((score, i) => score + sigma * noise[i]),
        labels,
        { ...plain, sigma: 1e-12 },
      );
      noise.forEach((z, i) => {
        const term = ((value - 0.75) * z) / sigma;
        sums[i] += term;
        squares[i] += term * term;
      });
    }
    const found = smoothedNdcg(scores, labels, { sigma, samples: 20_000, random });
    for (let i = 0; i < 6; i++) {
      const mean = sums[i] / samples;
      const error = Math.hypot(Math.sqrt((squares[i] / samples - mean ** 2) / samples), found.standardErrors[i]);
      expect(Math.abs(found.gradient[i] - mean)).toBeLessThan(5 * error);
    }
  });

  it('StochasticRank takes away what would only make scores larger', () => {
    const { gradient } = ask(stochasticRankLoss({ samples: 50 }), scores);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const centred = scores.map((score) => score - mean);
    const free = ask(stochasticRankLoss({ samples: 50, scaleFree: 0 }), scores).gradient;
    const along = (of: ArrayLike<number>): number => centred.reduce((sum, score, i) => sum + score * of[i], 0);
    expect(Math.abs(along(gradient))).toBeLessThan(0.05 * Math.abs(along(free)));
  });
});

test('a soft permutation becomes the sorting one as the temperature falls', () => {
  const { matrix } = softPermutation(scores, { temperature: 1e-3 });
  const order = [2, 4, 0, 3, 1, 5];
  order.forEach((document, rank) => {
    expect(matrix[rank * 6 + document]).toBeCloseTo(1, 12);
  });
});

describe('objectives and metrics of a program', () => {
  const train = featureLists(randomQueries(31, { queries: 40, features: 5 }));
  const objective = parseMeasure("nDCG(gain='exp')");
  const options = { trees: 8, minDocs: 2, leaves: 6 };

  it('squared error in a hook grows the trees of MART', async () => {
    const mean = train.labels.reduce((sum, label) => sum + label, 0) / train.numRows;
    const squares: QueryObjective = {
      name: 'squares',
      gradients: (at, query) => ({
        gradient: at.map((score, i) => score + mean - query.labels[i]),
        hessian: new Float64Array(at.length).fill(1),
      }),
    };
    const hooked = await trainRanker({ learner: lambdamart, train, objective, gradients: squares, options: { ...options, leaves: 8 } });
    const plain = await trainRanker({ learner: mart, train, metric: objective, options: { ...options, leaves: 8 } });
    expect((hooked.scorer as TreeScorer).feature).toEqual((plain.scorer as TreeScorer).feature);
    const own = scoreMatrix(hooked, train);
    scoreMatrix(plain, train).forEach((score, row) => {
      expect(own[row] + mean).toBeCloseTo(score, 9);
    });
    expect(hooked.training?.objective).toBe('squares');
  });

  it('LambdaRank in a hook is LambdaMART', async () => {
    const hooked = await trainRanker({ learner: lambdamart, train, objective, gradients: lambdaRankGradients(), options });
    const plain = await trainRanker({ learner: lambdamart, train, objective, options });
    const own = scoreMatrix(hooked, train);
    scoreMatrix(plain, train).forEach((score, row) => {
      expect(own[row]).toBeCloseTo(score, 9);
    });
  });

  it.each(lossNames.filter((name) => name !== 'lambdarank'))('%s trains: better than no order, the same for a seed', async (loss) => {
    const request = { learner: lambdamart, train, objective, options: { ...options, trees: 20, loss } };
    const model = await trainRanker(request);
    const before = evaluateModel(await trainRanker({ ...request, options: { ...request.options, minDocs: 1e6 } }), train, [objective]);
    expect(evaluateModel(model, train, [objective]).aggregate(0)).toBeGreaterThan(before.aggregate(0) + 0.1);
    expect(await trainRanker(request)).toEqual(model);
    expect(model.training?.objective).toBe(rankingLoss(loss).name);
  });

  it('a metric of the program chooses the iteration', async () => {
    let calls = 0;
    const metric = {
      name: 'fourth call',
      value: (given: Float64Array, data: { readonly labels: Float64Array }) => {
        expect(given.length).toBe(data.labels.length);
        return ++calls === 4 ? 1 : 0;
      },
    };
    const model = await trainRanker({ learner: lambdamart, train, validation: train, objective, metric, options });
    expect(model.training?.best).toEqual({ iteration: 4, validation: 1 });
  });

  it('refuses gradients that are not numbers, and learners without use for them', async () => {
    const wrong: QueryObjective = { name: 'wrong', gradients: () => ({ gradient: [], hessian: [] }) };
    await expect(trainRanker({ learner: lambdamart, train, objective, gradients: wrong, options })).rejects.toThrow(
      'wrong has the gradient undefined for document 1 of query 1 in iteration 1, expected finite numbers and a hessian that is not negative',
    );
    await expect(trainRanker({ learner: listnet, train, metric: objective, gradients: wrong })).rejects.toThrow(
      'ListNet takes no gradients of a program',
    );
  });

  it('no option of pairs and losses hides one of trees', () => {
    for (const [name, spec] of Object.entries({ ...treeOptions, ...boostingOptions }))
      expect(lambdamart.options[name].help).toBe(spec.help);
  });

  it('rankingLoss suggests the name that was meant', () => {
    expect(() => rankingLoss('yetirnk')).toThrow('there is no loss yetirnk');
    expect(rankingLoss('XE_NDCG').name).toBe('XE-NDCG');
  });
});
