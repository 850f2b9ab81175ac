import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, slowQuepid, slowRankEval, slowWorkbench } from '../../test/helpers/slow-engines.js';
import { toQrels } from '../core/qrels.js';
import { toRun } from '../core/run.js';
import { evaluate, evaluator } from '../measures/evaluate.js';
import { makeMeasure, withParams } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import { judgingRulesOf } from './convention.js';
import { engineMeasures } from './engine-measures.js';
import { evaluateUnder } from './evaluate-under.js';
import { explain } from './explain.js';
import { comparePair } from './pair-comparison.js';
import { parameterDefaults, readMeasures } from './read-measures.js';
import { findConvention } from './registry.js';
import { upperThreshold } from './upper-threshold.js';

/** Fractions, negative ratings, unrated documents, documents returned twice, and lists of all lengths. */
const answers: fc.Arbitrary<Answer> = fc.record({
  docs: fc.array(fc.constantFrom(...'abcdefghij'), { minLength: 1, maxLength: 12 }),
  ratings: fc
    .array(fc.tuple(fc.constantFrom(...'abcdefghijklmn'), fc.constantFrom(-2, -1, -0.5, 0, 0.5, 0.9, 1, 2, 2.5, 3, 4)), {
      minLength: 1,
      maxLength: 14,
    })
    .map((pairs) => new Map(pairs)),
});

/** The values under a convention, before the tool rounds those of a query. */
function valuesOf(name: string, { docs, ratings }: Answer, texts: readonly string[]): number[] {
  const convention = findConvention(name);
  const qrels = toQrels({ q: Object.fromEntries(ratings) });
  const read = readMeasures(texts, parameterDefaults(convention, undefined)).map((measure) => withParams(measure, { half_up: undefined }));
  const run = docs.map((doc, i) => ({ topic: 'q', doc, score: -i }));
  const table = evaluator(qrels, read, judgingRulesOf(convention.rules)).evaluate(run);
  return texts.map((_, m) => table.value(0, m));
}

function expectClose(ours: readonly number[], theirs: readonly number[]): void {
  for (const [i, value] of ours.entries())
    expect(Math.abs(value - theirs[i]), `${ours} ${theirs}`).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(theirs[i])));
}

describe('the same values as formulas that share nothing with the product', () => {
  test('elasticsearch', () => {
    fc.assert(
      fc.property(
        answers,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(0, 1, 2),
        fc.constantFrom(undefined, 1, -1),
        (answer, k, rel, unknown) => {
          const slow = slowRankEval(answer, k, rel, unknown);
          const unjudged = unknown === undefined ? '' : `unjudged=${unknown}`;
          const texts = [
            `P(rel=${rel})`,
            `P(rel=${rel},divisor='judged')`,
            `R(rel=${rel})`,
            `RR(rel=${rel})`,
            `DCG(${unjudged})`,
            `nDCG(${unjudged})`,
            `ERR(max_rel=3,${unjudged})`,
          ];
          expectClose(
            valuesOf(
              'elasticsearch',
              answer,
              texts.map((text) => `${text}@${k}`),
            ),
            Object.values(slow),
          );
        },
      ),
    );
  });

  test('quepid', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 12 }), (answer, k) => {
        const slow = slowQuepid(answer, k);
        expectClose(
          valuesOf(
            'quepid',
            answer,
            Object.keys(slow).map((text) => `${text}@${k}`),
          ),
          Object.values(slow),
        );
      }),
    );
  });

  test.each(['3.1', '2026'])('opensearch-workbench@%s', (version) => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 12 }), (answer, k) => {
        const slow = slowWorkbench(answer, k, version === '2026');
        expectClose(
          valuesOf(
            `opensearch-workbench@${version}`,
            answer,
            Object.keys(slow).map((text) => `${text}@${k}`),
          ),
          Object.values(slow),
        );
      }),
    );
  });
});

test('without parameters of their own they are the measures of the registry, to the bit', () => {
  const texts = [
    "P(rel=2,divisor='retrieved')@5",
    'R@5',
    'RR@3',
    'AP',
    "CG(gain='exp')@4",
    "DCG(discount='jk')@6",
    "nDCG(gain='exp',ideal='list')@5",
    'nDCG',
    'ERR@5',
    'Judged@3',
    'F(beta=2)@5',
    'SetF',
  ];
  fc.assert(
    fc.property(answers, ({ docs, ratings }) => {
      const qrels = toQrels({ q: Object.fromEntries(ratings) });
      const run = [...new Set(docs)].map((doc, i) => ({ topic: 'q', doc, score: -i }));
      const plain = texts.map((text) => parseMeasure(text));
      const extended = plain.map(({ def, params }) => makeMeasure(engineMeasures.find(({ name }) => name === def.name) ?? def, params));
      expect(extended.every(({ def }, i) => def !== plain[i].def)).toBe(true);
      expect([...evaluate(qrels, run, extended).values]).toEqual([...evaluate(qrels, run, plain).values]);
    }),
  );
});

