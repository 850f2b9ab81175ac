import type { FeatureMatrix } from '../../src/core/feature-matrix.js';
import { featureValue } from '../../src/core/feature-matrix.js';
import type { Ids } from '../../src/core/ids.js';
import type { Random } from '../../src/core/numbers/random.js';
import type { Model, TreeScorer } from '../../src/ltr/ranker.js';

/** The score of one document by following every branch, one question at a time. `cell` gives the value of a column. */
export function slowTreeScore(scorer: TreeScorer, cell: (column: number) => number): number {
  let sum = scorer.base;
  scorer.treeWeights.forEach((weight, tree) => {
    let node = scorer.nodeOffsets[tree];
    while (scorer.feature[node] >= 0) {
      let x = cell(scorer.feature[node]);
      if (scorer.zeroIsMissing && Math.abs(x) <= Math.fround(1e-35)) x = Number.NaN;
      const set = scorer.categories?.setOf[node] ?? -1;
      const holds = set < 0 ? x <= scorer.threshold[node] : x > scorer.threshold[node] && slowSet(scorer, set).has(Math.trunc(x) + 0);
      node = (Number.isNaN(x) ? scorer.missingLeft[node] === 1 : holds) ? scorer.left[node] : scorer.right[node];
    }
    sum += weight * scorer.value[node];
    if (scorer.sums === 'float32') sum = Math.fround(sum);
  });
  return scorer.divisor === undefined ? sum : sum / scorer.divisor;
}

/** The categories of a set, bit by bit. */
function slowSet({ categories }: TreeScorer, set: number): Set<number> {
  const found = new Set<number>();
  const { offsets, words } = categories!;
  Array.from(words.subarray(offsets[set], offsets[set + 1]), (word, i) =>
    [...word.toString(2)].reverse().forEach((bit, at) => {
      if (bit === '1') found.add(i * 32 + at);
    }),
  );
  return found;
}

/** The same trees with some splits by category: what is in a random set of numbers below 70 goes left. */
export function withCategories(random: Random, scorer: TreeScorer, bound = -1): TreeScorer {
  const offsets = [0];
  const words: number[] = [];
  const setOf = Array.from(scorer.feature, (feature) => {
    if (feature < 0 || random.below(2) === 0) return -1;
    for (let word = 1 + random.below(3); word > 0; word--) words.push(random.uint32());
    return offsets.push(words.length) - 2;
  });
  return {
    ...scorer,
    threshold: scorer.threshold.map((limit, node) => (setOf[node] < 0 ? limit : bound)),
    categories: { setOf: Int32Array.from(setOf), offsets: Uint32Array.from(offsets), words: Uint32Array.from(words) },
  };
}

/** Data of whole numbers up to 99, for splits by category, with fractions, negative and missing values among them. */
export function randomCategories(random: Random, numRows: number, numFeatures: number): FeatureMatrix {
  const matrix = randomMatrix(random, numRows, numFeatures, 'dense');
  const values = matrix.features!.values.map((value) => {
    if (Number.isNaN(value) || random.below(4) === 0) return value;
    return random.below(8) === 0 ? random.below(100) + 0.7 : random.below(100);
  });
  return { ...matrix, features: { ...matrix.features!, values } as typeof matrix.features };
}

/** One score per row, cell by cell through `featureValue`; models without normalisation. */
export function slowScores(model: Model, matrix: FeatureMatrix): number[] {
  return Array.from({ length: matrix.numRows }, (_, row) => {
    const cell = (column: number): number => {
      const x = featureValue(
        matrix.features!,
        row,
        column + model.firstFeature - matrix.features!.firstFeature,
        model.leftOut ?? model.missing,
      );
      const filled = Number.isNaN(x) ? model.missing : x;
      return model.inputs === 'float32' ? Math.fround(filled) : filled;
    };
    const { scorer } = model;
    if (scorer.kind === 'trees') return slowTreeScore(scorer, cell);
    if (scorer.kind === 'linear') return scorer.weights.reduce((sum, weight, column) => sum + weight * cell(column), scorer.bias);
    let outputs = Array.from({ length: model.numFeatures }, (_, column) => cell(column));
    for (const { units, inputs, weights, bias, activation } of scorer.layers) {
      outputs = Array.from({ length: units }, (_, unit) => {
        const x = outputs.reduce((sum, output, i) => sum + weights[unit * inputs + i] * output, bias[unit]);
        if (activation === 'tanh') return Math.tanh(x);
        if (activation === 'sigmoid') return 1 / (1 + Math.exp(-x));
        if (activation === 'leakyrelu') return x < 0 ? x * 0.01 : x;
        return activation === 'relu' ? Math.max(0, x) : x;
      });
    }
    return outputs[0];
  });
}

