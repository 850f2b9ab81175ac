import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../evaluate.js';
import { gradedCurve, thresholdsOf } from './graded.js';

const grade = fc.integer({ min: 0, max: 3 });
/** Shares of users at grades 1, 2 and 3. */
const shares = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 })).map((counts) => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / total);
});
const ranked = fc.array(grade, { minLength: 1, maxLength: 12 });
const missed = fc.array(grade, { maxLength: 4 });

/** The ranking d0 d1 … with these grades, and documents that were not retrieved. */
function collection(grades: readonly number[], others: readonly number[]) {
  return {
    qrels: { q: Object.fromEntries([...grades.map((value, i) => [`d${i}`, value]), ...others.map((value, i) => [`m${i}`, value])]) },
    run: { q: Object.fromEntries(grades.map((_, i) => [`d${i}`, -i])) },
  };
}

function gap(grades: readonly number[], others: readonly number[], g: readonly number[]): number {
  const { qrels, run } = collection(grades, others);
  return evaluate(qrels, run, `GAP(g=[${g.join(',')}])`);
}

/** The definition of the paper, as it stands there. */
function slowGap(grades: readonly number[], others: readonly number[], g: readonly number[]): number {
  const upTo = (i: number): number => g.slice(0, i).reduce((sum, share) => sum + share, 0);
  let sum = 0;
  for (const [n, pivot] of grades.entries()) {
    if (pivot === 0) continue;
    for (const above of grades.slice(0, n + 1)) if (above > 0) sum += upTo(Math.min(pivot, above)) / (n + 1);
  }
  const possible = [...grades, ...others].reduce((total, i) => total + upTo(i), 0);
  return possible > 0 ? sum / possible : 0;
}

describe('GradedIPrec', () => {
  it('is the highest graded precision of the curve at that recall or beyond', () => {
    fc.assert(
      fc.property(ranked, missed, shares, fc.integer({ min: 0, max: 10 }), (grades, others, g, level) => {
        const { qrels, run } = collection(grades, others);
        const points = gradedCurve(grades, [...grades, ...others], { grades: [1, 2, 3], shares: g });
        const reached = points.filter(({ recall }) => recall >= level / 10 - 1e-9).map(({ precision }) => precision);
        const value = evaluate(qrels, run, `GradedIPrec(g=[${g.join(',')}])@${level / 10}`);
        expect(value).toBeCloseTo(Math.max(0, ...reached), 12);
      }),
      { numRuns: 300 },
    );
  });

  it("is IPrec(rounding='exact') when all users have their threshold at one grade", () => {
    fc.assert(
      fc.property(ranked, missed, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 10 }), (grades, others, threshold, level) => {
        const { qrels, run } = collection(grades, others);
        const g = [1, 2, 3].map((j) => (j === threshold ? 1 : 0));
        expect(evaluate(qrels, run, `GradedIPrec(g=[${g.join(',')}])@${level / 10}`)).toBeCloseTo(
          evaluate(qrels, run, `IPrec(rel=${threshold},rounding='exact')@${level / 10}`),
          12,
        );
      }),
    );
  });
});

