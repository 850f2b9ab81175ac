// Runs models that Gradus writes as ONNX with onnxruntime-node, and compares the scores: npm run build && node scripts/check-onnx.mjs
//
// The runtime is installed into a folder of its own that is removed afterwards (300 MB; ONNX_RUNTIME_FOLDER names one to keep and use
// again). The models are those of test/golden/ltr-models. Ends with status 1 if a score is further away than the format explains:
// doubles up to the order of sums, 32-bit floats up to seven digits.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelToOnnx } from '../dist/ltr/models/onnx.js';
import { readModel } from '../dist/ltr/models/read-model.js';
import { scoreMatrix } from '../dist/ltr/scoring/score.js';

const VERSION = '1.30.0';
const models = fileURLToPath(new URL('../test/golden/ltr-models/', import.meta.url));
const folder = process.env.ONNX_RUNTIME_FOLDER ?? mkdtempSync(join(tmpdir(), 'gradus-onnx-'));
let failed = 0;
try {
  const { InferenceSession, Tensor } = await runtime();
  let equal = 0;
  let documents = 0;
  for (const file of readdirSync(models).filter((name) => name.endsWith('.scores.json'))) {
    const name = file.replace('.scores.json', '');
    const model = readModel(readFileSync(join(models, `${name}.${name.startsWith('xgboost') ? 'json' : 'txt'}`), 'utf8'));
    const { rows } = JSON.parse(readFileSync(join(models, file), 'utf8'));
    for (const treeOpset of model.scorer.kind === 'trees' ? [5, 3] : [5]) {
      const session = await InferenceSession.create(modelToOnnx(model, { treeOpset }).content);
      const single = treeOpset === 3;
      // without the rows that lie a hair beside thresholds, which 32-bit floats cannot tell apart
      const used = single ? rows.slice(0, 25) : rows;
      const cells = used.flatMap((row) => Array.from({ length: model.numFeatures }, (_, column) => row[column] ?? Number.NaN));
      const values = single ? Float32Array.from(cells) : Float64Array.from(cells);
      const input = new Tensor(single ? 'float32' : 'float64', values, [used.length, model.numFeatures]);
      const theirs = (await session.run({ features: input })).scores.data;
      const ours = scoreMatrix(model, matrixOf(Float64Array.from(cells), used.length, model.numFeatures));
      const size = Math.max(...ours.map(Math.abs));
      const difference = Math.max(...ours.map((score, row) => Math.abs(score - theirs[row]))) / size;
      const same = ours.filter((score, row) => score === theirs[row]).length;
      const limit = single || (model.scorer.kind === 'trees' && model.scorer.sums === 'float32') ? 1e-6 : 1e-14;
      if (!(difference <= limit)) failed++;
      equal += single ? 0 : same;
      documents += single ? 0 : rows.length;
      const verdict = difference <= limit ? 'ok     ' : 'DIFFERS';
      process.stdout.write(
        `${verdict} ${name}, trees of opset ${treeOpset}: ${same} of ${used.length} equal, largest difference ${difference.toExponential(1)}\n`,
      );
    }
  }
  process.stdout.write(`${equal} of ${documents} scores of the double models are equal in every bit; ${failed} models differ too much\n`);
} finally {
  if (process.env.ONNX_RUNTIME_FOLDER === undefined) rmSync(folder, { recursive: true });
}
process.exitCode = failed > 0 ? 1 : 0;

/** onnxruntime-node, installed if it is not there. Its install script would fetch GPU libraries from elsewhere. */
async function runtime() {
  if (!existsSync(join(folder, 'node_modules/onnxruntime-node'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', `onnxruntime-node@${VERSION}`], {
      cwd: folder,
      env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`onnxruntime-node could not be installed: ${stderr}`);
  }
  return createRequire(join(folder, 'package.json'))('onnxruntime-node');
}

function matrixOf(values, numRows, numFeatures) {
  const features = { layout: 'dense', numFeatures, firstFeature: 1, numGiven: values.length, values };
  return { numRows, queryOffsets: Uint32Array.of(0, numRows), features };
}
