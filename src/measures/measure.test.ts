import { describe, expect, test } from 'vitest';
import type { MeasureDef } from './measure.js';
import { makeMeasure } from './measure.js';
import { parseMeasure } from './parse.js';

const def: MeasureDef = {
  name: 'M',
  params: {
    whole: { type: 'integer', default: 3, min: 1, max: 9 },
    part: { type: 'number', default: 0.5, min: 0, choices: ['data'] },
    flag: { type: 'boolean', default: false },
    way: { type: 'choice', default: 'a', choices: ['a', 'b'] },
    list: { type: 'numbers', default: undefined, min: 0, max: 1 },
    gains: { type: 'gains', default: undefined },
  },
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind: () => () => 0,
};
const make = (params: Record<string, unknown>) => makeMeasure(def, params as Parameters<typeof makeMeasure>[1]);

describe('parameters of a measure', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ whole: 0 }, 'whole of M: expected a whole number from 1 to 9, found 0'],
    [{ whole: 10 }, 'whole of M: expected a whole number from 1 to 9, found 10'],
    [{ whole: 1.5 }, 'whole of M: expected a whole number from 1 to 9, found 1.5'],
    [{ whole: true }, 'whole of M: expected a whole number from 1 to 9, found true'],
    [{ part: -0.1 }, 'part of M: expected a number from 0, or data, found -0.1'],
    [{ part: Number.POSITIVE_INFINITY }, 'part of M: expected a number from 0, or data'],
    [{ part: 'date' }, 'part of M: expected a number from 0, or data'],
    [{ flag: 1 }, 'flag of M: expected true or false, found 1'],
    [{ flag: 'yes' }, 'flag of M: expected true or false'],
    [{ way: 'c' }, 'way of M: expected one of a, b'],
    [{ way: 1 }, 'way of M: expected one of a, b'],
    [{ list: [0.5, 2] }, 'list of M: expected numbers from 0 to 1, such as [0.5,0.5]'],
    [{ list: [-1] }, 'list of M: expected numbers'],
    [{ list: [Number.NaN] }, 'list of M: expected numbers'],
    [{ list: 0.5 }, 'list of M: expected numbers'],
    [{ gains: [1, 2] }, 'gains of M: expected a table of grades and gains, such as {1:1,2:3}'],
    [{ gains: 2 }, 'gains of M: expected a table of grades and gains'],
  ])('%j is refused', (params, message) => {
    expect(() => make(params)).toThrow(message);
  });

  test('are taken up to the ends of their ranges, and shown where they are not the default', () => {
    expect(make({ whole: 1 }).text).toBe('M(whole=1)');
    expect(make({ whole: 9, part: 0 }).text).toBe('M(whole=9,part=0)');
    expect(make({ part: 'data' }).text).toBe("M(part='data')");
    expect(make({ flag: true, way: 'b', list: [0, 1] }).text).toBe("M(flag=true,way='b',list=[0,1])");
    expect(make({ whole: 3, part: 0.5, flag: false, way: 'a' }).text).toBe('M');
    expect(make({}).params).toMatchObject({ whole: 3, part: 0.5, flag: false, way: 'a' });
  });
});

describe('the registry', () => {
  test.each(['Unjudged@5', 'Fallout', 'Frustration', 'RBPResidual', 'FirstRel', 'ESL'])('less of %s is better', (name) => {
    expect(parseMeasure(name).def.direction).toBe('lower');
  });

  test.each(['AP', 'nDCG@5', 'Judged@5', 'SetAccuracy', 'Satisfaction', 'Bpref', 'ERR', 'RBP'])('more of %s is better', (name) => {
    expect(parseMeasure(name).def.direction).toBe('higher');
  });

  test.each([
    ['MAP', 'AP'],
    ['AveragePrecision', 'AP'],
    ['11ptAvg', 'IAP'],
    ['Q-measure', 'Q'],
    ['QMeasure', 'Q'],
    ['O-measure', 'OMeasure'],
    ['P-measure', 'PMeasure'],
    ['P+', 'PPlus'],
    ['P-plus', 'PPlus'],
    ['TimeBiasedGain', 'TBG'],
    ['NDCG@5', 'nDCG@5'],
    ['Precision@5', 'P@5'],
    ['Recall@5', 'R@5'],
    ['Hit@5', 'Success@5'],
    ['RPrec', 'Rprec'],
    ['R-Precision', 'Rprec'],
    ['BreakEven', 'Rprec'],
    ['MRR', 'RR'],
    ['ReciprocalRank', 'RR'],
    ['FirstRelevantRank', 'FirstRel'],
    ['ExpectedSearchLength', 'ESL'],
    ['GradedAveragePrecision', 'GAP'],
    ['BPref', 'Bpref'],
    ['Compatibility', 'Compat'],
  ])('%s is %s', (alias, name) => {
    expect(parseMeasure(alias).text).toBe(name);
  });

  test('the size of a collection is a whole number of at least 0', () => {
    for (const name of ['Fallout', 'SetAccuracy']) {
      expect(() => parseMeasure(`${name}(collection=1.5)`)).toThrow(': expected a whole number from 0');
      expect(() => parseMeasure(`${name}(collection=-1)`)).toThrow(': expected a whole number from 0');
      expect(parseMeasure(name).params.collection).toBe(0);
    }
  });
});

test.each(['RprecMult', 'IPrec', 'P', 'Grade'])('%s says what it lacks', (name) => {
  expect(() => parseMeasure(name)).toThrow(name);
});

test('parseMeasure takes one measure, and says how many a text stands for', () => {
  expect(() => parseMeasure('P@5,10')).toThrow('P@5,10 stands for 2 measures, expected one');
  expect(parseMeasure('P@5').text).toBe('P@5');
  expect(() => parseMeasure('nDCG(gains={1:2}x)')).toThrow('gains');
  for (const word of ['xfalse', 'falsex', 'xtrue', 'truex']) expect(() => parseMeasure(`RBP(residual=${word})`)).toThrow('residual');
  expect(parseMeasure('RBP(residual=True)').params.residual).toBe(true);
  expect(parseMeasure('RBP(residual=False)').text).toBe('RBP');
});
