import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { featureLists } from '../../../../test/helpers/feature-lists.js';
import { type SparseFeatures, toDense } from '../../../core/feature-matrix.js';
import { type Random, seededRandom } from '../../../core/numbers/random.js';
import { parseMeasures } from '../../../measures/parse.js';
import { lambdamart } from '../../learners/lambdamart.js';
import { objectiveOf } from '../../objectives/index.js';
import { checkOptions } from '../../options.js';
import type { TrainingSet } from '../../ranker.js';
import { findEdges } from '../bin-edges.js';
import { binCells, codeOf, shareColumns, writeCodes } from './shared-columns.js';
import { sparseEdges } from './sparse-edges.js';

const NUM_FEATURES = 30;

/** Sparse data: some features in most rows, most in a few, some with missing values, some with negative ones, some with one value only. */
function sparseFeatures(random: Random, numRows: number): SparseFeatures {
  const offsets = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < numRows; row++) {
    for (let c = 0; c < NUM_FEATURES; c++) {
      if (random.float() > (c < 3 ? 0.7 : 0.05)) continue;
      columns.push(c);
      values.push(c % 7 === 3 && random.float() < 0.3 ? Number.NaN : c % 5 === 0 ? 1 : c % 3 === 0 ? random.normal() : random.below(4));
    }
    offsets.push(columns.length);
  }
  return {
    layout: 'sparse',
    numFeatures: NUM_FEATURES,
    firstFeature: 1,
    numGiven: columns.length,
    rowOffsets: Uint32Array.from(offsets),
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
  };
}

function valuesOf(features: SparseFeatures, column: number): Float64Array {
  const { values, numFeatures } = toDense(features);
  return Float64Array.from({ length: values.length / numFeatures }, (_, row) => values[row * numFeatures + column]);
}

const seeds = fc.nat({ max: 1e9 });

describe('edges of sparse data', () => {
  it('are those of all values written out', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(3, 8, 255), (seed, maxValueBins) => {
        const features = sparseFeatures(seededRandom(seed), 80);
        const sample = Uint32Array.from({ length: 40 }, (_, i) => i * 2);
        const edges = sparseEdges(features, sample, maxValueBins);
        for (let c = 0; c < NUM_FEATURES; c++) {
          const all = valuesOf(features, c);
          const sorted = Float64Array.from(sample, (row) => all[row])
            .filter((value) => !Number.isNaN(value))
            .sort();
          expect(edges[c]).toEqual(findEdges(sorted, maxValueBins));
        }
      }),
    );
  });
});

describe('columns that features share', () => {
  it('say of every cell which bin it has', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = seededRandom(seed);
        const sets = [sparseFeatures(random, 60), sparseFeatures(random, 20)];
        const edges = sparseEdges(
          sets[0],
          Uint32Array.from({ length: 60 }, (_, i) => i),
          8,
        );
        const bins = sets.map((features) => binCells(features, edges));
        const shared = shareColumns(bins, edges);
        expect(shared.numColumns).toBeLessThan(NUM_FEATURES);
        const stride = shared.numColumns + 3;
        sets.forEach((features, s) => {
          const numRows = features.rowOffsets.length - 1;
          const bytes = new Uint8Array(numRows * stride);
          writeCodes(bins[s], shared, bytes, 0, stride);
          for (let c = 0; c < NUM_FEATURES; c++) {
            const column = shared.columnOf[c];
            const endCode = shared.firstCode[c] + shared.numBins[c] - 2 + shared.hasMissing[c];
            const wrong = valuesOf(features, c).findIndex((value, row) => {
              const bin = Number.isNaN(value) ? 0 : 1 + edges[c].filter((edge) => edge < value).length;
              if (column < 0) return bin !== shared.usualBin[c];
              const code = bytes[row * stride + column];
              const isOwn = code >= shared.firstCode[c] && code < endCode;
              return (isOwn ? code : 0) !== codeOf(shared, c, bin);
            });
            expect(wrong).toBe(-1);
          }
        });
      }),
    );
  });

  it('have at most 256 codes, and columns of many features are few', () => {
    const numRows = 2000;
    const features: SparseFeatures = {
      layout: 'sparse',
      numFeatures: numRows,
      firstFeature: 1,
      numGiven: numRows,
      rowOffsets: Uint32Array.from({ length: numRows + 1 }, (_, i) => i),
      columns: Uint32Array.from({ length: numRows }, (_, i) => i),
      values: new Float64Array(numRows).fill(1),
    };
    const edges = Array.from({ length: numRows }, () => Float64Array.of(0.5));
    const shared = shareColumns([binCells(features, edges)], edges);
    expect(shared.numColumns).toBe(Math.ceil(numRows / 255));
    expect(Math.max(...shared.numCodes)).toBe(256);
  });
});

describe('trees grown on shared columns', () => {
  it('are those grown on columns of their own', async () => {
    const choices = fc.record({
      seed: seeds,
      minDocs: fc.integer({ min: 1, max: 4 }),
      leaves: fc.integer({ min: 2, max: 12 }),
      featureSample: fc.constantFrom(1, 0.5),
      rowSample: fc.constantFrom(1, 0.7),
      dropRate: fc.constantFrom(0, 0.5),
      l1: fc.constantFrom(0, 0.1),
      monotone: fc.constantFrom([], [1, 0, 0, -1]),
    });
    const objective = objectiveOf(parseMeasures('nDCG@5')[0]);
    await fc.assert(
      fc.asyncProperty(choices, async ({ seed, ...given }) => {
        const random = seededRandom(seed);
        const data = (numRows: number): { sparse: TrainingSet; dense: TrainingSet } => {
          const features = sparseFeatures(random, numRows);
          const { values } = toDense(features);
          const document = (row: number) => ({
            label: random.below(3),
            cells: [...values.subarray(row * NUM_FEATURES, (row + 1) * NUM_FEATURES)],
          });
          const lists = Array.from({ length: numRows / 20 }, (_, q) => Array.from({ length: 20 }, (_, d) => document(q * 20 + d)));
          const dense = featureLists(lists);
          return { dense, sparse: { ...dense, features } };
        };
        const [train, validation] = [data(120), data(40)];
        const options = checkOptions(lambdamart, { trees: 6, ...given });
        const scorer = async (kind: 'sparse' | 'dense') =>
          (await lambdamart.train({ train: train[kind], validation: validation[kind], objective, options, seed: 3 })).scorer;
        expect(await scorer('sparse')).toEqual(await scorer('dense'));
      }),
      { numRuns: 25 },
    );
  });
});
