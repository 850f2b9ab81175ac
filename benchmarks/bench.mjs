/** npm run bench: how fast is Gradus, and does it say the same as the others? README.md tells the options. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contendersAmong, gradusLauncher, trecEvalVersion } from './src/contenders.mjs';
import { measure } from './src/cost.mjs';
import { datasets, prepareDataset } from './src/datasets.mjs';
import { endToEnd } from './src/end-to-end.mjs';
import { floor } from './src/floor.mjs';
import { goalNotes, goals, goalTable } from './src/goals.mjs';
import { growth } from './src/growth.mjs';
import { inMemory } from './src/in-memory.mjs';
import { manyRuns } from './src/many-runs.mjs';
import { pythonPackage } from './src/python.mjs';
import { circumstances, writeSection } from './src/report.mjs';
import { installRivals, rivalVersions } from './src/rivals.mjs';
import { startUp } from './src/start-up.mjs';
import { prepareVariants } from './src/variants.mjs';

const START_UP = 'start-up';
const IN_MEMORY = 'in-memory';
const IN_MEMORY_DATASET = 'medium';
const MANY_RUNS = 'many-runs';
const NUM_RUNS = 126;
const GROWTH = 'growth';
const PYTHON = 'python';
const LEAST = 'floor';
const LEAST_DATASETS = ['small', 'medium', 'large', 'many-short'];
const parts = [START_UP, ...datasets.map(({ name }) => name), MANY_RUNS, IN_MEMORY, PYTHON, GROWTH, LEAST];
/** @type {Readonly<Record<string, number>>} */
const roundsOf = {
  [START_UP]: 25,
  small: 11,
  medium: 5,
  'medium-shuffled': 5,
  large: 3,
  'many-short': 3,
  [MANY_RUNS]: 3,
  [IN_MEMORY]: 3,
  [PYTHON]: 3,
  [GROWTH]: 3,
  [LEAST]: 5,
};

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    limit: { type: 'string', default: '900' },
    against: { type: 'string' },
    'skip-rivals': { type: 'boolean', default: false },
    'data-only': { type: 'boolean', default: false },
    'print-only': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`);
const root = fileURLToPath(new URL('..', import.meta.url));
const cacheFolder = process.env.GRADUS_BENCH_DIR ?? join(root, '.cache', 'bench');
const dataFolder = join(cacheFolder, 'data');
const chosen = options.only?.split(',') ?? parts;
const unknown = chosen.filter((part) => !parts.includes(part));
const limitSeconds = Number(options.limit);
const rounds = options.rounds === undefined ? undefined : Number(options.rounds);

if (unknown.length > 0) fail(`--only: no part '${unknown.join("', '")}'; there are ${parts.join(', ')}`);
else if (!(limitSeconds > 0)) fail(`--limit: expected seconds, found '${options.limit}'`);
else if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
  fail(`--rounds: expected a whole number from 1, found '${options.rounds}'`);
else if (options.list) list();
else if (options['data-only'])
  for (const dataset of datasets.filter(({ name }) => chosen.includes(name))) say(prepareDataset(dataset, dataFolder).run);
else {
  try {
    bench();
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
}

function bench() {
  const trecEval = process.env.TREC_EVAL;
  const version = trecEval === undefined ? undefined : trecEvalVersion(trecEval);
  const python = options['skip-rivals'] ? undefined : installRivals(cacheFolder);
  const gradus = existsSync(gradusLauncher);
  const against = options.against?.split(',');
  const contenders = contendersAmong({ python, trecEval, cacheFolder, gradus }).filter(
    ({ name }) => against === undefined || name.startsWith('gradus') || against.includes(name),
  );
  const versions = [`gradus ${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}, Node ${process.versions.node}`];
  if (version !== undefined)
    versions.push(`trec_eval ${version}${process.env.TREC_EVAL_BUILD === undefined ? '' : ` (${process.env.TREC_EVAL_BUILD})`}`);
  if (python !== undefined) versions.push(rivalVersions(python));
  const setting = circumstances(versions);
  const complaints = /** @type {string[]} */ ([]);
  const outcomes = /** @type {Map<string, import('./src/goals.mjs').Outcome>} */ (new Map());
  say(setting);

  const filesOf = (/** @type {string} */ name) =>
    prepareDataset(datasets.find((dataset) => dataset.name === name) ?? datasets[0], dataFolder);
  const isCompared = datasets.some(({ name }) => chosen.includes(name));
  for (const contender of isCompared ? contenders.filter(({ warmUp }) => warmUp === true) : []) {
    process.stderr.write(`warming up: ${contender.name}\n`);
    measure(contender.command(filesOf('small')), { limitSeconds, env: contender.env?.() ?? {} });
  }
  for (const part of parts.filter((name) => chosen.includes(name))) {
    const partRounds = rounds ?? roundsOf[part];
    let title = '';
    /** @type {import('./src/goals.mjs').Outcome} */
    let outcome;
    if (part === START_UP) {
      title = 'Start-up';
      outcome = startUp(filesOf('small'), trecEval, { rounds: partRounds, limitSeconds, gradus });
    } else if (part === IN_MEMORY) {
      title = 'In memory: nDCG@10, AP, RR, P@10 and R@100 of a loaded run';
      outcome = inMemory(filesOf(IN_MEMORY_DATASET), python, { rounds: partRounds, limitSeconds, cacheFolder, gradus, against });
    } else if (part === PYTHON) {
      title = 'The Python package: 1,000 topics × 1,000 documents';
      outcome = pythonPackage(python, { rounds: partRounds, limitSeconds, gradus });
    } else if (part === MANY_RUNS) {
      const { qrels, run } = filesOf('small');
      title = `${NUM_RUNS} runs like small, with other scores`;
      outcome = manyRuns(qrels, prepareVariants(run, join(dataFolder, 'variants'), NUM_RUNS), trecEval, {
        rounds: partRounds,
        limitSeconds,
      });
    } else if (part === GROWTH) {
      title = 'Growth: processor time over size';
      outcome = growth(cacheFolder, { rounds: partRounds, limitSeconds });
    } else if (part === LEAST) {
      title = 'The floor: what no evaluation in Node can do without';
      outcome = floor(LEAST_DATASETS.map(filesOf), trecEval, { rounds: partRounds, limitSeconds });
    } else {
      const files = filesOf(part);
      const { topics, depth, seed } = files.dataset.shape;
      const shape = `${topics.toLocaleString('en')} topics × ${depth.toLocaleString('en')} documents`;
      title = `End to end, ${part}: ${shape}, ${(files.runBytes / 1e6).toFixed(1)} MB, ${files.dataset.about} (seed ${seed})`;
      outcome = endToEnd(files, contenders, { rounds: partRounds, limitSeconds, trecEval, trecEvalVersion: version });
    }
    const section = `## ${title}\n\n${outcome.text}\n${setting} \`npm run bench -- --only ${part}\`, ${partRounds === 1 ? 'one round' : `${partRounds} rounds`}.\n`;
    say(`\n${section}`);
    if (!options['print-only'] && outcome.complaints.length === 0) writeSection(part, section);
    complaints.push(...outcome.complaints);
    if (outcome.complaints.length === 0) outcomes.set(part, outcome);
  }
  reportGoals(outcomes, setting);
  if (complaints.length > 0) fail(`not all went well, and such tables are not written to the page:\n${complaints.join('\n')}`);
}

