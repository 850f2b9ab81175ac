import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matrixOfRows, randomMatrix, randomTrees, slowTreeScore, treeModel, withCategories } from '../../../test/helpers/slow-models.js';
import { type Random, seededRandom } from '../../core/numbers/random.js';
import type { Model, TreeScorer } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { goesLeft } from '../scoring/trees.js';
import { scoreContributions, scoreInteractions } from './contributions.js';

const FEATURES = 4;

/** Random trees with made-up numbers of documents at their nodes, some of them 0. */
function coveredTrees(random: Random): TreeScorer {
  const plain = randomTrees(random, 1 + random.below(3), FEATURES, 8);
  const scorer = random.below(3) === 0 ? withCategories(random, plain) : plain;
  const cover = new Float64Array(scorer.feature.length);
  for (let node = scorer.feature.length - 1; node >= 0; node--) {
    cover[node] = scorer.feature[node] < 0 ? random.below(6) : cover[scorer.left[node]] + cover[scorer.right[node]];
  }
  return { ...scorer, cover };
}

/** The value of a set of known features: all others go both ways by the documents of training. */
function pathGame(scorer: TreeScorer, cells: Float64Array, known: ReadonlySet<number>): number {
  const expected = (node: number): number => {
    const { feature, left, right, value, cover } = scorer;
    if (feature[node] < 0) return value[node];
    if (known.has(feature[node])) return expected(goesLeft(scorer, node, cells[feature[node]]) ? left[node] : right[node]);
    const share = cover![node] === 0 ? 0.5 : cover![left[node]] / cover![node];
    return share * expected(left[node]) + (1 - share) * expected(right[node]);
  };
  return scorer.treeWeights.reduce((sum, weight, tree) => sum + weight * expected(scorer.nodeOffsets[tree]), scorer.base);
}

/** The same where they come from the documents of a background. */
function backgroundGame(scorer: TreeScorer, cells: Float64Array, others: readonly Float64Array[], known: ReadonlySet<number>): number {
  const scores = others.map((other) => slowTreeScore(scorer, (column) => (known.has(column) ? cells : other)[column]));
  return scores.reduce((sum, score) => sum + score / others.length, 0);
}

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));

/** Shapley values by their definition: every set of features. */
function slowShapley(game: (known: ReadonlySet<number>) => number): number[] {
  return Array.from({ length: FEATURES }, (_, i) => {
    let sum = 0;
    for (let bits = 0; bits < 2 ** FEATURES; bits++) {
      const set = new Set(Array.from({ length: FEATURES }, (_, column) => column).filter((column) => (bits >> column) & 1));
      if (set.has(i)) continue;
      const weight = (factorial(set.size) * factorial(FEATURES - set.size - 1)) / factorial(FEATURES);
      sum += weight * (game(new Set([...set, i])) - game(set));
    }
    return sum;
  });
}

const rowsOf = (values: ArrayLike<number>): Float64Array[] =>
  Array.from({ length: values.length / FEATURES }, (_, row) =>
    Float64Array.from({ length: FEATURES }, (_, column) => values[row * FEATURES + column]),
  );

function closeTo(found: ArrayLike<number>, expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  expected.forEach((value, i) => {
    expect(found[i]).toBeCloseTo(value, 9);
  });
}

