import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseMeans, trecEvalName } from './agreement.mjs';

/** @typedef {import('./datasets.mjs').DatasetFiles} DatasetFiles */

/** One way to get from the two files to the means, as a command.
 *  @typedef {object} Contender
 *  @property {string} name
 *  @property {(files: DatasetFiles) => string[]} command
 *  @property {() => Record<string, string>} [env]
 *  @property {(output: string) => import('./agreement.mjs').Means} [means] absent for the floor, which evaluates nothing
 *  @property {boolean} [warmUp] it compiles itself at first use; one run on the small data set goes before the clock starts
 *  @property {boolean} [allJudgedTopics] it averages over all judged topics, not over those that are also retrieved
 *  @property {number} [tolerance] for a convention that differs; `note` says which
 *  @property {string} [note]
 *  @property {readonly string[]} [only] the data sets it is run on, if not all */

export const gradusLauncher = fileURLToPath(new URL('../../bin/gradus.js', import.meta.url));
const rivalScript = (/** @type {string} */ name) => fileURLToPath(new URL(`../rivals/${name}`, import.meta.url));

const PRECISION_CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
const RECALL_LEVELS = ['0.0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1.0'];
const irMeasuresNames = [
  'AP',
  'Rprec',
  'Bpref',
  'RR',
  ...RECALL_LEVELS.map((level) => `IPrec@${level}`),
  ...PRECISION_CUTOFFS.map((cutoff) => `P@${cutoff}`),
];

/** The row all others are compared with. */
export const SUBJECT = 'gradus as trec_eval';
/** The rows whose numbers the others must agree with, the first that is present: both are trec_eval's own code. */
export const REFERENCES = ['pytrec_eval', 'trec_eval'];

/** @param {readonly string[]} words */
export function gradusCommand(...words) {
  return [process.execPath, gradusLauncher, ...words];
}

/** @type {Contender} */
const floor = { name: 'wc -l', command: ({ run }) => ['wc', '-l', run] };

/** @type {readonly Contender[]} */
const ourCommands = [
  { name: SUBJECT, command: ({ qrels, run }) => gradusCommand('as', 'trec_eval', qrels, run), means: parseMeans },
  {
    name: 'gradus eval -m official',
    command: ({ qrels, run }) => gradusCommand('eval', qrels, run, '-m', 'official', '-f', 'trec', '--convention', 'trec_eval'),
    means: (output) => parseMeans(output, trecEvalName),
  },
];

/** @param {{ gradus: boolean, python: string | undefined, trecEval: string | undefined, cacheFolder: string }} available
 *  @returns {Contender[]} */
export function contendersAmong({ gradus, python, trecEval, cacheFolder }) {
  const found = gradus ? [floor, ...ourCommands] : [floor];
  if (trecEval !== undefined) {
    // it compares every topic with all judged ones, which takes many minutes where there are half a million
    const only = ['small', 'medium', 'medium-shuffled', 'large'];
    found.push({ name: 'trec_eval', command: ({ qrels, run }) => [trecEval, qrels, run], means: parseMeans, only });
  }
  return python === undefined ? found : [...found, ...rivals(python, cacheFolder)];
}

/** @param {string} python @param {string} cacheFolder @returns {Contender[]} */
function rivals(python, cacheFolder) {
  const ranxMeans = (/** @type {string} */ output) => {
    const means = parseMeans(output, trecEvalName);
    if (Number.isNaN(means.get('bpref'))) means.delete('bpref');
    return means;
  };
  /** @type {Omit<Contender, 'name'>} */
  const ranx = {
    command: ({ qrels, run }) => [python, rivalScript('with_ranx.py'), qrels, run],
    means: ranxMeans,
    allJudgedTopics: true,
    tolerance: 0.02,
    note: 'orders equal scores arbitrarily, averages over all judged topics, and has no bpref where a topic lacks non-relevant judgements',
  };
  return [
    {
      name: 'pytrec_eval',
      command: ({ qrels, run }) => [python, rivalScript('with_pytrec_eval.py'), qrels, run],
      means: parseMeans,
    },
    {
      name: 'ir_measures',
      command: ({ qrels, run }) => [python, '-m', 'ir_measures', qrels, run, ...irMeasuresNames],
      means: (output) => parseMeans(output, trecEvalName),
      allJudgedTopics: true,
      note: 'averages over all judged topics',
    },
    { name: 'ranx', ...ranx, env: () => ({ NUMBA_CACHE_DIR: join(cacheFolder, 'numba') }), warmUp: true },
    {
      name: 'ranx, first use',
      ...ranx,
      env: () => {
        const empty = join(cacheFolder, 'numba-empty');
        rmSync(empty, { recursive: true, force: true });
        return { NUMBA_CACHE_DIR: empty };
      },
      note: 'with nothing compiled yet',
      only: ['small'],
    },
  ];
}

/** @param {string} binary @returns {string} `9.0.7` */
export function trecEvalVersion(binary) {
  const result = spawnSync(binary, ['-v'], { encoding: 'utf8' });
  const version = /version (\S+)/.exec(`${result.stderr}${result.stdout}`)?.[1];
  if (version === undefined) throw new Error(`TREC_EVAL: '${binary} -v' names no version; give the path of a trec_eval binary`);
  if (!version.startsWith('9.')) {
    throw new Error(`TREC_EVAL: found version ${version}, expected 9.x; later versions refuse runs that miss a judged topic`);
  }
  return version;
}

/** The profile of Gradus that prints what this version prints: all before 9.0.8 keep scores as float32.
 *  @param {string} version */
export function profileOf(version) {
  return version === '9.0.8' ? 'trec_eval@9.0.8' : 'trec_eval@9.0.7';
}
