import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ScoreTable } from '../src/core/score-table.js';
import { type VerdictChecks, verdictOf } from '../src/experiment/verdict/verdict.js';
import { pWords, verdictWords } from '../src/report/verdict/words.js';
import { type CompareOptions, compareSystems } from '../src/stats/compare.js';
import { expectRelative } from './helpers/stats-golden.js';

interface GoldenCase {
  readonly name: string;
  readonly first: number[];
  readonly second: number[];
  readonly difference: number;
  readonly interval: [number, number];
  readonly t: number;
  readonly sign: number;
  readonly better: number;
  readonly worse: number;
  readonly gains: number[];
  readonly without: { difference: number; t: number; sign: number } | null;
  readonly fewestToTip: { t: number | null; sign: number | null };
  readonly equivalence: { margin: number; interval: [number, number]; pValue: number };
  readonly detectable: number;
  readonly needed: number;
}

const golden = JSON.parse(readFileSync(new URL('golden/verdict/verdict.json', import.meta.url), 'utf8')) as { cases: GoldenCase[] };

/** Systems by one measure; topics 1, 2, … */
function tableOf(systems: Readonly<Record<string, readonly number[]>>, measure = 'nDCG@10'): ScoreTable {
  const names = Object.keys(systems);
  const topics = systems[names[0]].map((_, t) => String(t + 1));
  return new ScoreTable(names, topics, [{ name: measure, aggregate: 'mean' }], Float64Array.from(Object.values(systems).flat()));
}

function verdictFor(table: ScoreTable, options: CompareOptions = {}, rest: { margin?: number | undefined; checks?: VerdictChecks } = {}) {
  return verdictOf({ scores: { table }, comparison: compareSystems(table, options), ...rest });
}

function goldenCase(name: string): GoldenCase {
  const found = golden.cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found;
}

describe('the numbers of a verdict are those of scipy', () => {
  for (const one of golden.cases) {
    test(one.name, () => {
      const table = tableOf({ second: one.second, first: one.first });
      for (const name of ['t', 'sign'] as const) {
        const verdict = verdictFor(table, { test: name }, { margin: one.equivalence.margin });
        const { pair, topics, equivalence, caveats } = verdict;
        expect([pair.system, pair.against]).toEqual(['first', 'second']);
        expectRelative(pair.difference, one.difference, 1e-12, 'difference');
        expectRelative(pair.low ?? Number.NaN, one.interval[0], 1e-9, 'low');
        expectRelative(pair.high ?? Number.NaN, one.interval[1], 1e-9, 'high');
        expectRelative(pair.pValue, one[name], 1e-9, `p of ${name}`);
        expect([pair.better, pair.worse, pair.equal]).toEqual([one.better, one.worse, one.first.length - one.better - one.worse]);
        expect(topics.gains.map(({ topic }) => Number(topic) - 1)).toEqual(one.gains);
        if (one.without === null || topics.without === null) expect(topics.without).toBe(one.without);
        else {
          expectRelative(topics.without.difference, one.without.difference, 1e-12, 'difference without');
          expectRelative(topics.without.pValue, one.without[name], 1e-9, 'p without');
        }
        expect(topics.fewestToTip).toBe(pair.significant ? one.fewestToTip[name] : null);
        expectRelative(equivalence?.low ?? Number.NaN, one.equivalence.interval[0], 1e-9, 'low of the equivalence');
        expectRelative(equivalence?.high ?? Number.NaN, one.equivalence.interval[1], 1e-9, 'high of the equivalence');
        expectRelative(equivalence?.pValue ?? Number.NaN, one.equivalence.pValue, 1e-8, 'p of the equivalence');
        const planned = caveats.find((caveat) => caveat.kind === 'topics');
        expectRelative(planned?.detectable ?? Number.NaN, one.detectable, 1e-6, 'detectable difference');
        // fewer than ten topics bring no verdict
        expect(planned?.needed).toBe(Math.max(10, one.needed));
      }
    });
  }
});

