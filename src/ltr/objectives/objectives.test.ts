import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyConvention } from '../../conventions/convention.js';
import { conventions, findConvention } from '../../conventions/registry.js';
import { evaluator } from '../../measures/evaluate.js';
import type { Measure } from '../../measures/measure.js';
import { parseMeasure } from '../../measures/parse.js';
import { objectiveNames, objectiveOf } from './index.js';

/** What `evaluate` says about one list of labels in one order. */
function evaluated(measure: Measure, lists: readonly (readonly number[])[], q: number, order: readonly number[]): number {
  const qrels = lists.flatMap((labels, t) => labels.map((grade, d) => ({ topic: `t${t}`, doc: `d${d}`, grade })));
  const run = lists.flatMap((labels, t) =>
    (t === q ? order : labels.map((_, d) => d)).map((d, i) => ({ topic: `t${t}`, doc: `d${d}`, score: -i })),
  );
  const table = evaluator(qrels, [measure], { ties: 'file' }).evaluate(run);
  return table.value(`t${q}`, measure.text);
}

function prepared(measure: Measure, lists: readonly (readonly number[])[]) {
  const offsets = [0];
  for (const list of lists) offsets.push(offsets[offsets.length - 1] + list.length);
  return objectiveOf(measure).prepare(Float64Array.from(lists.flat()), Uint32Array.from(offsets));
}

const swapping = [
  ...[
    'nDCG',
    'nDCG@3',
    'nDCG@10',
    "nDCG(gain='exp')@2",
    "nDCG(discount='jk',base=3)@4",
    "nDCG(discount='rank')",
    "nDCG(discount='none')@2",
  ],
  ...['nDCG(gains={1:2,2:1})@5', "nDCG(gain='table',gains={2:3,-2:1})", "nDCG(short='zero')@4", 'nDCG(empty=0.5)@5', "nDCG(empty='skip')"],
  ...["nDCG(discount='jk',base=2.5,term='product')", "nDCG(term='inverse')@5", "nDCG(term='ratio')", "nDCG(ideal='list')@2", 'DCG@3'],
  ...[
    'AP',
    'AP@3',
    'AP(rel=2)',
    "AP(denominator='min')@2",
    "AP(denominator='found')@3",
    "AP(denominator='list')@1",
    'AP(rel=-1)',
    'AP(empty=1)',
  ],
  ...['GAP', 'GAP@3', 'GAP(g=[0.5,0.5])', 'GAP(g=[0.2,0,0.8])', 'GAP(thresholds=[0.5,1,3])@4', 'GAP(clicks=[1,2,3,4])'],
  ...['ERR', 'ERR@3', "ERR(gain='linear')", "ERR(max_rel='data')@2", "ERR(gain='exp-floor')", 'ERR(max_rel=70)'],
  ...['RR', 'RR@2', 'RR(rel=2)', "RR(precision='float32')"],
  ...['P@1', 'P@3', "P(divisor='retrieved')@5", "P(short='zero')@3", 'P(rel=3)@2', 'P(empty=1)@2'],
];
const others = ['R@3', 'Rprec', 'RBP(p=0.8)', 'Success@2', 'nERR@3', 'bpref', 'MeanNDCG', "AP(cwl='EU')", "Q(empty='skip')"];

const label = fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4, 0.5, 2.5, -1);
// some lists of one document, of equal labels and without anything relevant
const list = fc.oneof(
  { weight: 6, arbitrary: fc.array(label, { minLength: 1, maxLength: 9 }) },
  fc.array(fc.constant(0), { minLength: 1, maxLength: 4 }),
  fc.array(fc.constant(4), { minLength: 1, maxLength: 5 }),
);
const ordered = fc
  .tuple(fc.array(list, { minLength: 1, maxLength: 3 }), list, fc.infiniteStream(fc.nat(1000)))
  .map(([lists, last, keys]) => {
    const all = [...lists, [4, 1], last];
    const q = all.length - 1;
    const drawn = last.map((_, d) => ({ d, key: keys.next().value as number }));
    return { lists: all, q, order: drawn.sort((a, b) => a.key - b.key).map(({ d }) => d) };
  });

