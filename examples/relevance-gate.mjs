// The gate of `gradus gate` inside a test of your own: may this run take the place of that one?
import { fileURLToPath } from 'node:url';
import { evaluator, joinSystems } from 'gradus';
import { loadQrels, loadRun } from 'gradus/node';
import { gateCandidate } from 'gradus/stats';

const path = (name) => fileURLToPath(new URL(`data/${name}`, import.meta.url));

const { qrels } = await loadQrels(path('example.qrels'));
const prepared = evaluator(qrels, ['nDCG@10']);
const score = async (name) => prepared.evaluate((await loadRun(path(name))).run);

for (const candidate of ['bm25.run', 'hybrid.run']) {
  const table = joinSystems([await score('neural.run'), await score(candidate)]);
  const { passed, measures } = gateCandidate(table, { maxDrop: 0.01, alpha: 0.05 });
  const [{ drop, pValue }] = measures;
  process.stdout.write(`${candidate} ${passed ? 'passes' : 'fails'}: drop ${drop.toFixed(4)}, p ${pValue.toFixed(4)}\n`);
}

// > bm25.run fails: drop 0.1981, p 0.0107
// > hybrid.run passes: drop -0.1505, p 0.9946
