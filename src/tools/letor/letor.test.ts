import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slowLetorLine, slowLetorValues } from '../../../test/helpers/slow-letor-scripts.js';
import { letor2, letor3, letor4, letorScripts, mslr } from '../../conventions/letor-scripts.js';
import { DataLine } from './data-line.js';
import { evaluateQueries } from './evaluate.js';
import { upperTailOfT } from './ttest.js';

describe('data lines', () => {
  const pieces = ['0', '12', ' ', '  ', '\t', 'qid:', '7', 'x', '#docid = ', '#docid =', 'D-1', ' inc = ', ' prob = ', '1:0.5', '\r', '#'];
  const nearlyRight = ['0 qid:7', ' 1:0.5 ', '#docid = D-1', ' inc = 1', ' prob = 0.5', ...pieces];

  test.each(letorScripts)('$name reads what the pattern matches', (script) => {
    const line = new DataLine(script.line);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...nearlyRight), { maxLength: 8 }), (words) => {
        const text = words.join('');
        const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
        const found = line.read(bytes, 0, bytes.length);
        const expected = slowLetorLine(script.name, text);
        expect(found).toBe(expected !== undefined);
        if (expected === undefined) return;
        expect(text.slice(line.queryStart, line.queryEnd)).toBe(expected.query);
        expect(line.label).toBe(expected.label.length === 1 ? Number(expected.label) : -1);
        if (script.line.keyed) expect(text.slice(line.keyStart, line.keyEnd)).toBe(expected.document);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [letor3, '2 qid:10 1:0.5 #docid = 11', true],
    [letor3, '2 qid:10#docid = 11', true],
    [letor3, '2 qid:#docid = 11', false],
    [letor4, '2 qid:10 #docid = GX-1 inc = 1 prob = 0.5', true],
    [letor4, '2 qid:10 #docid = GX-1 inc = 1', false],
    [mslr, '2 qid:10', true],
    [mslr, '2 qid: 10', false],
  ] as const)('%o: %s', (script, text, expected) => {
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    expect(new DataLine(script.line).read(bytes, 0, bytes.length)).toBe(expected);
  });
});

describe('values of one query', () => {
  test.each(letorScripts)('$name: as the obvious version', (script) => {
    const label = fc.integer({ min: 0, max: script.gains.length });
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 25 }), (labels) => {
        const [found] = evaluateQueries(script, {
          queries: ['1'],
          offsets: Uint32Array.of(0, labels.length),
          // the reader gives labels that the script does not know as 0
          labels: Float64Array.from(labels, (value) => (value < script.gains.length ? value : 0)),
        });
        const expected = slowLetorValues(script.name, labels);
        expect([...found.precision]).toEqual(expected.precision);
        expect(found.averagePrecision).toBeCloseTo(expected.averagePrecision, 14);
        expect(found.ndcg.length).toBe(expected.ndcg.length);
        expected.ndcg.forEach((value, i) => {
          expect(found.ndcg[i]).toBeCloseTo(value, 14);
        });
      }),
    );
  });

  test('a list of two under each script', () => {
    const testSet = { queries: ['1'], offsets: Uint32Array.of(0, 2), labels: Float64Array.of(0, 2) };
    const [three] = evaluateQueries(letor3, testSet);
    expect([[...three.precision], [...three.ndcg]]).toEqual([
      [0, 0.5],
      [0, 1],
    ]);
    const [four] = evaluateQueries(letor4, testSet);
    expect([...four.precision].slice(0, 4)).toEqual([0, 1 / 2, 1 / 3, 1 / 4]);
    expect([...four.ndcg].slice(0, 4)).toEqual([0, 1, 0, 0]);
    expect(four.meanNdcg).toBe(0.5);
    const [two] = evaluateQueries(letor2, testSet);
    expect([...two.ndcg].slice(0, 4)).toEqual([0, 1, 1, 1]);
  });
});

describe('the upper tail of t', () => {
  // scipy.stats.t.sf
  test.each([
    [1, 1, 0.25],
    [2, 1.5, 0.13619656244550055],
    [14, 2.5, 0.012733332307031081],
    [155, -1.96, 0.9741054673177238],
    [4, 0, 0.5],
  ])('%i degrees of freedom, t = %f', (degrees, t, expected) => {
    // the series uses a π of eleven digits
    expect(upperTailOfT(degrees, t)).toBeCloseTo(expected, 10);
  });
});
