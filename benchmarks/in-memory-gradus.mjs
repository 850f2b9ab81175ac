/** Times Gradus on a run that is already loaded: in-memory-gradus.mjs QRELS RUN REPEATS CALL */

import { readFileSync } from 'node:fs';
import { evaluate, judge } from '../dist/index.js';
import { loadQrels, loadRun } from '../dist/node/index.js';
import { timed } from './src/timed.mjs';

const WARM_UP_CALLS = 3;
const measures = ['nDCG@10', 'AP', 'RR', 'P@10', 'R@100'];
const [qrelsPath, runPath, repeats, call] = process.argv.slice(2);

const loaded = { qrels: (await loadQrels(qrelsPath)).qrels, run: (await loadRun(runPath)).run };
const evaluateOnce = prepare();
let table = evaluateOnce();
for (let i = 1; i < WARM_UP_CALLS; i++) table = evaluateOnce();
const { seconds, processor } = timed(Number(repeats), () => {
  table = evaluateOnce();
});
process.stdout.write(`${JSON.stringify({ seconds, processor, values: table.means(), topics: table.topics.length })}\n`);

function prepare() {
  if (call === 'evaluate(qrels, run)') return () => evaluate(loaded.qrels, loaded.run, measures);
  if (call === 'evaluate(judged)') {
    const judged = judge(loaded.qrels, loaded.run);
    return () => evaluate(judged, measures);
  }
  const qrels = nested(qrelsPath, 3);
  const run = nested(runPath, 4);
  if (call.endsWith('of Maps')) {
    const maps = [asMaps(qrels), asMaps(run)];
    return () => evaluate(maps[0], maps[1], measures);
  }
  return () => evaluate(qrels, run, measures);
}

/** @param {Record<string, Record<string, number>>} topics */
function asMaps(topics) {
  return new Map(Object.entries(topics).map(([topic, documents]) => [topic, new Map(Object.entries(documents))]));
}

/** What a caller without files has: topic → document → number.
 *  @param {string} path @param {number} valueField */
function nested(path, valueField) {
  const topics = /** @type {Record<string, Record<string, number>>} */ ({});
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') continue;
    const fields = line.split(' ');
    topics[fields[0]] ??= {};
    topics[fields[0]][fields[2]] = Number(fields[valueField]);
  }
  return topics;
}
