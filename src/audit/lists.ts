import type { ConventionRules } from '../conventions/convention.js';
import { conventions } from '../conventions/registry.js';
import { type Cases, countedOf, type Finding } from './finding.js';
import { byConvention, listed } from './tool-words.js';

/** Queries without a relevant document, and what tools make of them. */
export function noRelevantFinding(cases: Cases, numQueries: number, rel: number): Finding[] {
  if (cases.count === 0) return [];
  const share = cases.count / numQueries;
  return [
    {
      kind: 'no-relevant',
      severity: 'warning',
      count: cases.count,
      of: numQueries,
      examples: cases.examples,
      sentence: `${countedOf(cases.count, numQueries, 'queries', ['has', 'have'])} no relevant document (grade ${rel} or more). In nDCG such a query counts ${byConvention(emptyWords)}: the choice alone moves the mean by ${share.toFixed(4)}.`,
      recommendation:
        'Leave such queries out, or say with every number how they count. No ranking can do anything about them: they move the means of all systems alike, and not their order.',
      details: { share },
    },
  ];
}

function emptyWords({ empty }: ConventionRules): string {
  return `as ${Object.hasOwn(empty, 'nDCG') ? empty.nDCG : 0}`;
}

/** Lists that end before the cutoff, and what tools make of them. */
export function shortListsFinding(cases: Cases, numQueries: number, cutoff: number, holds: string): Finding[] {
  if (cases.count === 0) return [];
  const zeroing = conventions.filter(({ rules }) => rules.short.includes('nDCG')).map(({ name }) => name);
  return [
    {
      kind: 'short-lists',
      severity: 'warning',
      count: cases.count,
      of: numQueries,
      examples: cases.examples,
      sentence: `${countedOf(cases.count, numQueries, 'queries', [holds, holds.replace(/s$/, '')])} fewer than ${cutoff} documents. nDCG@${cutoff} counts them ${byConvention(shortWords)}. P@${cutoff} is ${byConvention(precisionWords)}.`,
      recommendation: `Name the convention with every number, and compare only numbers of one. Tools that count short lists as 0 (${listed(zeroing)}) lose what a ranking does on these queries. On MQ2008 that more than halves nDCG@10. Whether it reorders learners beyond chance, and whether training by such rules makes rankings worse, is not decided (gradus help audit says how it is tested).`,
      details: { share: cases.count / numQueries },
    },
  ];
}

function shortWords({ short }: ConventionRules): string {
  return short.includes('nDCG') ? 'as 0' : 'as they are';
}

function precisionWords({ short, precisionDivisor }: ConventionRules): string {
  if (short.includes('P')) return '0';
  return precisionDivisor === 'cutoff' ? 'divided by the cutoff' : 'divided by the length of the list';
}

/** Queries with a single document, which every ranker gets right; nothing if there are none. */
export function oneDocumentFinding(cases: Cases, numQueries: number, verb: readonly [string, string]): Finding[] {
  if (cases.count === 0) return [];
  return [
    {
      kind: 'one-document',
      severity: 'info',
      count: cases.count,
      of: numQueries,
      examples: cases.examples,
      sentence: `${countedOf(cases.count, numQueries, 'queries', verb)} only one document.`,
      recommendation: undefined,
    },
  ];
}

/** What the study of the tools advises wherever they disagree about the queries at hand
 *  (Busa-Fekete, Szarvas, Éltető and Kégl, 2012). */
export function protocolFinding(findings: readonly Finding[], cutoff: number): Finding[] {
  const reasons = findings.filter(({ kind }) => kind === 'no-relevant' || kind === 'short-lists');
  if (reasons.length === 0) return [];
  return [
    {
      kind: 'protocol',
      severity: 'info',
      count: reasons.length,
      of: 2,
      examples: [],
      sentence: 'Tools disagree about queries of this collection, so a number from it can be compared only with numbers of the same tool.',
      recommendation: `Report nDCG@${cutoff} by its definition (short lists as they are, 0 without a relevant document), and name the convention. gradus explain tells conventions apart.`,
    },
  ];
}
