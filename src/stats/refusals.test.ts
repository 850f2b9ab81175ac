import { describe, expect, test } from 'vitest';
import { InputError } from '../core/problem.js';
import { type ScoreColumn, ScoreTable } from '../core/score-table.js';
import { listsAgreement } from './agreement.js';
import { alignedScores, alignTables } from './alignment.js';
import { compareSystems } from './compare.js';
import { correctPValues } from './correction.js';
import { apCorrelation } from './correlation/ap-correlation.js';
import { overlapAt } from './correlation/overlap.js';
import { rankBiasedOverlap } from './correlation/rank-biased-overlap.js';
import { gateCandidate } from './gate.js';
import { randomizationTest } from './randomization.js';
import { createResampler } from './resampling.js';
import { pairedTTest } from './t-test.js';
import { wilcoxonSignedRank } from './wilcoxon.js';

const { NaN: none, POSITIVE_INFINITY: infinite } = Number;

function scores(systems: readonly string[], topics: readonly string[], values: readonly number[], columns = [{ name: 'P' }]): ScoreTable {
  const all = columns.map((column): ScoreColumn => ({ aggregate: 'mean', ...column }));
  return new ScoreTable(systems, topics, all, Float64Array.from(values));
}

const two = scores(['a', 'b'], ['1', '2', '3'], [0.1, 0.2, 0.3, 0.3, 0.1, 0.2]);
const gaps = scores(['a', 'b'], ['1', '2', '3'], [0.1, 0.2, 0.3, none, 0.1, 0.2]);
const counting = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
const zeros = (n: number): number[] => counting(n).map(() => 0);

