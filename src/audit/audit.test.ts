import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toQrels } from '../core/qrels.js';
import { toRun } from '../core/run.js';
import { parseLetor } from '../formats/letor/reader.js';
import { parseTrecQrels } from '../formats/trec/qrels.js';
import { parseTrecRun } from '../formats/trec/run.js';
import { type AuditedFile, auditLetorOptions, auditPredictions, auditQrels, auditRun, auditTestSet, type Finding } from './index.js';

interface Row {
  readonly topic: string;
  readonly score: number;
  readonly rank: number;
}

/** What a page of registered claims recorded of one of them. */
interface Claim {
  readonly id: string;
  readonly verdict: string;
  readonly numbers?: readonly Readonly<Record<string, unknown>>[];
}

function claimOf(study: string, id: string): Claim {
  const { claims } = JSON.parse(readFileSync(`docs/reproductions/${study}.json`, 'utf8')) as { claims: Claim[] };
  const claim = claims.find((one) => one.id === id);
  if (claim === undefined) throw new Error(`${study} has no claim ${id}`);
  return claim;
}

const nothingSkipped = { count: 0, kinds: {}, problems: [] };

function find(file: AuditedFile, kind: Finding['kind']): Finding {
  const found = file.findings.find((finding) => finding.kind === kind);
  if (found === undefined) throw new Error(`no finding ${kind} among ${file.findings.map((finding) => finding.kind).join(', ')}`);
  return found;
}

const kinds = (file: AuditedFile): string[] => file.findings.map(({ kind }) => kind);

describe('judgements', () => {
  const ofText = (text: string, rel?: number): AuditedFile => auditQrels('q', parseTrecQrels(text, { lenient: true }), { rel });

  test('judgements without oddities get a line about their grades only', () => {
    const file = ofText('1 0 a 1\n1 0 b 0\n');
    expect(kinds(file)).toEqual(['grades']);
    expect(file.size).toBe('1 topic, 2 judgements');
    expect(find(file, 'grades')).toMatchObject({
      severity: 'info',
      sentence: '2 documents are judged: 1 of grade 0, 1 of grade 1.',
      details: { '0': 1, '1': 1 },
    });
  });

  test('queries without relevant documents, and what tools make of them', () => {
    const file = ofText('1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 0\n10 0 a 1\n10 0 c 0\n3 0 a 0\n3 0 b 0\n');
    const finding = find(file, 'no-relevant');
    expect(finding).toMatchObject({ severity: 'warning', count: 2, of: 4, examples: ['2', '3'] });
    expect(finding.sentence).toMatch(
      /^2 of 4 queries have no relevant document \(grade 1 or more\)\. In nDCG such a query counts as 0 by gradus, trec_eval, /,
    );
    expect(finding.sentence).toMatch(/as 1 by [^;]*yahoo.*moves the mean by 0\.5000\.$/);
    expect(finding.sentence).not.toContain('@');
    expect(kinds(file)).toContain('protocol');
  });

  test('the lowest relevant grade decides what is empty', () => {
    expect(kinds(ofText('1 0 a 1\n1 0 b 0\n', 1))).not.toContain('no-relevant');
    expect(find(ofText('1 0 a 1\n1 0 b 0\n', 2), 'no-relevant').count).toBe(1);
  });

  test('duplicates, unreadable lines and numbers that are not finite', () => {
    const file = ofText('1 0 a 1\n1 0 a 2\n1 0 b inf\n1 0 c\n1 0 d x\n1 0 e 0\n');
    expect(find(file, 'duplicates')).toMatchObject({
      severity: 'error',
      count: 1,
      of: 6,
      examples: ['line 2: topic "1" has document "a" already on line 1'],
    });
    expect(find(file, 'non-finite')).toMatchObject({ severity: 'error', count: 1, of: 6 });
    expect(find(file, 'non-finite').examples).toEqual([expect.stringMatching(/^line 3: .*"inf"$/)]);
    expect(find(file, 'unreadable-lines')).toMatchObject({ severity: 'error', count: 2, of: 6 });
    expect(find(file, 'unreadable-lines').examples).toEqual([expect.stringMatching(/^line 4: /), expect.stringMatching(/^line 5: /)]);
  });

  test('negative and fractional grades, topics of one document', () => {
    const file = ofText('1 0 a 1\n1 0 b -1\n2 0 c 1.5\n');
    expect(find(file, 'negative-grades')).toMatchObject({ severity: 'warning', count: 1, of: 3, examples: ['topic 1, document b'] });
    expect(find(file, 'fractional-grades')).toMatchObject({ severity: 'warning', count: 1, of: 3, examples: ['topic 2, document c'] });
    expect(find(file, 'one-document')).toMatchObject({ severity: 'info', count: 1, of: 2, examples: ['2'] });
  });

  test('no more than five examples', () => {
    const lines = Array.from({ length: 9 }, (_, topic) => `${topic} 0 a 0\n`).join('');
    expect(find(ofText(lines), 'no-relevant')).toMatchObject({ count: 9, examples: ['0', '1', '2', '3', '4'] });
  });
});

