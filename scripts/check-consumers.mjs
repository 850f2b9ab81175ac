// Scores the same documents by a model of trees in the programs that Gradus exports it to, and times the generated code:
//   npm run build && PYTHON=venv/bin/python node scripts/check-consumers.mjs MODEL DATA
//
// PYTHON has lightgbm, xgboost and onnxruntime (whichever is missing is left out, and said so); C is compiled by cc. DATA is a LETOR file
// whose documents name all features. For each form: how many scores are equal in every bit, the greatest difference, and, for code that is
// generated, the time for one document. Ends with status 1 if the greatest difference is more than 32-bit floats explain.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { toDense } from '../dist/core/feature-matrix.js';
import { parseLetor } from '../dist/formats/index.js';
import { readModel, scoreMatrix, writeModel } from '../dist/ltr/index.js';

const [modelPath, dataPath] = process.argv.slice(2);
if (dataPath === undefined) throw new Error('name a model and a LETOR file');
const model = readModel(readFileSync(modelPath, 'utf8'));
const { matrix } = parseLetor(readFileSync(dataPath));
const folder = mkdtempSync(join(tmpdir(), 'gradus-consumers-'));
const at = (/** @type {string} */ name) => join(folder, name);
const { numFeatures, numRows, cells } = denseCells();
const own = scoreMatrix(model, matrix);
const SINGLE = 3e-6;
let failed = false;

/** The columns of the model, row by row. */
function denseCells() {
  const dense = toDense(matrix.features, 0);
  const width = model.numFeatures;
  const shift = model.firstFeature - dense.firstFeature;
  const values = new Float64Array(matrix.numRows * width);
  for (let row = 0; row < matrix.numRows; row++) {
    for (let c = 0; c < width; c++) values[row * width + c] = dense.values[row * dense.numFeatures + c + shift] ?? 0;
  }
  return { numFeatures: width, numRows: matrix.numRows, cells: values };
}

/** @param {string} name @param {ArrayLike<number>} theirs @param {string} [time] */
function report(name, theirs, time = '') {
  let equal = 0;
  let greatest = 0;
  const size = own.reduce((most, score) => Math.max(most, Math.abs(score)), 0);
  // a constant that is the same for all documents changes no order
  const shift = name === 'xgboost-dump' ? own[0] - theirs[0] : 0;
  own.forEach((score, row) => {
    equal += score === theirs[row] + shift ? 1 : 0;
    greatest = Math.max(greatest, Math.abs(score - theirs[row] - shift) / size);
  });
  if (!(greatest <= SINGLE)) failed = true;
  process.stdout.write(
    `${name.padEnd(24)} ${equal} of ${own.length} equal, greatest difference ${greatest.toExponential(1)} of the largest score${time}\n`,
  );
}

/** @param {number} begun @param {number} times */
const perDocument = (begun, times) => `, ${(((performance.now() - begun) * 1e6) / times / numRows).toFixed(0)} ns per document`;

const python = `
import sys, struct, numpy as np
folder, what, rows, width = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
x = np.fromfile(folder + '/cells', dtype='<f8').reshape(rows, width)
if what == 'lightgbm':
    import lightgbm; s = lightgbm.Booster(model_file=folder + '/m.lightgbm').predict(x, raw_score=True, num_threads=1)
elif what in ('xgboost', 'xgboost-ubj'):
    import xgboost; b = xgboost.Booster(); b.load_model(folder + ('/m.ubj' if what == 'xgboost-ubj' else '/m.json'))
    s = b.predict(xgboost.DMatrix(x.astype('f4'), missing=float('nan')), output_margin=True)
else:
    import onnxruntime
    o = onnxruntime.InferenceSession(folder + '/m.' + what)
    s = o.run(None, {'features': x.astype('f4') if what == 'onnx3' else x})[0].ravel()
np.asarray(s, dtype='<f8').tofile(folder + '/scores')
`;

try {
  writeFileSync(at('cells'), cells);
  writeFileSync(at('score.py'), python);
  for (const [form, file] of /** @type {const} */ ([
    ['lightgbm', 'm.lightgbm'],
    ['xgboost', 'm.json'],
    ['xgboost-ubj', 'm.ubj'],
    ['onnx', 'm.onnx'],
    ['onnx3', 'm.onnx3'],
  ])) {
    writeFileSync(at(file), writeModel(model, form).content);
    const run = spawnSync(process.env.PYTHON ?? 'python3', [at('score.py'), folder, form, String(numRows), String(numFeatures)], {
      encoding: 'utf8',
    });
    if (run.status !== 0) process.stdout.write(`${form.padEnd(24)} not checked: ${run.stderr.trim().split('\n').at(-1)}\n`);
    else report(form, new Float64Array(new Uint8Array(readFileSync(at('scores'))).buffer));
  }

  writeFileSync(at('m.c'), String(writeModel(model, 'c').content));
  writeFileSync(
    at('main.c'),
    `#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\ndouble score_document(const double *);\nint main(int n, char **v) { long rows = atol(v[3]), width = atol(v[4]); double *x = malloc(rows * width * 8), *s = malloc(rows * 8); FILE *f = fopen(v[1], "rb"); if (fread(x, 8, rows * width, f) == 0) return 1; fclose(f); struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); for (int k = 0; k < 20; k++) for (long r = 0; r < rows; r++) s[r] = score_document(x + r * width); clock_gettime(CLOCK_MONOTONIC, &b); f = fopen(v[2], "wb"); fwrite(s, 8, rows, f); fclose(f); printf("%.0f", ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / 20 / rows); return 0; }\n`,
  );
  const compiled = spawnSync('cc', ['-O2', '-o', at('scorer'), at('m.c'), at('main.c'), '-lm'], { encoding: 'utf8' });
  if (compiled.status !== 0) process.stdout.write(`c not checked: ${compiled.stderr ?? 'there is no compiler'}\n`);
  else {
    const run = spawnSync(at('scorer'), [at('cells'), at('scores'), String(numRows), String(numFeatures)], { encoding: 'utf8' });
    report('c', new Float64Array(new Uint8Array(readFileSync(at('scores'))).buffer), `, ${run.stdout} ns per document`);
  }

  const source = String(writeModel(model, 'typescript').content);
  writeFileSync(
    at('m.mjs'),
    ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 } }).outputText,
  );
  const { scoreDocument: score } = await import(pathToFileURL(at('m.mjs')).href);
  const rows = Array.from({ length: numRows }, (_, row) => cells.subarray(row * numFeatures, (row + 1) * numFeatures));
  const scores = new Float64Array(numRows);
  for (let row = 0; row < numRows; row++) scores[row] = score(rows[row]);
  let begun = performance.now();
  for (let k = 0; k < 20; k++) for (let row = 0; row < numRows; row++) scores[row] = score(rows[row]);
  report('typescript', scores, perDocument(begun, 20));
  begun = performance.now();
  for (let k = 0; k < 20; k++) scoreMatrix(model, matrix);
  report('scoreMatrix', own, perDocument(begun, 20));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
