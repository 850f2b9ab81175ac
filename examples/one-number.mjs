// One measure of one run, from objects that a program already has.
import { evaluate } from 'gradus';

const judgements = {
  'cheap flights': { d1: 2, d4: 1 },
  'weather tomorrow': { d2: 1 },
};
const results = {
  'cheap flights': { d4: 12.1, d3: 11.8, d1: 9.2 },
  'weather tomorrow': { d2: 7.5, d5: 3.3 },
};

process.stdout.write(`nDCG@10 = ${evaluate(judgements, results, 'nDCG@10').toFixed(4)}\n`);

// > nDCG@10 = 0.8801
