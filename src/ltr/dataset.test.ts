import { describe, expect, it } from 'vitest';
import { parseLetor } from '../formats/letor/reader.js';
import { checkData, fitNormalisation, hasMissingCells, normaliseMatrix, notesOnData, withColumnsOf, withMissingCells } from './dataset.js';
import { fingerprintOf } from './fingerprint.js';

const text = `2 qid:a 1:1 2:5 3:4
0 qid:a 1:3 2:5 3:-4
1 qid:b 1:2 2:5
0 qid:c 1:6 2:5 3:2
0 qid:c 1:8 2:5 3:6
`;
const read = (content: string) => parseLetor(content, { features: 'dense' }).matrix;
const cellsOf = (matrix: ReturnType<typeof read>): number[] => [...matrix.features!.values];

describe('fitNormalisation and normaliseMatrix', () => {
  it('zscore takes mean and deviation (over n - 1) of all training documents, and makes constant features 0', () => {
    const matrix = read(text);
    const scale = fitNormalisation(matrix, 'zscore');
    // feature 1: 1 3 2 6 8, mean 4, squares 9 + 1 + 4 + 4 + 16 = 34, deviation sqrt(34 / 4)
    const deviation = Math.sqrt(34 / 4);
    const cells = cellsOf(normaliseMatrix(matrix, scale));
    for (const [row, distance] of [-3, -1, -2, 2, 4].entries()) expect(cells[3 * row]).toBeCloseTo(distance / deviation, 15);
    expect([1, 4, 7, 10, 13].map((i) => cells[i])).toEqual([0, 0, 0, 0, 0]);
  });

  it('minmax maps the least to 0 and the greatest to 1, and carries on beyond in other data', () => {
    const matrix = read(text);
    const scale = fitNormalisation(matrix, 'minmax');
    const cells = cellsOf(normaliseMatrix(matrix, scale));
    for (const [row, share] of [0, 2 / 7, 1 / 7, 5 / 7, 1].entries()) expect(cells[3 * row]).toBeCloseTo(share, 15);
    expect(cellsOf(normaliseMatrix(read('1 qid:z 1:15 2:5 3:6\n'), scale))).toEqual([2, 0, 1]);
  });

  it('query-sum, query-zscore and query-minmax look at one query at a time, as RankLib does', () => {
    const matrix = read(text);
    const by = (name: 'query-sum' | 'query-zscore' | 'query-minmax') => cellsOf(normaliseMatrix(matrix, fitNormalisation(matrix, name)));
    expect(by('query-sum').slice(0, 6)).toEqual([1 / 4, 1 / 2, 1 / 2, 3 / 4, 1 / 2, -1 / 2]);
    expect(by('query-minmax').slice(0, 6)).toEqual([0, 0, 1, 1, 0, 0]);
    // 1 and 3: mean 2, deviation sqrt(2); a constant is left alone, and so is a query of one document
    const zscore = by('query-zscore');
    expect(zscore[0]).toBeCloseTo(-1 / Math.sqrt(2), 15);
    expect(zscore.slice(1, 2)).toEqual([5]);
    expect(zscore.slice(6, 9)).toEqual([2, 5, 0]);
  });

  it('missing cells stay missing and count for nothing', () => {
    const matrix = withMissingCells(parseLetor(text, { features: 'sparse' }).matrix);
    const scale = fitNormalisation(matrix, 'minmax', Number.NaN);
    const cells = cellsOf(normaliseMatrix(matrix, scale, Number.NaN));
    for (const [row, share] of [0.8, 0, Number.NaN, 0.6, 1].entries()) {
      if (Number.isNaN(share)) expect(cells[3 * row + 2]).toBeNaN();
      else expect(cells[3 * row + 2]).toBeCloseTo(share, 15);
    }
  });
});

