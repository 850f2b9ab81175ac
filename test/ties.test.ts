import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JudgingRules } from '../src/core/judging/judge.js';
import { preferences } from '../src/core/judging/judge-preferences.js';
import { type EvaluateOptions, evaluator } from '../src/measures/evaluate.js';
import { parseMeasure } from '../src/measures/parse.js';
import { allOrders } from './helpers/all-orders.js';
import { spellingsFor, withParam } from './helpers/measure-variants.js';
import type { Line } from './helpers/slow-judge.js';

const docs = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
/** One topic of up to so many documents, few distinct scores. */
function runOf(maxLength: number): fc.Arbitrary<Line[]> {
  return fc
    .array(fc.constantFrom(1, 1, 1, 2, 2, 3), { minLength: 1, maxLength })
    .map((scores) => scores.map((value, i) => ({ topic: 'q', doc: docs[i], value })));
}
/** Judgements of some of the documents, and of some that nobody retrieves. */
const grades = fc.dictionary(fc.constantFrom(...docs, 'x', 'y'), fc.constantFrom(0, 0, 1, 1, 2, -1), { minKeys: 1, noNullPrototype: true });
const rules: fc.Arbitrary<Partial<JudgingRules>> = fc.record({
  depth: fc.constantFrom(Infinity, Infinity, 2, 3),
  judgedOnly: fc.boolean(),
});

const asRun = (lines: readonly Line[]) => lines.map(({ topic, doc, value }) => ({ topic, doc, score: value }));

type QrelsInput = Parameters<typeof evaluator>[0];

/** The mean of each measure over all orders, computed one order at a time. */
function slowMeans(qrels: QrelsInput, run: readonly Line[], measures: readonly string[], options: EvaluateOptions): number[] {
  const prepared = evaluator(qrels, measures, { ...options, ties: 'docno' });
  const orders = allOrders(run).map((order) => prepared.evaluate(asRun(order)));
  return measures.map((_, m) => orders.reduce((sum, table) => sum + table.value(0, m), 0) / orders.length);
}

function expectMeans(qrels: QrelsInput, run: readonly Line[], measures: readonly string[], options: EvaluateOptions): void {
  const table = evaluator(qrels, measures, { ...options, ties: 'expected' }).evaluate(asRun(run));
  const slow = slowMeans(qrels, run, measures, options);
  for (const [m, measure] of measures.entries()) {
    const value = table.value(0, m);
    if (!(Math.abs(value - slow[m]) < 1e-12)) expect([measure, value]).toEqual([measure, slow[m]]);
  }
}

// ESL averages over ties whatever the rules say, and needs to be told for single orders
const rankingMeasures = spellingsFor('ranking').filter((spelling) => !spelling.startsWith('ESL'));
const lengths = spellingsFor('ranking').filter((spelling) => spelling.startsWith('ESL'));

