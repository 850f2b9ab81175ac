import { describe, expect, test } from 'vitest';
import { type FeatureMatrix, featureValue, queryText } from '../core/feature-matrix.js';
import { parseLetor } from '../formats/letor/reader.js';
import { fingerprintOf } from './fingerprint.js';
import { joinFeatures } from './join-features.js';

const read = (text: string): FeatureMatrix => parseLetor(text).matrix;
const first = '2 qid:1 1:0.5 2:1 # a\n0 qid:1 1:0.25 2:2 # b\n1 qid:2 1:3 2:4 # c\n';
const second = '1 qid:3 1:7 2:8 3:9 # d\n0 qid:4 1:5 3:6 # e\n';

const join = (...texts: string[]): FeatureMatrix =>
  joinFeatures(
    texts.map((text, i) => ({ source: `${i + 1}.txt`, matrix: read(text) })),
    'training',
  );

describe('joinFeatures(parts, role)', () => {
  test('holds what the files would hold as one, in the order given', () => {
    const joined = join(first, second);
    const whole = read(first + second);
    expect(fingerprintOf(joined)).toBe(fingerprintOf(whole));
    expect([...joined.labels]).toEqual([2, 0, 1, 1, 0]);
    expect([...(joined.records ?? [])]).toEqual([0, 1, 2, 3, 4]);
    expect(joined.features?.numFeatures).toBe(3);
    expect(fingerprintOf(join(second, first))).toBe(fingerprintOf(read(second + first)));
  });

  test('fills features that only one file has', () => {
    const { features } = join(first, second);
    if (features === undefined) throw new Error('no features');
    expect(featureValue(features, 0, 2)).toBe(0);
    expect(featureValue(features, 3, 2)).toBe(9);
  });

  test('takes a file that was cut within a query for one', () => {
    const lines = (first + second).split('\n');
    const joined = join(lines.slice(0, 1).join('\n'), lines.slice(1).join('\n'));
    expect(fingerprintOf(joined)).toBe(fingerprintOf(read(first + second)));
    expect(queryText(joined, 0)).toBe('1');
    // documents are distinguished by their lines
    expect(joined.lines).toEqual(read(first + second).lines);
  });

  test('refuses a query that is elsewhere in two files', () => {
    expect(() => join(first, second, '1 qid:1 1:1\n')).toThrow(
      '3.txt: holds query 1, which 1.txt holds too; give different queries different ids, or put the documents of a query into one file',
    );
  });
});
