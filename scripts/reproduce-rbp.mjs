// Reproduces the column RBP(p=.5) that NIST published for the 143 runs of TREC-COVID round 1, and finds out which reading of
// its graded judgements (0, 1, 2) stands behind it:
//
//   npm run build && node scripts/reproduce-rbp.mjs DATA
//
// DATA holds qrels.txt, leaderboard.csv and runs.tar.xz. Nothing of it is part of this repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatFixed } from '../dist/core/numbers/print.js';
import { parseMeasure } from '../dist/measures/parse.js';
import { experiment } from '../dist/node/index.js';

const data = process.argv[2];
if (data === undefined || !existsSync(join(data, 'leaderboard.csv'))) {
  process.stderr.write('usage: node scripts/reproduce-rbp.mjs DATA, where DATA holds qrels.txt, leaderboard.csv and runs.tar.xz\n');
  process.exit(2);
}

/** The reading that NIST used comes first. */
const readings = [
  ["RBP(p=0.5,gain='linear',max_rel=2)", 'grade 1 gains half of what grade 2 gains'],
  ['RBP(p=0.5)', 'grades 1 and 2 both count as relevant'],
  ['RBP(p=0.5,rel=2)', 'only grade 2 counts as relevant'],
  ["RBP(p=0.5,gain='exp',max_rel=2)", 'grade 1 gains a third of what grade 2 gains'],
];
const measures = readings.map(([measure]) => parseMeasure(measure));

const [header, ...rows] = readFileSync(join(data, 'leaderboard.csv'), 'utf8')
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split(','));
const published = rows.map((row) => ({ run: row[header.indexOf('run')], rbp: row[header.indexOf('RBP(p=.5)')] }));

const scratch = mkdtempSync(join(tmpdir(), 'gradus-reproduce-'));
try {
  execFileSync('tar', ['-xJf', join(data, 'runs.tar.xz'), '-C', scratch]);
  // the numbers were made with trec_eval's order: 32-bit scores, equal ones by document id, descending
  const { scored } = await experiment({
    judgements: join(data, 'qrels.txt'),
    runs: published.map(({ run }) => join(scratch, 'round1', 'runs', run)),
    measures,
    rules: { scorePrecision: 'float32', ties: 'docno' },
    lenient: true,
  });
  let wrong = 0;
  for (const [m, [measure, meaning]] of readings.entries()) {
    const agree = scored.tables.filter((table, r) => formatFixed(table.aggregate(m), 4) === published[r].rbp).length;
    process.stdout.write(`${measure}: ${agree} of ${scored.tables.length} numbers agree (${meaning})\n`);
    if (m === 0) wrong = scored.tables.length - agree;
  }
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true });
}
