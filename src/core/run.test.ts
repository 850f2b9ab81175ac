import { describe, expect, test } from 'vitest';
import { toQrels } from './qrels.js';
import { toRun } from './run.js';

/** What a caller without types may hand over. */
const run = (input: unknown) => toRun(input as Parameters<typeof toRun>[0]);
const qrels = (input: unknown) => toQrels(input as Parameters<typeof toQrels>[0]);

describe('toRun and toQrels', () => {
  test('say what they expected and what they found', () => {
    expect(() => run(null)).toThrow('expected a run, found null');
    expect(() => run(3)).toThrow('expected a run, found number');
    expect(() => run('text')).toThrow('expected a run, found string');
    expect(() => qrels(undefined)).toThrow('expected judgements, found undefined');
    expect(() => run({ q: 3 })).toThrow('topic q: expected { document: score }, found 3');
    expect(() => run({ q: null })).toThrow('topic q: expected { document: score }, found null');
    expect(() => qrels({ q: 'a' })).toThrow('topic q: expected { document: grade }, found a');
    expect(() => run([3])).toThrow('expected an object, found 3');
    expect(() => run([null])).toThrow('expected an object, found null');
    expect(() => qrels({ q: { a: 'x' } })).toThrow('topic q, document a: expected a number as grade, found x');
  });

  test('bring topics that are not together into order, documents staying in theirs', () => {
    const { topics, docs, offsets, docOf, scores } = run([
      { topic: 'b', doc: 'x', score: 1 },
      { topic: 'a', doc: 'y', score: 2 },
      { topic: 'b', doc: 'z', score: 3 },
    ]);
    const rows = Array.from({ length: topics.size }, (_, t) =>
      Array.from({ length: offsets[t + 1] - offsets[t] }, (_row, i) => [
        topics.text(t),
        docs.text(docOf[offsets[t] + i]),
        scores[offsets[t] + i],
      ]),
    );
    expect(rows).toEqual([
      [
        ['b', 'x', 1],
        ['b', 'z', 3],
      ],
      [['a', 'y', 2]],
    ]);
  });
});