describe('scoreContributions(model, matrix)', () => {
  test('by path are the Shapley values of their definition, and add up to the score', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const scorer = coveredTrees(random);
        const matrix = randomMatrix(random, 3, FEATURES, 'dense');
        const { values, base } = scoreContributions(treeModel(scorer, FEATURES), matrix);
        const cells = rowsOf(matrix.features!.values);
        const found = rowsOf(values);
        const scores = scoreMatrix(treeModel(scorer, FEATURES), matrix);
        cells.forEach((row, i) => {
          closeTo(
            found[i],
            slowShapley((known) => pathGame(scorer, row, known)),
          );
          expect(base[i]).toBeCloseTo(pathGame(scorer, row, new Set()), 9);
          expect(found[i].reduce((sum, value) => sum + value, base[i])).toBeCloseTo(scores[i], 9);
        });
      }),
      { numRuns: 80 },
    );
  });

  test('against a background are the Shapley values of their definition', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const { cover: _, ...scorer } = coveredTrees(random);
        const matrix = randomMatrix(random, 3, FEATURES, 'dense');
        const background = randomMatrix(random, 4, FEATURES, 'dense');
        const { values, base, method } = scoreContributions(treeModel(scorer, FEATURES), matrix, { background });
        expect(method).toBe('interventional');
        const others = rowsOf(background.features!.values);
        rowsOf(matrix.features!.values).forEach((row, i) => {
          closeTo(
            rowsOf(values)[i],
            slowShapley((known) => backgroundGame(scorer, row, others, known)),
          );
          expect(base[i]).toBeCloseTo(backgroundGame(scorer, row, others, new Set()), 9);
        });
      }),
      { numRuns: 40 },
    );
  });

  test('of a linear model are weight times distance from the mean', () => {
    const model: Model = {
      learner: 'x',
      firstFeature: 1,
      numFeatures: 2,
      missing: 0,
      scorer: { kind: 'linear', weights: Float64Array.of(2, -3), bias: 1 },
    };
    const matrix = matrixOfRows([
      [1, 4],
      [3, 0],
    ]);
    const { values, base } = scoreContributions(model, matrix);
    // means 2 and 2: the base is 1 + 4 - 6
    expect([...base]).toEqual([-1, -1]);
    expect([...values]).toEqual([-2, -6, 2, 6]);
  });

  test('of a net are estimates that add up, and come near the exact ones of the same function', () => {
    const layer = { inputs: 2, units: 1, weights: Float64Array.of(2, -3), bias: Float64Array.of(1), activation: 'identity' } as const;
    const net: Model = { learner: 'x', firstFeature: 1, numFeatures: 2, missing: 0, scorer: { kind: 'net', layers: [layer] } };
    const matrix = matrixOfRows([
      [1, 4],
      [3, 0],
    ]);
    const { values, standardErrors, method } = scoreContributions(net, matrix, { samples: 400, seed: 5 });
    expect(method).toBe('sampled');
    [-2, -6, 2, 6].forEach((exact, i) => {
      expect(Math.abs(values[i] - exact)).toBeLessThan(5 * standardErrors![i] + 1e-9);
      expect(standardErrors![i]).toBeGreaterThan(0);
    });
  });

  test('say what is missing where a model does not know its documents', () => {
    const matrix = matrixOfRows([[1, 2, 3, 4]]);
    expect(() => scoreContributions(treeModel(randomTrees(seededRandom(1), 2, 4), 4), matrix, { method: 'path' })).toThrow(
      'the model does not say how many documents reached each node',
    );
  });
});

describe('scoreInteractions(model, matrix)', () => {
  test('are symmetric, add up to the contributions, and are those of their definition', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const scorer = coveredTrees(random);
        const matrix = randomMatrix(random, 1, FEATURES, 'dense');
        const [square] = scoreInteractions(treeModel(scorer, FEATURES), matrix);
        const { values } = scoreContributions(treeModel(scorer, FEATURES), matrix);
        const [cells] = rowsOf(matrix.features!.values);
        const at = (i: number, j: number): number => square[i * (FEATURES + 1) + j];
        for (let i = 0; i < FEATURES; i++) {
          let sum = 0;
          for (let j = 0; j < FEATURES; j++) {
            sum += at(i, j);
            expect(at(i, j)).toBeCloseTo(at(j, i), 9);
            if (i < j) expect(at(i, j)).toBeCloseTo(slowInteraction(scorer, cells, i, j), 9);
          }
          expect(sum).toBeCloseTo(values[i], 9);
        }
      }),
      { numRuns: 40 },
    );
  });
});

function slowInteraction(scorer: TreeScorer, cells: Float64Array, i: number, j: number): number {
  let sum = 0;
  for (let bits = 0; bits < 2 ** FEATURES; bits++) {
    const set = Array.from({ length: FEATURES }, (_, column) => column).filter((column) => (bits >> column) & 1);
    if (set.includes(i) || set.includes(j)) continue;
    const weight = (factorial(set.length) * factorial(FEATURES - set.length - 2)) / (2 * factorial(FEATURES - 1));
    const of = (...more: number[]): number => pathGame(scorer, cells, new Set([...set, ...more]));
    sum += weight * (of(i, j) - of(i) - of(j) + of());
  }
  return sum;
}