describe('states', () => {
  const state = (name: string, margin?: number): string => {
    const { first, second } = goldenCase(name);
    return verdictFor(tableOf({ first, second }), {}, { margin }).state;
  };

  test('of two systems', () => {
    expect(state('better')).toBe('better');
    expect(state('not told apart')).toBe('not-told-apart');
    expect(state('equivalent', 0.02)).toBe('equivalent');
    expect(state('equivalent')).toBe('not-told-apart');
    // a margin that the interval does not fit into shows nothing
    expect(state('not told apart', 0.02)).toBe('not-told-apart');
    expect(state('too few')).toBe('too-few-topics');
  });

  test('the same values on every topic', () => {
    const values = Array.from({ length: 12 }, (_, t) => t / 12);
    const verdict = verdictFor(tableOf({ a: values, b: values }));
    expect(verdict.state).toBe('identical');
    expect(verdictWords(verdict).line).toBe('a and b have the same nDCG@10 on all 12 topics');
  });

  /** Twelve topics, each with a small difference of its own around `gain`. */
  const above = (values: readonly number[], gain: number): number[] => values.map((value, t) => value + gain + ((t % 3) - 1) / 100);
  const ground = Array.from({ length: 12 }, (_, t) => 0.2 + t / 40);

  test('of more than two systems', () => {
    const clear = verdictFor(tableOf({ low: ground, best: above(ground, 0.3), middle: above(ground, 0.1) }));
    expect(clear.state).toBe('clear-winner');
    expect(clear.systems.map(({ system }) => system)).toEqual(['best', 'middle', 'low']);
    expect(clear.beaten.map(({ against }) => against)).toEqual(['middle', 'low']);
    expect(clear.pair.against).toBe('middle');
    const close = ground.map((value, t) => value + 0.29 + (t % 2 === 0 ? 0.1 : -0.1));
    const unclear = verdictFor(tableOf({ low: ground, best: above(ground, 0.3), close }));
    expect(unclear.state).toBe('no-clear-winner');
    expect(unclear.notToldApart).toEqual(['close']);
    // the pair that the topics are about is one that is told apart
    expect(unclear.pair.against).toBe('low');
  });

  test('with a baseline, the best is held against it and the others are counted', () => {
    const table = tableOf({ bm25: ground, worse: above(ground, -0.1), best: above(ground, 0.3), same: ground });
    const verdict = verdictFor(table, { baseline: 'bm25' });
    expect(verdict.state).toBe('better');
    expect([verdict.pair.system, verdict.pair.against]).toEqual(['best', 'bm25']);
    expect(verdict.againstBaseline).toEqual({ better: ['best'], worse: ['worse'], notToldApart: ['same'] });
  });

  test('where less is better, the winner has the lower mean', () => {
    const table = tableOf({ slow: above(ground, 0.2), quick: ground }, 'Err');
    const verdict = verdictFor(table, { directions: { Err: 'lower' } });
    expect(verdict.pair.system).toBe('quick');
    expect(verdict.pair.difference).toBeCloseTo(-0.2, 12);
    // by hand: twelve differences of −0.01, 0 and 0.01 have the standard error √(8e-4/11/12) = 0.00246, and t(11) is 2.201
    expect(verdictWords(verdict).line).toMatch(
      /^quick beats slow by −0\.200 Err \[−0\.205, −0\.195\], p < 0\.0001; better on 12 of 12 topics/,
    );
  });

  test('a test of one side does not claim that systems are alike', () => {
    const table = tableOf({ before: above(ground, 0.2), after: ground });
    // the alternative is that the later system, after, is better
    const verdict = verdictFor(table, { alternative: 'greater' });
    expect(verdict.state).toBe('not-told-apart');
    expect(verdictWords(verdict).heading).toBe('before is not shown to be worse than after.');
  });
});

