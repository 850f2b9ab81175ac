import { readFileSync, writeFileSync } from 'node:fs';

/** Documents as every contender gets them: cells row by row, labels, where each query begins.
 *  @typedef {{ cells: Float64Array, labels: Float64Array, queryOffsets: Uint32Array }} Arrays */

/** @param {string} base names of files begin with this @param {Arrays} arrays */
export function writeArrays(base, { cells, labels, queryOffsets }) {
  const sizes = queryOffsets.subarray(1).map((to, q) => to - queryOffsets[q]);
  writeFileSync(`${base}.features.f64`, cells);
  writeFileSync(`${base}.labels.f64`, labels);
  writeFileSync(`${base}.groups.u32`, sizes);
}

/** @param {string} base @returns {Arrays} */
export function readArrays(base) {
  const sizes = new Uint32Array(bytesOf(`${base}.groups.u32`));
  const queryOffsets = new Uint32Array(sizes.length + 1);
  sizes.forEach((size, q) => {
    queryOffsets[q + 1] = queryOffsets[q] + size;
  });
  return { cells: readNumbers(`${base}.features.f64`), labels: readNumbers(`${base}.labels.f64`), queryOffsets };
}

/** @param {string} path */
export function readNumbers(path) {
  return new Float64Array(bytesOf(path));
}

/** @param {string} path */
function bytesOf(path) {
  const bytes = readFileSync(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

/** Mean 0 and deviation 1 over the first set for each feature of all sets; features that never change become 0.
 *  @param {readonly [Arrays, ...Arrays[]]} sets @param {number} columns @returns {Arrays[]} */
export function standardised(sets, columns) {
  const [{ cells: first }] = sets;
  const numRows = first.length / columns;
  const means = new Float64Array(columns);
  const squares = new Float64Array(columns);
  first.forEach((value, i) => {
    means[i % columns] += value / numRows;
  });
  first.forEach((value, i) => {
    squares[i % columns] += (value - means[i % columns]) ** 2 / numRows;
  });
  const factors = squares.map((square, k) => (square > 1e-24 * means[k] ** 2 ? 1 / Math.sqrt(square) : 0));
  return sets.map((set) => ({ ...set, cells: set.cells.map((value, i) => (value - means[i % columns]) * factors[i % columns]) }));
}

/** @param {Arrays} arrays @param {Float64Array} weights */
export function linearScores({ cells, labels }, weights) {
  return labels.map((_, row) => weights.reduce((sum, weight, k) => sum + weight * cells[row * weights.length + k], 0));
}

/** 1/2 |w|² + c * (sum over pairs of the loss), pair by pair. @param {Arrays} arrays @param {Float64Array} weights @param {string} loss @param {number} c */
export function objectiveAt(arrays, weights, loss, c) {
  const { labels, queryOffsets } = arrays;
  const scores = linearScores(arrays, weights);
  let total = 0;
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    for (let a = queryOffsets[q]; a < queryOffsets[q + 1]; a++) {
      for (let b = queryOffsets[q]; b < queryOffsets[q + 1]; b++) {
        if (!(labels[a] > labels[b])) continue;
        const short = Math.max(0, 1 - scores[a] + scores[b]);
        total += loss === 'hinge' ? short : short * short;
      }
    }
  }
  return 0.5 * weights.reduce((sum, weight) => sum + weight * weight, 0) + c * total;
}

/** @param {Arrays} arrays */
export function countPairs({ labels, queryOffsets }) {
  let pairs = 0;
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    const own = labels.subarray(queryOffsets[q], queryOffsets[q + 1]);
    for (const a of own) for (const b of own) if (a > b) pairs++;
  }
  return pairs;
}

/** nDCG@10 with gains 2^label - 1 and discounts log2(rank + 1), 0 for queries without relevant documents, from the definition.
 *  @param {Arrays} arrays @param {ArrayLike<number>} scores */
export function meanNdcg({ labels, queryOffsets }, scores) {
  let sum = 0;
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    const rows = Array.from({ length: queryOffsets[q + 1] - queryOffsets[q] }, (_, i) => queryOffsets[q] + i);
    const dcg = (/** @type {number[]} */ order) =>
      order.slice(0, 10).reduce((total, row, rank) => total + (2 ** labels[row] - 1) / Math.log2(rank + 2), 0);
    const ideal = dcg(rows.toSorted((a, b) => labels[b] - labels[a]));
    if (ideal > 0) sum += dcg(rows.toSorted((a, b) => scores[b] - scores[a] || a - b)) / ideal;
  }
  return sum / (queryOffsets.length - 1);
}
