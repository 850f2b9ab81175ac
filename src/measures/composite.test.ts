import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.js';

describe('measures that ask what the reader knows', () => {
  const qrels = { q: { a: 1, b: 0, c: 1, e: 2 } };
  const run = { q: { a: 4, b: 3, c: 2, d: 1 } };

  it('average over the readers of a topic, whom the groups of what is known tell apart', () => {
    const known = [
      { topic: 'q', doc: 'a', grade: 1, iteration: 'anna' },
      { topic: 'q', doc: 'e', grade: 1, iteration: 'anna' },
      { topic: 'q', doc: 'c', grade: 1, iteration: 'bert' },
    ];
    // Anna knows a, which was found, and e; Bert knows c, which was found
    expect(evaluate(qrels, run, ['Coverage', 'Novelty'], { known }).means()).toEqual({
      Coverage: (1 / 2 + 1) / 2,
      Novelty: (1 / 2 + 1 / 2) / 2,
    });
  });

  it('do without a list of what is known: nothing is', () => {
    expect(evaluate(qrels, run, ['Coverage', 'Novelty']).means()).toEqual({ Coverage: 0, Novelty: 1 });
  });

  it('leave aside what the reader knows and nobody judged', () => {
    expect(evaluate(qrels, run, 'Coverage', { known: { q: { a: 1, d: 1, z: 1 }, other: { a: 1 } } })).toBe(1);
  });

  it('look at the first k documents only, and at documents from a grade up', () => {
    const known = { q: { c: 1, e: 1 } };
    expect(evaluate(qrels, run, ['Coverage@2', 'Coverage@3', 'Coverage(rel=2)'], { known }).means()).toEqual({
      'Coverage@2': 0,
      'Coverage@3': 1 / 2,
      'Coverage(rel=2)': 0,
    });
  });

  it('take the expected number of the topic before that of the measure, and ask for it if there is none', () => {
    expect(evaluate(qrels, run, 'RelativeRecall(expected=4)', { expected: { q: 1 } })).toBe(2);
    expect(evaluate(qrels, run, 'RelativeRecall(expected=4)', { expected: { other: 1 } })).toBe(0.5);
    expect(() => evaluate(qrels, run, 'RecallEffort')).toThrow(
      'RecallEffort needs to know how many relevant documents the reader expects; give the number for each topic, or one for all as in RecallEffort(expected=5)',
    );
  });

  it('give no recall effort where the expected documents were not all found', () => {
    expect(evaluate(qrels, run, ['RecallEffort(expected=2)', 'RecallEffort(expected=2)@2', 'RecallEffort(expected=3)']).means()).toEqual({
      'RecallEffort(expected=2)': 2 / 3,
      'RecallEffort(expected=2)@2': 0,
      'RecallEffort(expected=3)': 0,
    });
  });

  it('refuse rules for ties that go by grades', () => {
    expect(() => evaluate(qrels, run, "Coverage(ties='expected')")).toThrow(
      "ties='expected' has no meaning for measures of users; order equal scores by docno, file or rank",
    );
  });
});

describe("groups = 'mean'", () => {
  const grades = { one: { a: 1, b: 0 }, two: { a: 0, b: 1, c: 1 } };
  const qrels = Object.entries(grades).flatMap(([iteration, docs]) =>
    Object.entries(docs).map(([doc, grade]) => ({ topic: 'q', doc, grade, iteration })),
  );
  const run = { q: { a: 2, b: 2, c: 1 } };

  it('is the mean of the measure over groups that judged for themselves', () => {
    for (const measure of ['AP', 'nDCG@2', 'P@1', "RR(ties='expected')", "RR(ties='optimistic')"]) {
      const alone = Object.values(grades).map((docs) => evaluate({ q: docs }, run, measure));
      const [name, at = ''] = measure.split('@');
      const grouped = `${name.endsWith(')') ? `${name.slice(0, -1)},` : `${name}(`}groups='mean')${at && `@${at}`}`;
      expect([measure, evaluate(qrels, run, grouped)]).toEqual([measure, (alone[0] + alone[1]) / 2]);
    }
  });

  it('stands beside measures of other kinds in the order asked for', () => {
    const known = { q: { a: 1 } };
    const distinct = qrels.filter(({ iteration }) => iteration === 'two');
    const table = evaluate(distinct, run, ["AP(groups='mean')", 'alpha_nDCG@2', 'AP', 'Coverage', "AP(ties='expected')"], { known });
    expect(table.measures).toEqual(["AP(groups='mean')", 'alpha_nDCG@2', 'AP', 'Coverage', "AP(ties='expected')"]);
    expect(table.value('q', 0)).toBe(table.value('q', 2));
  });
});

describe('measures of subtopics', () => {
  it('need judgements that tell subtopics apart', () => {
    expect(() => evaluate({ q: { a: 1 } }, { q: { a: 1 } }, 'alpha_nDCG@5')).toThrow(
      'this needs to know who judged what, and the judgements do not say; read them with their second column (the group) kept',
    );
  });

  it('refuse a document that is judged twice for one subtopic', () => {
    const twice = [
      { topic: 'q', doc: 'a', grade: 1, iteration: 's' },
      { topic: 'q', doc: 'a', grade: 0, iteration: 's' },
    ];
    expect(() => evaluate(twice, { q: { a: 1 } }, 'StRecall@5')).toThrow('topic q: document a appears more than once in the judgements');
  });

  it('do not let such judgements through to measures of grades', () => {
    const perSubtopic = [
      { topic: 'q', doc: 'a', grade: 1, iteration: 's' },
      { topic: 'q', doc: 'a', grade: 0, iteration: 't' },
    ];
    expect(() => evaluate(perSubtopic, { q: { a: 1 } }, ['StRecall@5', 'AP'])).toThrow(
      'document a appears more than once in the judgements',
    );
  });
});
