import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { commentField, queryText } from '../../core/feature-matrix.js';
import { parseFeatureParquet } from './feature-parquet.js';

function written(): ArrayBuffer {
  return parquetWriteBuffer({
    columnData: [
      { name: 'qid', data: ['a', 'a', 'b'], type: 'STRING' },
      { name: 'docno', data: ['x', 'y', 'z'], type: 'STRING' },
      { name: 'label', data: [2, 0, 1], type: 'INT32' },
      { name: 'bm25', data: [1.5, null, 3], type: 'DOUBLE' },
      { name: 'clicks', data: [7n, 8n, 9n], type: 'INT64' },
    ],
  });
}

describe('parseFeatureParquet(file)', () => {
  it('reads queries, labels, documents, features and missing values', async () => {
    const { matrix } = await parseFeatureParquet(written());
    expect([0, 1].map((q) => queryText(matrix, q))).toEqual(['a', 'b']);
    expect([...matrix.labels]).toEqual([2, 0, 1]);
    expect(matrix.features?.names).toEqual(['bm25', 'clicks']);
    expect([...matrix.features!.values]).toEqual([1.5, 7, Number.NaN, 8, 3, 9]);
    expect(commentField(matrix, 2, 'docid')).toBe('z');
  });

  it('says what is wrong with a damaged file', async () => {
    await expect(parseFeatureParquet(written().slice(0, 60), { source: 'x.parquet' })).rejects.toThrow(
      /^x\.parquet: cannot be read as Parquet: .*; the file is damaged or incomplete/,
    );
  });
});
