import { describe, expect, test } from 'vitest';
import { InputError } from '../../core/problem.js';
import { toQrels } from '../../core/qrels.js';
import { type Run, toRun } from '../../core/run.js';
import { featuresOfColumns, qrelsOfColumns, runOfColumns } from './columns.js';
import { type IdColumn, numberIds } from './id-column.js';

const encoder = new TextEncoder();

function byOffsets(ids: readonly string[]): IdColumn {
  const offsets = [0];
  for (const id of ids) offsets.push((offsets.at(-1) ?? 0) + encoder.encode(id).length);
  return { bytes: encoder.encode(ids.join('')), offsets: Uint32Array.from(offsets) };
}

function bySeparator(ids: readonly string[]): IdColumn {
  return { bytes: encoder.encode(ids.join('\0')), separator: 0, count: ids.length };
}

function byCodes(ids: readonly string[]): IdColumn {
  const known = [...new Set(ids)].reverse();
  return { codes: Uint32Array.from(ids, (id) => known.indexOf(id)), dictionary: byOffsets(known) };
}

/** What a run says, whatever its numbers are. */
function plain({ topics, docs, docOf, offsets, scores }: Run): unknown {
  return Array.from({ length: topics.size }, (_, t) => [
    topics.text(t),
    Array.from({ length: offsets[t + 1] - offsets[t] }, (__, i) => [docs.text(docOf[offsets[t] + i]), scores[offsets[t] + i]]),
  ]);
}

describe('numberIds', () => {
  test.each([
    ['offsets', byOffsets],
    ['separators', bySeparator],
    ['codes', byCodes],
  ])('by %s gives equal ids equal numbers, also beyond a block', (_, column) => {
    const ids = Array.from({ length: 9000 }, (__, i) => `doc ${(i * 7) % 1000} ä`);
    const { table, numbers } = numberIds(column(ids), 'document');
    expect(table.size).toBe(1000);
    expect(Array.from(numbers, (number) => table.text(number))).toEqual(ids);
  });

  test.each<[string, IdColumn, string]>([
    ['an empty id', byOffsets(['a', '', 'b']), 'row 2: expected a topic id, found nothing'],
    ['an empty id between separators', bySeparator(['a', '', 'b']), 'row 2: expected a topic id, found nothing'],
    ['descending offsets', { bytes: encoder.encode('abc'), offsets: Uint32Array.of(0, 3, 2) }, 'expected ascending places up to 3'],
    ['offsets beyond the bytes', { bytes: encoder.encode('abc'), offsets: Uint32Array.of(0, 4) }, 'lead to bytes 0 to 4'],
    ['too few ids', { bytes: encoder.encode('a\0b'), separator: 0, count: 3 }, 'expected 3 topic ids, found 2'],
    ['too many ids', { bytes: encoder.encode('a\0b'), separator: 0, count: 1 }, 'expected 1 topic ids, found more'],
    ['a code beyond the dictionary', { codes: Uint32Array.of(0, 1), dictionary: byOffsets(['a']) }, 'row 2: the topic has number 1'],
  ])('refuses %s', (_, column, sentence) => {
    expect(() => numberIds(column, 'topic')).toThrow(InputError);
    expect(() => numberIds(column, 'topic')).toThrow(sentence);
  });
});

describe('runOfColumns', () => {
  const nested = { q2: { a: 3, b: 1 }, q1: { b: 2, c: 0.5 } };

  test('is the run that the same nested objects are', () => {
    const columns = { docs: bySeparator(['a', 'b', 'b', 'c']), scores: Float64Array.of(3, 1, 2, 0.5) };
    const expected = plain(toRun(nested));
    expect(plain(runOfColumns({ ...columns, topics: byCodes(['q2', 'q2', 'q1', 'q1']) }))).toEqual(expected);
    expect(plain(runOfColumns({ ...columns, topics: byOffsets(['q2', 'q1']), rowsOfTopics: Uint32Array.of(2, 2) }))).toEqual(expected);
    const withEmpty = { topics: byOffsets(['q2', 'q0', 'q1']), rowsOfTopics: Uint32Array.of(2, 0, 2) };
    expect(plain(runOfColumns({ ...columns, ...withEmpty }))).toEqual(expected);
  });

  test('leaves ids of a dictionary out that no row has', () => {
    const topics = { codes: Uint32Array.of(2, 2), dictionary: byOffsets(['unused', 'too', 'x']) };
    const run = runOfColumns({ topics, docs: byOffsets(['a', 'b']), scores: Float64Array.of(2, 1) });
    expect([run.topics.size, run.offsets.length, run.topics.text(0)]).toEqual([1, 2, 'x']);
  });

  test('groups rows whose topics are scattered, with their ranks', () => {
    const run = runOfColumns({
      topics: byOffsets(['x', 'y', 'x']),
      docs: byOffsets(['a', 'b', 'c']),
      scores: Float64Array.of(1, 2, 3),
      ranks: Float64Array.of(10, 20, 30),
    });
    expect(plain(run)).toEqual([
      [
        'x',
        [
          ['a', 1],
          ['c', 3],
        ],
      ],
      ['y', [['b', 2]]],
    ]);
    expect(Array.from(run.ranks ?? [])).toEqual([10, 30, 20]);
  });

  test('without scores ranks by the ranks', () => {
    const run = runOfColumns({ topics: byOffsets(['x', 'x']), docs: byOffsets(['a', 'b']), ranks: Float64Array.of(2, 1) });
    expect(run.ranksOnly).toBe(true);
    expect(Array.from(run.scores)).toEqual([-2, -1]);
  });

  test.each<[string, Parameters<typeof runOfColumns>[0], string]>([
    [
      'NaN',
      { topics: byOffsets(['x', 'y']), docs: byOffsets(['a', 'b']), scores: Float64Array.of(1, Number.NaN) },
      'topic y, document b: expected a number as score',
    ],
    [
      'columns of different lengths',
      { topics: byOffsets(['x']), docs: byOffsets(['a', 'b']), scores: Float64Array.of(1, 2) },
      'found 2 documents for 1 topics',
    ],
    [
      'sizes of topics that do not add up',
      { topics: byOffsets(['x']), rowsOfTopics: Uint32Array.of(3), docs: byOffsets(['a']), scores: Float64Array.of(1) },
      'the topics have 3 rows together, expected 1',
    ],
    ['neither scores nor ranks', { topics: byOffsets(['x']), docs: byOffsets(['a']) }, 'neither scores nor ranks'],
    [
      'equal ranks',
      { topics: byOffsets(['x', 'x']), docs: byOffsets(['a', 'b']), ranks: Float64Array.of(1, 1) },
      'documents a and b both have rank 1',
    ],
  ])('refuses %s', (_, columns, sentence) => {
    expect(() => runOfColumns(columns)).toThrow(InputError);
    expect(() => runOfColumns(columns)).toThrow(sentence);
  });
});