describe('GAP', () => {
  it('is the double sum of its definition', () => {
    fc.assert(
      fc.property(ranked, missed, shares, (grades, others, g) => {
        expect(gap(grades, others, g)).toBeCloseTo(slowGap(grades, others, g), 12);
      }),
      { numRuns: 300 },
    );
  });

  it('is average precision when all users have their threshold at one grade', () => {
    fc.assert(
      fc.property(ranked, missed, fc.integer({ min: 1, max: 3 }), (grades, others, threshold) => {
        const { qrels, run } = collection(grades, others);
        const g = [1, 2, 3].map((j) => (j === threshold ? 1 : 0));
        expect(evaluate(qrels, run, `GAP(g=[${g.join(',')}])`)).toBe(evaluate(qrels, run, `AP(rel=${threshold})`));
      }),
    );
  });

  it('is 1 for all relevant documents in order of grade, and only then', () => {
    fc.assert(
      fc.property(ranked, shares, (grades, g) => {
        const best = [...grades].sort((a, b) => b - a);
        const possible = slowGap(best, [], g) > 0;
        expect(gap(best, [], g)).toBeCloseTo(possible ? 1 : 0, 12);
        // something that some users find relevant is missing
        if (g[0] > 0) expect(gap(best, [1], g)).toBeLessThan(1 - 1e-9);
      }),
    );
  });

  it('never falls when a better document moves up', () => {
    fc.assert(
      fc.property(ranked, missed, shares, fc.nat(), fc.nat(), (grades, others, g, a, b) => {
        const [high, low] = [a % grades.length, b % grades.length].sort((x, y) => x - y);
        fc.pre(grades[low] > grades[high]);
        const swapped = [...grades];
        [swapped[high], swapped[low]] = [grades[low], grades[high]];
        expect(gap(swapped, others, g)).toBeGreaterThanOrEqual(gap(grades, others, g) - 1e-12);
      }),
      { numRuns: 300 },
    );
  });

  it('is the area under the graded recall-precision curve, whose points are GradedR and GradedP', () => {
    fc.assert(
      fc.property(ranked, missed, shares, (grades, others, g) => {
        const points = gradedCurve(grades, [...grades, ...others], { grades: [1, 2, 3], shares: g });
        let area = 0;
        let recallBefore = 0;
        for (const { recall, precision } of points) {
          area += precision * (recall - recallBefore);
          recallBefore = recall;
        }
        expect(gap(grades, others, g)).toBeCloseTo(area, 12);
        const { qrels, run } = collection(grades, others);
        for (const { rank, recall, precision } of points) {
          expect(evaluate(qrels, run, `GradedR(g=[${g.join(',')}])@${rank}`)).toBeCloseTo(recall, 12);
          expect(evaluate(qrels, run, `GradedP(g=[${g.join(',')}])@${rank}`)).toBeCloseTo(precision, 12);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('takes equal shares unless told otherwise, shares by hand, or clicks', () => {
    const { qrels, run } = collection([1, 0, 2], [1]);
    expect(evaluate(qrels, run, 'GAP')).toBe(evaluate(qrels, run, 'GAP(g=[0.5,0.5])'));
    expect(evaluate(qrels, run, 'GAP(clicks=[120,40])')).toBeCloseTo(evaluate(qrels, run, 'GAP(g=[0.75,0.25])'), 14);
    expect(thresholdsOf({}, () => 3, [2, 3, 1])).toEqual({ grades: [1, 2, 3], shares: [1 / 3, 1 / 3, 1 / 3] });
  });

  it('counts users together whom no grade tells apart', () => {
    expect(thresholdsOf({}, () => 8, [0, 4, 1.5, 8, 4])).toEqual({ grades: [1, 4, 8], shares: [1 / 8, 3 / 8, 4 / 8] });
    expect(thresholdsOf({}, () => 8, [2, 9, -1])).toEqual({ grades: [2, 8], shares: [2 / 8, 6 / 8] });
    expect(thresholdsOf({}, () => 4e12, [1e12])).toEqual({ grades: [1e12], shares: [1 / 4] });
  });

  // by hand: of four users one is satisfied by the first document and all four by the second, so
  // GAP = (1/4 (1/1 + 2/2) + 3/4 (1/2)) / (1/4 2 + 3/4 1) = 0.875 / 1.25
  it.each([1, 1000, 1e12])('takes no longer for grades %s times as high', (scale) => {
    const { qrels, run } = collection([scale, 4 * scale], []);
    expect(evaluate(qrels, run, 'GAP')).toBeCloseTo(0.7, 14);
    expect(evaluate(qrels, run, `GAP(max_rel=${4 * scale})`)).toBeCloseTo(0.7, 14);
    expect(evaluate(qrels, run, 'GAP', { ties: 'expected' })).toBeCloseTo(0.7, 14);
    expect(evaluate(qrels, run, 'GradedR@1')).toBeCloseTo(0.25 / 1.25, 14);
    expect(evaluate(qrels, run, 'GradedP@2')).toBeCloseTo((0.25 * 2 + 0.75) / 2, 14);
  });

  it.each([
    ['GAP(g=[0.5,0.4])', 'the shares of users in g must add up to 1, found [0.5,0.4]; clicks takes any counts'],
    ['GAP(clicks=[0,0])', 'clicks must count something, found [0,0]'],
    ['GAP(g=[0.5,0.5],thresholds=[1])', 'thresholds must be 2 grades above 0, ascending, found [1]'],
    ['GAP(thresholds=[2,1])', 'thresholds must be 2 grades above 0, ascending, found [2,1]'],
  ])('%s is refused', (measure, message) => {
    const { qrels, run } = collection([1, 2], []);
    expect(() => evaluate(qrels, run, measure)).toThrow(message);
  });
});