describe('caveats', () => {
  const { first, second } = goldenCase('not told apart');
  const table = tableOf({ second, first });
  const [low, high] = [second, first].map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const caveats = (checks: VerdictChecks) => verdictFor(table, {}, { checks }).caveats;

  test('unjudged documents that would change the leader are a warning about the system that would lead', () => {
    const found = caveats({ unjudged: { cutoff: 10, shares: [0.29, 0.03] }, judgedOnly: [high + 0.083, high] });
    expect(found[0]).toMatchObject({ kind: 'unjudged', isWarning: true, system: 'second', share: 0.29, changesLeader: true });
    expect(found[0]).toMatchObject({ judgedOnly: { leader: 'second', second: 'first', secondMean: high } });
  });

  test('few unjudged documents that change nothing are a check passed', () => {
    const found = caveats({ unjudged: { cutoff: 10, shares: [0.1, 0.03] }, judgedOnly: [low, high] });
    expect(found.find(({ kind }) => kind === 'unjudged')).toMatchObject({ isWarning: false, changesLeader: false, share: 0.1 });
  });

  test('equal scores: the most that their order can move the difference, and whether a rank can change', () => {
    const gap = high - low;
    const harmless = caveats({ ties: { best: [low + gap / 4, high + gap / 4], worst: [low, high - gap / 4] } });
    const found = harmless.find((caveat) => caveat.kind === 'ties');
    expect(found).toMatchObject({ isWarning: false, changesRank: false });
    // at worst first loses a quarter of the gap and second gains one; at best first gains a quarter
    expect(found?.shift).toBeCloseTo(gap / 2, 12);
    const harmful = caveats({ ties: { best: [low + gap, high], worst: [low, high - gap / 4] } });
    expect(harmful.find((caveat) => caveat.kind === 'ties')).toMatchObject({ isWarning: true, changesRank: true });
  });

  test('warnings come first', () => {
    const found = caveats({ unjudged: { cutoff: 10, shares: [0, 0] }, missingTopics: [0, 2] });
    expect(found.map(({ kind, isWarning }) => [kind, isWarning])).toEqual([
      ['topics', true],
      ['missing-topics', true],
      ['unjudged', false],
    ]);
  });
});

describe('words', () => {
  test('one sentence with the numbers', () => {
    const { first, second } = goldenCase('better');
    const words = verdictWords(verdictFor(tableOf({ bm25: second, hybrid: first })));
    expect(words.heading).toBe('hybrid is better than bm25.');
    expect(words.line).toBe('hybrid beats bm25 by +0.116 nDCG@10 [0.075, 0.157], p < 0.0001; better on 41 of 50 topics, worse on 9');
  });

  test('of more than two systems, the topics are said to be those of the pair', () => {
    const { first, second } = goldenCase('better');
    const lowest = second.map((value) => value / 2);
    const verdict = verdictFor(tableOf({ lowest, bm25: second, hybrid: first }));
    expect(verdictWords(verdict).topics).toMatch(
      /^Without the five topics that favour hybrid most, the difference from bm25 would be 0\.085, p < 0\.0001/,
    );
  });

  test('p has three decimals, more where they would mislead, and is never 0', () => {
    expect(pWords(0.5754)).toBe('p = 0.575');
    expect(pWords(0.00058)).toBe('p = 0.0006');
    expect(pWords(0.00001)).toBe('p < 0.0001');
    expect(pWords(1)).toBe('p = 1.00');
    expect(pWords(0.05004)).toBe('p = 0.05004');
    expect(pWords(0.04996)).toBe('p = 0.050');
    expect(pWords(0, { resamples: 1000 })).toBe('p < 0.001');
  });

  test('no number is -0, and no word is undefined, in any state', () => {
    for (const one of golden.cases) {
      const verdict = verdictFor(tableOf({ a: one.first, b: one.second }), {}, { margin: 0.02, checks: { missingTopics: [0, 1] } });
      const { caveats, ...words } = verdictWords(verdict);
      for (const text of [...Object.values(words), ...caveats.map(({ text: said }) => said)]) {
        expect(text).not.toMatch(/undefined|NaN|null|[-−]0\.0+(?!\d)|1 topics/);
      }
      expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
    }
  });
});
