import { describe, expect, test } from 'vitest';
import { ScoreTable } from '../core/score-table.js';
import { compareSystems } from '../stats/compare.js';
import { methodsSentence, pText, systemLetter, writeComparison } from './comparison.js';

/** Two measures of `count` systems; every system is better than the one before on all eight topics. */
function table(count: number, step: number): ScoreTable {
  const systems = Array.from({ length: count }, (_, s) => `s${s}`);
  const topics = Array.from({ length: 8 }, (_, t) => `t${t}`);
  const columns = ['AP', 'RR'].map((name) => ({ name, aggregate: 'mean' as const }));
  const values = systems.flatMap((_, s) =>
    topics.flatMap((_topic, t) => [s * step + ((s * t) % 3) / 1000, s * step + ((s + t) % 3) / 1000]),
  );
  return new ScoreTable(systems, topics, columns, Float64Array.from(values));
}

describe('systemLetter(place)', () => {
  test.each([
    [0, 'a'],
    [15, 'p'],
    [16, 'r'],
    [24, 'z'],
    [25, 'aa'],
    [49, 'az'],
    [50, 'ba'],
  ])('%i is %s', (place, letter) => expect(systemLetter(place)).toBe(letter));
});

describe('pText(p, digits, resamples)', () => {
  test.each([
    [0.04567, 4, null, '0.0457'],
    [0.0001, 4, null, '0.0001'],
    [0.00009, 4, null, '<0.0001'],
    [0, 4, null, '<0.0001'],
    [0, 4, 1000, '<0.001'],
    [1, 2, null, '1.00'],
  ])('%d with %i digits and %s resamples is %s', (p, digits, resamples, text) => expect(pText(p, digits, resamples)).toBe(text));
});

describe('methodsSentence(comparison)', () => {
  test.each([
    [
      {},
      'All 3 pairs of 3 systems were compared by their means over 8 topics, paired by topic, with a two-sided paired t test, with p-values Holm-corrected within each measure; alpha is 0.05.',
    ],
    [
      { baseline: 's1', correction: 'none' },
      '2 systems against s1 were compared by their means over 8 topics, paired by topic, with a two-sided paired t test, without correction for multiple testing; alpha is 0.05.',
    ],
    [{ correction: 'bh', family: 'all' }, 'with p-values Benjamini-Hochberg-corrected over all measures and pairs; alpha is 0.05.'],
    [
      { test: 'randomization', family: 'all', alpha: 0.01 },
      'with a two-sided randomisation test (exact), with p-values Holm-corrected over all measures and pairs; alpha is 0.01.',
    ],
    [
      { test: 'randomized-tukey', seed: 9, resamples: 100 },
      'with the randomised Tukey HSD test (100 resamples), whose p-values hold for all pairs together; alpha is 0.05, the seed 9.',
    ],
    [{ interval: 'bootstrap', seed: 3 }, 'alpha is 0.05, the seed 3. Intervals are 95% intervals by the BCa bootstrap with 10000 samples'],
  ] as const)('%j', (options, sentence) => {
    expect(methodsSentence(compareSystems(table(3, 0.1), options))).toContain(sentence);
  });

  test('a single test has nothing to correct', () => {
    expect(methodsSentence(compareSystems(table(2, 0.1)))).toMatch(/^Two systems were compared by their means over 8 topics,/);
    expect(methodsSentence(compareSystems(table(2, 0.1)))).toContain('a single test that needs no correction');
    expect(methodsSentence(compareSystems(table(2, 0.1), { baseline: 's1' }))).toMatch(
      /^One system and s1 were compared by their means over 8 topics,/,
    );
  });
});

describe('writeComparison(form, comparison, sink)', () => {
  test('keeps letters of more than 25 systems apart', () => {
    const parts: string[] = [];
    writeComparison('latex', compareSystems(table(27, 0.01), { measures: ['AP'], baseline: 's25' }), {
      write: (text) => void parts.push(text),
    });
    expect(parts.join('')).toContain('ab & s26 & 0.2610$^{aa}$');
  });
});
