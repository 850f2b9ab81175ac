import { expect, test } from 'vitest';
import { ScoreTable } from '../../core/index.js';
import { standingsOf, verdictOf } from '../../experiment/index.js';
import { displayWidth } from '../../report/index.js';
import { compareSystems } from '../../stats/index.js';
import { differencePicture, plainText, systemsPicture } from './glance.js';

/** Ten topics; the first system is better than the others by 0.2 and 0.4 on average. */
function compared(systems: readonly string[]) {
  const topics = Array.from({ length: 10 }, (_, t) => `t${t}`);
  const values = systems.flatMap((_, s) => topics.map((_, t) => 0.8 - 0.2 * s + 0.02 * ((t * (s + 1)) % 5)));
  const table = new ScoreTable(systems, topics, [{ name: 'nDCG@10', aggregate: 'mean' }], Float64Array.from(values));
  const comparison = compareSystems(table);
  return { scores: { table }, comparison, table };
}

test('systems stand from best to worst, each with its interval on one scale', () => {
  const { scores, comparison } = compared(['good', 'fair', 'bad']);
  const [header, ...rows] = systemsPicture(comparison, standingsOf(scores, comparison), { digits: 3 });
  expect(header).toMatch(/^ {4}system {2}nDCG@10 .*0\.5.*rank$/);
  expect(rows.slice(0, 3).map((row) => row.slice(0, 18).trimEnd())).toEqual(
    ['a ▌ good    0.840ᵇᶜ', 'b   fair    0.640ᶜ', 'c   bad     0.440'].map((row) => row.slice(0, 18).trimEnd()),
  );
  const places = rows.slice(0, 3).map((row) => row.indexOf('●'));
  expect(places[0] - places[1]).toBeGreaterThan(5);
  // equal differences are equal distances, but for the rounding to characters
  expect(Math.abs(places[0] - places[1] - (places[1] - places[2]))).toBeLessThanOrEqual(1);
  expect(rows.slice(0, 3).every((row) => /├─*●─*┤/.test(row))).toBe(true);
});

test('what matters least goes first where room is short', () => {
  const { scores, comparison } = compared(['a-system-with-a-long-name', 'b', 'c']);
  const standings = { ...standingsOf(scores, comparison), unjudged: { cutoff: 10, shares: [0, 0.5, null] } };
  const at = (columns: number): string[] => systemsPicture(comparison, standings, { digits: 4, columns });
  expect(at(100)[0]).toMatch(/rank +unjudged$/);
  expect(at(100)[2]).toMatch(/50% !$/);
  expect(at(68)[0]).toMatch(/rank$/);
  expect(at(60)[0]).not.toMatch(/rank|unjudged/);
  expect(at(60).join('\n')).toContain('Not shown for lack of room: unjudged, rank.');
  for (const columns of [60, 68, 100]) expect(Math.max(...at(columns).slice(0, 4).map(displayWidth))).toBeLessThanOrEqual(columns);
});

test('the only difference: its interval beside 0, and the topics won and lost', () => {
  const { scores, comparison } = compared(['good', 'bad']);
  const lines = differencePicture(verdictOf({ scores, comparison }), {
    digits: 4,
    columns: 80,
  });
  expect(lines[0]).toMatch(/^ {2}difference +│ +━+●━+ +\+0\.\d{4} to \+0\.\d{4}$/);
  expect(lines[1]).toMatch(/ 0 +\+0\.\d/);
  expect(lines[2]).toMatch(/^ {2}topics {6}■{10} {2}10 won, 0 tied, 0 lost$/);
  expect(lines[3]).toMatch(/^ {2}decided by {2}t\d/);
});

test('the marks have a form in ASCII', () => {
  expect(plainText('a ▌ x  0.5ᵇ ├─●─┤ −0.1 1–2 ✓')).toBe('a * x  0.5b |-o-| -0.1 1-2 +');
});
