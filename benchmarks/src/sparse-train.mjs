// Trains LambdaMART on sparse LETOR text in one thread: node sparse-train.mjs FILE MIN_DOCS TREES PREDICTIONS
// Writes the predictions of the training documents, one number per line.
import { writeFileSync } from 'node:fs';
import { loadLearner, scoreMatrix, trainRanker } from '../../dist/ltr/index.js';
import { parseMeasure } from '../../dist/measures/index.js';
import { loadFeatures } from '../../dist/node/letor/load-features.js';

const [path, minDocs, trees, predictions] = process.argv.slice(2);
const { matrix: train } = await loadFeatures(path, {});
const options = { trees: Number(trees), leaves: 31, minDocs: Number(minDocs) };
const model = await trainRanker({ learner: await loadLearner('lambdamart'), train, objective: parseMeasure("nDCG(gain='exp')"), options });
writeFileSync(predictions, `${scoreMatrix(model, train).join('\n')}\n`);
