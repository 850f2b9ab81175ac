import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collection, comparisonExample, provenance } from '../../test/helpers/report-examples.js';
import { ScoreTable } from '../core/score-table.js';
import { evaluate } from '../measures/evaluate.js';
import { parseMeasure, parseMeasures } from '../measures/parse.js';
import { compareSystems } from '../stats/compare.js';
import { buildComparisonReport, cliquesOf, planComparison } from './build-comparison.js';
import { inReadingOrder } from './reading-order.js';

const names = ['first', 'second', 'third'];
const topics = ['1', '2', '3', '10', '11', '12'];

describe('buildComparisonReport', () => {
  const report = comparisonExample(names, topics);
  const { qrels, runs } = collection(names, topics);

  test('has the scores, the means and the order of the systems', () => {
    const [ndcg] = report.measures;
    expect(report.topics).toEqual(['1', '10', '11', '12', '2', '3']);
    for (const [s, run] of runs.entries()) {
      const table = evaluate(qrels, run, ['nDCG@10']);
      expect(ndcg.scores[s]).toEqual(Array.from(table.column(0)));
      expect(ndcg.systems[s].mean).toBeCloseTo(table.aggregate(0), 12);
    }
    const means = ndcg.order.map((s) => ndcg.systems[s].mean ?? 0);
    expect(means).toEqual(means.toSorted((a, b) => b - a));
  });

  test('draws curves through what the measures say', () => {
    const [lowest, highest] = report.recallPrecision;
    expect(lowest.label).toBe('grade 1 and up relevant');
    expect(highest.label).toBe('grade 2 and up relevant');
    expect(highest.values[1][3]).toBeCloseTo(evaluate(qrels, runs[1], 'IPrec(rel=2)@0.3'), 5);
    const [ndcg, exponential, dcg] = report.gain;
    expect([ndcg.label, exponential.label, dcg.label]).toEqual(['nDCG', "nDCG(gain='exp')", 'DCG']);
    expect(ndcg.values[2][ndcg.x.indexOf(5)]).toBeCloseTo(evaluate(qrels, runs[2], 'nDCG@5'), 5);
    expect(exponential.values[2][3]).toBeCloseTo(evaluate(qrels, runs[2], "nDCG(gain='exp')@5"), 5);
    // 6 of 30 documents have no judgement, and every run lists all 30
    expect(report.unjudged?.values.map((values) => values.at(-1))).toEqual([0.2, 0.2, 0.2]);
  });

  test('counts no unjudged documents where nothing was retrieved', () => {
    const plan = planComparison(parseMeasures('AP'), [1]);
    // two of four documents judged on a, and b is not answered
    const table = evaluate({ a: { x: 1, y: 0 }, b: { x: 1 } }, { a: { x: 4, y: 3, p: 2, q: 1 } }, [...plan.measures]);
    const { unjudged } = buildComparisonReport({ plan, table, comparison: undefined, provenance });
    expect(unjudged?.values[0].slice(0, 5)).toEqual([0, 0, 0.333333, 0.5, 0.5]);
  });

  test('has every pair that was tested, with its sign', () => {
    const [{ pairs, systems, pairsShown }] = report.measures;
    expect(pairsShown).toBe('all');
    expect(pairs.map(({ system, against }) => [system, against])).toEqual([
      [1, 0],
      [2, 0],
      [2, 1],
    ]);
    for (const { system, against, difference } of pairs) {
      expect(difference).toBeCloseTo((systems[system].mean ?? 0) - (systems[against].mean ?? 0), 12);
    }
  });

  test('is the same in JSON and back', () => {
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test('of one system says what there is to say of it alone', () => {
    const alone = comparisonExample(['only'], topics);
    expect(alone.title).toBe('Evaluation of only');
    expect(alone.measures[0].pairs).toEqual([]);
    expect(alone.measures[0].criticalDifference).toBeNull();
    expect(alone.measures[0].systems[0].low).toBeLessThan(alone.measures[0].systems[0].mean ?? 0);
  });

  test('shows the pairs with the best system where there are thousands', () => {
    const numSystems = 50;
    const values = Float64Array.from({ length: numSystems * 4 }, (_, i) => ((i * 7919) % 101) / 101);
    const measure = parseMeasure('AP');
    const plan = {
      ...planComparison([measure], [1]),
      measures: [measure],
      recallPrecision: [],
      gain: [],
      unjudged: { id: 'u', label: '', yLabel: '', columns: [] },
    };
    const table = new ScoreTable(
      Array.from({ length: numSystems }, (_, s) => `s${s}`),
      ['a', 'b', 'c', 'd'],
      [{ name: 'AP', aggregate: 'mean' }],
      values,
    );
    const { measures } = buildComparisonReport({ plan, table, comparison: compareSystems(table, { effectIntervals: false }), provenance });
    const [{ pairs, pairsShown, numPairsTested, order }] = measures;
    expect([pairsShown, numPairsTested, pairs.length]).toEqual(['with the best', (50 * 49) / 2, 49]);
    expect(pairs.every(({ system, against }) => system === order[0] || against === order[0])).toBe(true);
  });

  test('correlates measures: 1 with themselves, 1 where both order alike, −1 where one is the other upside down', () => {
    const table = new ScoreTable(
      ['a', 'b', 'c'],
      ['t', 'u'],
      [
        { name: 'AP', aggregate: 'mean' },
        { name: 'P@5', aggregate: 'mean' },
        { name: 'RR', aggregate: 'mean' },
      ],
      Float64Array.from([0.1, 0.2, 0.9, 0.2, 0.3, 0.8, 0.3, 0.5, 0.7, 0.4, 0.6, 0.6, 0.5, 0.7, 0.5, 0.6, 0.8, 0.4]),
    );
    const compared = ['AP', 'P@5', 'RR'].flatMap((name) => parseMeasures(name));
    const plan = {
      ...planComparison(compared, [1]),
      measures: compared,
      recallPrecision: [],
      gain: [],
      unjudged: { id: 'u', label: '', yLabel: '', columns: [] },
    };
    const { correlation } = buildComparisonReport({ plan, table, comparison: undefined, provenance });
    expect(correlation?.bySystem).toEqual([
      [1, 1, -1],
      [1, 1, -1],
      [-1, -1, 1],
    ]);
    // RR is 1 − AP on every topic
    expect(correlation?.byTopic[0][2]).toBeCloseTo(-1, 5);
  });
});

describe('planComparison', () => {
  test('asks for each measure once', () => {
    const plan = planComparison(parseMeasures('nDCG@10'), [0, 1, 2, 3, 4, 5, 6]);
    const texts = plan.measures.map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    // the lowest and the highest grade, and two in between
    expect(plan.recallPrecision.map(({ label }) => label)).toEqual([1, 3, 4, 6].map((grade) => `grade ${grade} and up relevant`));
    expect(plan.measures[plan.gain[0].columns[4]].text).toBe('nDCG@10');
  });

  test('draws the graded curve if it is asked for and there are grades', () => {
    const familiesOf = (grades: readonly number[], graded: boolean): string[] =>
      planComparison(parseMeasures('AP'), grades, parseMeasure, { graded }).recallPrecision.map(({ id }) => id);
    expect(familiesOf([0, 1, 2], false)).toEqual(['grade-1', 'grade-2']);
    expect(familiesOf([0, 1, 2], true)).toEqual(['grade-1', 'grade-2', 'graded']);
    expect(familiesOf([0, 1], true)).toEqual(['grade-1']);
    expect(familiesOf([0, 0.5], true)).toEqual(['grade-0-5']);
  });

  test('draws one family where a convention gives two spellings one meaning', () => {
    const plan = planComparison(parseMeasures('AP'), [1], (spelling) => parseMeasure(spelling.replace(/^nDCG@/, "nDCG(gain='exp')@")));
    expect(plan.gain.map(({ label }) => label)).toEqual(["nDCG(gain='exp')", 'DCG']);
  });
});

describe('cliquesOf', () => {
  test('finds the longest rows that no other row holds, as trying all pairs does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 0, max: 20 }),
        (ranks, difference) => {
          const sorted = ranks.toSorted((a, b) => a - b);
          const rows = sorted.flatMap((from, first) =>
            sorted.flatMap((to, last) => (last > first && to - from <= difference ? [[first, last] as const] : [])),
          );
          const longest = rows.filter(([first, last]) => !rows.some(([f, l]) => f <= first && l >= last && l - f > last - first));
          expect(cliquesOf(ranks, difference)).toEqual(longest);
        },
      ),
    );
  });
});

describe('inReadingOrder', () => {
  test.each([
    [
      ['1', '10', '2'],
      ['1', '2', '10'],
    ],
    [
      ['q1', 'q10', 'q2'],
      ['q1', 'q2', 'q10'],
    ],
    [
      ['a1', 'b10', 'b2'],
      ['a1', 'b10', 'b2'],
    ],
    [
      ['1', 'x', '2'],
      ['1', 'x', '2'],
    ],
  ])('%j is read as %j', (topicIds, expected) => {
    expect(inReadingOrder(topicIds).map((t) => topicIds[t])).toEqual(expected);
  });
});
