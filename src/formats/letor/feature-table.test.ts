import { describe, expect, it } from 'vitest';
import { commentField, featureValue, queryText } from '../../core/feature-matrix.js';
import { parseFeatureCsv, parseFeatureJson } from './feature-table.js';
import { parseLetor } from './reader.js';

const csv = `qid,docno,label,bm25,pagerank
q1,d1,2,7.5,0.1
q1,d2,0,3,
q2,d1,1,NA,0.4
q1,d3,1,1e1,0.3
`;

describe('parseFeatureCsv(content)', () => {
  const { matrix } = parseFeatureCsv(csv);

  it('groups rows by query, keeps names, documents and missing values', () => {
    expect([0, 1].map((q) => queryText(matrix, q))).toEqual(['q1', 'q2']);
    expect([...matrix.queryOffsets]).toEqual([0, 3, 4]);
    expect([...matrix.labels]).toEqual([2, 0, 1, 1]);
    expect([...matrix.lines]).toEqual([2, 3, 5, 4]);
    expect(matrix.features?.names).toEqual(['bm25', 'pagerank']);
    expect([...matrix.features!.values]).toEqual([7.5, 0.1, 3, Number.NaN, 10, 0.3, Number.NaN, 0.4]);
    expect(commentField(matrix, 2, 'docid')).toBe('d3');
  });

  it('reads semicolons and decimal commas, as spreadsheets write them', () => {
    const { matrix: same } = parseFeatureCsv(csv.replaceAll(',', ';').replaceAll('.', ','));
    expect([...same.features!.values]).toEqual([...matrix.features!.values]);
    expect([...same.labels]).toEqual([...matrix.labels]);
  });

  it('takes columns by name or number, and which are features', () => {
    const named = parseFeatureCsv('a,b,x,y\n1,q,5,6\n', { columns: { topic: 'b', label: 'a' }, features: ['y'] }).matrix;
    expect([queryText(named, 0), named.labels[0], named.features?.names]).toEqual(['q', 1, ['y']]);
    const counted = parseFeatureCsv('1;q;5;6\n', { columns: { topic: 2, label: 1 }, header: false, delimiter: ';' }).matrix;
    expect([queryText(counted, 0), counted.labels[0], counted.features?.names]).toEqual(['q', 1, undefined]);
    expect([...counted.features!.values]).toEqual([5, 6]);
  });

  it('reads data without labels where that is allowed', () => {
    expect([...parseFeatureCsv('qid,x\nq,1\n', { labelled: false }).matrix.labels]).toEqual([0]);
  });

  it.each([
    ['qid,x\nq,1\n', /input:1: expected columns for topic and label, found qid, x; say which they are: --columns label=NAME/],
    ['qid,label,memo\nq,1,http\n', /input:2: expected a number as memo, found "http"; --ignore memo leaves the column out/],
    ['qid,label,x\nq,1\n', /input:2: expected 3 fields as in the first line, found 2/],
    ['qid,label,x\nq,high,1\n', /input:2: expected a finite number as label, found "high"/],
    ['qid,label,x,x\nq,1,1,1\n', /input:1: has two columns called x/],
    ['qid,label,x\n,1,1\n', /input:2: expected a query id, found nothing/],
    ['qid,label,x\n', /holds nothing but a header/],
    ['qid,label\nq,1\n', /has no column left for a feature/],
    ['', /holds no lines/],
  ])('refuses %j', (content, sentence) => {
    expect(() => parseFeatureCsv(content)).toThrow(sentence);
  });

  it('ignores columns, and skips bad lines if lenient', () => {
    const { matrix: left, skipped } = parseFeatureCsv('qid,label,memo,x\nq,1,http,1\nq,?,http,2\n', { ignore: ['memo'], lenient: true });
    expect([left.numRows, left.features?.names, skipped.count]).toEqual([1, ['x'], 1]);
  });
});

