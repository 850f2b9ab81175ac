import { describe, expect, test } from 'vitest';
import { ScoreTable } from '../core/score-table.js';
import { type CompareOptions, compareSystems } from '../stats/compare.js';
import { type LatexPrinting, pText, writeComparison } from './comparison.js';
import { methodsSentence, systemLetter } from './methods.js';

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
      'We compared all 3 pairs of 3 systems by mean AP and RR over 8 topics, using a two-sided paired t-test on the per-topic scores, with Holm correction for multiple comparisons within each measure (α = 0.05).',
    ],
    [
      { baseline: 's1', correction: 'none' },
      'We compared 2 systems with the baseline s1 by mean AP and RR over 8 topics, using a two-sided paired t-test on the per-topic scores, without correction for multiple comparisons (α = 0.05).',
    ],
    [
      { correction: 'bh', family: 'all' },
      'with Benjamini-Hochberg correction for multiple comparisons over all measures and pairs (α = 0.05).',
    ],
    [
      { test: 'randomization', family: 'all', alpha: 0.01 },
      'using a two-sided Fisher randomisation test (exact) on the per-topic scores, with Holm correction for multiple comparisons over all measures and pairs (α = 0.01).',
    ],
    [
      { test: 'randomized-tukey', seed: 9, resamples: 100 },
      'using a randomised Tukey HSD test (100 resamples) on the per-topic scores, which controls the family-wise error rate over all pairs (α = 0.05, seed 9).',
    ],
    [
      { interval: 'bootstrap', seed: 3 },
      '(α = 0.05, seed 3). Confidence intervals (95%) are based on the BCa bootstrap with 10000 samples',
    ],
  ] as const)('%j', (options, sentence) => {
    expect(methodsSentence(compareSystems(table(3, 0.1), options))).toContain(sentence);
  });

  test('a single test has nothing to correct', () => {
    expect(methodsSentence(compareSystems(table(2, 0.1)))).toMatch(/^We compared two systems by mean AP and RR over 8 topics,/);
    expect(methodsSentence(compareSystems(table(2, 0.1)))).toContain('a single test per measure needs no correction');
    expect(methodsSentence(compareSystems(table(2, 0.1), { baseline: 's1' }))).toMatch(
      /^We compared one system with the baseline s1 by mean AP and RR over 8 topics,/,
    );
  });
});

/** What a comparison looks like as LaTeX. */
function latexOf(count: number, options: CompareOptions, latex: LatexPrinting = {}): string {
  const parts: string[] = [];
  const comparison = compareSystems(table(count, 0.01), { measures: ['AP'], effectIntervals: false, ...options });
  writeComparison('latex', comparison, { write: (text) => void parts.push(text) }, { latex });
  return parts.join('');
}

describe('writeComparison(latex, comparison, sink)', () => {
  test('has rules of booktabs, the best in bold, the second best underlined, and points in one place', () => {
    const text = latexOf(3, {});
    expect(text).toMatch(/\\toprule\n.*\\midrule\n.*\\bottomrule/s);
    expect(text).toContain('a & s0 & 0&.0000 \\\\\n');
    expect(text).toContain('b & s1 & \\underline{0}&\\underline{.0109}\\textsuperscript{a} \\\\\n');
    expect(text).toContain('c & s2 & \\textbf{0}&\\textbf{.0210}\\textsuperscript{ab} \\\\\n');
  });

  test('the caption names test, correction and level', () => {
    expect(latexOf(3, { alpha: 0.01 })).toContain('(two-sided paired $t$-test, Holm-corrected, $\\alpha = 0.01$)');
    expect(latexOf(3, { test: 'tukey' })).toContain("(Tukey's HSD test (two-way ANOVA), $\\alpha = 0.05$)");
    expect(latexOf(3, { test: 'wilcoxon', correction: 'bh', baseline: 's0', alternative: 'greater' })).toContain(
      '(one-sided Wilcoxon signed-rank test, Benjamini-Hochberg-corrected, $\\alpha = 0.05$)',
    );
  });

  test('marks what differs from a baseline with daggers', () => {
    const text = latexOf(3, { baseline: 's1' });
    expect(text).toContain('s0 & 0&.0000\\textsuperscript{$\\ddagger$} \\\\\n');
    expect(text).toContain('s2 & \\textbf{0}&\\textbf{.0210}\\textsuperscript{$\\dagger$} \\\\\n');
    expect(text).toContain('$\\dagger$ denotes significant improvements over s1, $\\ddagger$ significantly worse results');
  });

  test('counts where letters would be too many, and shortens rows of letters', () => {
    expect(latexOf(12, {})).toContain('s11 & \\textbf{0}&\\textbf{.1110}\\textsuperscript{a--k}');
    const many = latexOf(40, {});
    expect(many).toContain('\\begin{longtable}');
    expect(many).toContain('\\textsuperscript{39}');
    expect(many).toContain('Superscripts give the number of systems that a system significantly outperforms');
  });

  test('has the pairs only if they are asked for', () => {
    expect(latexOf(3, {})).not.toContain('against');
    expect(latexOf(3, {}, { pairs: true })).toContain('against');
  });

  test('leaves alignment to siunitx if asked to', () => {
    const text = latexOf(3, {}, { siunitx: true });
    expect(text).toContain('S[table-format=1.4,table-space-text-post={\\textsuperscript{ab}}]');
    expect(text).toContain('c & s2 & \\bfseries 0.0210{\\textsuperscript{ab}} \\\\\n');
  });
});