describe("ties = 'expected'", () => {
  it('is the mean over all orders, for every measure, depth and condensed lists', () => {
    fc.assert(
      fc.property(runOf(5), grades, rules, (run, qrels, options) => {
        expectMeans({ q: qrels }, run, rankingMeasures, { ...options, highestGrade: 2 });
      }),
      { numRuns: 30 },
    );
  });

  it('is the mean over all orders of seven documents', () => {
    fc.assert(
      fc.property(runOf(7), grades, rules, (run, qrels, options) => {
        fc.pre(run.length > 5);
        expectMeans({ q: qrels }, run, rankingMeasures, { ...options, highestGrade: 2 });
      }),
      { numRuns: 1 },
    );
  });

  it('is what the expected search length is by itself', () => {
    fc.assert(
      fc.property(runOf(5), grades, rules, (run, qrels, options) => {
        const table = evaluator({ q: qrels }, lengths, options).evaluate(asRun(run));
        const slow = slowMeans(
          { q: qrels },
          run,
          lengths.map((measure) => withParam(measure, "ties='docno'")),
          options,
        );
        for (const m of lengths.keys()) expect(table.value(0, m)).toBeCloseTo(slow[m], 12);
      }),
      { numRuns: 100 },
    );
  });

  it('is the mean over all orders for measures of subtopics', () => {
    const judgements = fc.array(
      fc.record({ iteration: fc.constantFrom('1', '2', '3'), doc: fc.constantFrom(...docs, 'x'), grade: fc.constantFrom(0, 1, 1, 2) }),
      { minLength: 1, maxLength: 14 },
    );
    fc.assert(
      fc.property(runOf(5), judgements, fc.constantFrom(Infinity, 2, 3), (run, judged, depth) => {
        const distinct = new Map(judged.map((line) => [`${line.iteration} ${line.doc}`, { topic: 'q', ...line }]));
        expectMeans([...distinct.values()], run, spellingsFor('subtopics'), { depth });
      }),
      { numRuns: 100 },
    );
  });

  it('has a closed form where one is claimed, and says how each mean was found', () => {
    const run = asRun(docs.map((doc, i) => ({ topic: 'q', doc, value: i < 4 ? 2 : 1 })));
    const qrels = { q: { a: 1, b: 0, c: 2, e: 1, x: 2 } };
    for (const spelling of rankingMeasures) {
      const { def, params } = parseMeasure(spelling);
      const [note] = evaluator(qrels, [spelling], { ties: 'expected' }).evaluate(run).notes;
      expect(note).toContain(`${parseMeasure(spelling).text}: mean over all orders of equal scores; of the topics with ties `);
      const claims = def.expected === 'linear' || def.expected === 'set';
      if (claims && params.cwl === undefined) expect([spelling, note]).toEqual([spelling, expect.stringContaining('in closed form on 1')]);
      if (def.expected === undefined) expect([spelling, note]).toEqual([spelling, expect.stringContaining('from all orders on 1')]);
    }
  });

  it('is exact in one pass for these, which would otherwise need 10^157 orders', () => {
    const run = asRun(Array.from({ length: 100 }, (_, i) => ({ topic: 'q', doc: `d${i}`, value: 1 })));
    const qrels = { q: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`d${i}`, i % 3])) };
    const closed = [
      'P@10',
      'R@10',
      'AP',
      'AP@10',
      'RR',
      'Success@5',
      'ERR@10',
      'GAP',
      'Rprec',
      'nDCG@10',
      'RBP',
      'Q',
      'TBG',
      'Bpref',
      'BinG',
      'DCG',
      'F@10',
    ];
    const { notes } = evaluator(qrels, closed, { ties: 'expected' }).evaluate(run);
    expect(notes).toHaveLength(closed.length);
    for (const note of notes) expect(note).toMatch(/with ties in closed form on 1$/);
  });
});

describe('too many orders for a measure without closed form', () => {
  const run = asRun(Array.from({ length: 40 }, (_, i) => ({ topic: 'q', doc: `d${i}`, value: 1 })));
  const qrels = { q: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`d${i}`, i % 3])) };

  it('are drawn at random, with the standard error in the notes', () => {
    const table = evaluator(qrels, ['YAAP', 'AP'], { ties: 'expected' }).evaluate(run);
    expect(table.notes[0]).toMatch(
      /^YAAP: mean over all orders of equal scores; of the topics with ties from 2000 random orders on 1 \(seed 1, standard error up to [\d.]+e-[34]\)$/,
    );
    // YAAP is the log-odds of average precision with one document added to either side; 13 documents are relevant
    const sum = 13 * table.value('q', 'AP');
    expect(table.value('q', 'YAAP')).toBeCloseTo(Math.log((1 + sum) / (14 - sum)), 1);
  });

  it('give the same value for the same seed, and agree within five standard errors for another', () => {
    const value = (options: EvaluateOptions): [number, number] => {
      const table = evaluator(qrels, ['IAP'], { ties: 'expected', ...options }).evaluate(run);
      return [table.value('q', 0), Number(/up to (\S+)\)/.exec(table.notes[0])?.[1])];
    };
    const [first, error] = value({});
    expect(value({})).toEqual([first, error]);
    const [second] = value({ seed: 2, orders: 4000 });
    expect(second).not.toBe(first);
    expect(Math.abs(second - first)).toBeLessThan(5 * error * 1.5);
  });

  it('do not depend on the other topics', () => {
    const more = [...run, { topic: 'a', doc: 'd1', score: 1 }];
    const alone = evaluator(qrels, ['IAP'], { ties: 'expected' }).evaluate(run).value('q', 0);
    const together = evaluator({ a: { d1: 1 }, ...qrels }, ['IAP'], { ties: 'expected' })
      .evaluate(more)
      .value('q', 0);
    expect(together).toBe(alone);
  });
});