describe('parseFeatureJson(content)', () => {
  const records = [
    { qid: 'q1', docid: 'd1', label: 2, features: { bm25: 7.5, pagerank: 0.1 } },
    { qid: 'q1', docid: 'd2', label: 0, features: { bm25: 3 } },
    { qid: 2, docid: 'd1', label: 1, features: { pagerank: 0.4, bm25: null } },
  ];
  const lines = records.map((record) => JSON.stringify(record)).join('\n');
  const flat = JSON.stringify(records.map(({ features, ...rest }) => ({ ...rest, ...features })));

  it.each([
    ['lines', lines],
    ['an array', JSON.stringify(records)],
    ['flat records', flat],
  ])('reads %s', (_, content) => {
    const { matrix } = parseFeatureJson(content);
    expect([0, 1].map((q) => queryText(matrix, q))).toEqual(['q1', '2']);
    expect(matrix.features?.names).toEqual(['bm25', 'pagerank']);
    expect([...matrix.features!.values]).toEqual([7.5, 0.1, 3, Number.NaN, Number.NaN, 0.4]);
    expect(commentField(matrix, 1, 'docid')).toBe('d2');
  });

  it('reads features as a list, and agrees with the same data in a LETOR file', () => {
    const { matrix } = parseFeatureJson('{"qid":"a","label":1,"features":[1,2.5]}\n{"qid":"a","label":0,"features":[3,4]}\n');
    const letor = parseLetor('1 qid:a 1:1 2:2.5\n0 qid:a 1:3 2:4\n').matrix;
    expect(matrix.features?.names).toBeUndefined();
    for (const row of [0, 1])
      for (const c of [0, 1]) expect(featureValue(matrix.features!, row, c)).toBe(featureValue(letor.features!, row, c));
    expect([...matrix.labels]).toEqual([...letor.labels]);
  });

  it.each([
    ['{"qid":"a"}', /input:1: has no field for the label/],
    ['{"label":1,"x":1}', /input:1: has no field for the query/],
    ['{"qid":"a","label":"b","x":1}', /expected a finite number as label/],
    ['{"qid":"a","label":1,"x":"text"}', /expected a number as x, found "text"; --ignore x leaves it out/],
    ['{"qid":', /input:1: is not JSON/],
    ['[{"qid":', /is not JSON/],
    ['7', /expected a record, found 7/],
  ])('refuses %j', (content, sentence) => {
    expect(() => parseFeatureJson(content)).toThrow(sentence);
  });

  it('takes no object for an id, and shows none as [object Object]', () => {
    const record = (qid: string): string => `{"qid":${qid},"label":1,"f":2}`;
    expect(() => parseFeatureJson(record('null'))).toThrow('input:1: has no field for the query; --columns topic=NAME says which it is');
    expect(() => parseFeatureJson(record('{"a":1}'))).toThrow('input:1: expected text or a number as qid, found an object');
    expect(() => parseFeatureJson(record('[1]'))).toThrow('input:1: expected text or a number as qid, found an array');
    expect(() => parseFeatureJson('{"qid":1,"label":1,"f":{"g":1}}')).toThrow(
      'expected a number as f, found an object; --ignore f leaves it out',
    );
    expect(() => parseFeatureJson('{"qid":1,"label":1,"":[1]}')).toThrow('expected a number as a feature without a name, found an array');
  });
});

describe('ids in JSON features', () => {
  const reading = (text: string): unknown => parseFeatureJson(text, { source: 'f.json' });

  it('are text or numbers', () => {
    expect(() => reading('{"qid": 1, "docid": [1], "label": 1, "x": 2}\n')).toThrow('expected text or a number as docid, found an array');
  });

  it('a text that is not JSON is reported in our own words', () => {
    expect(() => reading('{"qid": 1, "label" 1}\n')).toThrow(/f\.json:1: is not JSON: expected (a colon|:)/);
    expect(() => reading('[{"qid": 1,\n "label": 1}\n')).toThrow(/is not JSON: the text ends too early/);
    expect(() => reading('{"qid": 1, "label": NaN}\n')).toThrow(/it holds something that JSON does not have, such as NaN/);
  });
});
