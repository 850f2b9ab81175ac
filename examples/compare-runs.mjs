// Several runs against the same judgements, from files; where does the better one lose?
import { fileURLToPath } from 'node:url';
import { evaluator } from 'gradus';
import { loadQrels, loadRun } from 'gradus/node';

const path = (name) => fileURLToPath(new URL(`data/${name}`, import.meta.url));

const { qrels } = await loadQrels(path('example.qrels'));
const prepared = evaluator(qrels, ['nDCG@10', 'AP']);
const tables = [];
for (const name of ['neural.run', 'hybrid.run']) {
  const { run } = await loadRun(path(name));
  tables.push(prepared.evaluate(run));
}

for (const table of tables) process.stdout.write(`${table.systems[0].padEnd(6)} ${table.aggregate('nDCG@10').toFixed(4)}\n`);
const [neural, hybrid] = tables.map((table) => table.column('nDCG@10'));
const lost = tables[0].topics.filter((_, t) => hybrid[t] < neural[t]);
process.stdout.write(`hybrid is worse on ${lost.length} of ${neural.length} topics: ${lost.join(', ') || 'none'}\n`);

// > neural 0.6246
// > hybrid 0.7751
// > hybrid is worse on 3 of 12 topics: q11, q12, q2