describe('worked by hand', () => {
  const under = (name: string, qrels: Record<string, number>, docs: readonly string[], ...texts: string[]): number[] => {
    const table = evaluateUnder(findConvention(name), { q: qrels }, { q: docs }, texts);
    return texts.map((_, m) => table.value(0, m));
  };

  test('a value is rounded half up to two decimals before queries are averaged', () => {
    // 1/8 is 0.125, and half up is 0.13; to even it would be 0.12
    const docs = [...'abcdefgh'];
    expect(under('opensearch-workbench', { a: 1 }, docs, 'P@8')).toEqual([0.13]);
  });

  test('rre rounds each step, and takes the best document for reciprocal rank', () => {
    // precision up4(1/3) = 0.3334 and recall 1/1; F: up4(0.3334 / 1.3334) = up4(0.25003…) = 0.2501, twice
    expect(under('rre', { b: 0 }, ['a', 'b', 'c'], 'SetP', 'SetR', 'SetF')).toEqual([0.3334, 1, 0.5002]);
    // the first relevant document is at rank 1, the best at rank 3: 1/3 to two decimals
    expect(under('rre', { a: 1, c: 3 }, ['a', 'b', 'c'], 'RR@10')).toEqual([0.33]);
    // an unlisted document is half way up: (2^2 - 1) / 2^3 = 0.375; then 7/8 of the rest at rank 2: 0.375 + 0.625 · 0.4375
    expect(under('rre', { b: 3 }, ['a', 'b'], 'ERR@10')).toEqual([0.6484375]);
  });

  test('negative ratings subtract where the tool lets them', () => {
    // 2^-1 - 1 = -0.5 at rank 1, and 3 / log2(3) at rank 2
    const expected = -0.5 + 3 / Math.log2(3);
    expect(under('elasticsearch', { a: -1, b: 2 }, ['a', 'b'], 'DCG@10')[0]).toBeCloseTo(expected, 14);
    expect(under('quepid', { a: -1, b: 2 }, ['a', 'b'], 'CG@10', 'CG@1')).toEqual([1, 0]);
  });

  test('the threshold of a query', () => {
    // of 12 values the eleventh: ceil(0.9 · 12) = 11; half of the highest is 5
    expect(upperThreshold([1, 2, 3, 4, 5, 6, 7, 8, 9, 9.5, 9.7, 10])).toBe(9.7);
    expect([upperThreshold([]), upperThreshold([0, 0]), upperThreshold([3, 2, 1]), upperThreshold([-1, -2])]).toEqual([0, 0, 3, -0.5]);
  });

  test('two lists of results', () => {
    // a and b of three documents; overlap 0 then 2/2 at depth 2 and 2/3 at 3: (0 + 0.5 + 0.25 · 2/3) · 0.5 / (1 - 0.125)
    // and (0 + 0.9 + 0.81 · 2/3) · 0.1 / (1 - 0.729) = 0.5314; a and b weigh 5/12 each and c 1/6
    expect(comparePair(['a', 'b', 'c'], ['b', 'a'])).toEqual({ jaccard: 0.67, rbo50: 0.38, rbo90: 0.53, frequencyWeighted: 0.83 });
  });
});

describe('what a tool does not compute is refused', () => {
  const evaluated =
    (name: string, text: string, grades: Record<string, number> = { a: 1 }) =>
    () =>
      evaluateUnder(findConvention(name), { q: grades }, { q: ['a', 'b'] }, [text]);

  test.each([
    ['elasticsearch', 'AP@10', 'elasticsearch does not compute AP@10'],
    ['elasticsearch', 'nDCG', 'it has nDCG with cutoff given'],
    ['elasticsearch', 'ERR@10', 'only where max_rel is written out'],
    ['opensearch-workbench', 'RR@10', 'does not compute RR@10'],
    ['quepid@server', 'ERR@10', 'the top of the scale is not defined'],
    ['rre', 'CG@10', 'rre does not compute CG@10'],
  ])('%s: %s', (name, text, message) => {
    expect(evaluated(name, text)).toThrow(message);
  });

  test('and so is what it fails on', () => {
    // 2^100 - 1 in hundredths is beyond 64 bits; the ratio of two such numbers is not
    expect(evaluated('opensearch-workbench@2026', 'DCG@10', { a: 100 })).toThrow('too large to be rounded to 2 decimals');
    expect(evaluated('opensearch-workbench@2026', 'nDCG@10', { a: 100 })().value(0, 0)).toBe(1);
    expect(evaluated('rre', 'nDCG@10', { a: 0 })).toThrow('divides by zero');
    expect(evaluated('quepid', 'AP@10', { a: 0.5 })).toThrow('takes only whole grades');
  });

  test('the way out works', () => {
    expect(evaluated('elasticsearch', 'ERR(max_rel=4)@10')().value(0, 0)).toBe(1 / 16);
  });
});

test('the difference between Quepid and a notebook is explained rule by rule', () => {
  // a notebook: linear gains, ideal cut at the cutoff; one unrated document, and three rated ones at a cutoff of two
  const qrels = toQrels({ q: { a: 3, b: 2, c: 2 } });
  const run = toRun({ q: ['a', 'x', 'b'] });
  const { fromValue, toValue, contributions } = explain(
    qrels,
    run,
    parseMeasure('nDCG@2'),
    findConvention('gradus'),
    findConvention('quepid'),
  );
  const log3 = Math.log2(3);
  expect(fromValue).toBeCloseTo(3 / (3 + 2 / log3), 14);
  expect(toValue).toBeCloseTo(7 / (7 + 3 / log3 + 3 / 2), 14);
  expect(contributions.map(({ rule }) => rule).sort()).toEqual(['gain', 'idealDepth']);
  expect(contributions.map(({ reason }) => reason).join('; ')).toContain('the ideal ranking is cut nowhere instead of at the cutoff');
});
