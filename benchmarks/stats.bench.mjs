/** Resampling of all pairs against numpy: npm run build && node benchmarks/stats.bench.mjs [--rounds 5] [--print-only]
 *
 *  PYTHON names an interpreter with numpy (python3 by default). 129 systems × 50 topics of seeded scores; the rivals run in fresh
 *  processes, Gradus and rival in turn, and the median of the rounds counts; processor time is given too, because it says more on a busy
 *  machine (a matrix product uses all cores). The p-values must agree up to the error of sampling. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../dist/core/numbers/random.js';
import { bootstrapAllPairs, randomizedTukeyHsd } from '../dist/stats/index.js';
import { circumstances, table, writeSection } from './src/report.mjs';
import { distances, runRival } from './src/resampling-rival.mjs';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, 'print-only': { type: 'boolean', default: false } },
});
const rounds = Number(options.rounds);
const python = process.env.PYTHON ?? 'python3';
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

/** @typedef {{ seconds: number, cpuSeconds: number }} Timing */

/** How often Gradus is measured for each time of a rival. */
const OWN_REPEATS = 5;
const NUM_SYSTEMS = 129;
const NUM_TOPICS = 50;
const systems = simulateScores();
const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
const scoresFile = join(folder, 'scores.json');
writeFileSync(scoresFile, JSON.stringify(systems.map((values) => [...values])));

const comparisons = [
  {
    name: 'randomised Tukey HSD, 10,000 resamples',
    resamples: 10_000,
    gradus: (/** @type {number} */ seed) => randomizedTukeyHsd({ systems, seed, resamples: 10_000 }).pValues,
    rivals: { 'numpy, Generator.permuted': ['randomized_tukey.py'] },
  },
  {
    name: 'bootstrap of all 8,256 pairs, 1,000 samples',
    resamples: 1000,
    gradus: (/** @type {number} */ seed) => bootstrapAllPairs({ systems, seed, resamples: 1000 }).pValues,
    rivals: { 'numpy, pair by pair': ['bootstrap_all_pairs.py', 'gather'], 'numpy, matrix products': ['bootstrap_all_pairs.py', 'matmul'] },
  },
];

say(`Node ${process.versions.node}, ${cpus()[0].model}, ${cpus().length} cores, ${rounds} rounds`);
let failed = false;
/** @type {string[][]} */
const rows = [];
try {
  for (const comparison of comparisons) {
    // compiled before it is timed, as numpy is loaded before it is
    for (let warmUp = 0; warmUp < 3; warmUp++) comparison.gradus(warmUp);
    const own = /** @type {Timing[]} */ ([]);
    const theirs = /** @type {Map<string, Timing[]>} */ (new Map());
    for (let round = 1; round <= rounds; round++) {
      for (const [name, command] of Object.entries(comparison.rivals)) {
        /** @type {Float64Array} */
        let pValues = new Float64Array(0);
        // short as they are, several are needed for a steady median
        for (let repeat = 0; repeat < OWN_REPEATS; repeat++) {
          const start = performance.now();
          const cpuStart = process.cpuUsage();
          pValues = comparison.gradus(round);
          const cpu = process.cpuUsage(cpuStart);
          own.push({ seconds: (performance.now() - start) / 1000, cpuSeconds: (cpu.user + cpu.system) / 1e6 });
        }
        const rival = runRival(python, command, scoresFile, comparison.resamples);
        theirs.set(name, [...(theirs.get(name) ?? []), rival.timing]);
        const distance = Math.max(...distances(pValues, rival.pValues, comparison.resamples));
        if (distance > 6) {
          failed = true;
          say(`DIFFERS  ${comparison.name}, ${name}: a p-value is ${distance.toFixed(1)} standard errors away`);
        }
      }
    }
    say(`${comparison.name}: Gradus ${inWords(own)}`);
    rows.push([`${comparison.name}: Gradus`, ...inCells(own), '', '']);
    for (const [name, times] of theirs) {
      const ratio = (/** @type {'seconds' | 'cpuSeconds'} */ kind) => (middle(times, kind) / middle(own, kind)).toFixed(1);
      say(`  ${name}: ${inWords(times)}; ${ratio('seconds')} times as long, ${ratio('cpuSeconds')} times the processor time`);
      rows.push([name, ...inCells(times), ratio('seconds'), ratio('cpuSeconds')]);
    }
  }
  if (!failed && !options['print-only']) writeSection('stats', section());
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed ? 1 : 0;

function section() {
  const { stdout } = spawnSync(python, ['-c', 'import sys, numpy; print(sys.version.split()[0], numpy.__version__)'], { encoding: 'utf8' });
  const [pythonVersion, numpyVersion] = stdout.trim().split(' ');
  return [
    `## Resampling: all ${(NUM_SYSTEMS * (NUM_SYSTEMS - 1)) / 2} pairs of ${NUM_SYSTEMS} systems over ${NUM_TOPICS} topics (seed 20240601)`,
    '',
    table(['', 'wall seconds', 'processor seconds', 'times the wall time', 'times the processor time'], rows),
    `One thread of Gradus; a matrix product of numpy uses all cores. The p-values of both agree up to the error of sampling.${busy()}`,
    '',
    `${circumstances([`Node ${process.versions.node}`, `Python ${pythonVersion}`, `numpy ${numpyVersion}`])} \`node benchmarks/stats.bench.mjs\`, ${rounds} rounds, the median counts.`,
  ].join('\n');
}

function busy() {
  const load = loadavg()[1];
  if (load < cpus().length + 1) return '';
  return ` The machine was busy with other things (a load of ${load.toFixed(1)}), so that processor time says more than wall time.`;
}

/** @param {Timing[]} timings */
function inCells(timings) {
  return [middle(timings, 'seconds').toFixed(3), middle(timings, 'cpuSeconds').toFixed(3)];
}

/** Scores between 0 and 1 with four decimals: a difficulty per topic, a quality per system, and noise. */
function simulateScores() {
  const random = seededRandom(20240601);
  const difficulty = Array.from({ length: NUM_TOPICS }, () => random.float() ** 2);
  return Array.from({ length: NUM_SYSTEMS }, () => {
    const quality = 0.6 + 0.4 * random.float();
    return Float64Array.from(
      difficulty,
      (topic) => Math.round(1e4 * Math.min(1, Math.max(0, topic * quality + 0.1 * random.normal()))) / 1e4,
    );
  });
}

/** @param {Timing[]} timings */
function inWords(timings) {
  return `${middle(timings, 'seconds').toFixed(3)} s (processor ${middle(timings, 'cpuSeconds').toFixed(3)} s)`;
}

/** The median. @param {Timing[]} timings @param {'seconds' | 'cpuSeconds'} kind */
function middle(timings, kind) {
  const sorted = timings.map((timing) => timing[kind]).sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
