/** What options of a learner are worth, without a look at the test parts: npm run build && node benchmarks/ltr-defaults.mjs DATA LEARNER [OPTIONS …]
 *
 *  DATA is as for ltr-learners.bench.mjs, each of OPTIONS a JSON object; {} are the defaults. In every fold of MQ2008 and OHSUMED the learner
 *  trains on two of the three training parts, stops early by the third, and is judged by nDCG@10 on the validation part (equal scores in the
 *  order of the file). To judge by the very part that chose the epoch would favour whatever fluctuates most. --seeds 1,2 takes the mean over
 *  seeds; --sets SET,… restricts the data; --normalise NAME sets a normalisation; --test judges on the test parts instead, trained and
 *  validated as LETOR says, for a last look at what was chosen. DIST names another build. */

import { parseArgs } from 'node:util';
import { FOLDS, foldTexts } from './src/ltr-folds.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1' },
    sets: { type: 'string', default: 'mq2008,ohsumed' },
    normalise: { type: 'string' },
    test: { type: 'boolean', default: false },
  },
});
const [dataFolder, name, ...given] = positionals;
if (name === undefined) throw new Error('name the folder with mq2008 and ohsumed, and a learner');
const dist = new URL(process.env.DIST ?? '../dist/', import.meta.url);
const load = (/** @type {string} */ path) => import(new URL(path, dist).href);
const { parseLetor } = await load('formats/index.js');
const { evaluateModel, loadLearner, trainRanker } = await load('ltr/index.js');
const { parseMeasure } = await load('measures/index.js');

const measure = parseMeasure("nDCG(gain='exp')@10");
const learner = await loadLearner(name);
const what = learner.objectives === 'own' ? { metric: measure } : { objective: measure };
const read = (/** @type {string[]} */ texts) => parseLetor(texts.join(''), { comments: false }).matrix;
const folds = Object.fromEntries(
  flags.sets.split(',').map((set) => [
    set,
    FOLDS.map((k) => {
      const { train, validation, test } = foldTexts(dataFolder, set, k);
      return flags.test
        ? { train: read(train), validation: read([validation]), judged: read([test]) }
        : { train: read(train.slice(0, 2)), validation: read(train.slice(2)), judged: read([validation]) };
    }),
  ]),
);
const seeds = flags.seeds.split(',').map(Number);
process.stdout.write(`${Object.keys(folds).join('  ')}  mean  cpu s per training  iteration kept\n`);
for (const text of given.length === 0 ? ['{}'] : given) {
  const options = JSON.parse(text);
  const before = process.cpuUsage();
  const kept = [];
  const means = [];
  for (const parts of Object.values(folds)) {
    let sum = 0;
    for (const { train, validation, judged } of parts) {
      for (const seed of seeds) {
        const model = await trainRanker({ learner, train, validation, ...what, options, seed, normalisation: flags.normalise });
        kept.push(model.training?.best?.iteration ?? Number.NaN);
        sum += evaluateModel(model, judged, [measure], { ties: 'file' }).aggregate(0);
      }
    }
    means.push(sum / (parts.length * seeds.length));
  }
  const { user, system } = process.cpuUsage(before);
  const figures = [...means, means.reduce((sum, mean) => sum + mean, 0) / means.length].map((value) => value.toFixed(4));
  const iterations = kept.reduce((sum, iteration) => sum + iteration, 0) / kept.length;
  process.stdout.write(`${figures.join('  ')}  ${((user + system) / 1e6 / kept.length).toFixed(2)}  ${iterations.toFixed(0)}  ${text}\n`);
}
