/** What no evaluation in Node can do without, for the sizes whose goals were not reached: see `floor-scan.mjs`. */

import { fileURLToPath } from 'node:url';
import { gradusCommand, SUBJECT } from './contenders.mjs';
import { complaintIn, measure, measureInRounds, median } from './cost.mjs';
import { ratio, seconds, table } from './report.mjs';
import { FLOOR } from './start-up.mjs';

const program = fileURLToPath(new URL('../floor-scan.mjs', import.meta.url));
const LOAD = 'node, scanner loaded';

/** How the table is to be read. */
const NOTES = `One thread, fresh processes, processor time. \`${LOAD}\` does nothing else; *read* takes the run in pieces of 1 MiB and drops them;
*read, scanned* finds the fields of every line too, hashes the document ids and reads the scores, by the kernel that \`gradus\` uses, and
drops the result. Judgements, ranking, measures and printing come on top. With two cores the time beyond start-up can be halved at best.`;

/** @param {readonly import('./datasets.mjs').DatasetFiles[]} sets @param {string | undefined} trecEval
 *  @param {{ rounds: number, limitSeconds: number }} options @returns {import('./goals.mjs').Outcome} */
export function floor(sets, trecEval, { rounds, limitSeconds }) {
  const node = (/** @type {string[]} */ ...words) => [process.execPath, ...words];
  const entries = [
    { name: FLOOR, command: node('-e', '0'), of: '' },
    { name: LOAD, command: node(program, 'load'), of: '' },
    { name: 'gradus --version', command: gradusCommand('--version'), of: '' },
    ...sets.flatMap(({ dataset: { name: of }, qrels, run }) => [
      { name: `${of}: read`, command: node(program, 'read', run), of },
      { name: `${of}: read, scanned`, command: node(program, 'scan', run), of },
      { name: `${of}: ${SUBJECT}`, command: gradusCommand('as', 'trec_eval', qrels, run), of },
      ...(trecEval === undefined || of === 'many-short' ? [] : [{ name: `${of}: trec_eval`, command: [trecEval, qrels, run], of }]),
    ]),
  ];
  const costs = measureInRounds(entries, ({ command }) => measure(command, { limitSeconds }), { rounds, slowSeconds: limitSeconds });
  const medians = new Map(
    entries.map((entry) => {
      const of = (/** @type {'wall' | 'cpu'} */ time) => median((costs.get(entry) ?? []).map((cost) => cost[time]));
      return [entry.name, { wall: of('wall'), cpu: of('cpu') }];
    }),
  );
  const rows = entries.map(({ name, of }) => {
    const { wall, cpu } = medians.get(name) ?? { wall: NaN, cpu: NaN };
    const theirs = medians.get(`${of}: trec_eval`)?.cpu ?? NaN;
    return [name, seconds(cpu), seconds(wall), ratio(theirs / cpu)];
  });
  const complaints = entries.flatMap((entry) => {
    const failed = costs.get(entry)?.find((cost) => cost.status !== 0);
    return failed === undefined ? [] : [`floor: ${entry.name}: failed with status ${failed.status}: ${complaintIn(failed.words)}`];
  });
  return { text: `${table(['', 'CPU', 'wall', 'trec_eval takes, times'], rows)}\n${NOTES}\n`, complaints, medians };
}
