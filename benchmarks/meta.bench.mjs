/** Judging measures: npm run build && node benchmarks/meta.bench.mjs DATA [--rounds 3] [--print-only]
 *
 *  DATA holds trec-covid-round1/qrels.txt and runs.tar.xz. PYTHON names an interpreter with numpy and scipy (python3 by default).
 *  Discriminative power of ten measures over all pairs of runs against numpy, which gets the scores and does nothing else, and the
 *  maximum-entropy program on lists of the real shape, against SLSQP where that can still solve it. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { joinSystems } from '../dist/core/score-table.js';
import { parseTrecQrels } from '../dist/formats/trec/qrels.js';
import { parseTrecRun } from '../dist/formats/trec/run.js';
import { evaluator } from '../dist/measures/evaluate.js';
import { parseMeasure } from '../dist/measures/index.js';
import { discriminativePower, forEachList, inferList } from '../dist/meta/index.js';
import { measure } from './src/cost.mjs';
import { circumstances, seconds, table, writeSection } from './src/report.mjs';
import { distances, runRival } from './src/resampling-rival.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, 'print-only': { type: 'boolean', default: false } },
});
const [dataFolder] = positionals;
if (dataFolder === undefined) throw new Error('name the folder with trec-covid-round1');
const rounds = Number(flags.rounds);
const python = process.env.PYTHON ?? 'python3';
const RESAMPLES = 1000;
const telling = ['AP', 'AP(rel=2)', 'GAP(g=[0.5,0.5])', 'nDCG', 'nDCG@10', "nDCG(gain='exp')@10", 'RBP(p=0.8)', 'P@10', 'RR', 'Bpref'];
const informing = ['nDCG', 'RBP(p=0.8)', 'P@10', 'AP', 'GAP(g=[0.5,0.5])'];

const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
try {
  const source = join(dataFolder, 'trec-covid-round1');
  const qrelsPath = join(source, 'qrels.txt');
  execFileSync('tar', ['-xJf', join(source, 'runs.tar.xz'), '-C', folder]);
  const place = join(folder, 'round1', 'runs');
  const files = readdirSync(place)
    .sort()
    .map((name) => join(place, name));
  const { qrels } = parseTrecQrels(readFileSync(qrelsPath));
  const runs = files.map((path) => ({ ...parseTrecRun(readFileSync(path), { lenient: true }).run, name: path }));
  const power = powerRows(qrels, runs, qrelsPath, files);
  const entropy = entropyRows(qrels, runs);
  const { stdout } = spawnSync(
    python,
    ['-c', 'import sys, numpy, scipy; print(sys.version.split()[0], numpy.__version__, scipy.__version__)'],
    {
      encoding: 'utf8',
    },
  );
  const [pythonVersion, numpyVersion, scipyVersion] = stdout.trim().split(' ');
  const text = [
    `## Judging measures: ${(runs.length * (runs.length - 1)) / 2} pairs of ${runs.length} runs of TREC-COVID round 1, ten measures`,
    '',
    table(['discriminative power, 1,000 samples', 'wall', 'processor', 'times the wall time', 'times the processor time'], power),
    'Gradus with one thread in memory, and from the shell with reading, evaluating and all cores. numpy has the scores already; its levels',
    'agree up to the error of sampling.',
    '',
    table(['the most random list with the value of a measure', 'lists', 'median', 'longest', 'SLSQP, median', 'times Gradus'], entropy),
    'Lists of the first runs, cut at N; every constraint is met to 1e-8. SLSQP of scipy from one start, with the gradient of entropy given;',
    'its time grows with the cube of N, so that it is asked about the shortest lists only.',
    '',
    `${circumstances([`Node ${process.versions.node}`, `Python ${pythonVersion}`, `numpy ${numpyVersion}`, `scipy ${scipyVersion}`])} \`node benchmarks/meta.bench.mjs DATA\`, ${rounds} rounds, the median counts.`,
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (!flags['print-only']) writeSection('meta', text);
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {import('../dist/core/qrels.js').Qrels} qrels @param {import('../dist/core/run.js').Run[]} runs @param {string} qrelsPath @param {string[]} files */
function powerRows(qrels, runs, qrelsPath, files) {
  const asked = evaluator(
    qrels,
    telling.map((text) => parseMeasure(text)),
  );
  const scores = joinSystems(runs.map((run) => asked.evaluate(run)));
  const scoreFiles = telling.map((_, column) => {
    const path = join(folder, `scores-${column}.json`);
    writeFileSync(path, JSON.stringify(scores.systems.map((_, system) => [...scores.column(column, system)])));
    return path;
  });
  discriminativePower(scores, { seed: 9, resamples: RESAMPLES });
  /** @type {{ wall: number, cpu: number }[]} */
  /** @type {{ wall: number, cpu: number }[]} */
  const own = [];
  const shell = [];
  /** @type {Record<string, { wall: number, cpu: number }[]>} */
  const theirs = { gather: [], matmul: [] };
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const cpuStart = process.cpuUsage();
    const result = discriminativePower(scores, { seed: round, resamples: RESAMPLES });
    const cpu = process.cpuUsage(cpuStart);
    own.push({ wall: (performance.now() - start) / 1000, cpu: (cpu.user + cpu.system) / 1e6 });
    const cli = fileURLToPath(new URL('../bin/gradus.js', import.meta.url));
    const measures = telling.flatMap((text) => ['-m', text]);
    shell.push(
      measure([process.execPath, cli, 'meta', 'power', qrelsPath, ...files, ...measures, '--lenient', '--json'], { limitSeconds: 600 }),
    );
    for (const form of Object.keys(theirs)) {
      const total = { wall: 0, cpu: 0 };
      for (const [column, path] of scoreFiles.entries()) {
        const { timing, pValues } = runRival(python, ['bootstrap_all_pairs.py', form], path, RESAMPLES);
        total.wall += timing.seconds;
        total.cpu += timing.cpuSeconds;
        // where statistics take few values, numpy settles by rounding whether one is as large as another
        const apart = distances(result.measures[column].pairLevels, pValues, RESAMPLES).filter((distance) => distance > 6).length;
        if (apart > 0.002 * pValues.length) throw new Error(`${telling[column]}: ${apart} levels are far from numpy's`);
      }
      theirs[form].push(total);
    }
  }
  const last = shell.at(-1);
  if (last === undefined || last.status !== 0) throw new Error(`gradus meta power ended with status ${last?.status}: ${last?.words}`);
  const row = (/** @type {string} */ name, /** @type {{ wall: number, cpu: number }[]} */ costs) => [
    name,
    seconds(median(costs.map(({ wall }) => wall))),
    seconds(median(costs.map(({ cpu }) => cpu))),
    (median(costs.map(({ wall }) => wall)) / median(own.map(({ wall }) => wall))).toFixed(1),
    (median(costs.map(({ cpu }) => cpu)) / median(own.map(({ cpu }) => cpu))).toFixed(1),
  ];
  return [
    row('Gradus, in memory', own),
    row('Gradus, from the shell', shell),
    row('numpy, pair by pair', theirs.gather),
    row('numpy, matrix products', theirs.matmul),
  ];
}