/** What the parts of this run come to, beside what was aimed at.
 *  @param {ReadonlyMap<string, import('./src/goals.mjs').Outcome>} outcomes @param {string} setting */
function reportGoals(outcomes, setting) {
  const found = goalTable(outcomes);
  if (found === '') return;
  const section = `## Goals\n\n${found}\n${goalNotes}\n\n${setting}\n`;
  say(`\n${section}`);
  const isWhole = goals.every(({ part }) => outcomes.has(part));
  if (!options['print-only'] && isWhole) writeSection('goals', section);
}

function list() {
  for (const dataset of datasets)
    say(`${dataset.name.padEnd(16)} ${dataset.shape.topics} x ${dataset.shape.depth}, seed ${dataset.shape.seed}: ${dataset.about}`);
  say(`${START_UP.padEnd(16)} node alone, gradus --version, one small evaluation`);
  say(`${MANY_RUNS.padEnd(16)} ${NUM_RUNS} runs by one command, and compared`);
  say(`${PYTHON.padEnd(16)} the Python package on dicts, a table and files`);
  say(`${GROWTH.padEnd(16)} how the time grows with lines, topics, runs and documents`);
  say(`${IN_MEMORY.padEnd(16)} evaluating ${IN_MEMORY_DATASET} once it is loaded`);
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