/** What is asked, and the whole sentence that answers it. */
const refusals: readonly [ask: () => unknown, sentence: string][] = [
  [() => alignTables([]), 'found no scores to compare'],
  [
    () => alignTables([two, scores(['c'], ['1'], [1], [{ name: 'AP' }])]),
    'the scores have no measure in common: P / AP; score all systems with the same measures',
  ],
  [() => alignTables([two, two]), 'system a occurs twice, expected every system once; rename or remove one of them'],
  [() => alignTables([scores(['c'], ['1', '1'], [1, 2])]), 'topic 1 occurs twice, expected every topic once; rename or remove one of them'],
  [
    () => alignedScores(scores(['c'], ['1', '1'], [1, 2]), 'P', 'skip'),
    'topic 1 occurs twice, expected every topic once; rename or remove one of them',
  ],
  [
    () => alignedScores(scores(['c', 'c'], ['1'], [1, 2]), 'P', 'skip'),
    'system c occurs twice, expected every system once; rename or remove one of them',
  ],
  [
    () => compareSystems(scores(['c', 'c'], ['1', '2'], [1, 2, 3, 4])),
    'system c occurs twice, expected every system once; rename or remove one of them',
  ],
  [() => alignedScores(two, 'P', 'drop' as 'skip'), 'policy for missing topics: expected one of error, skip, zero, found drop'],
  [
    () => alignedScores(gaps, 'P', 'error'),
    'P: topic 1 has no value for b\n' +
      'systems can only be compared on topics that all of them have; missing values are left out for all systems with the policy skip, and count as 0 with the policy zero',
  ],
  [
    () =>
      alignedScores(scores(['a'], counting(7).map(String), [infinite, infinite, infinite, infinite, infinite, infinite, 1]), 'P', 'error'),
    [1, 2, 3, 4, 5].map((topic) => `P: a has Infinity on topic ${topic}, expected a finite number\n`).join('') +
      'and 1 more of these; missing values are left out for all systems with the policy skip, and count as 0 with the policy zero',
  ],
  [
    () =>
      alignedScores(
        scores(
          ['a'],
          counting(5).map(String),
          counting(5).map(() => -infinite),
        ),
        'P',
        'skip',
      ),
    [1, 2, 3, 4, 5].map((topic) => `P: a has -Infinity on topic ${topic}, expected a finite number\n`).join('') +
      'systems can only be compared on topics that all of them have; missing values are left out for all systems with the policy skip, and count as 0 with the policy zero',
  ],
  [() => compareSystems(scores(['a'], ['1', '2'], [1, 2])), 'found 1 system, expected at least 2; add a run to compare with'],
  [() => compareSystems(two, { measures: [] }), 'found no measure to compare by'],
  [() => compareSystems(two, { baseline: 'c' }), 'the baseline c is not among the systems; choose one of a, b'],
  [
    () => compareSystems(two, { test: 'tukey', correction: 'holm' }),
    'the p-values of tukey hold for all pairs together already, expected no correction, found holm; use correction none, or a test of single pairs such as t',
  ],
  [
    () => compareSystems(two, { test: 'tukey', alternative: 'less' }),
    'tukey takes no side, found the alternative less; use a test of single pairs',
  ],
  [
    () => compareSystems(gaps, { missing: 'zero', directions: { P: 'lower' } }),
    'P: a missing value cannot count as 0, because 0 would be the best value there is; leave such topics out with the policy skip',
  ],
  [
    () => compareSystems(scores(['a', 'b'], ['1'], [1, 2])),
    'P: found 1 topic with values for all systems, expected at least 2; add topics',
  ],
  [
    () => compareSystems(scores(['a', 'b'], ['1', '2', '3'], [1, none, 2, 3, none, none]), { missing: 'skip' }),
    'P: found 1 topic with values for all systems, expected at least 2 (2 are not complete); add topics',
  ],
  [() => compareSystems(two, { alpha: 1 }), 'alpha: expected a number between 0 and 1, both excluded, found 1'],
  [() => compareSystems(two, { alpha: 0 }), 'alpha: expected a number between 0 and 1, both excluded, found 0'],
  [() => compareSystems(two, { seed: -1 }), 'seed: expected a whole number from 0 to 9007199254740991, found -1'],
  [() => compareSystems(two, { test: 'z' as 't' }), /^test: expected one of t, .*, found z/.source],
  [() => compareSystems(two, { family: 'none' as 'all' }), 'family: expected one of measure, all, found none'],
  [() => compareSystems(two, { interval: 'z' as 't' }), 'interval: expected one of t, bootstrap, found z'],
  [() => compareSystems(two, { alternative: 'more' as 'less' }), 'alternative: expected one of two-sided, greater, less, found more'],
  [
    () => compareSystems(two, { test: 'bootstrap', resamples: 0 }),
    'number of resamples: expected a whole number from 1 to 100000000, found 0',
  ],
  [
    () => gateCandidate(two, { test: 'friedman' }),
    'friedman compares many systems, a gate only two; use randomization, t, wilcoxon, sign or bootstrap',
  ],
  [() => gateCandidate(two, { maxDrop: -0.1 }), 'largest drop: expected a number from 0, found -0.1'],
  [() => gateCandidate(two, { maxDrops: { P: infinite } }), 'largest drop: expected a number from 0, found Infinity'],
  [() => gateCandidate(two, { minTopics: 1 }), 'smallest number of topics: expected a whole number from 2, found 1'],
  [() => gateCandidate(two, { maxDrops: { AP: 0.1 } }), 'a largest drop is given for AP, which the gate does not look at; it looks at P'],
  [
    () => gateCandidate(scores(['a', 'b', 'c'], ['1', '2'], [1, 2, 3, 4, 5, 6]), { candidate: 'd' }),
    'd is not among the systems; choose one of a, b, c',
  ],
  [
    () => apCorrelation({ truth: [1, 1, 1], estimate: [1, 2, 3], ties: 'b' }),
    'all 3 values of one ranking are equal, so the AP correlation is not defined; compare values that differ',
  ],
  [
    () => correctPValues({ pValues: [0, 1, 1.5], method: 'holm' }),
    'p-value 3 is 1.5, expected a number from 0 to 1; leave out tests that could not be made',
  ],
  [
    () => correctPValues({ pValues: [-0.1], method: 'holm' }),
    'p-value 1 is -0.1, expected a number from 0 to 1; leave out tests that could not be made',
  ],
  [
    () => listsAgreement(new Map([['1', { ids: ['a'], scores: [1] }]]), new Map([['2', { ids: ['a'], scores: [1] }]])),
    'the two runs have no topic in common; compare runs over the same topics',
  ],
  [
    () => rankBiasedOverlap({ first: [['a'], []], second: [['a']], p: 0.5 }),
    'the first list has an empty tie group, expected at least one id in each',
  ],
  [() => rankBiasedOverlap({ first: [['a']], second: [], p: 0.5 }), 'the second list is empty; leave the topic out'],
  [
    () => overlapAt({ first: ['a'], second: ['b', 'b'], cutoff: 1 }),
    'the second list has b twice, expected every id once; keep its first occurrence',
  ],
  [() => overlapAt({ first: ['a'], second: ['b'], cutoff: 0 }), 'cutoff: expected a whole number from 1, found 0'],
  [() => createResampler([[1, 2]]), 'found 1 system, expected at least 2'],
  [
    () => createResampler([[1, 2], [1]]),
    'system 1 has 2 values and system 2 has 1, expected one each per topic; align all systems by topic id before comparing',
  ],
  [() => createResampler([[1], [1]]), 'found 1 topic, expected at least 2; add topics'],
  [
    () =>
      createResampler([
        [1, 2],
        [1, none],
      ]),
    'system 2 has NaN at position 2, expected a finite number; leave the topic out of every system or give it a value',
  ],
  [() => createResampler(Array.from({ length: 4097 }, () => [1, 2])), 'found 4097 systems, expected at most 4096; compare fewer at a time'],
  [
    () =>
      createResampler([
        [1, 2],
        [2, 1],
      ]).permutedRanges(1, 3, 2),
    'end of the resamples: expected a whole number from 3, found 2',
  ],
  [
    () =>
      createResampler([
        [1, 2],
        [2, 1],
      ]).bootstrapExceedances(1, -1, 2),
    'first resample: expected a whole number from 0, found -1',
  ],
  [
    () => pairedTTest({ first: [1, 2], second: [1] }),
    'the first system has 2 values and the second 1, expected one each per topic; align both by topic id before comparing',
  ],
  [
    () => pairedTTest({ first: [1, infinite], second: [1, 2] }),
    'the first system has Infinity at position 2, expected a finite number; leave the topic out of every system or give it a value',
  ],
  [
    () => pairedTTest({ first: [1, 2], second: [none, 2] }),
    'the second system has NaN at position 1, expected a finite number; leave the topic out of every system or give it a value',
  ],
  [() => pairedTTest({ first: [1], second: [2] }), 'found 1 topic, expected at least 2; add topics'],
  [
    () => wilcoxonSignedRank({ first: counting(1001), second: zeros(1001), method: 'exact' }),
    'exact Wilcoxon over 1001 topics is too large; use the asymptotic method',
  ],
  [() => wilcoxonSignedRank({ first: [1], second: [2], tieTolerance: -1 }), 'tie tolerance: expected a number from 0, found -1'],
  [
    () => wilcoxonSignedRank({ first: [1], second: [2], tieTolerance: infinite }),
    'tie tolerance: expected a number from 0, found Infinity',
  ],
  [
    () => wilcoxonSignedRank({ first: [1], second: [2], zeros: 'drop' as 'pratt' }),
    'treatment of zeros: expected one of wilcoxon, pratt, found drop',
  ],
  [
    () => wilcoxonSignedRank({ first: [1], second: [2], method: 'fast' as 'exact' }),
    'method: expected one of auto, exact, asymptotic, found fast',
  ],
  [
    () => randomizationTest({ first: counting(45), second: zeros(45), seed: 1, method: 'exact' }),
    'an exact randomisation test over 45 differing topics is too large, expected at most 44; use the sampled method',
  ],
  [
    () => randomizationTest({ first: [1], second: [2], seed: 1, method: 'fast' as 'exact' }),
    'method: expected one of auto, exact, sampled, found fast',
  ],
  [
    () => randomizationTest({ first: [1], second: [2], seed: 1, resamples: 0 }),
    'number of resamples: expected a whole number from 1 to 100000000, found 0',
  ],
];

