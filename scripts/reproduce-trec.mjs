// Reproduces published numbers of real collections and prints how many agree:
//
//   node scripts/reproduce-trec.mjs DATA
//
// DATA holds trec-covid-round1/ (qrels.txt, leaderboard.csv, runs.tar.xz) or dl-hard-doc/ (dl_hard-doc.qrels and
// runs.tar.xz with a .eval file beside each run), or both. Nothing of it is part of this repository.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const gradus = fileURLToPath(new URL('../bin/gradus.js', import.meta.url));
const data = process.argv[2];
if (data === undefined || !existsSync(data)) {
  process.stderr.write('usage: node scripts/reproduce-trec.mjs DATA, where DATA holds trec-covid-round1 or dl-hard-doc\n');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'gradus-reproduce-'));
let failed = 0;
try {
  if (existsSync(join(data, 'trec-covid-round1'))) covid(join(data, 'trec-covid-round1'));
  if (existsSync(join(data, 'dl-hard-doc'))) dlHard(join(data, 'dl-hard-doc'));
} finally {
  rmSync(scratch, { recursive: true });
}
process.exit(failed > 0 ? 1 : 0);

/** What NIST published for each run, four measures, four decimals; computed with 32-bit scores at the time. */
function covid(folder) {
  const runs = unpack(join(folder, 'runs.tar.xz'), 'covid');
  const [header, ...rows] = readFileSync(join(folder, 'leaderboard.csv'), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const columns = { ndcg_cut_10: 'ndcg@10', P_5: 'p@5', bpref: 'bpref', map: 'MAP' };
  let agree = 0;
  let total = 0;
  for (const row of rows) {
    const published = Object.fromEntries(header.map((name, i) => [name, row[i]]));
    const run = join(runs, 'round1', 'runs', published.run);
    const values = trecEval('9.0.7', ['-m', 'ndcg_cut.10', '-m', 'P.5', '-m', 'bpref', '-m', 'map', join(folder, 'qrels.txt'), run]);
    for (const [ours, theirs] of Object.entries(columns)) {
      total++;
      if (values.get(`${ours}\tall`) === published[theirs]) agree++;
      else report(`${published.run} ${ours}: published ${published[theirs]}, found ${values.get(`${ours}\tall`)}`);
    }
  }
  process.stdout.write(`TREC-COVID round 1: ${agree} of ${total} published numbers of ${rows.length} runs reproduced\n`);
}

/** Every measure line of trec_eval's own per-topic output. */
function dlHard(folder) {
  const runs = unpack(join(folder, 'runs.tar.xz'), 'dl-hard');
  let agree = 0;
  let total = 0;
  const files = readdirSync(runs).filter((name) => name.endsWith('.eval'));
  for (const name of files) {
    const run = join(runs, name.replace(/\.eval$/, ''));
    const values = trecEval('9.0.8', ['-c', '-l', '2', '-q', '-m', 'all_trec', join(folder, 'dl_hard-doc.qrels'), run]);
    for (const [key, expected] of lines(readFileSync(join(runs, name), 'utf8'))) {
      total++;
      if (values.get(key) === expected) agree++;
      else report(`${name} ${key}: recorded ${expected}, found ${values.get(key)}`);
    }
  }
  process.stdout.write(`DL-HARD documents: ${agree} of ${total} measure lines of ${files.length} files reproduced\n`);
}

function trecEval(version, args) {
  const result = spawnSync(process.execPath, [gradus, 'as', `trec_eval@${version}`, ...args], { encoding: 'latin1', maxBuffer: 1 << 28 });
  if (result.status !== 0) report(`${args.at(-1)}: exit ${result.status}: ${result.stderr.trim()}`);
  return lines(result.stdout);
}

/** measure<TAB>topic → value */
function lines(text) {
  const entries = text.split('\n').flatMap((line) => {
    const [measure, topic, value] = line.split('\t');
    return value === undefined ? [] : [[`${measure.trim()}\t${topic}`, value]];
  });
  return new Map(entries);
}

function unpack(archive, name) {
  const folder = join(scratch, name);
  execFileSync('mkdir', [folder]);
  execFileSync('tar', ['-xJf', archive, '-C', folder]);
  return folder;
}

function report(text) {
  failed++;
  if (failed <= 20) process.stderr.write(`${text}\n`);
}
