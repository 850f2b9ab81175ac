/** Trains one ranker and prints what it is worth on the test file: node train-once.mjs LEARNER TRAIN VALIDATION TEST [OPTIONS as JSON]
 *
 *  The measure is nDCG@10 with gains 2^label - 1 and discounts log2(rank + 1), 0 for queries without relevant documents. */

import { readFileSync } from 'node:fs';
import { parseLetor } from '../../dist/formats/index.js';
import { loadLearner, scoreMatrix, trainRanker } from '../../dist/ltr/index.js';
import { objectiveOf } from '../../dist/ltr/objectives/index.js';
import { Rankings } from '../../dist/ltr/training/rankings.js';
import { parseMeasure } from '../../dist/measures/index.js';

const [name, ...files] = process.argv.slice(2, 6);
const options = JSON.parse(process.argv[6] ?? '{}');
const [train, validation, test] = files.map((file) => parseLetor(readFileSync(file), { source: file, comments: false }).matrix);
const measure = parseMeasure("nDCG(gain='exp')@10");
const learner = await loadLearner(name);
const what = learner.objectives === 'own' ? { metric: measure } : { objective: measure };
const model = await trainRanker({ learner, train, validation, ...what, options });
const value = new Rankings(objectiveOf(measure), test.labels, test.queryOffsets).mean(scoreMatrix(model, test));
process.stdout.write(`${value}\n`);
