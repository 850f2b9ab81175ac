/** What a command costs before it does anything: Node itself, the launcher, and one small evaluation. */

import { gradusCommand } from './contenders.mjs';
import { complaintIn, measure, measureInRounds, median } from './cost.mjs';
import { megabytes, ratio, seconds, table } from './report.mjs';

export const FLOOR = 'node -e 0';
export const SMALL = 'gradus as trec_eval, small';

/** @param {import('./datasets.mjs').DatasetFiles} small @param {string | undefined} trecEval
 *  @param {{ rounds: number, limitSeconds: number, gradus: boolean }} options @returns {import('./goals.mjs').Outcome} */
export function startUp({ qrels, run }, trecEval, { rounds, limitSeconds, gradus }) {
  const entries = [{ name: FLOOR, command: [process.execPath, '-e', '0'] }];
  if (gradus) {
    entries.push({ name: 'gradus --version', command: gradusCommand('--version') });
    entries.push({ name: SMALL, command: gradusCommand('as', 'trec_eval', qrels, run) });
  }
  if (trecEval !== undefined) entries.push({ name: 'trec_eval, small', command: [trecEval, qrels, run] });
  const costs = measureInRounds(entries, ({ command }) => measure(command, { limitSeconds }), { rounds, slowSeconds: limitSeconds });
  const medianOf = (/** @type {string} */ name, /** @type {(cost: import('./cost.mjs').Cost) => number} */ part) =>
    median((costs.get(entries.find((entry) => entry.name === name) ?? entries[0]) ?? []).map(part));
  const base = medianOf(FLOOR, (cost) => cost.wall);
  const rows = entries.map(({ name }) => {
    const wall = medianOf(name, (cost) => cost.wall);
    return [
      name,
      seconds(wall),
      ratio(wall / base),
      seconds(medianOf(name, (cost) => cost.cpu)),
      megabytes(medianOf(name, (cost) => cost.peakBytes)),
    ];
  });
  const medians = new Map(
    entries.map(({ name }) => [name, { wall: medianOf(name, (cost) => cost.wall), cpu: medianOf(name, (cost) => cost.cpu) }]),
  );
  const complaints = entries.flatMap((entry) => {
    const failed = costs.get(entry)?.find((cost) => cost.status !== 0);
    return failed === undefined ? [] : [`start-up: ${entry.name}: failed with status ${failed.status}: ${complaintIn(failed.words)}`];
  });
  return { text: table(['', 'wall', `÷ ${FLOOR}`, 'CPU', 'peak memory'], rows), complaints, medians };
}
