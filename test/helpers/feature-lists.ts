import { IdTable } from '../../src/core/ids.js';
import { type Random, seededRandom } from '../../src/core/numbers/random.js';
import type { TrainingSet } from '../../src/ltr/ranker.js';

export interface LabelledDoc {
  readonly label: number;
  readonly cells: readonly number[];
}

/** Queries of labelled documents as learners get them. */
export function featureLists(queries: readonly (readonly LabelledDoc[])[]): TrainingSet {
  const docs = queries.flat();
  const numFeatures = docs[0]?.cells.length ?? 0;
  const queryOffsets = new Uint32Array(queries.length + 1);
  queries.forEach((query, q) => {
    queryOffsets[q + 1] = queryOffsets[q] + query.length;
  });
  const values = Float64Array.from(docs.flatMap(({ cells }) => cells));
  return {
    numRows: docs.length,
    numRecords: docs.length,
    queryOffsets,
    queries: IdTable.of(queries.map((_, q) => `${q + 1}`)),
    queryOf: Uint32Array.from(queries, (_, q) => q),
    labels: Float64Array.from(docs, ({ label }) => label),
    lines: Uint32Array.from(docs, (_, row) => row + 1),
    records: undefined,
    comments: undefined,
    features: { layout: 'dense', numFeatures, firstFeature: 1, numGiven: values.length, values },
  };
}

/** The same with only the cells that are not 0. */
export function asSparse(matrix: TrainingSet): TrainingSet {
  const { features, numRows } = matrix;
  if (features.layout !== 'dense') throw new Error('dense features expected');
  const { numFeatures, values, firstFeature } = features;
  const rowOffsets = new Uint32Array(numRows + 1);
  const columns: number[] = [];
  const given: number[] = [];
  for (let row = 0; row < numRows; row++) {
    for (let c = 0; c < numFeatures; c++) {
      const value = values[row * numFeatures + c];
      if (value === 0) continue;
      columns.push(c);
      given.push(value);
    }
    rowOffsets[row + 1] = given.length;
  }
  const sparse = { rowOffsets, columns: Uint32Array.from(columns), values: Float64Array.from(given), numGiven: given.length };
  return { ...matrix, features: { layout: 'sparse', numFeatures, firstFeature, ...sparse } };
}

/** Queries whose labels depend on the first features; every third feature has few values, and some cells are missing. */
export function randomQueries(
  seed: number,
  shape: { queries: number; features: number; missing?: number; longest?: number },
): LabelledDoc[][] {
  const random = seededRandom(seed);
  return Array.from({ length: shape.queries }, () =>
    Array.from({ length: 1 + random.below(shape.longest ?? 25) }, () => randomDoc(random, shape.features, shape.missing ?? 0)),
  );
}

function randomDoc(random: Random, numFeatures: number, missing: number): LabelledDoc {
  let relevance = 0.4 * random.normal();
  const cells = Array.from({ length: numFeatures }, (_, f) => {
    const value = f % 3 === 0 ? random.below(5) : Math.round(100 * random.normal()) / 50;
    if (f < 3) relevance += f % 3 === 0 ? value / 2 - 1 : value / 3;
    return random.float() < missing ? Number.NaN : value;
  });
  return { label: Math.max(0, Math.min(4, Math.round(relevance))), cells };
}
