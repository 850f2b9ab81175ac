/** Many runs of one task, scored by one command, and compared. */

import { PRINTED_UNIT, parseMeans, trecEvalName } from './agreement.mjs';
import { gradusCommand } from './contenders.mjs';
import { complaintIn, measure, measureInRounds, median } from './cost.mjs';
import { megabytes, ratio, seconds, table } from './report.mjs';

/** @typedef {import('./cost.mjs').Cost} Cost */

export const TOGETHER = 'gradus eval, all runs in one call';
export const LOOP = 'trec_eval, run by run';
export const COMPARE = 'gradus compare, all runs, AP';

/** @param {string} qrels @param {readonly string[]} runs @param {string | undefined} trecEval
 *  @param {{ rounds: number, limitSeconds: number }} options
 *  @returns {import('./goals.mjs').Outcome} */
export function manyRuns(qrels, runs, trecEval, { rounds, limitSeconds }) {
  const entries = [
    { name: TOGETHER, command: gradusCommand('eval', qrels, ...runs, '-m', 'official', '--convention', 'trec_eval', '--json') },
    { name: COMPARE, command: gradusCommand('compare', qrels, ...runs, '-m', 'AP') },
  ];
  if (trecEval !== undefined) {
    const script = 'program=$1; qrels=$2; shift 2; for run; do "$program" "$qrels" "$run" || exit; done';
    entries.push({ name: LOOP, command: ['sh', '-c', script, 'sh', trecEval, qrels, ...runs] });
  }
  const measureOne = (/** @type {typeof entries[0]} */ entry) => {
    process.stderr.write(`many runs: ${entry.name}\n`);
    return measure(entry.command, { limitSeconds });
  };
  const costs = measureInRounds(entries, measureOne, { rounds, slowSeconds: 60 });
  /** @type {string[]} */
  const complaints = [];
  const medians = new Map();
  const rows = entries.map((entry) => {
    const all = costs.get(entry) ?? [];
    const failed = all.find((cost) => cost.status !== 0);
    if (failed !== undefined) complaints.push(`many runs: ${entry.name}: ${complaintIn(failed.words)}`);
    const of = (/** @type {(cost: Cost) => number} */ part) => median(all.map(part));
    medians.set(entry.name, { wall: of((cost) => cost.wall), cpu: of((cost) => cost.cpu) });
    return { entry, wall: of((cost) => cost.wall), cpu: of((cost) => cost.cpu), peak: of((cost) => cost.peakBytes), output: all[0].output };
  });
  const ours = rows.find(({ entry }) => entry.name === TOGETHER);
  const theirs = rows.find(({ entry }) => entry.name === LOOP);
  const verdict = ours === undefined || theirs === undefined ? 'not checked' : compareAll(ours.output, theirs.output, runs.length);
  if (verdict.startsWith('differs')) complaints.push(`many runs: ${verdict}`);
  const lines = rows.map(({ entry, wall, cpu, peak }) => [
    entry.name,
    seconds(wall),
    ratio(wall / (ours?.wall ?? Number.NaN)),
    seconds(cpu),
    megabytes(peak),
    entry.name === TOGETHER ? verdict : entry.name === LOOP ? 'the reference' : '',
  ]);
  return { text: table(['', 'wall', '÷ gradus eval', 'CPU', 'peak memory', 'results'], lines), complaints, medians };
}

/** @param {string} ours JSON @param {string} theirs what trec_eval printed, run after run @param {number} numRuns */
function compareAll(ours, theirs, numRuns) {
  const byRun = theirs.split(/^(?=runid)/m).map((text) => ({ tag: /^runid\s+all\s+(\S+)/.exec(text)?.[1], means: parseMeans(text) }));
  const ourRuns = JSON.parse(ours).runs;
  if (byRun.length !== numRuns || ourRuns.length !== numRuns) return `differs: ${ourRuns.length} and ${byRun.length} of ${numRuns} runs`;
  let compared = 0;
  for (const { run, all } of ourRuns) {
    const means = byRun.find(({ tag }) => tag === run)?.means;
    for (const [name, value] of Object.entries(all)) {
      const expected = means?.get(trecEvalName(name));
      if (expected === undefined) continue;
      compared++;
      if (!(Math.abs(value - expected) <= PRINTED_UNIT)) return `differs in ${name} of ${run}: ${value}, not ${expected}`;
    }
  }
  return compared === 0 ? 'differs: nothing to compare' : `${compared} means of ${numRuns} runs agree`;
}
