import { describe, expect, test } from 'vitest';
import { shownPaths } from '../src/experiment/names.js';
import { withShownPaths } from '../src/experiment/report.js';
import { isQuality } from '../src/report/quality.js';
import { reportTables } from '../src/report/tables.js';
import { comparisonExample } from './helpers/report-examples.js';

describe('paths of a machine', () => {
  test('lose what tells where the author works, and keep what tells files apart', () => {
    expect([...shownPaths(['/home/ann/data/qrels.txt', '/home/ann/a/x.run', '/home/ann/b/x.run', 'runs/y.run'])]).toEqual([
      ['/home/ann/data/qrels.txt', 'qrels.txt'],
      ['/home/ann/a/x.run', 'a/x.run'],
      ['/home/ann/b/x.run', 'b/x.run'],
    ]);
    expect(shownPaths(['C:\\Users\\ann\\x.run']).get('C:\\Users\\ann\\x.run')).toBe('x.run');
  });

  test('are nowhere in a report', () => {
    const paths = ['/home/ann/a.run', '/home/ann/b.run'];
    const report = comparisonExample(paths, ['1', '2', '3']);
    const shown = withShownPaths({ ...report, notes: [`${paths[0]}: 1 topic`], systems: ['a', 'b'] }, paths);
    expect(shown.notes).toEqual(['a.run: 1 topic']);
    expect(JSON.stringify([shown.provenance, shown.audit[0].file])).not.toContain('/home/ann');
  });
});

test('a count of one has a word for one', () => {
  const tables = reportTables(comparisonExample(['a', 'b'], ['1', '2', '3']));
  const captions = tables.map(({ caption }) => caption ?? '').join('\n');
  expect(captions).toContain('1 pair;');
  expect(captions).not.toMatch(/\b1 (pairs|topics|systems)\b/);
});

test('of many pairs, those with the best by the first measure are listed; all where that is asked for', () => {
  const report = comparisonExample(
    Array.from({ length: 12 }, (_, s) => `s${s}`),
    Array.from({ length: 12 }, (_, t) => `t${t}`),
  );
  const pairs = (all: boolean): number[] =>
    reportTables({ ...report, listsPairs: all }).flatMap(({ id, rows }) => (id.endsWith('-pairs') ? [rows.length] : []));
  expect(pairs(false)).toEqual([11]);
  expect(pairs(true)).toEqual([66, 66, 66]);
});

test('letters follow the order of the table: a is the best', () => {
  const report = comparisonExample(['worst', 'middle', 'best'].toReversed(), [
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
    '11',
    '12',
  ]);
  const systems = reportTables(report).find(({ id }) => id === 'systems');
  expect(systems?.rows.map(([letter]) => letter)).toEqual(['a', 'b', 'c']);
});

test('how much was judged is no measure of quality', () => {
  expect(['Judged@10', 'Judged', 'nDCG@10', 'AP'].map(isQuality)).toEqual([false, false, true, true]);
});
