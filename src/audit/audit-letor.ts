import { commentField, type FeatureMatrix, type Features, numQueries, queryText } from '../core/feature-matrix.js';
import { judgedLists } from '../core/ranked-lists.js';
import type { Skipped } from '../formats/reader.js';
import { type AuditedFile, type AuditOptions, Cases, counted, countedOf, type Finding, skippedFindings } from './finding.js';
import { gradeFindings, labelTableFindings } from './grades.js';
import { noRelevantFinding, oneDocumentFinding, protocolFinding, shortListsFinding } from './lists.js';
import { tieFindings } from './ties.js';

/** How a test set has to be read for an audit: cells that were not given are NaN, and values may be anything. */
export const auditLetorOptions: { readonly lenient: true; readonly missing: number; readonly nonFinite: true } = {
  lenient: true,
  missing: Number.NaN,
  nonFinite: true,
};

/** What is odd in a learning-to-rank test set that was read with `auditLetorOptions`. */
export function auditTestSet(
  name: string,
  { matrix, skipped }: { matrix: FeatureMatrix; skipped: Skipped },
  options: AuditOptions = {},
): AuditedFile {
  const { rel = 1, cutoff = 10 } = options;
  const { labels, queryOffsets, lines } = matrix;
  const number = numQueries(matrix);
  const empty = new Cases();
  const short = new Cases();
  const single = new Cases();
  for (let q = 0; q < number; q++) {
    const id = (): string => queryText(matrix, q);
    const length = queryOffsets[q + 1] - queryOffsets[q];
    if (!labels.subarray(queryOffsets[q], queryOffsets[q + 1]).some((label) => label >= rel)) empty.add(id);
    if (length < cutoff) short.add(id);
    if (length === 1) single.add(id);
  }
  const lineOf = (row: number): string => `line ${lines[row]}`;
  const findings = [
    ...skippedFindings(skipped, matrix.numRows),
    ...repeatedDocuments(matrix),
    ...splitQueries(matrix),
    ...noRelevantFinding(empty, number, rel),
    ...shortListsFinding(short, number, cutoff, 'holds'),
    ...oneDocumentFinding(single, number, ['holds', 'hold']),
    ...gradeFindings(labels, lineOf),
    ...labelTableFindings(labels, lineOf),
    ...(matrix.features === undefined ? [] : featureFindings(matrix.features, matrix.numRows)),
  ];
  const numFeatures = matrix.features === undefined ? '' : `, ${counted(matrix.features.numFeatures, 'feature')}`;
  return {
    name,
    what: 'test set',
    size: `${counted(number, 'query', 'queries')}, ${counted(matrix.numRows, 'document')}${numFeatures}`,
    findings: [...findings, ...protocolFinding(findings, cutoff)],
  };
}

/** What is odd in predictions for a test set. Predictions that are no numbers are NaN; they are ranked last. */
export function auditPredictions(name: string, matrix: FeatureMatrix, predictions: Float64Array, options: AuditOptions = {}): AuditedFile {
  const { cutoff = 10 } = options;
  const notNumbers = new Cases();
  const infinite = new Cases();
  const ranked = predictions.slice();
  for (let i = 0; i < ranked.length; i++) {
    const example = (): string => `line ${i + 1}`;
    if (Number.isNaN(ranked[i])) {
      notNumbers.add(example);
      ranked[i] = Number.NEGATIVE_INFINITY;
    } else if (!Number.isFinite(ranked[i])) infinite.add(example);
  }
  const { run, qrels } = judgedLists(matrix, ranked, name);
  const bad = notNumbers.count + infinite.count;
  const findings: Finding[] = [];
  if (bad > 0) {
    findings.push({
      kind: 'non-finite',
      severity: notNumbers.count > 0 ? 'error' : 'warning',
      count: bad,
      of: ranked.length,
      examples: [...notNumbers.examples, ...infinite.examples].slice(0, 5),
      sentence: `${countedOf(bad, ranked.length, 'predictions', ['is', 'are'])} not a finite number: ${notNumbers.count} NaN, ${infinite.count} infinite.`,
      recommendation: 'Find out where they come from: sorting puts NaN in a place that depends on the tool.',
      details: { nan: notNumbers.count, infinite: infinite.count },
    });
  }
  return {
    name,
    what: 'predictions',
    size: counted(ranked.length, 'prediction'),
    findings: [...findings, ...tieFindings(qrels, run, cutoff)],
  };
}

