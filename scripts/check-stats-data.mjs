// Reproduces the known figures of the public score matrices and tied lists:
//   npm run build && node scripts/check-stats-data.mjs DATA
// DATA is a folder with score-matrices/adhoc8_ap.csv and rbo/tied-lists.csv. Prints a tally; ends with status 1 if a figure differs.
import { readFileSync } from 'node:fs';
import { argv, exit, stderr, stdout } from 'node:process';
import { pairedTTest, randomizationTest, rankBiasedOverlap, signTest, wilcoxonSignedRank } from '../dist/stats/index.js';

const folder = argv[2];
if (folder === undefined) {
  stderr.write('usage: node scripts/check-stats-data.mjs DATA\n');
  exit(2);
}
let wrong = 0;

function check(label, found, expected, decimals) {
  const right = Math.abs(found - expected) <= 0.5000001 * 10 ** -decimals;
  if (!right) wrong++;
  stdout.write(`${right ? 'same' : 'DIFFERS'}  ${label}: ${found} (known: ${expected})\n`);
}

const rows = readFileSync(`${folder}/score-matrices/adhoc8_ap.csv`, 'utf8').trim().split(/\r?\n/).slice(1);
const column = (number) => Float64Array.from(rows, (row) => Number(row.split(',')[number - 1]));
const pair = { first: column(125), second: column(126) };
check('paired t, two-sided', pairedTTest(pair).pValue, 0.0013193972, 10);
check('Wilcoxon, normal approximation with continuity', wilcoxonSignedRank({ ...pair, method: 'asymptotic' }).pValue, 0.003445188, 9);
check('sign, dead band 0.01', signTest({ ...pair, deadBand: 0.01 }).pValue, 0.009559879, 9);
check('randomisation, 1,000,000 samples (about)', randomizationTest({ ...pair, resamples: 1_000_000, seed: 1 }).pValue, 0.0012, 4);

const lists = readFileSync(`${folder}/rbo/tied-lists.csv`, 'utf8').trim().split(/\r?\n/);
const names = lists[0].split(',');
const tally = new Map(names.slice(3).map((name) => [name, 0]));
let largest = 0;
for (const line of lists.slice(1)) {
  const fields = line.split(',');
  const [first, second] = fields.slice(0, 2).map(parseRanking);
  const p = Number(fields[2]);
  for (const ties of ['w', 'a', 'b']) {
    const found = rankBiasedOverlap({ first, second, p, ties });
    for (const value of ['ext', 'min', 'max', 'res']) {
      const name = `${ties}.${value}`;
      const distance = Math.abs(found[value] - Number(fields[names.indexOf(name)]));
      largest = Math.max(largest, distance);
      if (distance < 5e-7) tally.set(name, tally.get(name) + 1);
    }
  }
}
for (const [name, right] of tally) {
  if (right !== lists.length - 1) wrong++;
  stdout.write(
    `${right === lists.length - 1 ? 'same' : 'DIFFERS'}  rank-biased overlap ${name}: ${right} of ${lists.length - 1} rows to 6 decimals\n`,
  );
}
stdout.write(`largest distance over all ${(lists.length - 1) * tally.size} overlaps: ${largest}\n`);
stdout.write(wrong === 0 ? 'all figures reproduced\n' : `${wrong} figures differ\n`);
exit(wrong === 0 ? 0 : 1);

/** `a (b c) d` as tie groups. */
function parseRanking(text) {
  return (text.match(/\([^)]*\)|[^\s()]+/g) ?? []).map((group) => group.replace(/[()]/g, '').trim().split(/\s+/));
}
