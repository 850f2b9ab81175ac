import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../dist/core/numbers/random.js';

/** Queries and documents of the shape of MSLR-WEB30K: 136 features of the kinds found there (counts, shares, sparse ones, scores of
 *  retrieval models, a few values only, heavy tails, noise), labels 0 to 4 in its proportions. All from one seed.
 *
 *  A set is kept as raw numbers, so that every contender begins with the same array in memory, and on demand as LETOR text. */

export const NUM_FEATURES = 136;
const SEED = 136_000;
/** Upper ends of the labels 0 to 3 on the scale of latent relevance: shares of about .52, .32, .13, .02 and .01. */
const LABEL_ENDS = [0.06, 1.18, 2.3, 2.75];

/** @typedef {{ name: string, queries: number, stream: number }} SetSpec */

export const trainSet = /** @type {SetSpec} */ ({ name: 'mslr-train', queries: 2000, stream: 1 });
export const testSet = /** @type {SetSpec} */ ({ name: 'mslr-test', queries: 500, stream: 2 });

export function benchFolder() {
  const folder = process.env.GRADUS_BENCH_DIR ?? fileURLToPath(new URL('../../.cache/bench', import.meta.url));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Names of the files of a set, which are made if they are not there: features (f64, row by row), labels (f64), documents per query
 *  (u32). @param {SetSpec} spec */
export function filesOf(spec) {
  const base = join(benchFolder(), spec.name);
  const files = { features: `${base}.features.f64`, labels: `${base}.labels.f64`, groups: `${base}.groups.u32`, text: `${base}.txt` };
  if (!existsSync(files.groups)) makeSet(spec, files);
  return files;
}

/** @param {SetSpec} spec @param {{ features: string, labels: string, groups: string }} files */
function makeSet({ queries, stream }, files) {
  const random = seededRandom(SEED, stream);
  const kinds = describeFeatures();
  const groups = Uint32Array.from({ length: queries }, () => 40 + random.below(153));
  const numRows = groups.reduce((sum, n) => sum + n, 0);
  const labels = new Float64Array(numRows);
  const part = `${files.features}.part`;
  const out = openSync(part, 'w');
  const latent = new Float64Array(8);
  let row = 0;
  for (const size of groups) {
    const idf = 1 + 4 * random.float();
    const shift = 0.3 * random.normal();
    const terms = 1 + random.below(5);
    const cells = new Float64Array(size * NUM_FEATURES);
    for (let d = 0; d < size; d++, row++) {
      for (let k = 0; k < latent.length; k++) latent[k] = random.normal();
      const relevance =
        0.7 * latent[0] +
        0.5 * Math.max(0, latent[1]) * latent[2] +
        0.4 * Math.abs(latent[3]) -
        0.3 * latent[4] * latent[4] +
        0.6 * random.normal() +
        shift;
      labels[row] = LABEL_ENDS.filter((end) => relevance > end).length;
      for (let f = 0; f < NUM_FEATURES; f++) {
        const { kind, source, strength } = kinds[f];
        const mixed = strength * latent[source] + (1 - strength) * random.normal();
        cells[d * NUM_FEATURES + f] = Math.round(1e6 * cellOf(kind, mixed, idf, terms, random)) / 1e6;
      }
    }
    writeSync(out, new Uint8Array(cells.buffer));
  }
  closeSync(out);
  renameSync(part, files.features);
  writeFileSync(files.labels, new Uint8Array(labels.buffer));
  writeFileSync(files.groups, new Uint8Array(groups.buffer));
}

function describeFeatures() {
  const random = seededRandom(SEED);
  return Array.from({ length: NUM_FEATURES }, (_, f) => ({ kind: f % 8, source: random.below(8), strength: random.float() ** 2 }));
}

/** @param {number} kind @param {number} x @param {number} idf @param {number} terms @param {import('../../dist/core/numbers/random.js').Random} random */
function cellOf(kind, x, idf, terms, random) {
  if (kind === 0) return Math.floor(Math.exp(1 + 0.8 * x));
  if (kind === 1) return 1 / (1 + Math.exp(-x));
  if (kind === 2) return x < 0.5 ? 0 : x;
  if (kind === 3) return Math.floor(Math.exp(0.7 * x)) * idf;
  if (kind === 4) return Math.max(0, 10 + 4 * x);
  if (kind === 5) return Math.min(terms, Math.max(0, Math.round(terms * 0.5 + x)));
  if (kind === 6) return Math.exp(2 * random.normal() + 0.3 * x);
  return -Math.abs(8 + 2 * x);
}

/** A set as the library has it, its features in shared memory, where the library puts those of large files.
 *  @param {SetSpec} spec */
export function loadSet(spec) {
  const files = filesOf(spec);
  const features = sharedNumbers(files.features);
  const labels = numbers(files.labels);
  const sizes = readFileSync(files.groups);
  const groups = new Uint32Array(sizes.buffer, sizes.byteOffset, sizes.byteLength / 4);
  const queryOffsets = new Uint32Array(groups.length + 1);
  groups.forEach((size, q) => {
    queryOffsets[q + 1] = queryOffsets[q] + size;
  });
  return { features, labels, queryOffsets, numRows: labels.length };
}

/** @param {string} path */
function sharedNumbers(path) {
  const bytes = new Uint8Array(new SharedArrayBuffer(statSync(path).size));
  const file = openSync(path, 'r');
  for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, Math.min(bytes.length - at, 1 << 24), at);
  closeSync(file);
  return new Float64Array(bytes.buffer);
}

/** @param {string} path */
function numbers(path) {
  const bytes = readFileSync(path);
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
}

/** The set as LETOR text; tells the name of the file. @param {SetSpec} spec */
export function textOf(spec) {
  const { text } = filesOf(spec);
  if (existsSync(text)) return text;
  const { features, labels, queryOffsets } = loadSet(spec);
  const out = openSync(`${text}.part`, 'w');
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    let lines = '';
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) {
      lines += `${labels[row]} qid:${q + 1}`;
      for (let f = 0; f < NUM_FEATURES; f++) lines += ` ${f + 1}:${features[row * NUM_FEATURES + f]}`;
      lines += '\n';
    }
    writeSync(out, lines);
  }
  closeSync(out);
  renameSync(`${text}.part`, text);
  return text;
}
