import { formatG } from '../core/numbers/print.js';
import type { Comparison } from '../stats/compare.js';
import type { CorrectionMethod } from '../stats/correction.js';
import { type ComparisonTest, isJointTest } from '../stats/pair-tests.js';

const testNames: Readonly<Record<ComparisonTest, string>> = {
  t: 'paired t-test',
  wilcoxon: 'Wilcoxon signed-rank test',
  sign: 'sign test',
  randomization: 'Fisher randomisation test',
  bootstrap: 'paired bootstrap test',
  tukey: "Tukey's HSD test (two-way ANOVA)",
  'randomized-tukey': 'randomised Tukey HSD test',
  friedman: 'Friedman test with Nemenyi post-hoc comparisons',
};

const correctionNames: Readonly<Record<CorrectionMethod, string>> = {
  bonferroni: 'Bonferroni',
  sidak: 'Šidák',
  holm: 'Holm',
  hochberg: 'Hochberg',
  bh: 'Benjamini-Hochberg',
  by: 'Benjamini-Yekutieli',
};

/** More measures than this are counted in the sentence about methods instead of named. */
const MOST_NAMED = 8;

/** A test's name as it stands in a sentence. */
export function testName(test: ComparisonTest): string {
  return testNames[test];
}

/** A correction's name as it stands in a sentence. */
export function correctionWord(correction: string): string {
  return correctionNames[correction as CorrectionMethod] ?? correction;
}

/** What a comparison was made with, in so far as it needs to be cited. */
export type Cited =
  | { readonly kind: 'measure'; readonly measure: string }
  | { readonly kind: 'test'; readonly test: ComparisonTest }
  | { readonly kind: 'correction'; readonly correction: CorrectionMethod }
  | { readonly kind: 'interval' }
  | { readonly kind: 'effect size' };

/** A piece of the sentence about methods: words, or something that a paper cites at this place. */
export type MethodsPart = string | Cited;

/** The tests and their correction as the caption of a table names them: `two-sided paired t-test, Holm-corrected, α = 0.05`. */
export function significanceWords(tested: {
  readonly test: string;
  readonly correction: string;
  readonly alpha: number;
  readonly alternative: string;
}): string {
  const { test, correction, alpha, alternative } = tested;
  const name = testNames[test as ComparisonTest] ?? test;
  const side = isJointTest(test as ComparisonTest) ? '' : alternative === 'two-sided' ? 'two-sided ' : 'one-sided ';
  const corrected = correctionNames[correction as CorrectionMethod];
  return `${side}${name}, ${corrected === undefined ? '' : `${corrected}-corrected, `}α = ${alpha}`;
}

/** How the numbers came about, as a paper would say it. */
export function methodsSentence(comparison: Comparison, program?: string): string {
  return methodsParts(comparison, program)
    .filter((part) => typeof part === 'string')
    .join('');
}

/** The sentence about methods, with the places where a paper cites something. */
export function methodsParts(comparison: Comparison, program?: string): MethodsPart[] {
  const { measures, test, alpha, interval, seed, resamples, missing } = comparison;
  const counts = [...new Set(measures.map(({ topics }) => topics.length))];
  const isDrawn = resamples !== null || interval === 'bootstrap';
  const parts: MethodsPart[] = [
    `We compared ${comparedWords(comparison)} by mean `,
    ...measureParts(comparison),
    ` over ${counts.join(' and ')} topics, using ${testWords(comparison)}`,
    { kind: 'test', test },
    ` on the per-topic scores`,
    ...correctionParts(comparison),
    ` (α = ${alpha}${isDrawn ? `, seed ${seed}` : ''}). Confidence intervals (${formatG(100 * (1 - alpha), 4)}%) are based on `,
    ...(interval === 't' ? ["Student's t distribution"] : ['the BCa bootstrap', { kind: 'interval' } as const, ' with 10000 samples']),
    "; effect sizes are Cohen's d_z",
    { kind: 'effect size' },
    ', the mean difference divided by the standard deviation of the differences.',
  ];
  if (measures.some(({ incompleteTopics }) => incompleteTopics.length > 0)) {
    parts.push(
      missing === 'skip' ? ' Topics without a score for some system were left out for all systems.' : ' Missing scores were counted as 0.',
    );
  }
  if (program !== undefined) parts.push(` Computed with ${program}.`);
  return parts;
}

function comparedWords({ systems, measures, baseline }: Comparison): string {
  const numPairs = measures[0].pairs.length;
  if (baseline !== null) return `${numPairs === 1 ? 'one system' : `${numPairs} systems`} with the baseline ${baseline}`;
  return numPairs === 1 ? 'two systems' : `all ${numPairs} pairs of ${systems.length} systems`;
}

function measureParts({ measures }: Comparison): MethodsPart[] {
  if (measures.length > MOST_NAMED) return [`scores under ${measures.length} measures`];
  return measures.flatMap(({ measure }, m): MethodsPart[] => [
    `${m === 0 ? '' : m < measures.length - 1 ? ', ' : ' and '}${measure}`,
    { kind: 'measure', measure },
  ]);
}

function testWords({ test, alternative, measures, resamples }: Comparison): string {
  const name = testNames[test];
  const side = isJointTest(test) ? '' : alternative === 'two-sided' ? 'two-sided ' : 'one-sided ';
  const exactly =
    test === 'randomization' || test === 'wilcoxon' ? ` (${[...new Set(measures.map(({ method }) => method))].join('; ')})` : '';
  const kind = test === 'bootstrap' ? 'studentised, shift method, ' : '';
  const how = resamples === null ? exactly : ` (${kind}${resamples} resamples)`;
  // a test that bears its author's name has no article
  const article = name.startsWith('Tukey') ? '' : test === 'friedman' ? 'the ' : 'a ';
  return `${article}${side}${name}${how}`;
}

function correctionParts({ test, correction, family, measures }: Comparison): MethodsPart[] {
  if (isJointTest(test)) return [', which controls the family-wise error rate over all pairs'];
  if (correction === 'none') return [', without correction for multiple comparisons'];
  if (measures[0].pairs.length === 1 && (family === 'measure' || measures.length === 1)) {
    return [`; a single test${measures.length === 1 ? '' : ' per measure'} needs no correction`];
  }
  const scope = family === 'all' ? ' over all measures and pairs' : measures.length > 1 ? ' within each measure' : '';
  return [`, with ${correctionNames[correction]} correction`, { kind: 'correction', correction }, ` for multiple comparisons${scope}`];
}

/** a, b, … z without q, which has no superscript; then aa, ab, … */
export function systemLetter(place: number): string {
  const letters = 'abcdefghijklmnoprstuvwxyz';
  const last = letters[place % letters.length];
  return place < letters.length ? last : systemLetter(Math.floor(place / letters.length) - 1) + last;
}
