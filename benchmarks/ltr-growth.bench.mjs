/** How training grows with the number of documents: npm run build && node benchmarks/ltr-growth.bench.mjs [--sizes 10000,…] [--trees 5]
 *  [--threads 1] [--print-only] [--large]
 *
 *  `gradus train lambdamart` in a fresh process, from LETOR text (see src/istella-text.mjs) to the model. The exponent is that of
 *  the power of the number of documents that fits processor time best, by least squares of logarithms. With --large only as many documents
 *  as Istella has, 12 GB of text, with few trees: for the memory that they take. */

import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from './src/cost.mjs';
import { istellaText, NUM_FEATURES } from './src/istella-text.mjs';
import { circumstances, megabytes, ratio, seconds, table, writeSection } from './src/report.mjs';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,30000,100000,300000,1000000' },
    trees: { type: 'string', default: '5' },
    threads: { type: 'string', default: '1' },
    'print-only': { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
  },
});
const ISTELLA_DOCUMENTS = 7_300_000;
const { threads, large } = options;
const trees = large ? '2' : options.trees;
const sizes = large ? [ISTELLA_DOCUMENTS] : options.sizes.split(',').map(Number);
const gradus = fileURLToPath(new URL('../bin/gradus.js', import.meta.url));
const model = join(tmpdir(), `gradus-growth-${process.pid}.json`);

/** @type {{ size: number, wall: number, cpu: number, peakBytes: number }[]} */
const costs = [];
try {
  for (const size of sizes) {
    const train = [
      'train',
      'lambdamart',
      '--train',
      istellaText(size),
      '--model',
      model,
      '--trees',
      trees,
      '--threads',
      threads,
      '--quiet',
    ];
    const { status, words, ...cost } = measure([process.execPath, gradus, ...train], { limitSeconds: 7200 });
    if (status !== 0) throw new Error(words);
    costs.push({ size, wall: cost.wall, cpu: cost.cpu, peakBytes: cost.peakBytes });
    process.stdout.write(`${JSON.stringify(costs.at(-1))}\n`);
  }
} finally {
  rmSync(model, { force: true });
}

const rows = costs.map(({ size, wall, cpu, peakBytes }, at) => {
  const before = costs[at - 1];
  const exponent = before === undefined ? '' : ratio(Math.log(cpu / before.cpu) / Math.log(size / before.size));
  return [
    size.toLocaleString('en'),
    seconds(cpu),
    seconds(wall),
    exponent,
    megabytes(peakBytes),
    `${(peakBytes / size / 1e3).toFixed(2)} KB`,
  ];
});
const about = `\n${circumstances([`Node ${process.versions.node}`])} \`node benchmarks/ltr-growth.bench.mjs${large ? ' --large' : ''}\`, one round.`;
const largeText = [
  `## As many documents as Istella has: ${NUM_FEATURES} features, ${trees} trees of 31 leaves, ${threads} threads\n`,
  table(['documents', 'processor', 'wall', '', 'peak memory', 'a document'], rows),
  'From 12 GB of LETOR text to the model of LambdaMART, the text being read twice, into bins of one byte. Trees are grown in one memory of',
  '4 GiB, which is as far as the addresses of WebAssembly reach in all versions of Node: a document takes one byte for each feature, up to',
  'the next multiple of 8, and about 120 bytes more, so that with 220 features 12 million documents fit.',
  about,
].join('\n');
const text = [
  `## Growth of training: ${NUM_FEATURES} features, ${trees} trees of 31 leaves, ${threads === '1' ? 'one thread' : `${threads} threads`}\n`,
  table(['documents', 'processor', 'wall', 'exponent', 'peak memory', 'a document'], rows),
  `From LETOR text of the shape of Istella’s to the model of LambdaMART. Exponents are those from the row above; over all rows processor`,
  `time grows with the power ${exponentOf(costs).toFixed(2)} of the number of documents. Start-up is part of it, which makes the first rows flat. Text of 64 MB and more is read`,
  `twice, into bins, and from there on a document takes less memory.`,
  about,
].join('\n');
const section = large ? largeText : text;
process.stdout.write(`${section}\n`);
if (!options['print-only']) writeSection(large ? 'ltr-large' : 'ltr-growth', section);

/** The slope of a line through the logarithms. @param {readonly { size: number, cpu: number }[]} points */
function exponentOf(points) {
  const logs = points.map(({ size, cpu }) => [Math.log(size), Math.log(cpu)]);
  const mean = (/** @type {number} */ axis) => logs.reduce((sum, point) => sum + point[axis], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
