import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../core/numbers/random.js';
import { formatTrecRun } from '../formats/trec/run.js';
import { evaluate } from '../measures/evaluate.js';
import { fuse } from './fuse.js';
import { splitTopics } from './split.js';
import { tuneFusion } from './tune.js';
import { bestOf, coordinateSearch, simplexGrid, simplexGridSize, stepsOf } from './weight-search.js';

type Plain = Record<string, Record<string, number>>;

/** Ten documents a topic, three of them relevant; each run sees the grade through noise of its own. */
function collection(numTopics: number, noise: readonly number[], seed: number): { qrels: Plain; runs: Plain[] } {
  const random = seededRandom(seed);
  const qrels: Plain = {};
  const runs: Plain[] = noise.map(() => ({}));
  for (let t = 1; t <= numTopics; t++) {
    const topic = `q${t}`;
    qrels[topic] = {};
    for (const run of runs) run[topic] = {};
    for (let d = 0; d < 10; d++) {
      const doc = `d${d}`;
      qrels[topic][doc] = d < 3 ? 1 : 0;
      for (const [r, run] of runs.entries()) run[topic][doc] = qrels[topic][doc] + noise[r] * random.normal();
    }
  }
  return { qrels, runs };
}

describe('tuneFusion', () => {
  const { qrels, runs } = collection(12, [0.7, 0.9, 3], 5);
  const names = ['good', 'fair', 'noise'];
  const options = { measure: 'AP', method: 'wsum', names } as const;

  test('finds what an evaluation of every vector of weights on the training topics finds, and its value on the others', () => {
    const trainTopics = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7'];
    const tuned = tuneFusion(qrels, runs, { ...options, trainTopics });
    const only = (wanted: (topic: string) => boolean): Plain =>
      Object.fromEntries(Object.entries(qrels).filter(([topic]) => wanted(topic)));
    const train = only((topic) => trainTopics.includes(topic));
    const values = simplexGrid(3, 10).map((weights) => evaluate(train, fuse(runs, { method: 'wsum', weights: [...weights] }), 'AP'));
    const [part] = tuned.parts;
    expect(part.train).toBeCloseTo(Math.max(...values), 12);
    const run = fuse(runs, { method: 'wsum', weights: [...part.weights] });
    expect(part.train).toBeCloseTo(evaluate(train, run, 'AP'), 12);
    const rest = only((topic) => !trainTopics.includes(topic));
    expect(part.test).toBeCloseTo(evaluate(rest, run, 'AP'), 12);
    expect(part.singles[1].test).toBeCloseTo(evaluate(rest, runs[1], 'AP'), 12);
    expect(part.equal.test).toBeCloseTo(evaluate(rest, fuse(runs, { method: 'combsum' }), 'AP'), 12);
    expect(part.testTopics).toEqual(['q10', 'q11', 'q12', 'q8', 'q9']);
    expect(tuned.weights).toEqual(part.weights);
    expect(tuned.heldOut.systems).toEqual([...names, 'equal weights', 'tuned weights']);
    expect(tuned.heldOut.aggregate('AP', 'tuned weights')).toBeCloseTo(part.test, 12);
    expect(formatTrecRun(tuned.run)).toEqual(formatTrecRun(run));
    expect(tuned.search).toBe('grid');
    expect(tuned.tried).toBe(67); // the grid and equal weights, which are not on it
  });

  test('with folds every topic is tested once, with weights that it had no part in', () => {
    const tuned = tuneFusion(qrels, runs, { ...options, folds: 4, seed: 3 });
    expect(tuned.parts.flatMap(({ testTopics }) => testTopics).sort()).toEqual(Object.keys(qrels).sort());
    for (const { trainTopics, testTopics, weights, test } of tuned.parts) {
      expect(trainTopics.length).toBe(9);
      expect(testTopics.filter((topic) => trainTopics.includes(topic))).toEqual([]);
      // the same weights come out when the test topics' judgements are turned round
      const turned = Object.fromEntries(
        Object.entries(qrels).map(([topic, docs]) => [
          topic,
          testTopics.includes(topic) ? Object.fromEntries(Object.entries(docs).map(([doc, grade]) => [doc, 1 - grade])) : docs,
        ]),
      );
      const again = tuneFusion(turned, runs, { ...options, trainTopics });
      expect(again.weights).toEqual(weights);
      const fused = fuse(runs, { method: 'wsum', weights: [...weights] });
      const rest = Object.fromEntries(Object.entries(qrels).filter(([topic]) => testTopics.includes(topic)));
      expect(test).toBeCloseTo(evaluate(rest, fused, 'AP'), 12);
    }
    // the run that is written is fused in the same way
    expect(evaluate(qrels, tuned.run, 'AP')).toBeCloseTo(tuned.heldOut.aggregate('AP', 'tuned weights'), 12);
  });

  test('prefers the runs that are good, whatever the search', () => {
    const wide = collection(40, [0.5, 4, 4, 4, 4], 9);
    const common = { measure: 'AP', method: 'wsum', names: ['good', 'b', 'c', 'd', 'e'], folds: 2 };
    const coordinate = tuneFusion(wide.qrels, wide.runs, { ...common, search: 'coordinate' });
    const grid = tuneFusion(wide.qrels, wide.runs, { ...common, search: 'grid' });
    for (const { weights } of [coordinate, grid]) expect(weights[0]).toBe(Math.max(...weights));
    // it moves off the grid, and so may do better; by much it should not do worse
    expect(coordinate.parts[0].train).toBeGreaterThan(grid.parts[0].train - 0.01);
    expect(tuneFusion(wide.qrels, wide.runs, common).search).toBe('coordinate');
  });

  test('weights ranks too, and makes small what is better small', () => {
    expect(tuneFusion(qrels, runs, { measure: 'AP', method: 'rrf', names }).norm).toBe(null);
    const tuned = tuneFusion(qrels, runs, { ...options, measure: 'ESL', trainTopics: ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'] });
    const [{ train, singles }] = tuned.parts;
    // the corners of the grid are the single runs
    for (const single of singles) expect(train).toBeLessThanOrEqual(single.train + 1e-12);
  });

  test('gives the same for the same seed, and other folds for another', () => {
    const first = tuneFusion(qrels, runs, { ...options, seed: 8 });
    expect(JSON.stringify(tuneFusion(qrels, runs, { ...options, seed: 8 }).parts)).toBe(JSON.stringify(first.parts));
    expect(tuneFusion(qrels, runs, { ...options, seed: 9 }).parts[0].testTopics).not.toEqual(first.parts[0].testTopics);
  });

  test.each([
    [{ method: 'combmax' }, 'combmax knows no weights that could be tuned'],
    [{ folds: 1 }, 'folds: expected a whole number from 2, found 1'],
    [{ folds: 13 }, '13 folds for 12 judged topics; use at most 12'],
    [{ folds: 3, trainTopics: ['q1'] }, 'both folds and training topics were given'],
    [{ trainTopics: ['q1', 'zz'] }, '1 training topic is not judged: zz'],
    [{ trainTopics: [] }, 'found no training topics'],
    [{ trainTopics: Object.keys(qrels) }, 'none is left to test on'],
    [{ step: 0.3 }, 'step: expected a part of 1 such as 0.1 or 0.05, found 0.3'],
    [{ step: 0.001, search: 'grid' as const }, 'a grid of 501501 weight vectors is too large'],
    [{ measure: 'NumRet' }, 'says nothing about which weights are better'],
    [{ measure: 'P@5,10' }, 'found 2 measures to tune for'],
    [{ names: ['a', 'a', 'b'] }, 'two systems are called a'],
  ])('refuses %j', (wrong, message) => {
    expect(() => tuneFusion(qrels, runs, { ...options, ...wrong })).toThrow(message);
  });
});

describe('weights', () => {
  test('the grid holds every vector once, and as many as the formula says', () => {
    for (const [numRuns, steps] of [
      [1, 4],
      [2, 10],
      [3, 10],
      [4, 5],
    ]) {
      const grid = simplexGrid(numRuns, steps);
      expect(grid.length).toBe(simplexGridSize(numRuns, steps));
      expect(new Set(grid.map((weights) => weights.join(' '))).size).toBe(grid.length);
      for (const weights of grid) expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    }
    expect(stepsOf(0.05)).toBe(20);
  });

  test('of equally good weights the most even ones are taken', () => {
    expect([...bestOf(simplexGrid(2, 10), () => 1)]).toEqual([0.5, 0.5]);
    expect([...bestOf(simplexGrid(2, 10), ([first]) => -Math.abs(first - 0.2))]).toEqual([0.2, 0.8]);
  });

  test('coordinate search finds the summit of a smooth hill to within a step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), fc.nat(1000), (numRuns, seed) => {
        const random = seededRandom(seed);
        const summit = Float64Array.from({ length: numRuns }, () => random.float() + 0.05);
        const total = summit.reduce((sum, weight) => sum + weight, 0);
        const distance = (weights: Float64Array): number => Math.hypot(...weights.map((weight, r) => weight - summit[r] / total));
        expect(distance(coordinateSearch(numRuns, 20, seededRandom(seed), (weights) => -distance(weights)))).toBeLessThan(0.1);
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  test('folds differ in size by one at most', () => {
    const topics = Array.from({ length: 11 }, (_, t) => `t${t}`);
    const sizes = splitTopics(topics, { folds: 4, seed: 2 }).map(({ test }) => test.length);
    expect(sizes.sort()).toEqual([2, 3, 3, 3]);
  });
});
