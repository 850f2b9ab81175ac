import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { seededRandom } from '../core/numbers/random.js';
import { evaluate } from '../measures/evaluate.js';
import { parseMeasure } from '../measures/parse.js';
import { expectedMeasure } from './expected-measure.js';
import { entropyOf, maximizeEntropy } from './maximum-entropy.js';

const linear = ['nDCG', "nDCG(gain='exp')@3", "nDCG(discount='jk')", 'DCG@4', 'P@3', 'RBP(p=0.7)'];
const quadratic = ['AP', 'AP(rel=2)', 'GAP', 'GAP(g=[0.3,0.7])'];

/** Random chances of the grades 0 to 2 at each rank. */
function someChances(numRanks: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  const p = Float64Array.from({ length: numRanks * 3 }, () => random.float() + 0.01);
  for (let n = 0; n < numRanks; n++) {
    const sum = p[3 * n] + p[3 * n + 1] + p[3 * n + 2];
    for (let i = 0; i < 3; i++) p[3 * n + i] /= sum;
  }
  return p;
}

describe('the expectation of a measure', () => {
  const facts = { numRanks: 5, judgedCounts: [4, 6, 5] };

  it.each([...linear, ...quadratic])('%s is the mean over all lists of grades', (text) => {
    const measure = parseMeasure(text);
    const { expectation } = expectedMeasure(measure, facts);
    const p = someChances(facts.numRanks, 7);
    let mean = 0;
    for (let list = 0; list < 3 ** facts.numRanks; list++) {
      const grades = Array.from({ length: facts.numRanks }, (_, n) => Math.floor(list / 3 ** n) % 3);
      const chance = grades.reduce((product, grade, n) => product * p[3 * n + grade], 1);
      // the judged documents that are not in the list make up the numbers
      const docs = grades.map((grade, n) => [`d${n}`, grade] as const);
      const rest = facts.judgedCounts.flatMap((count, grade) =>
        Array.from({ length: count - grades.filter((found) => found === grade).length }, (_, k) => [`r${grade}-${k}`, grade] as const),
      );
      const qrels = { q: Object.fromEntries([...docs, ...rest]) };
      mean += chance * evaluate(qrels, { q: Object.fromEntries(docs.map(([doc], n) => [doc, 9 - n])) }, measure);
    }
    expect(expectation(p)).toBeCloseTo(mean, 12);
  });

  it.each([...linear, ...quadratic])('%s has the slope of finite differences', (text) => {
    const { expectation, gradient } = expectedMeasure(parseMeasure(text), facts);
    const p = someChances(facts.numRanks, 8);
    const slope = new Float64Array(p.length);
    gradient(p, slope);
    for (let at = 0; at < p.length; at++) {
      const moved = (by: number): number => expectation(p.map((value, i) => (i === at ? value + by : value)));
      expect(slope[at]).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 8);
    }
  });

  it('is refused for measures whose expectation is not known', () => {
    expect(() => expectedMeasure(parseMeasure('RR'), facts)).toThrow('the expectation of RR over random grades is not known here');
  });
});

describe('maximum entropy', () => {
  interface Recorded {
    readonly grades: readonly number[];
    readonly judged: readonly number[];
    readonly measure: string;
    readonly value: number;
    readonly entropy: number;
  }
  const { cases }: { cases: readonly Recorded[] } = JSON.parse(
    readFileSync(new URL('../../test/golden/meta/maximum-entropy.json', import.meta.url), 'utf8'),
  );

  it.each(cases.map((recorded, i) => [i, recorded.measure, recorded] as const))(
    'case %i, %s: the entropy that SLSQP finds',
    (_, text, recorded) => {
      const { grades, judged, value, entropy } = recorded;
      const counts = [0, 1, 2].map((grade) => grades.filter((found) => found === grade).length);
      const measure = expectedMeasure(parseMeasure(text), { numRanks: grades.length, judgedCounts: judged });
      const sure = Float64Array.from(grades.flatMap((grade) => [0, 1, 2].map((i) => (i === grade ? 1 : 0))));
      expect(measure.expectation(sure)).toBeCloseTo(value, 12);
      const solution = maximizeEntropy({ numRanks: grades.length, counts, measure, value });
      expect(solution.isMet).toBe(true);
      expect(solution.entropy).toBeGreaterThanOrEqual(entropy - 1e-6 * entropy);
      // where several solutions exist, the solver's may be the lesser
      if (measure.isLinear) expect(solution.entropy).toBeCloseTo(entropy, 5);
    },
  );

  test('no point in reach that meets the constraints has more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(...linear), (seed, text) => {
        const numRanks = 9;
        const random = seededRandom(seed);
        const counts = [4, 3, 2];
        const measure = expectedMeasure(parseMeasure(text), { numRanks, judgedCounts: [6, 4, 3] });
        const grades = [0, 0, 0, 0, 1, 1, 1, 2, 2];
        for (let i = 8; i > 0; i--) {
          const j = random.below(i + 1);
          [grades[i], grades[j]] = [grades[j], grades[i]];
        }
        const value = measure.expectation(Float64Array.from(grades.flatMap((grade) => [0, 1, 2].map((i) => (i === grade ? 1 : 0)))));
        const { p, entropy, isMet } = maximizeEntropy({ numRanks, counts, measure, value });
        expect(isMet).toBe(true);
        const weights = new Float64Array(p.length);
        measure.gradient(p, weights);
        const constraints = [
          ...Array.from({ length: numRanks }, (_, n) => p.map((_value, at) => (Math.floor(at / 3) === n ? 1 : 0))),
          ...[1, 2].map((grade) => p.map((_value, at) => (at % 3 === grade ? 1 : 0))),
          weights,
        ];
        for (let attempt = 0; attempt < 20; attempt++) {
          const direction = alongConstraints(
            Float64Array.from(p, () => random.normal()),
            constraints,
          );
          // as far as chances stay above 0
          let reach = Infinity;
          for (let at = 0; at < p.length; at++) if (direction[at] < 0) reach = Math.min(reach, -p[at] / direction[at]);
          if (!(reach < Infinity)) continue;
          const moved = p.map((chance, at) => chance + 0.9 * reach * direction[at]);
          expect(entropyOf(moved)).toBeLessThanOrEqual(entropy + 1e-7);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('knows a list that leaves no choice', () => {
    const measure = expectedMeasure(parseMeasure('P@2'), { numRanks: 4, judgedCounts: [2, 2, 0] });
    const { p, isMet } = maximizeEntropy({ numRanks: 4, counts: [2, 2, 0], measure, value: 1 });
    expect(isMet).toBe(true);
    expect(p[1]).toBeCloseTo(1, 7);
    expect(p[3 * 3]).toBeCloseTo(1, 7);
  });
});

/** What remains of a vector when its parts along the constraints are taken away. */
function alongConstraints(vector: Float64Array, constraints: readonly Float64Array[]): Float64Array {
  const basis: Float64Array[] = [];
  const product = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, at) => sum + value * b[at], 0);
  const without = (from: Float64Array): Float64Array =>
    basis.reduce((rest, unit) => {
      const share = product(rest, unit);
      return rest.map((value, at) => value - share * unit[at]);
    }, from);
  for (const constraint of constraints) {
    const rest = without(without(constraint));
    const length = Math.sqrt(product(rest, rest));
    if (length > 1e-9) basis.push(rest.map((value) => value / length));
  }
  return without(without(vector));
}
