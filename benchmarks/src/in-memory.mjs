/** Evaluating a run that is already loaded: what a library user pays for each evaluation. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareMeans } from './agreement.mjs';
import { complaintIn, measure, measureInRounds, median } from './cost.mjs';
import { ratio, seconds, table } from './report.mjs';

/** @typedef {import('./datasets.mjs').DatasetFiles} DatasetFiles */
/** @typedef {{ name: string, command: string[], tolerance: number }} Entry */

const SUBJECT = 'gradus: evaluate(qrels, run)';
export const SMALL_CALLS = 'gradus: 100,000 × evaluator.evaluate(run) of plain objects';
export const SMALL_REFERENCE = 'pytrec_eval: 100,000 × evaluator.evaluate(run)';
export const OBJECTS = 'gradus: evaluate(qrels, run) of plain objects';
export const REFERENCE = 'pytrec_eval: evaluator.evaluate(run)';
/** All print full precision here; what is left is the order of summing and pytrec_eval's float32 scores. */
const SAME = 0.00005;
/** ranx puts equal scores in arbitrary order. */
const TIES_OPEN = 0.005;
const REPEATS = 10;

const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** @param {DatasetFiles} files @param {string | undefined} python
 *  @param {{ rounds: number, limitSeconds: number, cacheFolder: string, gradus: boolean, against?: readonly string[] | undefined }} options
 *  @returns {import('./goals.mjs').Outcome} */
export function inMemory({ qrels, run, dataset }, python, { rounds, limitSeconds, cacheFolder, gradus, against }) {
  const words = [qrels, run, String(REPEATS)];
  const ours = ['evaluate(qrels, run)', 'evaluate(qrels, run) of plain objects', 'evaluate(qrels, run) of Maps', 'evaluate(judged)'];
  /** @type {Entry[]} */
  const entries = [];
  if (gradus) {
    for (const call of ours) {
      entries.push({ name: `gradus: ${call}`, command: [process.execPath, path('in-memory-gradus.mjs'), ...words, call], tolerance: SAME });
    }
  }
  if (python !== undefined) {
    entries.push({ name: REFERENCE, command: [python, path('rivals/in_memory_pytrec_eval.py'), ...words], tolerance: SAME });
    const name = 'ranx: evaluate(qrels, run), compiled and sorted';
    if (against?.includes('ranx') ?? true) {
      entries.push({ name, command: [python, path('rivals/in_memory_ranx.py'), ...words], tolerance: TIES_OPEN });
    }
  }
  /** @type {Entry[]} */
  const smallCalls = [];
  if (gradus) smallCalls.push({ name: SMALL_CALLS, command: [process.execPath, path('small-calls-gradus.mjs')], tolerance: SAME });
  if (python !== undefined) {
    smallCalls.push({ name: SMALL_REFERENCE, command: [python, path('rivals/small_calls_pytrec_eval.py')], tolerance: SAME });
  }
  const options = { rounds, limitSeconds, cacheFolder };
  const whole = timedEntries(entries, { base: SUBJECT, reference: REFERENCE, heading: `one evaluation of ${dataset.name}`, ...options });
  const heading = 'nDCG@10 of one topic × 10 documents';
  const many = timedEntries(smallCalls, { base: SMALL_CALLS, reference: SMALL_REFERENCE, heading, ...options });
  return {
    text: `${whole.text}\n${many.text}`,
    complaints: [...whole.complaints, ...many.complaints],
    medians: new Map([...whole.medians, ...many.medians]),
  };
}

/** @param {readonly Entry[]} entries
 *  @param {{ base: string, reference: string, heading: string, rounds: number, limitSeconds: number, cacheFolder: string }} options
 *  @returns {import('./goals.mjs').Outcome} */
function timedEntries(entries, { base: baseName, reference: referenceName, heading, rounds, limitSeconds, cacheFolder }) {
  const env = { NUMBA_CACHE_DIR: join(cacheFolder, 'numba') };
  const costs = measureInRounds(
    entries,
    (entry) => {
      process.stderr.write(`in memory: ${entry.name}\n`);
      return measure(entry.command, { limitSeconds, env });
    },
    { rounds, slowSeconds: Number.POSITIVE_INFINITY },
  );

  const complaints = /** @type {string[]} */ ([]);
  const results = entries.map((entry) => {
    const all = costs.get(entry) ?? [];
    const failed = all.find((cost) => cost.status !== 0);
    if (failed !== undefined || all.length === 0) {
      complaints.push(`in memory: ${entry.name}: ${failed === undefined ? 'not run' : complaintIn(failed.words)}`);
      return { entry, time: Number.NaN, cpu: Number.NaN, means: new Map(), topics: undefined };
    }
    const told = all.map((cost) => JSON.parse(cost.output));
    return {
      entry,
      time: median(told.flatMap((one) => one.seconds)),
      cpu: median(told.flatMap((one) => one.processor)),
      means: new Map(/** @type {[string, number][]} */ (Object.entries(told[0].values))),
      topics: /** @type {number} */ (told[0].topics),
    };
  });
  const reference = results.find(({ entry }) => entry.name === referenceName);
  const base = results.find(({ entry }) => entry.name === baseName)?.time;
  const rows = results.map(({ entry, time, cpu, means, topics }) => {
    let verdict = 'not checked';
    if (entry.name === referenceName) verdict = 'the reference';
    else if (reference?.topics !== undefined && topics !== undefined) {
      // means over more topics are smaller by the share of topics, the further ones counting as zero
      const expected = new Map([...reference.means].map(([name, value]) => [name, (value * reference.topics) / topics]));
      const { compared, worst, worstName } = compareMeans(means, expected);
      verdict = `${compared} means, within ${worst.toExponential(0)}`;
      if (compared < expected.size || worst > entry.tolerance) {
        verdict = `differs by ${worst} in ${worstName}`;
        complaints.push(`in memory: ${entry.name}: ${verdict}`);
      }
    }
    return [entry.name, seconds(time), base === undefined ? '' : ratio(time / base), seconds(cpu), verdict];
  });
  const header = ['', heading, '÷ gradus', 'CPU', 'results'];
  const medians = new Map(results.map(({ entry, time, cpu }) => [entry.name, { wall: time, cpu }]));
  return { text: table(header, rows), complaints, medians };
}
