import { describe, expect, test } from 'vitest';
import { toQrels } from './qrels.js';
import { RowCollector, type Run, toRun } from './run.js';

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

  test.each([
    ['a number', [3], 'record 0: expected an object, found 3'],
    ['nothing', [{ topic: 'q', doc: 'a', score: 1 }, null], 'record 1: expected an object, found null'],
    [
      'no document',
      [{ topic: 'q', score: 1 }],
      'record 0: expected the fields queryId and docId, found topic, score; topic and doc, or query_id and doc_id, are understood too',
    ],
    [
      'no topic',
      [{ doc: 'a' }],
      'record 0: expected the fields queryId and docId, found doc; topic and doc, or query_id and doc_id, are understood too',
    ],
    [
      'no field',
      [{}],
      'record 0: expected the fields queryId and docId, found none; topic and doc, or query_id and doc_id, are understood too',
    ],
    [
      'a score that is no number',
      [{ topic: 'q', doc: 'a', score: 'high' }],
      'topic q, document a: expected a number as score, found high; leave the document out or give it a score',
    ],
    [
      'NaN as score',
      { q: { a: Number.NaN } },
      'topic q, document a: expected a number as score, found NaN; leave the document out or give it a score',
    ],
    [
      'neither score nor rank',
      [{ topic: 'q', doc: 'a' }],
      'topic q, document a: expected a number as score, found undefined; leave the document out or give it a score',
    ],
    [
      'a score after ranks',
      [
        { topic: 'q', doc: 'a', rank: 1 },
        { topic: 'q', doc: 'b', rank: 2, score: 7 },
      ],
      'topic q, document b: expected no score, as before, found 7; give every document a score, or none',
    ],
    [
      'no rank after ranks',
      [
        { topic: 'q', doc: 'a', rank: 1 },
        { topic: 'q', doc: 'b' },
      ],
      'topic q, document b: expected a whole number from 0 to 16777216 as rank, found undefined; give every document a score, or none',
    ],
    [
      'half a rank',
      [{ topic: 'q', doc: 'a', rank: 1.5 }],
      'topic q, document a: expected a whole number from 0 to 16777216 as rank, found 1.5; give every document a score, or none',
    ],
    [
      'a rank beyond the last',
      [{ topic: 'q', doc: 'a', rank: 16777217 }],
      'topic q, document a: expected a whole number from 0 to 16777216 as rank, found 16777217; give every document a score, or none',
    ],
    [
      'a rank twice',
      [
        { topic: 'p', doc: 'a', rank: 1 },
        { topic: 'q', doc: 'a', rank: 2 },
        { topic: 'q', doc: 'b', rank: 1 },
        { topic: 'q', doc: 'c', rank: 2 },
      ],
      'topic q: documents a and c both have rank 2; give each document a rank of its own',
    ],
    ['no id in a list', { q: ['a', null] }, 'topic q: expected a document id at place 2 of its list, found null'],
    ['an object in a list', { q: [{}] }, 'topic q: expected a document id at place 1 of its list, found object'],
  ])('a run with %s is refused', (_, input, sentence) => {
    let message = '';
    try {
      run(input);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toBe(sentence);
  });

  /** Topic, document and value of every row. */
  const rowsOf = (ids: Pick<Run, 'topics' | 'docs' | 'offsets' | 'docOf'>, values: Float64Array) =>
    Array.from({ length: ids.topics.size }, (_, t) =>
      [...ids.docOf.subarray(ids.offsets[t], ids.offsets[t + 1])].map((doc, i) => [
        ids.topics.text(t),
        ids.docs.text(doc),
        values[ids.offsets[t] + i],
      ]),
    ).flat();

  test('take fields by any of their names', () => {
    const expected = [
      ['1', 'a', 2],
      ['1', '7', 1],
    ];
    const records = (topic: string, doc: string, value: string) => [
      { [topic]: 1, [doc]: 'a', [value]: 2 },
      { [topic]: '1', [doc]: 7, [value]: 1 },
    ];
    for (const topic of ['queryId', 'query_id', 'topic']) {
      for (const doc of ['docId', 'doc_id', 'doc']) {
        const one = run(records(topic, doc, 'score'));
        expect(rowsOf(one, one.scores)).toEqual(expected);
        for (const value of ['relevance', 'grade', 'rel']) {
          const judged = qrels(records(topic, doc, value));
          expect(rowsOf(judged, judged.grades)).toEqual(expected);
        }
      }
    }
  });

  test('take objects, maps and lists, and keep more rows than there is room for at first', () => {
    const docs = Array.from({ length: 3000 }, (_, i) => `d${i}`);
    const scores = docs.map((_, i) => 3000 - i);
    const byName = Object.fromEntries(docs.map((doc, i) => [doc, scores[i]]));
    const expected = docs.map((doc, i) => ['q', doc, scores[i]]);
    for (const input of [{ q: byName }, new Map([['q', new Map(Object.entries(byName))]]), new Map([['q', byName]])]) {
      const one = run(input);
      expect(rowsOf(one, one.scores)).toEqual(expected);
      expect([one.ranks, one.ranksOnly]).toEqual([undefined, undefined]);
    }
    const listed = run({ q: docs });
    expect(rowsOf(listed, listed.scores)).toEqual(docs.map((doc, i) => ['q', doc, -1 - i]));
    expect(listed.ranksOnly).toBe(true);
    // topics by turns, the second half of each longer than the first room
    const turns = run(docs.flatMap((doc, i) => ['p', 'q'].map((topic) => ({ topic, doc, score: scores[i], rank: i + 1 }))));
    expect(rowsOf(turns, turns.scores)).toEqual(['p', 'q'].flatMap((topic) => docs.map((doc, i) => [topic, doc, scores[i]])));
    expect([...(turns.ranks ?? [])]).toEqual([...docs, ...docs].map((_, i) => 1 + (i % 3000)));
  });

  test('keep the ranks that records state, and NaN where they state none', () => {
    const stated = run([
      { topic: 'q', doc: 'a', score: 3, rank: 1 },
      { topic: 'q', doc: 'b', score: 2 },
      { topic: 'p', doc: 'c', score: 2, rank: 5 },
      { topic: 'q', doc: 'd', score: 1, rank: 9 },
    ]);
    expect([...(stated.ranks ?? [])]).toEqual([1, Number.NaN, 9, 5]);
    expect(stated.ranksOnly).toBeUndefined();
  });

  test('keep who judged, where anybody says so, by turns of topics too', () => {
    expect(qrels([{ topic: 'q', doc: 'a', rel: 1 }]).groups).toBeUndefined();
    const judged = qrels([
      { topic: 'q', doc: 'a', rel: 1, iteration: 'x' },
      { topic: 'p', doc: 'b', rel: 2 },
      { topic: 'q', doc: 'c', rel: 3, iteration: 5 },
      { topic: 'p', doc: 'd', rel: 4, iteration: 'x' },
    ]);
    expect(rowsOf(judged, judged.grades).map((row, i) => [...row, judged.groups?.ids.text(judged.groups.of[i])])).toEqual([
      ['q', 'a', 1, 'x'],
      ['q', 'c', 3, '5'],
      ['p', 'b', 2, '0'],
      ['p', 'd', 4, 'x'],
    ]);
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

describe('RowCollector', () => {
  test('has the same rows whether they come one by one or in stretches, and with numbers of topics that are given later', () => {
    // stretches of topics b, a, b, each of more rows than there is room for at first
    const stretches = [1500, 700, 2500].map((count) => Float64Array.from({ length: count }, (_, i) => i / 7));
    const topicOf = [0, 1, 0];
    const single = new RowCollector();
    const together = new RowCollector();
    for (const rows of [single, together]) for (const topic of ['b', 'a']) rows.topics.intern(topic);
    let doc = 0;
    for (const [stretch, values] of stretches.entries()) {
      together.addStretch(stretch, doc, values, values.length);
      for (const value of values) single.add(topicOf[stretch], doc++, value);
    }
    together.renumberTopics(Uint32Array.from(topicOf));
    expect(together.finish()).toEqual(single.finish());
  });
});
