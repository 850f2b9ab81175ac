// One training of Gradus' RankSVM in a process of its own: node ranksvm-once.mjs LOSS BASE COLUMNS C TOLERANCE WEIGHTS
// Reads the arrays that ranksvm-arrays.mjs writes; prints what the training took as one line of JSON. The learner itself is measured, as the
// rivals' are, without reading, checking and fingerprinting the data.
import { writeFileSync } from 'node:fs';
import { ranksvm } from '../../dist/ltr/learners/ranksvm.js';
import { objectiveOf } from '../../dist/ltr/objectives/index.js';
import { parseMeasure } from '../../dist/measures/index.js';
import { readArrays } from './ranksvm-arrays.mjs';

const [loss, base, columns, c, tolerance, out] = process.argv.slice(2);
const { cells, labels, queryOffsets } = readArrays(base);
const numRows = labels.length;
const train = {
  numRows,
  numRecords: numRows,
  queryOffsets,
  queries: { bytes: new Uint8Array(0), offsets: new Uint32Array(queryOffsets.length), size: 0 },
  queryOf: Uint32Array.from({ length: queryOffsets.length - 1 }, (_, q) => q),
  labels,
  lines: Uint32Array.from({ length: numRows }, (_, row) => row + 1),
  records: undefined,
  comments: undefined,
  features: /** @type {const} */ ({
    layout: 'dense',
    numFeatures: Number(columns),
    firstFeature: 1,
    numGiven: cells.length,
    values: cells,
  }),
};
const objective = objectiveOf(parseMeasure('nDCG@10'));
/** @type {Record<string, number | string | boolean | readonly number[]>} */
const options = { c: [Number(c)], loss, tolerance: Number(tolerance), standardise: false };
for (const [name, { default: value }] of Object.entries(ranksvm.options)) options[name] ??= value;
const start = performance.now();
const cpuStart = process.cpuUsage();
const { scorer } = await ranksvm.train({ train, objective, options, seed: 1 });
const seconds = (performance.now() - start) / 1000;
const cpu = process.cpuUsage(cpuStart);
if (scorer.kind !== 'linear') throw new Error('RankSVM should give a linear model');
writeFileSync(out, Float64Array.from(scorer.weights));
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds: (cpu.user + cpu.system) / 1e6, peakBytes })}\n`);
