// A measure of one's own, with a parameter, beside a built-in one: the share of wanted documents among the first five, where
// very good documents count double.
import { fileURLToPath } from 'node:url';
import { evaluate, makeMeasure } from 'gradus';
import { loadQrels, loadRun } from 'gradus/node';

const starred = {
  name: 'Starred',
  title: 'Precision with stars',
  help: 'Like P@k, but a document of the grade `star` or above counts twice.',
  params: {
    cutoff: { type: 'integer', default: 5, min: 1, help: 'how many documents count' },
    star: { type: 'number', default: 3, help: 'the lowest grade that counts twice' },
  },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 2],
  direction: 'higher',
  bind:
    ({ cutoff, star }) =>
    (topic) => {
      let sum = 0;
      for (let i = 0; i < Math.min(cutoff, topic.numRetrieved); i++) {
        const grade = topic.codes[topic.start + i];
        sum += grade >= star ? 2 : grade >= 1 ? 1 : 0;
      }
      return sum / cutoff;
    },
};

const path = (name) => fileURLToPath(new URL(`data/${name}`, import.meta.url));
const { qrels } = await loadQrels(path('example.qrels'));
const { run } = await loadRun(path('hybrid.run'));
const table = evaluate(qrels, run, [starred, makeMeasure(starred, { star: 2 }), 'P@5']);
for (const measure of table.measures) process.stdout.write(`${measure}: ${table.aggregate(measure).toFixed(3)}\n`);

// > Starred: 1.433
// > Starred(star=2): 1.567
// > P@5: 0.800