describe('runs', () => {
  const qrels = toQrels({ '1': { a: 1, b: 0 }, '2': { a: 1 } });
  const ofScores = (scores: Record<string, Record<string, number>>, cutoff?: number): AuditedFile =>
    auditRun('r', qrels, { run: toRun(scores), skipped: nothingSkipped }, { cutoff });

  test('a run without oddities', () => {
    expect(kinds(ofScores({ '1': { a: 2, b: 1 }, '2': { a: 3 } }, 1))).toEqual([]);
  });

  test('topics on one side only', () => {
    const file = ofScores({ '1': { a: 2, b: 1 }, '7': { a: 3 } }, 1);
    expect(find(file, 'unanswered-topics')).toMatchObject({ severity: 'warning', count: 1, of: 2, examples: ['2'] });
    expect(find(file, 'unanswered-topics').sentence).toMatch(/counted as an empty ranking by gradus.*left out of the mean by trec_eval/);
    expect(find(file, 'unjudged-topics')).toMatchObject({ severity: 'info', count: 1, of: 2, examples: ['7'] });
  });

  test('no topic in common is an error', () => {
    expect(find(ofScores({ '7': { a: 3 } }, 1), 'unjudged-topics').severity).toBe('error');
  });

  test('lists shorter than the cutoff, and what tools make of them', () => {
    const finding = find(ofScores({ '1': { a: 2, b: 1 }, '2': { a: 3 } }, 2), 'short-lists');
    expect(finding).toMatchObject({ severity: 'warning', count: 1, of: 2, examples: ['2'] });
    expect(finding.sentence).toMatch(
      /^1 of 2 queries retrieves fewer than 2 documents\. nDCG@2 counts them as they are by .*; as 0 by letor3, letor4 and mslr\./,
    );
    expect(finding.sentence).toMatch(
      /P@2 is divided by the cutoff by .*; 0 by letor2 and letor3; divided by the length of the list by ranklib/,
    );
    expect(finding.recommendation).toContain('(letor3, letor4 and mslr)');
  });

  test('what is said of training by such rules is what the registered claims found, and no more', () => {
    const { recommendation = '' } = find(ofScores({ '1': { a: 2, b: 1 }, '2': { a: 3 } }, 2), 'short-lists');
    expect(recommendation).toContain('gradus help audit');
    const mq2008 = claimOf('headline-numbers', 'N1').numbers?.find(({ part }) => part === 'MQ2008');
    expect(Number(mq2008?.letor4) / Number(mq2008?.emptyAs0)).toBeLessThan(0.5);
    expect(recommendation).toContain('more than halves nDCG@10');
    // a verdict on one of these claims would have to be said here
    for (const id of ['A9b', 'A11'])
      expect(['not yet run', 'inconclusive with this data']).toContain(claimOf('evaluation-rules', id).verdict);
    expect(recommendation).toContain('is not decided');
    expect(recommendation).not.toMatch(/do not train|never train|avoid|mislead|harm|significantly/i);
  });

  test('ties with the bounds of the measures over their orders', () => {
    // topic 1: a and b tie, so nDCG is 1 or 1/log2(3), and AP 1 or 1/2; topic 2 has 1 in any case
    const finding = find(ofScores({ '1': { a: 1, b: 1 }, '2': { a: 3 } }, 5), 'ties');
    expect(finding).toMatchObject({ severity: 'warning', count: 2, of: 3, examples: ['1'] });
    expect(finding.details?.groups).toBe(1);
    expect(finding.details?.['nDCG@5 at least']).toBeCloseTo((1 + 1 / Math.log2(3)) / 2, 12);
    expect(finding.details?.['nDCG@5 at most']).toBe(1);
    expect(finding.details?.['AP at least']).toBe(0.75);
    expect(finding.details?.['AP at most']).toBe(1);
    expect(finding.sentence).toContain('nDCG@5 lies between 0.8155 and 1.0000, and AP lies between 0.7500 and 1.0000');
  });

  test('a measure that ties do not move is reported with its one value', () => {
    // topic 1 begins with b, which is not relevant; a comes second or third, so AP is 1/2 or 1/3
    const finding = find(ofScores({ '1': { b: 9, a: 1, x: 1 }, '2': { a: 3 } }, 1), 'ties');
    expect(finding.sentence).toContain('nDCG@1 is 0.5000 in any case, and AP lies between 0.6667 and 0.7500.');
  });

  test('ties that move nothing are no warning', () => {
    const finding = find(ofScores({ '1': { a: 5, b: 1, c: 1 }, '2': { a: 3 } }, 5), 'ties');
    expect(finding).toMatchObject({ severity: 'info', count: 2, of: 4, recommendation: undefined });
  });

  test('scores that are equal in 32 bits only', () => {
    const file = ofScores({ '1': { a: 16777217, b: 16777216 }, '2': { a: 3, b: 3 } }, 1);
    expect(find(file, 'ties-in-32-bits')).toMatchObject({ severity: 'info', count: 2, of: 4, examples: ['1'] });
  });

  test('unjudged documents at each depth', () => {
    // topic 1: a judged at rank 1, five unjudged below; of topic 2 only a
    const scores = { '1': { a: 9, u: 8, v: 7, w: 6, x: 5, y: 4 }, '2': { a: 1 } };
    const finding = find(ofScores(scores, 1), 'unjudged');
    expect(finding).toMatchObject({ severity: 'info', count: 0, of: 2, examples: [] });
    expect(finding.details).toEqual({ 'share@1': 0, 'share@5': 4 / 6, 'share@10': 5 / 7, 'share@20': 5 / 7, 'share@100': 5 / 7 });
    expect(find(ofScores(scores, 10), 'unjudged')).toMatchObject({ severity: 'warning', count: 5, of: 7, examples: ['1'] });
  });

  test('ranks that contradict scores', () => {
    const text = '1 Q0 a 1 3 t\n1 Q0 b 3 2 t\n1 Q0 c 2 1 t\n2 Q0 a 1 5 t\n2 Q0 b 1 4 t\n2 Q0 c 3 4 t\n';
    const file = auditRun('r', qrels, parseTrecRun(text, { ranks: true }));
    // topic 1: c is second by rank and third by score; topic 2: b has the rank of a
    expect(find(file, 'rank-conflicts')).toMatchObject({ severity: 'warning', count: 2, of: 6, examples: ['1', '2'] });
    const agreeing = parseTrecRun('1 Q0 a 0 3 t\n1 Q0 b 7 2 t\n1 Q0 c 5 3 t\n', { ranks: true });
    expect(kinds(auditRun('r', qrels, agreeing))).not.toContain('rank-conflicts');
  });

  test('duplicates and NaN', () => {
    const reading = parseTrecRun('1 Q0 a 1 3 t\n1 Q0 a 2 2 t\n1 Q0 b 3 nan t\n', { lenient: true });
    const file = auditRun('r', qrels, reading);
    expect(find(file, 'duplicates')).toMatchObject({ severity: 'error', count: 1, of: 3 });
    expect(find(file, 'non-finite')).toMatchObject({ severity: 'error', count: 1, of: 3 });
  });
});

