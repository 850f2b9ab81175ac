// One reading of LETOR text by Gradus in a process of its own: node ltr-load.mjs FILE THREADS text|bins
// As `gradus train` does it: into a matrix (text), and from there into the bins that trees are grown on (bins). Prints what it took as
// one line of JSON; the threads are started within that time. DIST names another build.
const [path, threads, until] = process.argv.slice(2);
const dist = new URL(process.env.DIST ?? '../../dist/', import.meta.url);
const load = (/** @type {string} */ name) => import(new URL(name, dist).href);
const { loadFeatures } = await load('node/letor/load-features.js');
const { createTeam } = await load('node/threads/team.js');
const { TreeTraining } = await load('ltr/trees/tree-training.js');
const { lambdamart } = await load('ltr/learners/lambdamart.js');
const { objectiveOf } = await load('ltr/objectives/index.js');
const { parseMeasures } = await load('measures/parse.js');
const { checkOptions } = await load('ltr/options.js');

const start = performance.now();
const cpuStart = process.cpuUsage();
const team = Number(threads) > 1 ? createTeam(Number(threads)) : undefined;
const { matrix: train } = await loadFeatures(path, { team });
if (until === 'bins') {
  const options = checkOptions(lambdamart, {});
  const [objective] = parseMeasures('nDCG@10').map(objectiveOf);
  const growth = { ...options, maxLeaves: options.leaves, maxDepth: options.depth, monotone: undefined };
  const training = new TreeTraining(
    { train, objective, options, seed: 1, team },
    { growth, bins: options.bins, pairs: undefined, base: 0 },
  );
  await training.close();
}
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(cpuStart);
const cells = train.features.values.length;
process.stdout.write(
  `${JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakBytes: process.resourceUsage().maxRSS * 1024, rows: train.numRows, cells })}\n`,
);
await team?.close();
