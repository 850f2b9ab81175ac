import { expect, test } from 'vitest';
import { messageOf, readInChunks } from '../../../test/helpers/rows.js';
import { createZScoresReader, parseZScores } from './z-scores.js';

test('parseZScores reads topic, measure, mean and deviation', () => {
  const bytes = new TextEncoder().encode('# from all systems\n301 map 0.25 0.1\n301 P_10 0.5 0.125\n302 map 0.125 0\n301 Rprec 1 2\n');
  for (const size of [1, 7, 1000]) {
    const { zScores } = readInChunks(createZScoresReader(), bytes, [size]);
    const rows = Array.from(zScores.means, (mean, row) => [
      zScores.topics.text(zScores.topicOf[row]),
      zScores.measures.text(zScores.measureOf[row]),
      mean,
      zScores.deviations[row],
    ]);
    expect(rows).toEqual([
      ['301', 'map', 0.25, 0.1],
      ['301', 'P_10', 0.5, 0.125],
      ['302', 'map', 0.125, 0],
      ['301', 'Rprec', 1, 2],
    ]);
  }
});

test('parseZScores tells all problems', () => {
  const text = '1 map 0.5 0.1\n1 map 0.5\n1 P x 1\n1 P 1 nan\n1 map 0.5 0.1\n';
  expect(messageOf(() => parseZScores(text, { source: 'z' }))).toBe(
    [
      'z:2: expected 4 fields (topic measure mean deviation), found 3; --lenient skips such lines',
      'z:3: expected a finite number as mean, found "x"; --lenient skips such lines',
      'z:4: expected a finite number as deviation, found "nan"; --lenient skips such lines',
      'z:5: topic "1" has measure "map" already on an earlier line; --lenient skips such lines',
    ].join('\n'),
  );
  const { zScores, skipped } = parseZScores(text, { lenient: true });
  expect(zScores.means).toHaveLength(1);
  expect(skipped.kinds).toEqual({
    'wrong number of fields': 1,
    'not a number': 1,
    'not a finite number': 1,
    'duplicate measure': 1,
  });
});
