import { describe, expect, it } from 'vitest';
import { IdTable } from '../ids.js';
import type { Qrels } from '../qrels.js';
import { toRun } from '../run.js';
import { DuplicateError } from './judge.js';
import { PreferenceError, PreferenceJudge, type PreferenceTopic } from './judge-preferences.js';

type Line = readonly [group: string, subgroup: string, doc: string, grade: number];

function preferences(lines: readonly Line[]): Qrels {
  const docs = new IdTable();
  const groups = new IdTable();
  const subgroups = new IdTable();
  return {
    topics: IdTable.of(['t']),
    docs,
    offsets: Uint32Array.of(0, lines.length),
    docOf: Uint32Array.from(lines, ([, , doc]) => docs.intern(doc)),
    grades: Float64Array.from(lines, ([, , , grade]) => grade),
    groups: { ids: groups, of: Uint32Array.from(lines, ([group]) => groups.intern(group)) },
    subgroups: { ids: subgroups, of: Uint32Array.from(lines, ([, subgroup]) => subgroups.intern(subgroup)) },
  };
}

const rules = { ties: 'docno-ascending', depth: Infinity, scorePrecision: 'double' } as const;

function judge(ranking: Record<string, number>, lines: readonly Line[]): PreferenceTopic {
  return new PreferenceJudge(preferences(lines), toRun({ t: ranking }), rules).judge(0);
}

describe('PreferenceJudge', () => {
  it('numbers judged documents: the retrieved ones in ranked order, then the others by id', () => {
    // b and a are ranked, d and c are not; x was never judged
    const topic = judge({ b: 3, x: 2, a: 1 }, [
      ['g', 's', 'a', 2],
      ['g', 's', 'd', 1],
      ['g', 's', 'b', 1],
      ['g', 's', 'c', 0],
    ]);
    expect(topic.numJudged).toBe(4);
    expect(topic.numRetrieved).toBe(2);
    // grade 2: a is number 1; grade 1: b is 0, d is 3; grade 0: c is 2
    expect(topic.groups[0].order).toEqual({ kind: 'classes', classes: [Uint32Array.of(1), Uint32Array.of(0, 3), Uint32Array.of(2)] });
  });

  it('counts preferences by how many of their documents were retrieved', () => {
    const [group] = judge({ b: 3, x: 2, a: 1 }, [
      ['g', 's', 'a', 2],
      ['g', 's', 'd', 1],
      ['g', 's', 'b', 1],
      ['g', 's', 'c', 0],
    ]).groups;
    // a>b has both, and b stands higher; a>d, a>c, b>c have the better one; d>c has none
    expect(group).toMatchObject({
      possibleRetrieved: 1,
      fulfilledRetrieved: 0,
      possibleImplied: 3,
      fulfilledImplied: 3,
      possibleUnretrieved: 1,
      numRelevant: 3,
      numRelevantRetrieved: 2,
      numNonRelevant: 1,
      numNonRelevantRetrieved: 0,
    });
  });

  it('adds what follows from the comparisons of several sub-groups', () => {
    // a>b and b>c give a>c, though nobody compared the two
    const [group] = judge({ a: 3, b: 2, c: 1 }, [
      ['g', 's1', 'a', 3],
      ['g', 's1', 'b', 2],
      ['g', 's2', 'b', 2],
      ['g', 's2', 'c', 1],
    ]).groups;
    expect(group.order).toMatchObject({ kind: 'partial', prefers: Uint8Array.of(0, 1, 1, 0, 0, 1, 0, 0, 0) });
    expect(group).toMatchObject({ possibleRetrieved: 3, fulfilledRetrieved: 3 });
  });

  it('orders groups by id and equal scores by document id, ascending', () => {
    const topic = judge({ b: 1, a: 1 }, [
      ['z', 's', 'a', 1],
      ['z', 's', 'b', 0],
      ['A', 's', 'b', 1],
      ['A', 's', 'a', 0],
    ]);
    expect(topic.groups.map(({ fulfilledRetrieved }) => fulfilledRetrieved)).toEqual([0, 1]);
  });

  const conflicts: [name: string, lines: Line[], conflict: object][] = [
    [
      'a document with two grades in a group without sub-groups',
      [
        ['g', 's', 'a', 2],
        ['g', 's', 'b', 1],
        ['g', 's', 'b', 3],
      ],
      { kind: 'several grades', number: 1 },
    ],
    [
      'of two documents with two grades the one whose best grade is the highest, which is met first',
      [
        ['g', 's', 'b', 3],
        ['g', 's', 'b', 2],
        ['g', 's', 'a', 1],
        ['g', 's', 'a', 0],
      ],
      { kind: 'several grades', number: 1 },
    ],
    [
      'of two documents with two grades the one whose best grade is the highest, which is met last',
      [
        ['g', 's', 'b', 3],
        ['g', 's', 'a', 2],
        ['g', 's', 'a', 1],
        ['g', 's', 'b', 0],
      ],
      { kind: 'several grades', number: 1 },
    ],
    [
      'a document that is relevant here and not relevant there',
      [
        ['g', 's1', 'a', 2],
        ['g', 's2', 'a', 0],
      ],
      { kind: 'relevant and not', doc: 0 },
    ],
    [
      'sub-groups that contradict each other',
      [
        ['g', 's1', 'a', 2],
        ['g', 's1', 'b', 1],
        ['g', 's2', 'b', 2],
        ['g', 's2', 'a', 1],
      ],
      { kind: 'cycle', first: 0, second: 1 },
    ],
  ];
  it.each(conflicts)('refuses %s', (_name, lines, conflict) => {
    let error: unknown;
    try {
      judge({ a: 2, b: 1 }, lines);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PreferenceError);
    expect((error as PreferenceError).conflict).toMatchObject(conflict);
  });

  it('tells whether a run answers a topic', () => {
    const qrels = preferences([['g', 's', 'a', 1]]);
    expect(new PreferenceJudge(qrels, toRun({ u: { a: 1 }, t: { a: 1 } }), rules).answers(0)).toBe(true);
    expect(new PreferenceJudge(qrels, toRun({ u: { a: 1 } }), rules).answers(0)).toBe(false);
  });

  it('refuses a document that the ranking holds twice', () => {
    const run = toRun([
      { topic: 't', doc: 'a', score: 2 },
      { topic: 't', doc: 'a', score: 1 },
    ]);
    const qrels = preferences([['g', 's', 'a', 1]]);
    expect(() => new PreferenceJudge(qrels, run, rules).judge(0)).toThrow(DuplicateError);
    expect(new PreferenceJudge(qrels, run, { ...rules, depth: 1 }).judge(0).numRetrieved).toBe(1);
  });
});
