// Writes every model of a folder (made by ltr-models.py) in the formats of other tools, and prints as JSON where each file is, the
// documents and the scores of Gradus: node ltr-model-exports.mjs MODELS OUT. Conversions that are refused are left out.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { InputError } from '../../dist/index.js';
import { modelToLightGbm } from '../../dist/ltr/models/lightgbm.js';
import { modelToRankLib } from '../../dist/ltr/models/ranklib-writer.js';
import { readModel } from '../../dist/ltr/models/read-model.js';
import { modelToXgBoost } from '../../dist/ltr/models/xgboost.js';
import { scoreMatrix } from '../../dist/ltr/scoring/score.js';

const [models, out] = process.argv.slice(2);
const writers = { lightgbm: modelToLightGbm, xgboost: modelToXgBoost, ranklib: modelToRankLib };
const exported = [];
/** Rows before the special ones. */
const DOCUMENTS = 25;
for (const file of readdirSync(models).filter((name) => name.endsWith('.scores.json'))) {
  const name = file.replace('.scores.json', '');
  const text = readFileSync(`${models}/${name}.${name.startsWith('xgboost') ? 'json' : 'txt'}`, 'utf8');
  const model = readModel(text);
  const { rows } = JSON.parse(readFileSync(`${models}/${file}`, 'utf8'));
  for (const [format, write] of Object.entries(writers)) {
    // what RankLib cannot read: missing values, of which it knows nothing; what XGBoost takes for missing otherwise: zeros
    // RankLib's files do not say how many features there are, and the others insist on their number
    const width = format === 'ranklib' ? Infinity : model.numFeatures;
    const filled = rows.map((row) =>
      row.slice(0, width).map((x) => x ?? (format === 'ranklib' || !Number.isNaN(model.missing) ? 0 : null)),
    );
    // between tools: the documents without the rows that lie a hair beside thresholds, which 32-bit floats cannot tell apart, and
    // without values between 0 and 1e-35, which LightGBM takes for 0
    const plain = filled.slice(0, DOCUMENTS).concat([filled[0].map(() => 0), filled[0].map(() => 1e30)]);
    const fitting = name.startsWith(format) ? filled : plain;
    if (format === 'xgboost' && model.scorer.zeroIsMissing) continue;
    try {
      const path = `${out}/${name}.${format}.${format === 'xgboost' ? 'json' : 'txt'}`;
      writeFileSync(path, write(model).content);
      exported.push({ name, format, path, rows: fitting, scores: [...scoreMatrix(model, matrixOf(fitting))] });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
}
process.stdout.write(JSON.stringify(exported));

function matrixOf(rows) {
  const values = Float64Array.from(rows.flat(), (value) => value ?? Number.NaN);
  const features = { layout: 'dense', numFeatures: rows[0].length, firstFeature: 1, numGiven: values.length, values };
  return { numRows: rows.length, queryOffsets: Uint32Array.of(0, rows.length), features };
}
