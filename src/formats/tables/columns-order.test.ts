import { expect, test } from 'vitest';
import { parseCsvQrels, parseCsvRun } from './csv.js';

test('tables that were given the other way round are recognised in one sentence', () => {
  expect(() => parseCsvQrels('search_term,sku,position\nq,d,1\n')).toThrow(
    'has no column for the grade; it has search_term, sku, position; these are columns of a run, which comes after the judgements',
  );
  expect(() => parseCsvRun('query,docid,rating\nq,d,1\n')).toThrow(
    'has no column for the score or rank; it has query, docid, rating; these are columns of judgements, which come before the runs',
  );
  // one column of which nothing is known may be the grade all the same
  expect(() => parseCsvQrels('query,docid,position,opinion\nq,d,1,2\n')).toThrow('say which it is: --columns grade=opinion');
});