/** @param {import('../dist/core/qrels.js').Qrels} qrels @param {import('../dist/core/run.js').Run[]} runs */
function entropyRows(qrels, runs) {
  const rows = [];
  for (const depth of [30, 100, 1000]) {
    /** @type {import('../dist/meta/index.js').GradedList[]} */
    const lists = [];
    forEachList(qrels, runs.slice(0, 5), { depth }, (list) => {
      if (list !== undefined && list.grades.length === depth && lists.length < 20) lists.push(list);
    });
    for (const text of informing) {
      const asked = parseMeasure(text);
      for (const list of lists.slice(0, 2)) inferList(list, asked);
      const times = lists.map((list) => {
        const start = performance.now();
        const { summary } = inferList(list, asked);
        if (!summary.solution.isMet) throw new Error(`${text}, N = ${depth}: not solved`);
        return { seconds: (performance.now() - start) / 1000, entropy: summary.solution.entropy, value: summary.value, list };
      });
      const slow = depth === 30 && ['nDCG', 'GAP(g=[0.5,0.5])'].includes(text) ? bySlsqp(text, times.slice(0, 5)) : undefined;
      const own = median(times.map((time) => time.seconds));
      rows.push([
        `${text}, N = ${depth}`,
        String(lists.length),
        seconds(own),
        seconds(Math.max(...times.map((time) => time.seconds))),
        slow === undefined ? '' : seconds(slow),
        slow === undefined ? '' : (slow / own).toFixed(0),
      ]);
      process.stderr.write(`${rows.at(-1)?.join('  ')}\n`);
    }
  }
  return rows;
}

/** Median seconds of scipy, which must not find more entropy than Gradus.
 *  @param {string} text @param {{ entropy: number, value: number, list: import('../dist/meta/index.js').GradedList }[]} problems */
function bySlsqp(text, problems) {
  const path = join(folder, 'problems.json');
  const asked = problems.map(({ value, list: { grades, counts, judgedCounts } }) => ({
    value,
    length: grades.length,
    counts,
    judged: judgedCounts,
  }));
  writeFileSync(path, JSON.stringify({ measure: text.startsWith('GAP') ? 'GAP' : 'nDCG', problems: asked }));
  const script = fileURLToPath(new URL('rivals/meta/slsqp.py', import.meta.url));
  const { stdout, status, stderr } = spawnSync(python, [script, path], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const found = /** @type {{ seconds: number, entropy: number | null }[]} */ (JSON.parse(stdout));
  found.forEach(({ entropy }, i) => {
    if (entropy !== null && entropy > problems[i].entropy + 1e-6)
      throw new Error(`${text}: SLSQP found ${entropy}, Gradus ${problems[i].entropy}`);
  });
  return median(found.map((one) => one.seconds));
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