/** Documents that a query lists twice, going by the `docid` of the comments. */
function repeatedDocuments(matrix: FeatureMatrix): Finding[] {
  if (matrix.comments === undefined) return [];
  const cases = new Cases();
  for (let q = 0; q < numQueries(matrix); q++) {
    const seen = new Set<string>();
    for (let row = matrix.queryOffsets[q]; row < matrix.queryOffsets[q + 1]; row++) {
      const docid = commentField(matrix, row, 'docid');
      if (docid === undefined) continue;
      if (seen.has(docid)) cases.add(() => `line ${matrix.lines[row]}: query ${queryText(matrix, q)}, document ${docid}`);
      seen.add(docid);
    }
  }
  if (cases.count === 0) return [];
  return [
    {
      kind: 'duplicates',
      severity: 'error',
      count: cases.count,
      of: matrix.numRows,
      examples: cases.examples,
      sentence: `${countedOf(cases.count, matrix.numRows, 'lines', ['names', 'name'])} a document that its query has already.`,
      recommendation: 'Keep each document once: the LETOR scripts keep the last of such lines, other tools count them all.',
    },
  ];
}

/** Queries whose lines do not stand together. */
function splitQueries(matrix: FeatureMatrix): Finding[] {
  const { records, queryOffsets, numRecords } = matrix;
  if (records === undefined) return [];
  const none = 0xffffffff;
  const queryAt = new Uint32Array(numRecords).fill(none); // fits: queries, at most evaluationLimits.topics, and 2^32 - 1 for none
  for (let q = 0; q < numQueries(matrix); q++) {
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) queryAt[records[row]] = q;
  }
  const stretches = new Uint32Array(numQueries(matrix)); // fits: entries
  let current = none;
  for (const q of queryAt) {
    if (q === none || q === current) continue;
    stretches[q]++;
    current = q;
  }
  const cases = new Cases();
  for (const [q, count] of stretches.entries()) if (count > 1) cases.add(() => queryText(matrix, q));
  if (cases.count === 0) return [];
  return [
    {
      kind: 'split-queries',
      severity: 'warning',
      count: cases.count,
      of: stretches.length,
      examples: cases.examples,
      sentence: `${countedOf(cases.count, stretches.length, 'queries', ['has', 'have'])} lines that do not stand together. RankLib takes each stretch for a query of its own; the LETOR scripts and Gradus bring them together.`,
      recommendation: 'Sort the file by query, and the predictions with it.',
    },
  ];
}

function featureFindings(features: Features, numRows: number): Finding[] {
  const { numFeatures, firstFeature } = features;
  const low = new Float64Array(numFeatures).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(numFeatures).fill(Number.NEGATIVE_INFINITY);
  const given = new Uint32Array(numFeatures); // fits: entries
  let notNumbers = 0;
  let infinite = 0;
  const { values } = features;
  const columns = features.layout === 'sparse' ? features.columns : undefined;
  for (let i = 0, column = 0; i < values.length; i++) {
    const c = columns === undefined ? column : columns[i];
    if (++column === numFeatures) column = 0;
    const value = values[i];
    if (Number.isNaN(value)) {
      notNumbers++;
      continue;
    }
    given[c]++;
    if (value < low[c]) low[c] = value;
    if (value > high[c]) high[c] = value;
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) infinite++;
  }
  // in the dense layout cells that were not given are NaN as well
  if (columns === undefined) notNumbers -= numRows * numFeatures - features.numGiven;

  const constant = new Cases();
  const never = new Cases();
  for (let c = 0; c < numFeatures; c++) {
    const id = (): string => features.names?.[c] ?? String(c + firstFeature);
    if (given[c] === 0) never.add(id);
    // a value that is left out is 0
    else if (Math.min(low[c], given[c] < numRows ? 0 : low[c]) === Math.max(high[c], given[c] < numRows ? 0 : high[c])) constant.add(id);
  }
  const findings: Finding[] = [];
  const bad = notNumbers + infinite;
  if (bad > 0) {
    findings.push({
      kind: 'non-finite',
      severity: 'error',
      count: bad,
      of: features.numGiven,
      examples: [],
      sentence: `${countedOf(bad, features.numGiven, 'feature values', ['is', 'are'])} not a finite number: ${notNumbers} NaN, ${infinite} infinite.`,
      recommendation: 'Replace them before training: tools take NaN for missing, for 0, or compare with it.',
      details: { nan: notNumbers, infinite },
    });
  }
  if (constant.count > 0) {
    findings.push({
      kind: 'constant-features',
      severity: 'info',
      count: constant.count,
      of: numFeatures,
      examples: constant.examples,
      sentence: `${countedOf(constant.count, numFeatures, 'features', ['has', 'have'])} the same value everywhere and cannot rank anything.`,
    });
  }
  if (never.count > 0) {
    findings.push({
      kind: 'features-never-given',
      severity: 'info',
      count: never.count,
      of: numFeatures,
      examples: never.examples,
      sentence: `${countedOf(never.count, numFeatures, 'features', ['is', 'are'])} never given a number, though higher ones are.`,
    });
  }
  return findings;
}
