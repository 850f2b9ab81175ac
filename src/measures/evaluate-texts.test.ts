import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tieRules } from '../core/judging/judge.js';
import { toQrels } from '../core/qrels.js';
import { toRun } from '../core/run.js';
import { evaluate, evaluator } from './evaluate.js';

const id = fc.constantFrom('d1', 'd2', 'd10', 'é', 'z', '\u{1f600}', '\uffff', '\ud800', '', '__proto__', '7', 'a longer one');
const topic = fc.constantFrom('1', '2', '10', 'é', '\ud83d', '\u{1f600}');
const measures = ['nDCG@3', 'AP', 'RR', 'P@2', 'Bpref', 'RBP', 'Judged@3'];

const rows = fc.uniqueArray(fc.record({ topic, doc: id, score: fc.constantFrom(-1, 0, 0.5, 1, 1.00000001) }), {
  selector: (row) => JSON.stringify([row.topic, row.doc]),
  minLength: 1,
  maxLength: 40,
});
const judgements = fc.uniqueArray(fc.record({ topic, doc: id, grade: fc.constantFrom(-1, 0, 1, 3) }), {
  selector: (row) => JSON.stringify([row.topic, row.doc]),
  minLength: 1,
  maxLength: 30,
});

/** topic → document → number, as Maps, which know no forbidden names. */
function nested(entries: readonly (readonly [topic: string, doc: string, value: number])[]): Map<string, Map<string, number>> {
  const topics = new Map<string, Map<string, number>>();
  for (const [of, doc, value] of entries) topics.set(of, (topics.get(of) ?? new Map<string, number>()).set(doc, value));
  return topics;
}

test('a run judged in its texts has the values of the same run judged by the numbers of its ids', () => {
  fc.assert(
    fc.property(
      rows,
      judgements,
      fc.constantFrom(...tieRules.filter((rule) => rule !== 'rank')),
      fc.boolean(),
      (run, qrels, ties, scattered) => {
        const judged = toQrels(nested(qrels.map(({ topic: of, doc, grade }) => [of, doc, grade])));
        const given = scattered ? run : nested(run.map(({ topic: of, doc, score }) => [of, doc, score]));
        const options = { ties, unrelated: 'accept', judgedOnly: scattered } as const;
        const texts = evaluate(judged, given, measures, options);
        const numbers = evaluate(judged, toRun(given), measures, options);
        expect(texts).toEqual(numbers);
      },
    ),
  );
});

test('an evaluator keeps nothing of a run that could show in the next', () => {
  const qrels = { q1: { a: 1, b: 0 }, q2: { c: 2 } };
  const all = evaluator(qrels, measures);
  const first = { q1: { a: 3, b: 2, x: 1 }, q2: { c: 1 } };
  const before = all.evaluate(first).toJSON();
  all.evaluate({ q2: { y: 5, c: 1, z: 0.5, w: 0.25 } });
  expect(() => all.evaluate({ q1: { a: Number.NaN } })).toThrow('expected a number as score');
  expect(all.evaluate(first).toJSON()).toEqual(before);
});

test('a topic of the judgements that is no UTF-8 is not answered by the text that stands for it', () => {
  const qrels = toQrels({ 'q?': { d: 1 }, other: { d: 1 } });
  qrels.topics.bytes[1] = 0xff;
  expect(qrels.topics.text(0)).toBe('q\ufffd');
  expect(evaluate(qrels, { 'q\ufffd': { d: 1 }, other: { d: 1 } }, ['RR']).value('q\ufffd', 'RR')).toBe(0);
});

test('records may come from a generator that evaluates something by the same evaluator', () => {
  const ready = evaluator({ q1: { a: 1, b: 0 } }, ['RR', 'P@1']);
  function* records() {
    yield { topic: 'q1', doc: 'b', score: 2 };
    expect(ready.evaluate({ q1: { a: 1, b: 0.5 } }).value('q1', 'RR')).toBe(1);
    yield { topic: 'q1', doc: 'a', score: 1 };
  }
  const table = ready.evaluate(records());
  expect(table.value('q1', 'RR')).toBe(0.5);
  // what comes after shares nothing with a table handed out before
  ready.evaluate({ q1: { a: 1 } });
  expect(table.value('q1', 'RR')).toBe(0.5);
});

test('a run of few topics is judged on those alone where the others are skipped', () => {
  const topics = Array.from({ length: 50 }, (_, t) => `q${t}`);
  const qrels = Object.fromEntries(topics.map((of) => [of, { a: 1 }]));
  const ready = evaluator(qrels, ['RR'], { missingTopics: 'skip' });
  for (const of of ['q7', 'q49', 'q0']) expect(ready.evaluate({ unknown: { a: 1 }, [of]: { b: 2, a: 1 } }).topics).toEqual([of]);
  expect(() => ready.evaluate({ q50: { a: 1 }, q7: {} })).toThrow('answers none of the 50 judged topics');
});
