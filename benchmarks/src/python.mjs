/** The Python package against pytrec_eval: the same judgements and the same run, as dicts, as a table of pandas and as files. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { complaintIn, measure, median } from './cost.mjs';
import { ratio, seconds, table } from './report.mjs';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** What can be given, as `speed.py` calls it, and the share of pytrec_eval's time that is aimed at. */
export const pythonInputs = /** @type {const} */ ([
  { given: 'dicts', bound: 0.5 },
  { given: 'pandas', bound: 0.25 },
  { given: 'files', bound: 0.25 },
]);
export const pythonName = (/** @type {string} */ tool, /** @type {string} */ given) => `${tool}: ${given}`;
export const PYTHON_SECOND = 'gradus: the second small call';

/** @typedef {{ clock: number[], processors: number[] }} Times */
/** @typedef {{ small: { first: number, second: number, later: number }, given: Record<string, Record<string, Times>> }} Told */

/** @param {string | undefined} python @param {{ rounds: number, limitSeconds: number, gradus: boolean }} options
 *  @returns {import('./goals.mjs').Outcome} */
export function pythonPackage(python, { rounds, limitSeconds, gradus }) {
  if (python === undefined || !gradus || !existsSync(path('python/src/gradus'))) {
    return { text: '', complaints: ['python: needs the rivals and the built package'], medians: new Map() };
  }
  const env = { PYTHONPATH: path('python/src'), GRADUS_PROGRAM: path('bin/gradus.js'), GRADUS_NODE: process.execPath };
  /** @type {Told[]} */
  const told = [];
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`python: round ${round + 1}\n`);
    const cost = measure([python, path('benchmarks/python/speed.py'), '--json', '--repeats', '3'], { limitSeconds, env });
    if (cost.status !== 0) return { text: '', complaints: [`python: ${complaintIn(cost.words)}`], medians: new Map() };
    told.push(JSON.parse(cost.output));
  }
  const medians = new Map();
  const rows = pythonInputs.map(({ given, bound }) => {
    const [ours, theirs] = ['gradus', 'pytrec_eval'].map((tool) => {
      const times = told.map((one) => one.given[given][tool]);
      const wall = median(times.flatMap(({ clock }) => clock));
      const cpu = median(times.flatMap(({ processors }) => processors));
      const least = Math.min(...times.flatMap(({ processors }) => processors));
      medians.set(pythonName(tool, given), { wall, cpu });
      return { wall, cpu, least };
    });
    return [
      given,
      seconds(ours.wall),
      seconds(theirs.wall),
      ratio(ours.wall / theirs.wall),
      seconds(ours.cpu),
      seconds(theirs.cpu),
      ratio(ours.cpu / theirs.cpu),
      ratio(ours.least / theirs.least),
      `at most ${bound}`,
    ];
  });
  const small = (/** @type {'first' | 'second' | 'later'} */ which) => median(told.map((one) => one.small[which]));
  medians.set(PYTHON_SECOND, { wall: small('second'), cpu: small('second') });
  const header = ['given as', 'gradus', 'pytrec_eval', 'share', 'gradus, CPU', 'pytrec_eval, CPU', 'share', 'share of the least', 'goal'];
  const calls = `A small call (one topic, two documents): the first, which starts the worker, ${seconds(small('first'))}; the second ${seconds(small('second'))}; later ones ${seconds(small('later'))}.`;
  const words =
    'map, ndcg_cut_10, P_10 and recip_rank of 1,000 topics with 1,000 documents each; every value is equal to the last bit. Both tools take turns in one interpreter; processor time is that of interpreter and worker together. From a table, pytrec_eval needs dicts, and the time to make them counts; from files, its own parsers.';
  return { text: `${words}\n\n${table(header, rows)}\n${calls}\n`, complaints: [], medians };
}
