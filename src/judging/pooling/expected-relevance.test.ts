import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { documentInfluence, expectedAveragePrecision, type PooledTopic, RelevanceModel } from './expected-relevance.js';

const listOf = (...docs: number[]): PooledTopic['runs'][number] => ({
  docs: Uint32Array.from(docs), // fits: entries
  ranks: Uint32Array.from(docs, (_, i) => i + 1), // fits: entries
});

function randomTopic(seed: number, numDocs: number, numRuns: number): PooledTopic {
  const random = seededRandom(seed);
  const runs = Array.from({ length: numRuns }, () => {
    const order = Array.from({ length: numDocs }, (_, d) => ({ d, at: random.float() })).sort((a, b) => a.at - b.at);
    return listOf(...order.map(({ d }) => d));
  });
  return { numDocs, runs };
}

describe('average precision with probabilities', () => {
  test('is average precision where every document is judged, by hand', () => {
    const topic: PooledTopic = { numDocs: 4, runs: [listOf(0, 1, 2, 3), listOf(3, 2, 1, 0)] };
    // relevant: 0 and 2; ranks 1 and 3, and ranks 2 and 4
    expect([...expectedAveragePrecision([topic], [Float64Array.of(1, 0, 1, 0)])]).toEqual([(1 + 2 / 3) / 2, (1 / 2 + 2 / 4) / 2]);
  });

  test('a topic without anything relevant counts as 0', () => {
    const topic: PooledTopic = { numDocs: 2, runs: [listOf(0, 1)] };
    expect([...expectedAveragePrecision([topic, topic], [Float64Array.of(0, 0), Float64Array.of(1, 0)])]).toEqual([0.5]);
  });
});

describe('the influence of a document', () => {
  test('is the variance over runs of how much R·AP / R moves when its relevance does, times that of its relevance', () => {
    const topic = randomTopic(3, 12, 5);
    const random = seededRandom(4);
    const p = Float64Array.from({ length: 12 }, () => 0.2 + 0.6 * random.float());
    const total = p.reduce((a, b) => a + b);
    const [found] = documentInfluence([topic], [p]);
    // the number of relevant documents held, the sum of precisions is linear in each probability
    const sumsWith = (d: number, value: number): number[] => {
      const own = p.slice();
      own[d] = value;
      const relevant = own.reduce((a, b) => a + b);
      return [...expectedAveragePrecision([topic], [own])].map((mean) => (mean * relevant) / total);
    };
    for (let d = 0; d < 12; d++) {
      const moves = sumsWith(d, 1).map((value, r) => value - sumsWith(d, 0)[r]);
      const mean = moves.reduce((a, b) => a + b) / 5;
      const variance = moves.reduce((sum, move) => sum + (move - mean) ** 2, 0) / 5;
      expect(found[d]).toBeCloseTo(variance * p[d] * (1 - p[d]), 12);
    }
  });

  test('is 0 for what is judged and for what all runs place alike', () => {
    const topic: PooledTopic = { numDocs: 3, runs: [listOf(0, 1, 2), listOf(0, 2, 1)] };
    const [found] = documentInfluence([topic], [Float64Array.of(0.5, 1, 0.5)]);
    expect(found[1]).toBe(0);
    expect(documentInfluence([{ numDocs: 2, runs: [listOf(0, 1), listOf(0, 1)] }], [Float64Array.of(0.5, 0.5)])[0]).toEqual(
      Float64Array.of(0, 0),
    );
  });
});

describe('how probably a document is relevant', () => {
  test('judged ones are known, and what relevant documents stand beside is more probable than what others stand beside', () => {
    // runs 0 and 1 bring documents 0 to 9 first, runs 2 and 3 documents 10 to 19; those of the first kind are relevant
    const first = Array.from({ length: 10 }, (_, i) => i);
    const second = first.map((d) => d + 10);
    const topic: PooledTopic = {
      numDocs: 20,
      runs: [listOf(...first), listOf(...first.toReversed()), listOf(...second), listOf(...second.toReversed())],
    };
    const known = { judged: [0, 1, 2, 10, 11, 12], isRelevant: (d: number) => d < 10 };
    const [p] = new RelevanceModel([topic]).probabilities([known]);
    expect([0, 1, 2, 10, 11, 12].map((d) => p[d])).toEqual([1, 1, 1, 0, 0, 0]);
    for (const d of [3, 4, 5, 6, 7, 8, 9]) expect(p[d]).toBeGreaterThan(p[d + 10]);
    expect(Math.min(...p.subarray(3, 10))).toBeGreaterThan(0.5);
  });

  test('probabilities are those of the judged where nothing tells documents apart, and 1/2 where nothing is judged', () => {
    const topic = randomTopic(9, 6, 3);
    const [p] = new RelevanceModel([topic]).probabilities([{ judged: [], isRelevant: () => false }]);
    for (const value of p) expect(value).toBeCloseTo(0.5, 6);
  });
});