describe('a statistic that cannot be computed', () => {
  test.each(refusals)('is refused in words: %s', (ask, sentence) => {
    let found: unknown;
    try {
      ask();
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(InputError);
    const { message } = found as InputError;
    if (sentence.startsWith('^')) expect(message).toMatch(new RegExp(sentence));
    else expect(message).toBe(sentence);
  });

  test('is computed just within what is allowed', () => {
    expect(compareSystems(scores(['a', 'b'], ['1', '2'], [1, 2, 2, 4])).measures[0].topics).toEqual(['1', '2']);
    expect(compareSystems(scores(['a', 'b'], ['1', '2'], [1, 2, 2, 4]), { missing: 'zero', directions: { P: 'lower' } }).missing).toBe(
      'zero',
    );
    expect(compareSystems(two, { test: 'bootstrap', resamples: 1 }).resamples).toBe(1);
    expect(gateCandidate(two, { maxDrop: 0, minTopics: 2 }).maxDrop).toBe(0);
    expect([...correctPValues({ pValues: [0, 1], method: 'bonferroni' }).pValues]).toEqual([0, 1]);
    expect(createResampler(Array.from({ length: 4096 }, () => [1, 2])).permutedRanges(1, 0, 1)).toEqual(Float64Array.of(0));
    expect(wilcoxonSignedRank({ first: counting(1000), second: zeros(1000), method: 'exact' }).pValue).toBe(2 ** -999);
    expect(
      createResampler([
        [1, 2],
        [2, 1],
      ]).permutedRanges(1, 2, 2),
    ).toHaveLength(0);
  });
});