describe("ties = 'optimistic' and 'pessimistic'", () => {
  /** Measures that a better document at a better rank does not always help. */
  const notMonotone = new Set([
    'Grade', // looks at one rank only
    'GradedP', // is taken at a document, whatever its grade
    'GradedIPrec', // the same: grades 1, 1 give (0.5 * 2) / 0.5 / 2 = 1, grades 1, 2 give (0.5 * 2 + 0.5 * 1) / 2 = 0.75
    'infAP', // what is unjudged above a document counts for it
    'NumNonRelJudgedRet', // an unjudged document is better than one that is not relevant
    'Fallout',
    'SetAccuracy',
    'INST', // a reader who finds much stops, and the rate is taken over what was read
    'BPM',
    'NERR8',
    'NERR9',
    'NERR10',
    'NERR11',
    'IFT',
    'PMeasure', // where the reader stops depends on the ranking
    'PPlus',
    'NCU',
    'Accuracy', // a relevant document that takes the place of the last other one leaves no pair
  ]);
  const monotone = rankingMeasures.filter((spelling) => {
    const { def, params } = parseMeasure(spelling);
    // numbers of the reader's effort, gains that do not rise with the grade, divisors that the order decides
    const odd = params.cwl !== undefined || params.residual === true || params.gains !== undefined;
    const ownDivisor = params.ideal === 'list' || params.denominator === 'list' || params.denominator === 'found';
    return !notMonotone.has(def.name) && !odd && !ownDivisor;
  });

  it('are the bounds of all orders, for measures that never lose by a better document at a better rank', () => {
    expect(monotone.length).toBeGreaterThan(150);
    const signs = monotone.map((measure) => (parseMeasure(measure).def.direction === 'lower' ? -1 : 1));
    fc.assert(
      fc.property(
        runOf(4),
        grades,
        fc.constantFrom<Partial<JudgingRules>>({}, { depth: 2 }, { judgedOnly: true }),
        (run, qrels, options) => {
          const judged = { q: qrels };
          const all = { ...options, highestGrade: 2 };
          const best = evaluator(judged, monotone, { ...all, ties: 'optimistic' }).evaluate(asRun(run));
          const worst = evaluator(judged, monotone, { ...all, ties: 'pessimistic' }).evaluate(asRun(run));
          const prepared = evaluator(judged, monotone, all);
          for (const order of allOrders(run)) {
            const table = prepared.evaluate(asRun(order));
            for (const [m, measure] of monotone.entries()) {
              const sign = signs[m];
              const [low, value, high] = [worst, table, best].map((one) => sign * one.value(0, m));
              if (low > value + 1e-12 || value > high + 1e-12) expect([measure, low, high]).toEqual([measure, value, value]);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('have no meaning for subtopics and preferences, and say so', () => {
    const run = { q: { a: 1, b: 1 } };
    const qrels = [{ topic: 'q', iteration: '1', doc: 'a', grade: 1 }];
    expect(() => evaluator(qrels, ['alpha_nDCG@5'], { ties: 'optimistic' }).evaluate(run)).toThrow(
      "ties='optimistic' has no meaning for measures of subtopics",
    );
    expect(() => evaluator(preferences(qrels), ["PrefsSimp(ties='expected')"]).evaluate(run)).toThrow(
      "ties='expected' has no meaning for preferences",
    );
  });
});

describe('ties as a parameter', () => {
  it('holds for one measure and leaves the others to the rules', () => {
    const qrels = { q: { a: 1 } };
    const run = { q: { a: 1, b: 1 } };
    const measures = ['RR', "RR(ties='file')", "RR(ties='expected')", "RR(ties='optimistic')", "RR(ties='docno-ascending')"];
    const table = evaluator(qrels, measures).evaluate(run);
    expect(table.means()).toEqual({
      RR: 0.5,
      "RR(ties='file')": 1,
      "RR(ties='expected')": 0.75,
      "RR(ties='optimistic')": 1,
      "RR(ties='docno-ascending')": 1,
    });
  });
});