describe('counts are those of comparing every document with every other', () => {
  const number = fc.constantFrom(1, 2, 3, 4, 16777216, 16777217);
  const row: fc.Arbitrary<Row> = fc.record({ topic: fc.constantFrom('1', '2', '3'), score: number, rank: fc.integer({ min: 0, max: 6 }) });
  const rowsArbitrary = fc.array(row, { minLength: 1, maxLength: 25 });

  test.each<[Finding['kind'], (a: Row, b: Row) => boolean]>([
    ['ties', (a, b) => a.score === b.score],
    ['rank-conflicts', (a, b) => b.score > a.score && b.rank >= a.rank],
  ])('%s', (kind, concerns) => {
    fc.assert(
      fc.property(rowsArbitrary, (rows) => {
        const run = toRun(rows.map((each, i) => ({ ...each, doc: `d${i}` })));
        const file = auditRun('r', toQrels({ '1': { d0: 1 } }), { run, skipped: nothingSkipped });
        const slow = rows.filter((a, i) => rows.some((b, j) => i !== j && a.topic === b.topic && concerns(a, b))).length;
        expect(file.findings.find((finding) => finding.kind === kind)?.count ?? 0).toBe(slow);
      }),
    );
  });
});

describe('learning-to-rank sets', () => {
  const ofText = (text: string, cutoff = 1): AuditedFile => auditTestSet('t', parseLetor(text, auditLetorOptions), { cutoff });

  test('a set without oddities', () => {
    const file = ofText('1 qid:1 1:1 2:5\n0 qid:1 1:2 2:4\n');
    expect(kinds(file)).toEqual(['grades']);
    expect(file.size).toBe('1 query, 2 documents, 2 features');
  });

  test('empty, short and one-document queries', () => {
    const file = ofText('1 qid:1 1:1\n0 qid:1 1:2\n0 qid:2 1:1\n', 2);
    expect(find(file, 'no-relevant')).toMatchObject({ count: 1, of: 2, examples: ['2'] });
    expect(find(file, 'short-lists')).toMatchObject({ count: 1, of: 2, examples: ['2'] });
    expect(find(file, 'one-document')).toMatchObject({ count: 1, of: 2, examples: ['2'] });
    expect(find(file, 'protocol').recommendation).toContain('Report nDCG@2 by its definition');
  });

  test('labels without a gain in some tool', () => {
    const file = ofText('3 qid:1 1:1\n5 qid:1 1:2\n2 qid:1 1:3\n0 qid:1 1:4\n');
    expect(find(file, 'labels-outside-table')).toMatchObject({
      severity: 'warning',
      count: 2,
      of: 4,
      examples: ['line 1', 'line 2'],
      details: { letor2: 2, letor3: 2, letor4: 2, mslr: 1 },
    });
    expect(find(file, 'labels-outside-table').sentence).toContain('2 by letor2, letor3 and letor4; 1 by mslr.');
  });

  test('negative and fractional labels, unreadable lines, repeated documents', () => {
    const file = ofText('-1 qid:1 1:1 # docid = a\n0.5 qid:1 1:2 # docid = a\nx qid:1 1:3\n1 qid:1 1:5\n');
    expect(find(file, 'negative-grades')).toMatchObject({ count: 1, of: 3, examples: ['line 1'] });
    expect(find(file, 'fractional-grades')).toMatchObject({ count: 1, of: 3, examples: ['line 2'] });
    expect(find(file, 'unreadable-lines')).toMatchObject({ severity: 'error', count: 1, of: 4 });
    expect(find(file, 'duplicates')).toMatchObject({ severity: 'error', count: 1, of: 3, examples: ['line 2: query 1, document a'] });
  });

  test('split queries, with a line between them left out or not', () => {
    expect(find(ofText('1 qid:1 1:1\n1 qid:2 1:2\n1 qid:1 1:3\n'), 'split-queries')).toMatchObject({ count: 1, of: 2, examples: ['1'] });
    expect(kinds(ofText('1 qid:1 1:1\nbroken\n1 qid:1 1:3\n'))).not.toContain('split-queries');
  });

  const oddFeatures = '1 qid:1 1:7 2:0 3:nan 5:1\n0 qid:1 1:7 2:inf 5:1\n';
  test.each([
    ['few cells given', `${oddFeatures}0 qid:1 1:7\n0 qid:1 1:7\n0 qid:1 1:7\n`, 10, ['1'], ['3', '4']],
    ['most cells given', oddFeatures, 7, ['1', '5'], ['3', '4']],
  ])('features that are constant, never given or not finite, with %s', (_, text, numGiven, constant, never) => {
    const file = ofText(text);
    // feature 5 is constant only where no line leaves it out, which makes it 0
    expect(find(file, 'constant-features').examples).toEqual(constant);
    expect(find(file, 'features-never-given').examples).toEqual(never);
    expect(find(file, 'non-finite')).toMatchObject({ severity: 'error', count: 2, of: numGiven, details: { nan: 1, infinite: 1 } });
  });

  test('predictions that are not finite, and ties', () => {
    const { matrix } = parseLetor('1 qid:1 1:1\n0 qid:1 1:2\n0 qid:1 1:1\n', auditLetorOptions);
    const file = auditPredictions('p', matrix, Float64Array.of(2, 2, Number.NaN));
    expect(find(file, 'non-finite')).toMatchObject({
      severity: 'error',
      count: 1,
      of: 3,
      examples: ['line 3'],
      details: { nan: 1, infinite: 0 },
    });
    // the relevant document is first or second
    expect(find(file, 'ties').details).toMatchObject({ 'AP at least': 0.5, 'AP at most': 1 });
    const infinite = auditPredictions('p', matrix, Float64Array.of(3, 2, Number.POSITIVE_INFINITY));
    expect(find(infinite, 'non-finite')).toMatchObject({ severity: 'warning', count: 1, examples: ['line 3'] });
  });
});
