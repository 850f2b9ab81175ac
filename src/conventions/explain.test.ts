import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { qrelsLinesArbitrary, runLinesArbitrary } from '../../test/helpers/random-collection.js';
import type { Line } from '../../test/helpers/slow-judge.js';
import { slowShapley } from '../../test/helpers/slow-shapley.js';
import { InputError } from '../core/problem.js';
import { type Qrels, toQrels } from '../core/qrels.js';
import { type Run, toRun } from '../core/run.js';
import { evaluate } from '../measures/evaluate.js';
import { parseMeasure } from '../measures/parse.js';
import { applyConvention, type Convention, judgingRulesOf } from './convention.js';
import { type Explanation, explain, type RuleName, valuesUnder } from './explain.js';
import { conventions, findConvention, gradusConvention } from './registry.js';

const measures: readonly string[] = ['nDCG@3', 'nDCG', 'AP', 'AP@2', 'P@3', 'RR', 'IPrec@0.3'];

const runOf = (lines: readonly Line[]): Run => toRun(lines.map(({ topic, doc, value }) => ({ topic, doc, score: value })));
const qrelsOf = (lines: readonly Line[]): Qrels => toQrels(lines.map(({ topic, doc, value }) => ({ topic, doc, grade: value })));

/** undefined where a convention has no topic to evaluate, or the tool has no such measure or takes no such grades, which is refused in a
 *  sentence. */
function explained(qrels: Qrels, run: Run, measure: string, from: Convention, to: Convention): Explanation | undefined {
  try {
    return explain(qrels, run, parseMeasure(measure), from, to);
  } catch (error) {
    const refusals = /no topic was evaluated|answers none of|does not compute| under |takes only|is refused/;
    if (error instanceof InputError && refusals.test(error.message)) return undefined;
    throw error;
  }
}

function expectSharesToAddUp(explanation: Explanation): void {
  const { contributions, difference, fromValue, toValue } = explanation;
  const sum = contributions.reduce((total, { share }) => total + share, 0);
  expect(Math.abs(sum - (toValue - fromValue)), `${explanation.from}, ${explanation.to}, ${explanation.measure}`).toBeLessThan(1e-12);
  expect(difference).toBe(toValue - fromValue);
  for (const { share, perTopic } of contributions) {
    if (perTopic.length === 0) continue;
    expect(Math.abs(perTopic.reduce((total, part) => total + part, 0) - share)).toBeLessThan(1e-12);
  }
}

