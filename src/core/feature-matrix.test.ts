import { describe, expect, test } from 'vitest';
import {
  commentField,
  commentText,
  type FeatureMatrix,
  featureValue,
  inRowOrder,
  numQueries,
  queryText,
  type SparseFeatures,
  toDense,
} from './feature-matrix.js';
import { IdTable } from './ids.js';

/** Three rows in two lists; row 1 came from the third data line, row 2 from the second. */
const comment = 'docid = GX-1 inc = 0.5 docid = GX-2';
const matrix: FeatureMatrix = {
  numRows: 3,
  numRecords: 4,
  queryOffsets: Uint32Array.of(0, 2, 3),
  queries: IdTable.of(['10', '2']),
  queryOf: Uint32Array.of(0, 1),
  labels: Float64Array.of(2, 0, 1),
  lines: Uint32Array.of(1, 3, 2),
  records: Uint32Array.of(0, 2, 1),
  comments: { bytes: new TextEncoder().encode(comment), offsets: Uint32Array.of(0, comment.length, comment.length, comment.length) },
  features: undefined,
};

const sparse: SparseFeatures = {
  layout: 'sparse',
  numFeatures: 4,
  firstFeature: 1,
  numGiven: 3,
  rowOffsets: Uint32Array.of(0, 2, 2, 3),
  columns: Uint32Array.of(1, 3, 0),
  values: Float32Array.of(1.5, 2.5, 3.5),
};

test('queryText(matrix, q) is the id of list q', () => {
  expect(Array.from({ length: numQueries(matrix) }, (_, q) => queryText(matrix, q))).toEqual(['10', '2']);
});

describe('comments', () => {
  test('commentField finds the first value of that name', () => {
    expect(commentField(matrix, 0, 'docid')).toBe('GX-1');
    expect(commentField(matrix, 0, 'inc')).toBe('0.5');
    expect(commentField(matrix, 0, '=')).toBeUndefined();
    expect(commentField(matrix, 1, 'docid')).toBeUndefined();
  });

  test('there are none where none were kept', () => {
    expect(commentText({ ...matrix, comments: undefined }, 0)).toBe('');
    expect(commentField({ ...matrix, comments: undefined }, 0, 'docid')).toBeUndefined();
  });
});

describe('inRowOrder', () => {
  test('follows the rows', () => {
    expect([...inRowOrder(matrix, Float64Array.of(10, 11, 12, 13))]).toEqual([10, 12, 11]);
    expect([...inRowOrder({ ...matrix, records: undefined, numRecords: 3 }, Float64Array.of(10, 11, 12))]).toEqual([10, 11, 12]);
  });

  test('wants as many numbers as there are data lines', () => {
    expect(() => inRowOrder(matrix, Float64Array.of(1, 2, 3))).toThrow('expected 4 numbers, one for each data line, found 3');
    expect(() => inRowOrder(matrix, new Float64Array(5))).toThrow('found 5; check that both files belong together');
    expect([...inRowOrder(matrix, Float64Array.of(10, 11, 12, 13, 14), 'ignore')]).toEqual([10, 12, 11]);
  });
});

test('featureValue and toDense see the same cells', () => {
  const dense = toDense(sparse, -1);
  expect(dense.values).toEqual(Float32Array.of(-1, 1.5, -1, 2.5, -1, -1, -1, -1, 3.5, -1, -1, -1));
  expect(toDense(dense)).toBe(dense);
  for (let row = 0; row < 3; row++) {
    for (let column = -1; column <= 4; column++) expect(featureValue(dense, row, column, -1)).toBe(featureValue(sparse, row, column, -1));
  }
  expect(featureValue(sparse, 2, 0)).toBe(3.5);
  expect(featureValue(sparse, 1, 0)).toBe(0);
});