describe('qrelsOfColumns', () => {
  test('is what the same records are, groups included', () => {
    const records = [
      { topic: 'x', doc: 'a', grade: 1, iteration: 's1' },
      { topic: 'y', doc: 'a', grade: 0, iteration: 's1' },
      { topic: 'x', doc: 'b', grade: 2, iteration: 's2' },
    ];
    const column = (field: 'topic' | 'doc' | 'iteration'): IdColumn => byOffsets(records.map((record) => record[field]));
    const qrels = qrelsOfColumns({
      topics: column('topic'),
      docs: column('doc'),
      grades: Float64Array.from(records, ({ grade }) => grade),
      groups: column('iteration'),
    });
    const expected = toQrels(records);
    expect(Array.from(qrels.grades)).toEqual(Array.from(expected.grades));
    expect(Array.from(qrels.groups?.of ?? [], (group) => qrels.groups?.ids.text(group))).toEqual(['s1', 's2', 's1']);
    expect(Array.from(qrels.docOf, (doc) => qrels.docs.text(doc))).toEqual(['a', 'b', 'a']);
  });

  test('refuses an infinite grade', () => {
    const columns = { topics: byOffsets(['x']), docs: byOffsets(['a']), grades: Float64Array.of(Number.POSITIVE_INFINITY) };
    expect(() => qrelsOfColumns(columns)).toThrow('topic x, document a: expected a number as grade, found Infinity');
  });
});

describe('featuresOfColumns', () => {
  test('brings the rows of a query together and remembers where they stood', () => {
    const matrix = featuresOfColumns({
      values: Float64Array.of(1, 2, 3, 4, 5, 6),
      numFeatures: 2,
      labels: Float64Array.of(0, 1, 2),
      queries: byOffsets(['x', 'y', 'x']),
    });
    expect(Array.from(matrix.labels)).toEqual([0, 2, 1]);
    expect(Array.from(matrix.features?.values ?? [])).toEqual([1, 2, 5, 6, 3, 4]);
    expect(Array.from(matrix.records ?? [])).toEqual([0, 2, 1]);
    expect(Array.from(matrix.queryOffsets)).toEqual([0, 2, 3]);
  });

  test('takes the sizes of groups', () => {
    const matrix = featuresOfColumns({ values: Float32Array.of(1, 2, 3), numFeatures: 1, groupSizes: Uint32Array.of(1, 2) });
    expect([matrix.numRows, Array.from(matrix.queryOffsets), matrix.records]).toEqual([3, [0, 1, 3], undefined]);
  });

  test.each<[string, Partial<Parameters<typeof featuresOfColumns>[0]>, string]>([
    ['groups that do not add up', { groupSizes: Uint32Array.of(1, 1) }, 'the queries have 2 documents together, expected 3'],
    ['an empty group', { groupSizes: Uint32Array.of(3, 0) }, 'query 2 has no documents'],
    ['cells that do not fill rows', { numFeatures: 2 }, 'found 3 values of 2 features'],
    ['labels for other rows', { labels: Float64Array.of(1) }, 'found 1 labels for 3 documents'],
    ['names for other features', { names: ['a', 'b'] }, 'found 2 names for 1 features'],
  ])('refuses %s', (_, columns, sentence) => {
    expect(() => featuresOfColumns({ values: Float64Array.of(1, 2, 3), numFeatures: 1, ...columns })).toThrow(sentence);
  });
});