/** Some tools refuse lists that are too short, or labels above their scale; there is no value to compare then. */
function hasValue(measure: Measure, lists: readonly (readonly number[])[]): boolean {
  const { least = 1, max_rel: highest } = measure.params;
  const isOnScale = (label: number): boolean => typeof highest !== 'number' || label <= highest;
  return lists.every((labels) => labels.length >= Number(least) && labels.every(isOnScale));
}

const measuresUnderRules = fc
  .tuple(fc.constantFrom(...swapping), fc.constantFrom(undefined, ...conventions))
  .map(([text, convention]) => (convention === undefined ? parseMeasure(text) : applyConvention(parseMeasure(text), convention.rules)))
  .filter(({ params }) => params.decimals === undefined);

describe('objectiveOf(measure)', () => {
  it('is no larger for labels that are a million million times as high', () => {
    const lists = [[1e12, 0, 4e12], [4e12]];
    const objective = prepared(parseMeasure('GAP'), lists);
    // by hand, as (1/4 (1/1 + 2/3) + 3/4 (1/3)) / (1/4 2 + 3/4 1)
    expect(objective.value(0, Uint32Array.of(0, 1, 2))).toBeCloseTo((5 / 12 + 1 / 4) / 1.25, 14);
  });

  it('has the value that evaluate gives, to the last bit, under every convention', () => {
    fc.assert(
      fc.property(measuresUnderRules, ordered, (measure, { lists, q, order }) => {
        fc.pre(hasValue(measure, lists));
        const objective = prepared(measure, lists);
        const expected = evaluated(measure, lists, q, order);
        expect(objective.counted[q]).toBe(Number.isNaN(expected) ? 0 : 1);
        expect(objective.value(q, Uint32Array.from(order))).toBe(Number.isNaN(expected) ? 0 : expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('has values of any measure of rankings, and says that swaps cannot be asked', () => {
    fc.assert(
      fc.property(fc.constantFrom(...others), ordered, (text, { lists, q, order }) => {
        const measure = parseMeasure(text);
        expect(objectiveOf(measure).canSwap).toBe(false);
        const expected = evaluated(measure, lists, q, order);
        expect(prepared(measure, lists).value(q, Uint32Array.from(order))).toBe(Number.isNaN(expected) ? 0 : expected);
      }),
      { numRuns: 500 },
    );
  });

  it('swapDelta is the difference of two values computed from scratch', () => {
    fc.assert(
      fc.property(measuresUnderRules, ordered, (measure, { lists, q, order }) => {
        fc.pre(hasValue(measure, lists));
        const objective = prepared(measure, lists);
        objective.fixOrder(q, Uint32Array.from(order));
        const before = objective.value(q, Uint32Array.from(order));
        for (let a = 0; a < order.length; a++) {
          for (let b = a + 1; b < order.length; b++) {
            const swapped = [...order];
            [swapped[a], swapped[b]] = [swapped[b], swapped[a]];
            const after = evaluated(measure, lists, q, swapped);
            const expected = Number.isNaN(after) ? 0 : after - before;
            const tolerance = 1e-13 * Math.max(1, Math.abs(before));
            expect(Math.abs(objective.swapDelta(a, b) - expected)).toBeLessThanOrEqual(tolerance);
          }
        }
      }),
      { numRuns: 600 },
    );
  });

  it('teaches exactly where some other order has another value', () => {
    const short = fc.array(label, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(measuresUnderRules, short, (measure, labels) => {
        const lists = [[4, 1], labels];
        fc.pre(hasValue(measure, lists));
        const objective = prepared(measure, lists);
        const values = permutations(labels.map((_, d) => d)).map((order) => objective.value(1, Uint32Array.from(order)));
        const spread = Math.max(...values) - Math.min(...values);
        // with 70 as the top of the scale most differences are smaller than a rounding error
        fc.pre(measure.params.max_rel !== 70);
        expect(objective.teaches[1] === 1).toBe(spread > 1e-12);
      }),
      { numRuns: 1500 },
    );
  });

  it('values and swaps of ERR keep their digits where a grade satisfies everybody', () => {
    const measure = parseMeasure('ERR(max_rel=70)');
    const lists = [[1, 70, 69, 0, 3, 70, 2]];
    const objective = prepared(measure, lists);
    const order = [1, 5, 0, 2, 3, 4, 6];
    objective.fixOrder(0, Uint32Array.from(order));
    const before = evaluated(measure, lists, 0, order);
    const swapped = [6, 5, 0, 2, 3, 4, 1];
    expect(objective.swapDelta(0, 6)).toBeCloseTo(evaluated(measure, lists, 0, swapped) - before, 14);
  });
});

describe('what is refused', () => {
  it.each([
    ['NumRel', /NumRel is not better when it is higher; take one of nDCG, DCG, AP, GAP, ERR, RR, P/],
    ["AP(agg='geometric')", /is not the mean of its values for queries/],
    ["nDCG(ties='expected')", /about tied documents/],
    ['alpha_nDCG@10', /is not computed from one list of labels/],
  ])('%s', (text, sentence) => {
    expect(() => objectiveOf(parseMeasure(text))).toThrow(sentence);
  });

  it('labels above the scale of ERR, labels without a finite gain, and labels that are no numbers', () => {
    expect(() => prepared(parseMeasure('ERR'), [[5, 1]])).toThrow(/grade 5 is above the top of the scale/);
    expect(() => prepared(parseMeasure("nDCG(gain='exp')"), [[2000, 1]])).toThrow(/label 2000 has no finite gain/);
    expect(() => prepared(parseMeasure('AP'), [[Number.NaN, 1]])).toThrow(/the label of row 1 is not a number/);
  });

  it("a list without anything to find, under empty='error'", () => {
    expect(() => prepared(parseMeasure("nDCG(empty='error')"), [[1, 0], [0]])).toThrow(/list 2 has nothing to be found/);
  });
});

describe('rules of tools', () => {
  const letor = applyConvention(parseMeasure('nDCG@3'), findConvention('letor4').rules);
  const yahoo = applyConvention(parseMeasure('nDCG@3'), findConvention('yahoo').rules);

  it('LETOR settles short lists with 0, Yahoo empty ones with 1, the definition neither', () => {
    const lists = [
      [1, 0],
      [0, 0, 0],
      [0, 1, 2, 0],
    ];
    expect([...prepared(letor, lists).teaches]).toEqual([0, 0, 1]);
    expect(prepared(letor, lists).value(0, Uint32Array.of(0, 1))).toBe(0);
    expect([...prepared(yahoo, lists).teaches]).toEqual([1, 0, 1]);
    expect(prepared(yahoo, lists).value(1, Uint32Array.of(0, 1, 2))).toBe(1);
    expect(prepared(parseMeasure('nDCG@3'), lists).value(0, Uint32Array.of(0, 1))).toBe(1);
  });
});

it('objectiveNames are those of the measures whose swaps are known', () => {
  expect(objectiveNames).toEqual(['nDCG', 'DCG', 'AP', 'GAP', 'ERR', 'RR', 'P']);
});

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]));
}

describe('GAP as an objective', () => {
  it('tells thresholds apart that 16 bits could not number', () => {
    // grade 1 is reached by both documents, the 69,999 grades above by the first alone
    const thresholds = Array.from({ length: 70_000 }, (_, i) => i + 1);
    const objective = prepared(parseMeasure(`GAP(thresholds=[${thresholds}])`), [[70_000, 1]]);
    const worstFirst = (1 + 1 + 69_999 / 2) / 70_001;
    expect(objective.value(0, Uint32Array.of(1, 0))).toBeCloseTo(worstFirst, 12);
    expect(objective.value(0, Uint32Array.of(0, 1))).toBeCloseTo(1, 12);
  });
});
