import type { ConventionRules } from '../conventions/convention.js';
import { conventions } from '../conventions/registry.js';
import { countedOf, type Finding } from './finding.js';
import { byConvention } from './tool-words.js';

/** More different grades than this are reported by their range only. */
const MOST_GRADES_TOLD = 20;

/** What the grades of judgements, or the labels of a test set, look like. `idAt` names the document of a row. */
export function gradeFindings(grades: Float64Array, idAt: (row: number) => string): Finding[] {
  const counts = new Map<number, number>();
  for (const grade of grades) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  const different = [...counts].sort(([a], [b]) => a - b);
  const total = grades.length;
  const few = different.length <= MOST_GRADES_TOLD;
  const words = few
    ? different.map(([grade, count]) => `${count} of grade ${grade}`).join(', ')
    : `${different.length} different grades from ${different[0][0]} to ${different[different.length - 1][0]}`;
  const findings: Finding[] = [
    {
      kind: 'grades',
      severity: 'info',
      count: different.length,
      of: total,
      examples: [],
      sentence: `${total} documents are judged: ${words}.`,
      details: few ? Object.fromEntries(different.map(([grade, count]) => [String(grade), count])) : undefined,
    },
  ];
  const negative = rowsWhere(grades, (grade) => grade < 0);
  if (negative.count > 0) {
    findings.push({
      kind: 'negative-grades',
      severity: 'warning',
      count: negative.count,
      of: total,
      examples: negative.examples.map(idAt),
      sentence: `${countedOf(negative.count, total, 'grades', ['is', 'are'])} negative. trec_eval and Gradus take such a document for pooled but not judged; other tools subtract the grade, or take it for 0.`,
      recommendation: 'Take these judgements out, or make them 0, unless "not judged" is what they mean.',
    });
  }
  const fractional = rowsWhere(grades, (grade) => !Number.isInteger(grade));
  if (fractional.count > 0) {
    findings.push({
      kind: 'fractional-grades',
      severity: 'warning',
      count: fractional.count,
      of: total,
      examples: fractional.examples.map(idAt),
      sentence: `${countedOf(fractional.count, total, 'grades', ['is', 'are'])} not a whole number. trec_eval reads the whole part only, RankLib goes by it in nDCG, and the LETOR scripts refuse such lines.`,
      recommendation: 'Compare numbers only from tools that keep the fractions.',
    });
  }
  return findings;
}

/** Labels that some tool's table of gains does not have, and so counts as worth nothing. */
export function labelTableFindings(labels: Float64Array, idAt: (row: number) => string): Finding[] {
  const tables = conventions.filter(({ rules }) => typeof rules.gain !== 'string');
  const outsideOf = (rules: ConventionRules): Rows => {
    const known = new Set(typeof rules.gain === 'string' ? [] : rules.gain.map(([grade]) => grade));
    // labels of 0 and below are worth nothing anyway
    return rowsWhere(labels, (label) => label > 0 && !known.has(label));
  };
  const concerned = tables.filter(({ rules }) => outsideOf(rules).count > 0);
  if (concerned.length === 0) return [];
  const most = concerned.map(({ rules }) => outsideOf(rules)).reduce((a, b) => (b.count > a.count ? b : a));
  return [
    {
      kind: 'labels-outside-table',
      severity: 'warning',
      count: most.count,
      of: labels.length,
      examples: most.examples.map(idAt),
      sentence: `Some labels are outside of a tool's table and are worth nothing there: ${byConvention((rules) => String(outsideOf(rules).count), concerned)}.`,
      recommendation: 'Do not score this set with these tools.',
      details: Object.fromEntries(concerned.map(({ name, rules }) => [name, outsideOf(rules).count])),
    },
  ];
}

interface Rows {
  readonly count: number;
  /** The first few. */
  readonly examples: readonly number[];
}

function rowsWhere(values: Float64Array, holds: (value: number) => boolean): Rows {
  let count = 0;
  const examples: number[] = [];
  for (let row = 0; row < values.length; row++) {
    if (!holds(values[row])) continue;
    count++;
    if (examples.length < 5) examples.push(row);
  }
  return { count, examples };
}