describe('contributions add up to the difference', () => {
  test('on random collections', () => {
    const convention = fc.constantFrom(...conventions);
    fc.assert(
      fc.property(
        runLinesArbitrary,
        qrelsLinesArbitrary,
        fc.constantFrom(...measures),
        convention,
        convention,
        (runLines, qrelsLines, measure, from, to) => {
          const explanation = explained(qrelsOf(qrelsLines), runOf(runLines), measure, from, to);
          if (explanation !== undefined) expectSharesToAddUp(explanation);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('for every convention against its neighbours in the list, trec_eval and Gradus', () => {
    // ties, an empty query, a short list, an unanswered topic, an unjudged document, a fraction, scores equal in 32 bits
    const judgements = [
      { '1': { a: 2, b: 0, c: 1, e: 0.5 }, '2': { a: 0, b: 0 }, '3': { a: 1, c: 3 }, '4': { a: 1 } },
      // without what some tools do not take
      { '1': { a: 2, b: 0, c: 1, e: 1 }, '2': { a: 0, b: 0 }, '3': { a: 1, c: 2 }, '4': { a: 1 } },
    ].map((grades) => toQrels(grades));
    const run = toRun({ '1': { b: 3, a: 3, c: 1, x: 2, e: 1 }, '2': { a: 1, b: 2 }, '3': { a: 16777216, c: 16777217 } });
    let count = 0;
    const references = [findConvention('trec_eval'), gradusConvention];
    for (const [i, from] of conventions.entries()) {
      // random pairs of all conventions are tried above; here each meets itself, those next to it, and the two that most people come from
      for (const to of [...conventions.slice(i, i + 3), ...references]) {
        for (const measure of ['nDCG@3', 'AP', 'P@3']) {
          for (const qrels of judgements) {
            const explanation = explained(qrels, run, measure, from, to);
            if (explanation === undefined) continue;
            count++;
            expectSharesToAddUp(explanation);
            const [a, b] = valuesUnder(qrels, run, parseMeasure(measure), [from, to]);
            expect([explanation.fromValue, explanation.toValue]).toEqual([a.value, b.value]);
          }
        }
      }
    }
    expect(count).toBeGreaterThan(400);
  });
});

/** Rules that change values and act on each other, with what they are changed to. */
const changes: Readonly<Partial<Record<RuleName, unknown>>> = {
  gain: 'exp',
  discount: 'jk',
  ideal: 'list',
  empty: { nDCG: 1, AP: 1 },
  short: ['nDCG', 'P'],
  ties: 'docno-ascending',
  topics: 'skip',
  scorePrecision: 'float32',
  depth: 2,
  relevanceFloor: 2,
};
const changeable = Object.keys(changes) as RuleName[];

function changed(rules: Iterable<RuleName>): Convention {
  const mixed = { ...gradusConvention.rules, ...Object.fromEntries([...rules].map((rule) => [rule, changes[rule]])) };
  return { ...gradusConvention, name: 'changed', rules: mixed };
}

test('shares are those of an enumeration of all orders', () => {
  fc.assert(
    fc.property(
      runLinesArbitrary,
      qrelsLinesArbitrary,
      fc.constantFrom('nDCG@3', 'AP', 'P@3'),
      fc.subarray(changeable, { minLength: 2, maxLength: 4 }),
      (runLines, qrelsLines, measure, rules) => {
        const run = runOf(runLines);
        const qrels = qrelsOf(qrelsLines);
        const explanation = explained(qrels, run, measure, gradusConvention, changed(rules));
        if (explanation === undefined) return;
        const worth = (present: ReadonlySet<RuleName>): number => {
          const mixed = changed(present).rules;
          return evaluate(qrels, run, applyConvention(parseMeasure(measure), mixed), judgingRulesOf(mixed));
        };
        const slow = slowShapley(rules, worth);
        for (const rule of rules) {
          const share = explanation.contributions.find((contribution) => contribution.rule === rule)?.share ?? 0;
          expect(Math.abs(share - (slow.get(rule) ?? Number.NaN)), `${rule} of ${rules}`).toBeLessThan(1e-12);
        }
      },
    ),
    { numRuns: 120 },
  );
});

test('five rules that act on each other', () => {
  const rules: RuleName[] = ['gain', 'discount', 'short', 'empty', 'ties'];
  const qrels = toQrels({ '1': { a: 2, b: 0, c: 1 }, '2': { a: 0, b: 0 }, '3': { a: 1, c: 3, d: 0, e: 2 } });
  const run = toRun({ '1': { b: 3, a: 3 }, '2': { a: 1, b: 2 }, '3': { d: 5, a: 4, c: 4, e: 3 } });
  const explanation = explain(qrels, run, parseMeasure('nDCG@3'), gradusConvention, changed(rules));
  const slow = slowShapley(rules, (present) => {
    const mixed = changed(present).rules;
    return evaluate(qrels, run, applyConvention(parseMeasure('nDCG@3'), mixed), judgingRulesOf(mixed));
  });
  expect(explanation.method).toBe('Shapley');
  expect(explanation.contributions.map(({ rule }) => rule).sort()).toEqual([...rules].sort());
  for (const { rule, share } of explanation.contributions) expect(share).toBeCloseTo(slow.get(rule) ?? Number.NaN, 12);
});

describe('sentences', () => {
  // q1 and q2 are ranked as well as can be, q3 has nothing to find
  const qrels = toQrels({ q1: { a: 1, b: 0 }, q2: { a: 2, b: 0 }, q3: { a: 0, b: 0 } });
  const run = toRun({ q1: { a: 2, b: 1 }, q2: { a: 2, b: 1 }, q3: { a: 2, b: 1 } });
  const sentence = (from: string, to: string, measure = 'nDCG@10'): string =>
    explain(qrels, run, parseMeasure(measure), findConvention(from), findConvention(to)).sentence;

  test('an empty query', () => {
    expect(sentence('ranklib', 'yahoo')).toBe(
      'yahoo is 0.3333 higher than ranklib@2.8 on nDCG@10 because 1 of 3 queries has no relevant document and counts as 1 instead of 0.',
    );
  });

  test('short lists', () => {
    // the third query is 0 in any case
    expect(sentence('ranklib', 'letor4')).toBe(
      'letor4 is 0.6667 lower than ranklib@2.8 on nDCG@10 because 2 of 3 queries would have a value but hold fewer than 10 documents and count as 0.',
    );
  });

  test('nothing to explain', () => {
    expect(sentence('ranklib', 'letor4', 'nDCG@1')).toBe('ranklib@2.8 and letor4 give nDCG@1 the same value, 0.6667.');
  });
});

test('a refusal names the tool and the topic', () => {
  const qrels = toQrels({ q1: { a: 1, b: 0 }, q2: { c: 1 } });
  const run = toRun({ q1: { a: 2, b: 1 }, q2: { c: 1 } });
  const tools = ['trec_eval', 'sklearn'].map(findConvention);
  const refused = 'under sklearn: topic q2: nDCG of a ranking of 1 document is refused, at least 2 are needed; leave such topics out';
  expect(() => valuesUnder(qrels, run, parseMeasure('nDCG@10'), tools)).toThrow(refused);
  const without = toQrels({ q1: { a: 1, b: 0 } });
  expect(valuesUnder(without, run, parseMeasure('nDCG@10'), tools).map(({ value }) => value)).toEqual([1, 1]);
});
