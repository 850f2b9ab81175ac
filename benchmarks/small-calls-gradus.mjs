/** Times 100,000 calls of one evaluator with ten ranked documents, as a reranker in a service makes them. */

import { evaluator } from '../dist/index.js';
import { timed } from './src/timed.mjs';

const CALLS = 100_000;
const REPEATS = 10;
const WARM_UP_REPEATS = 3;
const qrels = { q1: { a: 1, b: 0, c: 2, d: 0, e: 1 } };
const run = { q1: Object.fromEntries(Array.from('jihgfedcba', (doc, i) => [doc, 10 - i])) };
const ready = evaluator(qrels, ['nDCG@10']);

let table = ready.evaluate(run);
const manyCalls = () => {
  for (let call = 0; call < CALLS; call++) table = ready.evaluate(run);
};
timed(WARM_UP_REPEATS, manyCalls);
const { seconds, processor } = timed(REPEATS, manyCalls);
process.stdout.write(`${JSON.stringify({ seconds, processor, values: table.means(), topics: table.topics.length })}\n`);
