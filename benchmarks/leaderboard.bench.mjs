/** Leaderboards: npm run build && node benchmarks/leaderboard.bench.mjs [--systems 180] [--topics 50] [--rounds 5] [--print-only]
 *
 *  Made-up scores of many systems close to each other (seed 180): resampled ranks with the probability of being best, and sets of ranks that
 *  hold together, each with 10,000 samples. No tool known to us offers both to compare with. */

import { parseArgs } from 'node:util';
import { seededRandom } from '../dist/core/numbers/random.js';
import { estimatedMeans, rankSets, resampleRanks, scoreMatrix } from '../dist/judging/index.js';
import { circumstances, seconds, table, writeSection } from './src/report.mjs';

const { values: flags } = parseArgs({
  options: {
    systems: { type: 'string', default: '180' },
    topics: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '5' },
    'print-only': { type: 'boolean', default: false },
  },
});
const [systems, topics, rounds] = [flags.systems, flags.topics, flags.rounds].map(Number);
const SAMPLES = 10_000;

const random = seededRandom(systems);
const hardness = Array.from({ length: topics }, () => random.normal());
const scores = scoreMatrix(
  Array.from({ length: systems }, (_, s) =>
    Float64Array.from(hardness, (hard) => Math.min(1, Math.max(0, 0.3 + (0.1 * s) / systems + 0.15 * hard + 0.1 * random.normal()))),
  ),
);

/** Wall and processor time, each the median over rounds, after one to warm up. */
function timed(work) {
  const walls = [];
  const processors = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    if (round === 0) continue;
    walls.push((performance.now() - start) / 1000);
    processors.push((user + system) / 1e6);
  }
  return [walls, processors].map((times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]);
}

const rows = [
  ['resampled ranks and probability of being best', timed(() => resampleRanks(scores, { resamples: SAMPLES }))],
  ['sets of ranks that hold together', timed(() => rankSets(estimatedMeans(scores), { draws: SAMPLES }))],
  ['the same with the set of each system alone', timed(() => rankSets(estimatedMeans(scores), { draws: SAMPLES, marginal: true }))],
];
const text = [
  `## Leaderboards: ${systems} systems, ${topics} topics, ${SAMPLES.toLocaleString('en')} samples (seed ${systems})`,
  '',
  table(
    ['work', 'wall', 'processor'],
    rows.map(([work, times]) => [work, ...times.map(seconds)]),
  ),
  'One thread, scores in memory.',
  '',
  `${circumstances([`Node ${process.versions.node}`])} \`node benchmarks/leaderboard.bench.mjs\`, ${rounds} rounds, the median counts.`,
].join('\n');
process.stdout.write(`${text}\n`);
if (!flags['print-only']) writeSection('leaderboard', text);
