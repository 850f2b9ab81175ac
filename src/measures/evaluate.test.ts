import { describe, expect, it } from 'vitest';
import { evaluate, evaluator } from './evaluate.js';

// one topic, six documents: relevant ones at ranks 1, 3 and 6; d9 is relevant and was not retrieved
const qrels = { q1: { d1: 1, d2: 0, d3: 2, d6: 1, d9: 1 } };
const run = { q1: { d1: 6, d2: 5, d3: 4, d4: 3, d5: 2, d6: 1 } };

describe('evaluate(qrels, run, measures)', () => {
  it('computes the textbook values of a six-document ranking', () => {
    const table = evaluate(qrels, run, ['AP', 'P@5', 'R@5', 'RR', 'Rprec', 'nDCG', 'nDCG@3', 'Bpref', 'NumRel', 'NumRelRet', 'SetF']);
    const dcg = 1 + 2 / Math.log2(4) + 1 / Math.log2(7);
    const idcg = 2 + 1 / Math.log2(3) + 1 / Math.log2(4) + 1 / Math.log2(5);
    expect(table.means()).toEqual({
      AP: (1 / 1 + 2 / 3 + 3 / 6) / 4,
      'P@5': 2 / 5,
      'R@5': 2 / 4,
      RR: 1,
      Rprec: 2 / 4,
      nDCG: expect.closeTo(dcg / idcg, 14),
      'nDCG@3': expect.closeTo((1 + 2 / 2) / (2 + 1 / Math.log2(3) + 1 / 2), 14),
      Bpref: (1 + 0 + 0) / 4,
      NumRel: 4,
      NumRelRet: 3,
      SetF: expect.closeTo((2 * 0.5 * 0.75) / 1.25, 14),
    });
  });

  it('gives one number for one measure', () => {
    expect(evaluate(qrels, run, 'P(rel=2)@3')).toBe(1 / 3);
  });

  it('counts a judged topic that the run does not answer as zero, and leaves it out when asked to', () => {
    const two = { ...qrels, q2: { d1: 1 } };
    expect(evaluate(two, run, 'RR')).toBe(0.5);
    expect(evaluate(two, run, 'RR', { missingTopics: 'skip' })).toBe(1);
  });

  it('takes ids that are names of object properties', () => {
    const odd = JSON.parse('{"__proto__":{"constructor":1,"__proto__":0}}');
    const retrieved = JSON.parse('{"__proto__":{"__proto__":2,"constructor":1}}');
    expect(evaluate(odd, retrieved, 'RR')).toBe(0.5);
  });

  it('orders equal scores by document id, descending', () => {
    expect(evaluate({ q: { a: 1 } }, { q: { a: 1, b: 1 } }, 'RR')).toBe(0.5);
    expect(evaluate({ q: { a: 1 } }, { q: { a: 1, b: 1 } }, 'RR', { ties: 'file' })).toBe(1);
  });

  it('refuses NaN as a score with a sentence', () => {
    expect(() => evaluate(qrels, { q1: { d1: Number.NaN } }, 'AP')).toThrow('topic q1, document d1: expected a number as score, found NaN');
  });

  it('computes a measure of one’s own', () => {
    const firstGrade = {
      name: 'FirstGrade',
      title: 'Grade of the first document',
      help: '',
      params: {},
      aggregate: 'mean' as const,
      range: [0, 4] as const,
      direction: 'higher' as const,
      bind: () => (topic: { codes: Float64Array; start: number }) => topic.codes[topic.start],
    };
    expect(evaluate(qrels, run, [firstGrade, 'RR']).means()).toEqual({ FirstGrade: 1, RR: 1 });
  });
});

describe('evaluator(qrels, measures)', () => {
  it('gives the same table for the same run, however often it is called', () => {
    const prepared = evaluator(qrels, ['AP', 'nDCG@10']);
    const first = prepared.evaluate(run).toJSON();
    prepared.evaluate({ q1: { d9: 1 } });
    expect(prepared.evaluate(run).toJSON()).toEqual(first);
  });
});
