// Scoring a large feature file against the tools that read it now: npm run build && node benchmarks/letor.mjs [--size 300] [--rounds 3]
//
// Makes a file of the shape of MSLR-WEB30K (seeded: 136 features, labels 0 to 4) with predictions, and times fresh processes in turn;
// the median of the rounds counts. Processor time is given too, because it says more on a busy machine.
//   RANKLIB_JAR   a class path with RankLib (2.8, or 2.10.1 and commons-math3)
//   MSLR_SCRIPT   the collection's own eval-score-mslr.pl
//   PYTHON        an interpreter with LightGBM, whose text loader takes part; it reads all features, which scoring does not need
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRandom } from '../dist/core/numbers/random.js';
import { measure } from './src/cost.mjs';
import { circumstances, writeSection } from './src/report.mjs';

const { values: options } = parseArgs({ options: { size: { type: 'string', default: '300' }, rounds: { type: 'string', default: '3' } } });
const rounds = Number(options.rounds);
const LIMIT_SECONDS = 900;
const gradus = fileURLToPath(new URL('../bin/gradus.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
const test = join(folder, 'test.txt');
const predictions = join(folder, 'predictions.txt');
const out = join(folder, 'out.txt');
// LightGBM has queries in a file of their own
const withoutQueries = join(folder, 'without-queries.txt');
const { RANKLIB_JAR: rankLib, MSLR_SCRIPT: script, PYTHON: python = 'python3' } = process.env;
const loader = 'import lightgbm, sys; lightgbm.Dataset(sys.argv[1], params={"verbose": -1}).construct()';

/** @type {{ name: string, command: string[], base?: string }[]} */
const contenders = [
  { name: 'wc -l (the floor)', command: ['wc', '-l', test] },
  { name: 'gradus as mslr score', command: [process.execPath, gradus, 'as', 'mslr', 'score', test, predictions, out, '0'] },
  {
    name: 'gradus as ranklib -score',
    command: [process.execPath, gradus, 'as', 'ranklib', '-test', test, '-metric2T', 'NDCG@10', '-score', predictions],
  },
];
if (script !== undefined) {
  contenders.push({ name: 'eval-score-mslr.pl', command: ['perl', script, test, predictions, out, '0'], base: 'gradus as mslr score' });
}
if (rankLib !== undefined) {
  const evaluator = ['java', '-cp', rankLib, 'ciir.umass.edu.eval.Evaluator', '-test', test, '-metric2T', 'NDCG@10', '-score', predictions];
  contenders.push({ name: 'RankLib -score', command: evaluator, base: 'gradus as ranklib -score' });
}
if (spawnSync(python, ['-c', 'import lightgbm']).status === 0) {
  contenders.push({ name: "LightGBM's text loader", command: [python, '-c', loader, withoutQueries], base: 'gradus as mslr score' });
}

try {
  generate(Number(options.size) * 1e6);
  /** @type {Map<string, { wall: number[], cpu: number[] }>} */
  const times = new Map(contenders.map(({ name }) => [name, { wall: [], cpu: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, command } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const cost = measure(command, { limitSeconds: LIMIT_SECONDS });
      if (cost.status !== 0) throw new Error(`${name} ended with status ${cost.status}: ${cost.words}`);
      times.get(name)?.wall.push(cost.wall);
      times.get(name)?.cpu.push(cost.cpu);
    }
  }
  const lines = [
    `## Scoring a feature file: ${(statSync(test).size / 1e6).toFixed(0)} MB of the shape of MSLR-WEB30K (seed 30000)\n`,
    '| | wall seconds | processor seconds | times Gradus |',
    '|---|---:|---:|---:|',
  ];
  for (const { name, base } of contenders) {
    const ratio = base === undefined ? '' : (median(times.get(name)?.wall) / median(times.get(base)?.wall)).toFixed(1);
    lines.push(`| ${name} | ${median(times.get(name)?.wall).toFixed(2)} | ${median(times.get(name)?.cpu).toFixed(2)} | ${ratio} |`);
  }
  lines.push(
    '\nRankLib is compared with `gradus as ranklib`; LightGBM, whose loader reads all features, with `gradus as mslr`.',
    ...(script === undefined ? ["The collection's own Perl script took no part, because MSLR_SCRIPT did not name it."] : []),
    `\n${circumstances([`Node ${process.versions.node}`])} \`node benchmarks/letor.mjs\`, ${rounds} rounds, the median counts.`,
  );
  say(lines.join('\n'));
  writeSection('letor', lines.join('\n'));
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {number} bytes */
function generate(bytes) {
  const random = seededRandom(30_000);
  const [data, plain, scores] = [test, withoutQueries, predictions].map((path) => openSync(path, 'w'));
  for (let query = 1, written = 0; written < bytes; query++) {
    let lines = '';
    let numbers = '';
    const numDocuments = 80 + random.below(80);
    for (let d = 0; d < numDocuments; d++) {
      // shares of the labels as in the real collection
      const share = random.float();
      lines += `${share < 0.52 ? 0 : share < 0.84 ? 1 : share < 0.97 ? 2 : share < 0.99 ? 3 : 4} qid:${query}`;
      for (let f = 1; f <= 136; f++) lines += ` ${f}:${f % 3 === 0 ? random.float().toFixed(6) : random.below(100)}`;
      lines += ' \n';
      numbers += `${random.float().toFixed(6)}\n`;
    }
    written += writeSync(data, lines);
    writeSync(plain, lines.replaceAll(` qid:${query}`, ''));
    writeSync(scores, numbers);
  }
  for (const file of [data, plain, scores]) closeSync(file);
}

/** @param {number[] | undefined} values */
function median(values = []) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}
