// One training of Gradus in a process of its own: node ltr-train.mjs THREADS TREES LEAVES PREDICTIONS [MEASURE]
// Prints what it took as one line of JSON; binning is part of it, reading the array is not. DIST names another build.
import { writeFileSync } from 'node:fs';
import { loadSet, NUM_FEATURES, testSet, trainSet } from './ltr-set.mjs';

const [threads, trees, leaves, predictions, measure = 'nDCG'] = process.argv.slice(2);
const dist = new URL(process.env.DIST ?? '../../dist/', import.meta.url);
const load = (/** @type {string} */ path) => import(new URL(path, dist).href);
const { lambdamart } = await load('ltr/learners/lambdamart.js');
const { objectiveOf } = await load('ltr/objectives/index.js');
const { parseMeasures } = await load('measures/parse.js');
const { createTeam } = await load('node/threads/team.js');

const train = matrix(loadSet(trainSet));
const [objective] = parseMeasures(measure).map(objectiveOf);
/** @type {Record<string, unknown>} */
const options = { trees: Number(trees), leaves: Number(leaves) };
for (const [name, { default: value }] of Object.entries(lambdamart.options)) options[name] ??= value;
const team = Number(threads) > 1 ? createTeam(Number(threads)) : undefined;

const start = performance.now();
const cpuStart = process.cpuUsage();
let firstTree = 0;
const onIteration = () => {
  firstTree ||= performance.now();
};
const { scorer } = await lambdamart.train({ train, objective, options, seed: 1, team, onIteration });
const seconds = (performance.now() - start) / 1000;
const cpu = process.cpuUsage(cpuStart);
const peakBytes = process.resourceUsage().maxRSS * 1024;
await team?.close();

writeFileSync(predictions, new Uint8Array(score(loadSet(testSet)).buffer));
const cost = { seconds, cpuSeconds: (cpu.user + cpu.system) / 1e6, peakBytes };
process.stdout.write(`${JSON.stringify({ ...cost, untilFirstTree: (firstTree - start) / 1000 })}\n`);

/** @param {ReturnType<typeof loadSet>} set */
function matrix({ features, labels, queryOffsets, numRows }) {
  const numQueries = queryOffsets.length - 1;
  return {
    numRows,
    numRecords: numRows,
    queryOffsets,
    queryOf: Uint32Array.from({ length: numQueries }, (_, q) => q),
    labels,
    lines: Uint32Array.from({ length: numRows }, (_, row) => row + 1),
    features: { layout: 'dense', numFeatures: NUM_FEATURES, firstFeature: 1, numGiven: features.length, values: features },
  };
}

/** @param {ReturnType<typeof loadSet>} set */
function score({ features, numRows }) {
  const { nodeOffsets, feature, threshold, left, right, value, base } = scorer;
  const scores = new Float64Array(numRows).fill(base);
  for (let row = 0; row < numRows; row++) {
    for (let tree = 0; tree + 1 < nodeOffsets.length; tree++) {
      let node = nodeOffsets[tree];
      while (feature[node] >= 0) node = features[row * NUM_FEATURES + feature[node]] <= threshold[node] ? left[node] : right[node];
      scores[row] += value[node];
    }
  }
  return scores;
}
