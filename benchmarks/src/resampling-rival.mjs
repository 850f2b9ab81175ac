/** The scripts under rivals/stats: how they are run, and whether they agree. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a script once on a file of scores, one array per system.
 *  @param {string} python @param {string[]} command @param {string} scoresFile @param {number} resamples */
export function runRival(python, [script, ...form], scoresFile, resamples) {
  const path = fileURLToPath(new URL(`../rivals/stats/${script}`, import.meta.url));
  const { stdout, status, stderr, error } = spawnSync(python, [path, ...form, scoresFile, String(resamples), '1'], {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  if (error !== undefined || status !== 0) throw new Error(`${python} ${script}: ${error?.message ?? stderr}`);
  const { seconds, cpuSeconds, pValues } = /** @type {{ seconds: number[], cpuSeconds: number[], pValues: number[] }} */ (
    JSON.parse(stdout)
  );
  return { timing: { seconds: seconds[0], cpuSeconds: cpuSeconds[0] }, pValues };
}

/** The differences of sampled p-values in units of their standard errors.
 *  @param {Float64Array} ours @param {number[]} theirs @param {number} resamples */
export function distances(ours, theirs, resamples) {
  return ours.map((p, pair) => {
    const middle = (p + theirs[pair]) / 2;
    const error = Math.sqrt((2 * Math.max(middle * (1 - middle), 1 / resamples)) / resamples);
    return Math.abs(p - theirs[pair]) / error;
  });
}
