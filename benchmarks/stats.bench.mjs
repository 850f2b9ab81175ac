/** Resampling of all pairs against numpy: npm run build && node benchmarks/stats.bench.mjs [--rounds 5]
 *
 *  PYTHON names an interpreter with numpy (python3 by default). 129 systems × 50 topics of seeded scores; the rivals run in fresh
 *  processes, Gradus and rival in turn, and the median of the rounds counts. The p-values must agree up to the error of sampling. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRandom } from '../dist/core/random.js';
import { bootstrapAllPairs, randomizedTukeyHsd } from '../dist/stats/index.js';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(options.rounds);
const python = process.env.PYTHON ?? 'python3';
const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);

const NUM_SYSTEMS = 129;
const NUM_TOPICS = 50;
const systems = simulateScores();
const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
const scoresFile = join(folder, 'scores.json');
writeFileSync(scoresFile, JSON.stringify(systems.map((values) => [...values])));

const contests = [
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
try {
  for (const contest of contests) {
    contest.gradus(0); // compiled before it is timed, as numpy is loaded before it is
    const own = /** @type {number[]} */ ([]);
    const theirs = /** @type {Map<string, number[]>} */ (new Map());
    for (let round = 1; round <= rounds; round++) {
      for (const [name, command] of Object.entries(contest.rivals)) {
        const start = performance.now();
        const pValues = contest.gradus(round);
        own.push((performance.now() - start) / 1000);
        const rival = runRival(command, contest.resamples);
        theirs.set(name, [...(theirs.get(name) ?? []), rival.seconds]);
        const distance = largestDistance(pValues, rival.pValues, contest.resamples);
        if (distance > 6) {
          failed = true;
          say(`DIFFERS  ${contest.name}, ${name}: a p-value is ${distance.toFixed(1)} standard errors away`);
        }
      }
    }
    const seconds = median(own);
    say(`${contest.name}: Gradus ${seconds.toFixed(3)} s (best ${Math.min(...own).toFixed(3)})`);
    for (const [name, times] of theirs) {
      const rival = median(times);
      say(`  ${name}: ${rival.toFixed(3)} s (best ${Math.min(...times).toFixed(3)}), ${(rival / seconds).toFixed(1)} times as long`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failed ? 1 : 0;

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

/** @param {string[]} command @param {number} resamples */
function runRival([script, ...form], resamples) {
  const path = fileURLToPath(new URL(`rivals/stats/${script}`, import.meta.url));
  const { stdout, status, stderr, error } = spawnSync(python, [path, ...form, scoresFile, String(resamples), '1'], {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  if (error !== undefined || status !== 0) throw new Error(`${python} ${script}: ${error?.message ?? stderr}`);
  const { seconds, pValues } = /** @type {{ seconds: number[], pValues: number[] }} */ (JSON.parse(stdout));
  return { seconds: seconds[0], pValues };
}

/** The largest difference of two sampled p-values in units of its standard error.
 *  @param {Float64Array} ours @param {number[]} theirs @param {number} resamples */
function largestDistance(ours, theirs, resamples) {
  let largest = 0;
  ours.forEach((p, pair) => {
    const middle = (p + theirs[pair]) / 2;
    const error = Math.sqrt((2 * Math.max(middle * (1 - middle), 1 / resamples)) / resamples);
    largest = Math.max(largest, Math.abs(p - theirs[pair]) / error);
  });
  return largest;
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