describe('withColumnsOf(matrix, train)', () => {
  it('fills features at the end that the other data does not mention', () => {
    const other = withColumnsOf(read('1 qid:z 1:9\n'), read(text), 'validation');
    expect(cellsOf(other)).toEqual([9, 0, 0]);
  });

  it('refuses features that the training data does not have', () => {
    expect(() => withColumnsOf(read('1 qid:z 4:1\n'), read(text), 'validation')).toThrow(
      'the validation data has features up to 4, the training data up to 3',
    );
    const fromZero = parseLetor('1 qid:z 0:1 1:2 2:3\n', { firstFeature: 0 }).matrix;
    expect(() => withColumnsOf(fromZero, read(text), 'test')).toThrow('the test data counts its features from 0, the training data from 1');
  });

  it('finds columns by name', () => {
    const named = (content: string, featureNames: string[]) => parseLetor(content, { features: 'dense', featureNames }).matrix;
    const train = named('1 qid:a 1:1 2:2\n', ['bm25', 'pagerank']);
    expect(cellsOf(withColumnsOf(named('1 qid:z 1:7 2:8 3:9\n', ['pagerank', 'age', 'bm25']), train, 'test'))).toEqual([9, 7]);
    expect(() => withColumnsOf(named('1 qid:z 1:7\n', ['pagerank']), train, 'test')).toThrow('the test data has no feature bm25');
  });
});

describe('notesOnData(matrix) and checkData(matrix)', () => {
  it('tells constant features, single documents and equal labels', () => {
    expect(notesOnData(read(text))).toEqual([
      'feature 2 is the same for every document, and cannot tell documents apart',
      '1 query (b) of one document, which no ranking can change',
      '1 query (c) whose documents all have the same label, and teach nothing',
    ]);
    expect(notesOnData(read('1 qid:a 1:1\n0 qid:a 1:2\n'))).toEqual([]);
  });

  it('finds a cell that is infinite or missing wherever it stands', () => {
    for (let numCells = 1; numCells <= 9; numCells++) {
      const { matrix } = parseLetor(`${Array.from({ length: numCells }, (_, row) => `0 qid:1 1:${row - 4}`).join('\n')}\n`);
      expect(hasMissingCells(matrix)).toBe(false);
      checkData(matrix, 'training');
      const { values } = matrix.features!;
      for (let cell = 0; cell < numCells; cell++) {
        const before = values[cell];
        values[cell] = Number.NaN;
        expect(hasMissingCells(matrix)).toBe(true);
        checkData(matrix, 'training');
        for (const infinite of [Infinity, -Infinity]) {
          values[cell] = infinite;
          expect(hasMissingCells(matrix)).toBe(false);
          expect(() => checkData(matrix, 'training')).toThrow(`line ${cell + 1} of the training data has an infinite feature`);
        }
        values[cell] = before;
      }
    }
  });

  it('refuses infinite features and says where they are', () => {
    const infinite = parseLetor('1 qid:a 1:1\n0 qid:a 1:inf\n', { nonFinite: true, features: 'sparse' }).matrix;
    expect(() => checkData(infinite, 'training')).toThrow('line 2 of the training data has an infinite feature');
    expect(() => checkData(read('1 qid:a\n'), 'training')).toThrow('the training data has no features');
  });
});

describe('fingerprintOf(matrix)', () => {
  it('is the same for dense and sparse, and another if anything differs', () => {
    const sparse = parseLetor(text, { features: 'sparse' }).matrix;
    expect(fingerprintOf(read(text))).toBe(fingerprintOf(sparse));
    expect(fingerprintOf(sparse)).toMatch(/^[0-9a-f]{16}$/);
    const changed = [
      text.replace('2 qid', '1 qid'),
      text.replace('qid:b', 'qid:d'),
      text.replace('3:4', '3:4.001'),
      text.replace('1:8', '2:8'),
    ];
    const prints = new Set(
      changed.map((content) => fingerprintOf(parseLetor(content.replace('2:8 2:5', '2:8'), { features: 'sparse' }).matrix)),
    );
    expect(prints.size).toBe(4);
    expect(prints.has(fingerprintOf(sparse))).toBe(false);
  });
});
