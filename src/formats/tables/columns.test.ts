import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../test/helpers/rows.js';
import { type Columns, columnUse, parseColumns, placeColumns, type Role, roleOf } from './columns.js';

describe('roleOf', () => {
  const names: [string, Role | undefined][] = [
    ['topic', 'topic'],
    ['Query-ID', 'topic'],
    ['queryId', 'topic'],
    ['q_id', 'topic'],
    ['docno', 'doc'],
    ['corpus-id', 'doc'],
    ['score', 'score'],
    ['Rank', 'rank'],
    ['relevance', 'grade'],
    ['label', 'grade'],
    ['iteration', 'group'],
    ['sub topic', 'group'],
    ['subgroup', 'subgroup'],
    ['text', undefined],
    ['__proto__', undefined],
    ['', undefined],
  ];
  test.each(names)('knows %j as %s', (name, role) => {
    expect(roleOf(name)).toBe(role);
  });
});

describe('placeColumns', () => {
  const places = (header: string[], columns?: Columns): Record<string, number> => Object.fromEntries(placeColumns(header, 'run', columns));

  test('prefers the likelier of two names for one thing, and what was asked for to any', () => {
    expect(places(['qid', 'docid', 'docno', 'query', 'score'])).toEqual({ topic: 0, doc: 2, score: 4 });
    expect(places(['qid', 'docid', 'docno', 'score'], { doc: 'docid' })).toEqual({ topic: 0, doc: 1, score: 3 });
    expect(places(['score', 'x', 'y', 'score2'], { topic: 'x', doc: 3, score: 'score2' })).toEqual({ topic: 1, doc: 2, score: 3 });
  });

  test('takes the first of equal names', () => {
    expect(places(['qid', 'docno', 'score', 'score'])).toEqual({ topic: 0, doc: 1, score: 2 });
  });

  test('finds only what the kind of table has use for', () => {
    expect(columnUse('score', 'run')).toEqual({ role: 'score', doubt: 1 });
    expect(columnUse('grade', 'run')).toBeUndefined();
    expect(columnUse('score', 'qrels')?.role).toBe('grade');
    expect(Object.fromEntries(placeColumns(['qid', 'docno', 'score', 'label'], 'qrels'))).toEqual({ topic: 0, doc: 1, grade: 3 });
  });
});

describe('parseColumns', () => {
  test('reads names and numbers, by any name of the role', () => {
    expect(parseColumns('topic=q,doc=d,score=3')).toEqual({ topic: 'q', doc: 'd', score: 3 });
    expect(parseColumns('query_id=a=b,relevance=0')).toEqual({ topic: 'a=b', grade: '0' });
  });

  test.each(['', 'topic', 'topic=', '=x', 'colour=x', 'topic=q,,doc=d'])('refuses %j', (text) => {
    expect(messageOf(() => parseColumns(text))).toMatch(
      /^invalid columns: expected role=column, found ".*"; roles are topic, doc, score, rank, grade, group, subgroup; columns are names, or numbers from 1$/,
    );
  });
});