/** Trees that nobody trained: random shapes, thresholds among the values that `randomMatrix` uses. */
export function randomTrees(random: Random, numTrees: number, numFeatures: number, mostLeaves = 12): TreeScorer {
  const nodeOffsets = [0];
  const feature: number[] = [];
  const threshold: number[] = [];
  const left: number[] = [];
  const right: number[] = [];
  const missingLeft: number[] = [];
  const value: number[] = [];
  const leaf = (): number => {
    feature.push(-1);
    threshold.push(0);
    left.push(0);
    right.push(0);
    missingLeft.push(0);
    value.push(random.normal());
    return feature.length - 1;
  };
  for (let tree = 0; tree < numTrees; tree++) {
    const leaves = [leaf()];
    for (let more = random.below(mostLeaves); more > 0; more--) {
      const node = leaves.splice(random.below(leaves.length), 1)[0];
      feature[node] = random.below(numFeatures);
      threshold[node] = (random.below(17) - 8) / 4;
      missingLeft[node] = random.below(2);
      value[node] = 0;
      left[node] = leaf();
      right[node] = leaf();
      leaves.push(left[node], right[node]);
    }
    nodeOffsets.push(feature.length);
  }
  return {
    kind: 'trees',
    base: random.below(3) === 0 ? random.normal() : 0,
    nodeOffsets: Uint32Array.from(nodeOffsets),
    treeWeights: Float64Array.from({ length: numTrees }, () => (random.below(2) === 0 ? 1 : random.float())),
    feature: Int32Array.from(feature),
    threshold: Float64Array.from(threshold),
    left: Uint32Array.from(left),
    right: Uint32Array.from(right),
    missingLeft: Uint8Array.from(missingLeft),
    value: Float64Array.from(value),
  };
}

export function treeModel(scorer: TreeScorer, numFeatures: number, more: Partial<Model> = {}): Model {
  return { learner: 'lambdamart', firstFeature: 1, numFeatures, missing: Number.NaN, scorer, ...more };
}

/** Quarters from -2 to 2, which meet thresholds exactly, zeros, full doubles and missing cells, dense or sparse. */
export function randomMatrix(
  random: Random,
  numRows: number,
  numFeatures: number,
  layout: 'dense' | 'sparse',
  firstFeature = 1,
): FeatureMatrix {
  const cells = Float64Array.from({ length: numRows * numFeatures }, () => {
    const kind = random.below(5);
    if (kind === 0) return Number.NaN;
    return kind === 1 ? 0 : kind === 2 ? random.normal() : (random.below(17) - 8) / 4;
  });
  const perQuery = 7;
  const numQueries = Math.ceil(numRows / perQuery);
  const matrix = {
    numRows,
    numRecords: numRows,
    queryOffsets: Uint32Array.from({ length: numQueries + 1 }, (_, q) => Math.min(numRows, q * perQuery)),
    queries: idsOf(Array.from({ length: numQueries }, (_, q) => `q${q}`)),
    queryOf: Uint32Array.from({ length: numQueries }, (_, q) => q),
    labels: Float64Array.from({ length: numRows }, () => random.below(3)),
    lines: Uint32Array.from({ length: numRows }, (_, row) => row + 1),
    records: undefined,
    comments: undefined,
  };
  if (layout === 'dense') {
    return { ...matrix, features: { layout, numFeatures, firstFeature, numGiven: cells.length, values: cells } };
  }
  const rowOffsets = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < numRows; row++) {
    for (let column = 0; column < numFeatures; column++) {
      const cell = cells[row * numFeatures + column];
      if (Number.isNaN(cell) && random.below(4) > 0) continue;
      columns.push(column);
      values.push(cell);
    }
    rowOffsets.push(values.length);
  }
  const features = { layout, numFeatures, firstFeature, numGiven: values.length, rowOffsets: Uint32Array.from(rowOffsets) };
  return { ...matrix, features: { ...features, columns: Uint32Array.from(columns), values: Float64Array.from(values) } };
}

export function idsOf(texts: readonly string[]): Ids {
  const offsets = new Uint32Array(texts.length + 1);
  texts.forEach((text, i) => {
    offsets[i + 1] = offsets[i] + text.length;
  });
  return { size: texts.length, bytes: new TextEncoder().encode(texts.join('')), offsets };
}

/** One list of documents with these values; null is missing. */
export function matrixOfRows(rows: readonly (readonly (number | null)[])[]): FeatureMatrix {
  const numFeatures = rows[0].length;
  const values = Float64Array.from(rows.flat(), (value) => value ?? Number.NaN);
  return {
    numRows: rows.length,
    numRecords: rows.length,
    queryOffsets: Uint32Array.of(0, rows.length),
    queries: idsOf(['1']),
    queryOf: Uint32Array.of(0),
    labels: new Float64Array(rows.length),
    lines: Uint32Array.from(rows, (_, row) => row + 1),
    records: undefined,
    comments: undefined,
    features: { layout: 'dense', numFeatures, firstFeature: 1, numGiven: values.length, values },
  };
}
