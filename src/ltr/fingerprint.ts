import { type FeatureMatrix, numQueries, queryText } from '../core/feature-matrix.js';
import { featuresOf } from './dataset.js';

/** 16 hexadecimal digits that stand for labels, queries and features. Layout and precision do not matter, nor whether a cell
 *  is 0 or left out. */
export function fingerprintOf(matrix: FeatureMatrix): string {
  if (matrix.binned !== undefined) return matrix.binned.fingerprint;
  const features = featuresOf(matrix);
  const { queryOffsets, labels } = matrix;
  const { numFeatures } = features;
  const hash = new FingerprintHash();
  hash.begin(numFeatures);
  for (let q = 0; q < numQueries(matrix); q++) {
    hash.addQuery(queryText(matrix, q));
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) {
      hash.add(labels, row, row + 1, undefined);
      if (features.layout === 'dense') hash.add(features.values, row * numFeatures, (row + 1) * numFeatures, undefined);
      else hash.add(features.values, features.rowOffsets[row], features.rowOffsets[row + 1], features.columns);
    }
  }
  return hash.text();
}

/** Two hashes of the kind of Fowler, Noll and Vo's over the 32-bit halves of doubles, with a rotation in each step so that high
 *  bits matter as much as low ones. */
export class FingerprintHash {
  /** All that it knows: another one that is given these goes on from here. */
  first: number = 0x811c9dc5 | 0;
  second: number = 0x9e3779b9 | 0;
  private readonly double = new Float64Array(1);
  private readonly words = new Uint32Array(this.double.buffer); // fits: a view of the halves of a double; nothing is stored

  begin(numFeatures: number): void {
    this.add(Float64Array.of(numFeatures), 0, 1, undefined);
  }

  /** Takes the id of a query, whose rows are to follow: of each its label, then its features. */
  addQuery(id: string): void {
    const characters = Float64Array.from(id, (character) => character.codePointAt(0) ?? 0);
    this.add(characters, 0, characters.length, undefined);
  }

  /** Takes the numbers from start to end, each with its place among them or in `columns`; zeros are left out. */
  add(values: Float64Array | Float32Array, start: number, end: number, columns: Uint32Array | undefined): void {
    const { double, words } = this;
    let { first, second } = this;
    const stop = Math.min(end, values.length);
    let next = 0;
    for (let i = start; i < stop; i++) {
      const value = values[i];
      if (value === 0) continue;
      const place = columns === undefined ? i - start : columns[i];
      // where cells follow one another their places need not be stated
      if (place !== next) {
        first = Math.imul(((first << 5) | (first >>> 27)) ^ place, 0x01000193);
        second = Math.imul(((second << 9) | (second >>> 23)) ^ place, 0x85ebca6b);
      }
      next = place + 1;
      double[0] = value;
      const low = words[0];
      const high = words[1];
      first = Math.imul(((first << 5) | (first >>> 27)) ^ low, 0x01000193);
      second = Math.imul(((second << 9) | (second >>> 23)) ^ low, 0x85ebca6b);
      first = Math.imul(((first << 5) | (first >>> 27)) ^ high, 0x01000193);
      second = Math.imul(((second << 9) | (second >>> 23)) ^ high, 0x85ebca6b);
    }
    // the end of a stretch, so that moving a cell from one to the next makes a difference
    this.first = Math.imul(first ^ next, 0x01000193);
    this.second = Math.imul(second ^ next, 0x85ebca6b);
  }

  text(): string {
    return [this.first, this.second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
