import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { letorOptions, letorText } from '../../../test/helpers/letor-texts.js';
import { slowLetor } from '../../../test/helpers/slow-letor.js';
import {
  commentField,
  commentText,
  type FeatureMatrix,
  featureValue,
  inRowOrder,
  numQueries,
  queryText,
  toDense,
} from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { LetorOptions } from './options.js';
import { createLetorReader, parseLetor } from './reader.js';

function matrixOf(text: string, options: LetorOptions = {}): FeatureMatrix {
  return parseLetor(text, options).matrix;
}

/** Lists as [query, [label, label, …]]. */
function labelsByQuery(matrix: FeatureMatrix): [string, number[]][] {
  return Array.from({ length: numQueries(matrix) }, (_, q) => {
    return [queryText(matrix, q), [...matrix.labels.subarray(matrix.queryOffsets[q], matrix.queryOffsets[q + 1])]];
  });
}

function problemsOf(text: string, options: LetorOptions = {}): string[] {
  try {
    parseLetor(text, { source: 'train.txt', ...options });
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
  return [];
}

const letor4 = `2 qid:10032 1:0.056537 2:0.000000 3:0.666667 #docid = GX029-35-5894638 inc = 0.0119881192468859 prob = 0.139842\r
0 qid:10032 1:0.279152 2:0.5 3:1 #docid = GX030-77-6315042 inc = 1 prob = 0.341364\r
1 qid:10 1:-3 2:1e-3 3:0.25 #docid = GX140-98-13566007 inc = 1 prob = 0.0701303\r
`;

describe('parseLetor', () => {
  test('reads a LETOR 4.0 file with Windows line ends', () => {
    const matrix = matrixOf(letor4);
    expect(labelsByQuery(matrix)).toEqual([
      ['10032', [2, 0]],
      ['10', [1]],
    ]);
    expect(matrix.features).toMatchObject({ layout: 'dense', numFeatures: 3, firstFeature: 1, numGiven: 9 });
    expect([...matrix.features!.values]).toEqual([0.056537, 0, 0.666667, 0.279152, 0.5, 1, -3, 0.001, 0.25]);
    expect(commentText(matrix, 0)).toBe('docid = GX029-35-5894638 inc = 0.0119881192468859 prob = 0.139842');
    expect([0, 1, 2].map((row) => commentField(matrix, row, 'docid'))).toEqual([
      'GX029-35-5894638',
      'GX030-77-6315042',
      'GX140-98-13566007',
    ]);
    expect(commentField(matrix, 2, 'prob')).toBe('0.0701303');
    expect(commentField(matrix, 2, 'rank')).toBeUndefined();
  });

  test('skips blank lines and comment lines, and remembers line numbers', () => {
    const matrix = matrixOf('# a file\n\n1 qid:1 1:5\n  \t\r\n0 qid:1 1:6 # last, without line end');
    expect([...matrix.lines]).toEqual([3, 5]);
    expect(matrix.records).toBeUndefined();
    expect(commentText(matrix, 0)).toBe('');
    expect(commentText(matrix, 1)).toBe(' last, without line end');
  });

  test('keeps sparse rows sparse, in ascending order of features', () => {
    const matrix = matrixOf('1 qid:1 900:3 2:1\n0.14 qid:1\n-1 qid:1 7:0.5\n');
    expect(matrix.features).toEqual({
      layout: 'sparse',
      numFeatures: 900,
      firstFeature: 1,
      numGiven: 3,
      names: undefined,
      rowOffsets: Uint32Array.of(0, 2, 2, 3),
      columns: Uint32Array.of(1, 899, 6),
      values: Float64Array.of(1, 3, 0.5),
    });
    expect([...matrix.labels]).toEqual([1, 0.14, -1]);
    expect(featureValue(matrix.features!, 0, 899)).toBe(3);
    expect(featureValue(matrix.features!, 0, 6, -5)).toBe(-5);
    expect(toDense(matrix.features!).values[1]).toBe(1);
  });

  test('fills what a line leaves out with the value asked for', () => {
    const text = '1 qid:1 1:1 2:2 3:3\n0 qid:1 1:4 3:6\n';
    expect([...matrixOf(text).features!.values]).toEqual([1, 2, 3, 4, 0, 6]);
    expect([...matrixOf(text, { missing: Number.NaN }).features!.values]).toEqual([1, 2, 3, 4, Number.NaN, 6]);
    expect(matrixOf(text).features!.numGiven).toBe(5);
  });

  test('brings the lines of one query together, and their predictions with them', () => {
    const text = '1 qid:b 1:1 #p\n2 qid:a 1:2 #q\n3 qid:b 1:3 #r\n';
    const grouped = matrixOf(text);
    expect(labelsByQuery(grouped)).toEqual([
      ['b', [1, 3]],
      ['a', [2]],
    ]);
    expect([...grouped.lines]).toEqual([1, 3, 2]);
    expect([...inRowOrder(grouped, Float64Array.of(0.1, 0.2, 0.3))]).toEqual([0.1, 0.3, 0.2]);
    expect([0, 1, 2].map((row) => commentText(grouped, row))).toEqual(['p', 'r', 'q']);
    expect([...grouped.features!.values]).toEqual([1, 3, 2]);
  });

  test('starts a new list at every change of the id when asked to', () => {
    const matrix = matrixOf('1 qid:b\n2 qid:a\n3 qid:b\n', { scattered: 'split' });
    expect(labelsByQuery(matrix)).toEqual([
      ['b', [1]],
      ['a', [2]],
      ['b', [3]],
    ]);
    expect(matrix.queries.size).toBe(2);
  });

  test('takes group sizes for files without query ids', () => {
    const matrix = matrixOf('1 0:5 3:2\n0 1:1\n2\n', { groupSizes: [2, 1], firstFeature: 0, features: 'dense' });
    expect(labelsByQuery(matrix)).toEqual([
      ['1', [1, 0]],
      ['2', [2]],
    ]);
    expect([...matrix.features!.values]).toEqual([5, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0]);
    for (const groupSizes of [[3, -2], [0.5, 0.5], [2 ** 32 + 1], [Number.NaN]]) {
      expect(problemsOf('1 1:5\n', { groupSizes })[0]).toMatch(/group size/);
    }
    expect(problemsOf('1 1:5\n', { groupSizes: [2] })).toEqual([
      'train.txt: the group sizes add up to 2 rows, found 1; check that the group file belongs to this feature file',
    ]);
  });

  test('leaves features unread when they are not asked for', () => {
    const matrix = matrixOf('1 qid:1 whatever stands here #docid = 7\n0 qid:2\n', { features: false });
    expect(matrix.features).toBeUndefined();
    expect(labelsByQuery(matrix)).toEqual([
      ['1', [1]],
      ['2', [0]],
    ]);
    expect(commentField(matrix, 0, 'docid')).toBe('7');
    expect(matrixOf('1 qid:1 #docid = 7\n', { features: false, comments: false }).comments).toBeUndefined();
  });

  test('says what is wrong, line by line', () => {
    const text =
      'x qid:1 1:1\n1 1:1\n1 qid: 1:1\n1 qid:1 1=1\n1 qid:1 0:1\n1 qid:1 1:one\n1 qid:1 1:nan\n1 qid:1 2:1 2:2\n1 qid:1 1:1\n1\n1 qid:1 1:-inf\n1 qid:1 1:1e999\n';
    expect(problemsOf(text)).toEqual([
      'train.txt:1: expected a number as label, found "x"; --lenient skips such lines',
      'train.txt:2: expected qid: and an id after the label, found "1:1"; write qid: and the id of the query behind each label, or the number of rows of each query to a file of the same name with .query behind it',
      'train.txt:3: expected qid: and an id after the label, found "qid:"; write qid: and the id of the query behind each label, or the number of rows of each query to a file of the same name with .query behind it',
      'train.txt:4: expected feature:value, found "1=1"; --lenient skips such lines',
      'train.txt:5: expected feature ids from 1 on, found "0:1"; number the features from 1 (in scikit-learn: zero_based=False), or have gradus train and score count from 0: --first-feature 0',
      'train.txt:6: expected a number as feature 1, found "one"; --lenient skips such lines',
      'train.txt:7: expected a number as feature 1, found "nan"; --missing nan takes it for an unknown value',
      'train.txt:8: expected each feature once, found 2 twice; --lenient skips such lines',
      'train.txt:10: expected qid: and an id after the label, found nothing; write qid: and the id of the query behind each label, or the number of rows of each query to a file of the same name with .query behind it',
      'train.txt:11: expected a number as feature 1, found "-inf"; correct it, or leave it out and call it missing with --missing nan',
      'train.txt:12: expected a number as feature 1, found "1e999"; correct it, or leave it out and call it missing with --missing nan',
    ]);
    expect(problemsOf('1 qid:1 5:1\n', { numFeatures: 4 })).toEqual([
      'train.txt:1: expected feature ids up to 4, found 5; --lenient skips such lines',
    ]);
    expect(problemsOf('1 qid:1\n1 qid:2\n1 qid:1\n', { scattered: 'refuse' })).toEqual([
      'train.txt:3: expected the lines of each query to stand together, found "1"; --lenient skips such lines',
    ]);
  });

  test('skips and counts bad lines when lenient; predictions still find their rows', () => {
    const { matrix, skipped } = parseLetor('1 qid:1 1:1\nbad\n0 qid:1 1:2\n', { lenient: true });
    expect(skipped.count).toBe(1);
    expect([...inRowOrder(matrix, Float64Array.of(0.1, 0.2, 0.3))]).toEqual([0.1, 0.3]);
  });

  test('refuses an empty file unless asked to accept it', () => {
    expect(problemsOf('')).toEqual(['train.txt: holds no lines; expected lines of label, qid:id and feature:value']);
    const matrix = matrixOf('', { allowEmpty: true });
    expect([matrix.numRows, numQueries(matrix), matrix.features?.numFeatures]).toEqual([0, 0, 0]);
  });

  test('refuses a dense layout that would not fit', () => {
    expect(problemsOf(`1 qid:1 1000000:1\n${'1 qid:1\n'.repeat(2999)}`, { features: 'dense' })).toEqual([
      'train.txt: expected at most 2147483648 cells, found 3000 rows of 1000000 features; the sparse layout has room for them',
    ]);
  });

  test('takes a stricter grammar and another reading of labels', () => {
    const noCarriageReturn = (bytes: Uint8Array, start: number, end: number): string | undefined => {
      return end > start && bytes[end - 1] === 13 ? 'carriage return at the end' : undefined;
    };
    expect(problemsOf('1 qid:1\r\n\r\n1 qid:1\n', { checkLine: noCarriageReturn })).toEqual([
      'train.txt:1: carriage return at the end; --lenient skips such lines',
      'train.txt:2: carriage return at the end; --lenient skips such lines',
    ]);
    const oneDigit = (bytes: Uint8Array, start: number, end: number): number => (end - start === 1 ? bytes[start] - 48 : 0);
    expect([...matrixOf('2 qid:1\n02 qid:1\n', { readLabel: oneDigit }).labels]).toEqual([2, 0]);
  });

  test('grows over many rows and values', () => {
    const lines = Array.from({ length: 20_000 }, (_, row) => `${row % 5} qid:${row >> 4} 1:${row} 2:0.5 3:${row % 7}`);
    const matrix = matrixOf(`${lines.join('\n')}\n`);
    expect(matrix.numRows).toBe(20_000);
    expect(numQueries(matrix)).toBe(1250);
    expect(matrix.features!.values.length).toBe(60_000);
    for (const row of [0, 1, 12_345, 19_999])
      expect([...matrix.features!.values.subarray(3 * row, 3 * row + 3)]).toEqual([row, 0.5, row % 7]);
  });
});

describe('parseLetor agrees with reading by regular expressions', () => {
  test('whatever the options, whatever the pieces', () => {
    fc.assert(
      fc.property(letorText(12), letorOptions, fc.array(fc.nat({ max: 400 }), { maxLength: 4 }), (text, chosen, cuts) => {
        // a dense layout with feature 123456789 is refused
        const settings: LetorOptions =
          chosen.features === 'dense' && text.includes('123456789:') ? { ...chosen, features: 'auto' } : chosen;
        const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0) & 255);
        const latin = String.fromCharCode(...bytes);
        const reader = createLetorReader(settings);
        let from = 0;
        for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
          reader.push(bytes.subarray(from, Math.max(from, cut)));
          from = Math.max(from, cut);
        }
        const { matrix, skipped } = reader.finish();
        const slow = slowLetor(latin, settings);
        expect(skipped.problems.map((problem) => problem.line)).toEqual(slow.badLines);
        expect(labelsByQuery(matrix)).toEqual(slow.lists.map(({ query, rows }) => [query, rows.map(({ label }) => label)]));
        const rows = slow.lists.flatMap((list) => list.rows);
        expect([...matrix.lines]).toEqual(rows.map((row) => row.line));
        expect([...(matrix.records ?? rows.keys())]).toEqual(rows.map((row) => row.record));
        expect(rows.map((_, row) => commentText(matrix, row))).toEqual(rows.map(({ comment }) => (settings.comments ? comment : '')));
        const { features } = matrix;
        if (features === undefined) {
          expect(settings.features).toBe(false);
          return;
        }
        if (settings.features !== 'auto') expect(features.layout).toBe(settings.features);
        const first = settings.firstFeature ?? 1;
        const largest = Math.max(first - 1, ...rows.flatMap((row) => [...row.features.keys()]));
        expect(features.numFeatures).toBe(settings.numFeatures ?? largest + 1 - first);
        expect(features.numGiven).toBe(rows.reduce((sum, row) => sum + row.features.size, 0));
        const ids = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 123456789];
        const isColumn = (id: number): boolean => id >= first && id < first + features.numFeatures;
        expect(rows.map((_, index) => ids.map((id) => featureValue(features, index, id - first, settings.missing)))).toEqual(
          rows.map((row) => ids.map((id) => (isColumn(id) ? (row.features.get(id) ?? settings.missing) : settings.missing))),
        );
      }),
      { numRuns: 1500 },
    );
  });
});
