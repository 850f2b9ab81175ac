import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { checkFilledCells } from '../../core/limits.js';
import { seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { featuresOf } from '../dataset.js';
import type { Model, NetScorer, TreeScorer } from '../ranker.js';
import { scoreNet } from '../scoring/dense.js';
import { normaliseRows } from '../scoring/normalise.js';
import { RowReader } from '../scoring/rows.js';
import { leafOf } from '../scoring/trees.js';
import { InterventionalShapley } from './interventional-shapley.js';
import { PathShapley } from './path-shapley.js';

/** How contributions are computed.
 *  - `path`: features that are not known go both ways of a split, in the shares of the training documents; needs a model that has these.
 *  - `interventional`: features that are not known come from other documents, the background.
 *  - `sampled`: the same, estimated from random orders of the features; the only way for nets. */
export type ContributionMethod = 'path' | 'interventional' | 'sampled';

/** Settings of contributions. */
export interface ContributionOptions {
  /** `path` by default for trees that know their training documents, `interventional` for other trees and linear models, and `sampled`
   *  for nets. */
  readonly method?: ContributionMethod | undefined;
  /** Documents that features come from when they are not known; drawn from the data itself by default. */
  readonly background?: FeatureMatrix | undefined;
  /** How many documents of the background are used at most; 100 by default. */
  readonly backgroundSize?: number | undefined;
  /** Of the draw of the background, and of the orders of the sampled method; 1 by default. */
  readonly seed?: number | undefined;
  /** How many pairs of orders the sampled method takes; 50 by default. */
  readonly samples?: number | undefined;
}

/** What each feature adds to the score of each document. */
export interface ScoreContributions {
  readonly method: ContributionMethod;
  readonly numRows: number;
  readonly numFeatures: number;
  /** The score of a document of which no feature is known. base + the contributions of a row is its score, up to rounding. */
  readonly base: Float64Array;
  /** Rows side by side, one number per feature of the model. */
  readonly values: Float64Array;
  /** Standard errors of the values, with the sampled method. */
  readonly standardErrors?: Float64Array | undefined;
  /** How many documents the background has. */
  readonly backgroundSize?: number | undefined;
}

/** What each feature adds to the score of each document: Shapley values, which share the difference to the base among the features. */
export function scoreContributions(model: Model, matrix: FeatureMatrix, options: ContributionOptions = {}): ScoreContributions {
  const { scorer, numFeatures } = model;
  const cells = modelCells(model, matrix);
  const { numRows } = matrix;
  const method = options.method ?? defaultMethod(model);
  const values = new Float64Array(numRows * numFeatures);
  const each = (explain: (at: number, out: Float64Array) => void): void => {
    for (let row = 0; row < numRows; row++) explain(row * numFeatures, values.subarray(row * numFeatures, (row + 1) * numFeatures));
  };
  const made = (base: number, more: Partial<ScoreContributions> = {}): ScoreContributions => {
    return { method, numRows, numFeatures, base: new Float64Array(numRows).fill(base), values, ...more };
  };
  if (method === 'path') {
    if (scorer.kind !== 'trees') {
      throw new InputError({
        message: `contributions by path are for trees, and this is a ${scorer.kind} model`,
        wayOut: 'use interventional',
      });
    }
    const shapley = new PathShapley(scorer);
    each((at, out) => shapley.explain(cells, at, out));
    return made(shapley.base);
  }
  const { rows: background, numRows: backgroundSize } = backgroundOf(model, matrix, cells, options);
  if (method === 'sampled') return sampled(model, cells, background, backgroundSize, made, values, options);
  if (scorer.kind === 'trees') {
    const shapley = new InterventionalShapley(scorer, background, backgroundSize);
    each((at, out) => shapley.explain(cells, at, out));
    return made(shapley.base, { backgroundSize });
  }
  if (scorer.kind === 'net') throw new InputError({ message: 'a net has no exact contributions', wayOut: 'use sampled' });
  const means = columnMeans(background, backgroundSize, numFeatures);
  each((at, out) => {
    for (let column = 0; column < numFeatures; column++) out[column] = scorer.weights[column] * (cells[at + column] - means[column]);
  });
  return made(
    scorer.weights.reduce((sum, weight, column) => sum + weight * means[column], scorer.bias),
    { backgroundSize },
  );
}

function defaultMethod({ scorer }: Model): ContributionMethod {
  if (scorer.kind === 'net') return 'sampled';
  return scorer.kind === 'trees' && scorer.cover !== undefined ? 'path' : 'interventional';
}

/** The rows of the data as the scorer sees them. */
export function modelCells(model: Model, matrix: FeatureMatrix): Float64Array {
  const { numFeatures, normalisation } = model;
  const { numRows, queryOffsets } = matrix;
  checkFilledCells(numRows, numFeatures, featuresOf(matrix).values.length);
  const cells = new Float64Array(numRows * numFeatures);
  new RowReader(model, featuresOf(matrix)).read(0, numRows, cells);
  if (normalisation?.kind === 'global') normaliseRows(cells, numRows, numFeatures, normalisation);
  else if (normalisation !== undefined) {
    for (let q = 0; q + 1 < queryOffsets.length; q++) {
      const query = cells.subarray(queryOffsets[q] * numFeatures, queryOffsets[q + 1] * numFeatures);
      normaliseRows(query, queryOffsets[q + 1] - queryOffsets[q], numFeatures, normalisation);
    }
  }
  return cells;
}

interface Background {
  readonly rows: Float64Array;
  readonly numRows: number;
}

/** Documents of the background, drawn if there are more than wanted, in the order of the data. */
function backgroundOf(model: Model, matrix: FeatureMatrix, cells: Float64Array, options: ContributionOptions): Background {
  const { background, backgroundSize = 100, seed = 1 } = options;
  const { numFeatures } = model;
  const all = background === undefined ? cells : modelCells(model, background);
  const numAll = background === undefined ? matrix.numRows : background.numRows;
  if (numAll === 0) throw new InputError('there are no documents to compare with');
  if (numAll <= backgroundSize) return { rows: all, numRows: numAll };
  const order = Array.from({ length: numAll }, (_, row) => row);
  shuffleInPlace(seededRandom(seed), order);
  const drawn = order.slice(0, backgroundSize).sort((a, b) => a - b);
  const rows = new Float64Array(drawn.length * numFeatures);
  drawn.forEach((row, i) => {
    rows.set(all.subarray(row * numFeatures, (row + 1) * numFeatures), i * numFeatures);
  });
  return { rows, numRows: drawn.length };
}

function columnMeans(rows: Float64Array, numRows: number, width: number): Float64Array {
  const means = new Float64Array(width);
  for (let i = 0; i < numRows * width; i++) means[i % width] += rows[i] / numRows;
  return means;
}

/** Means over random orders of the features, each taken forwards and backwards: a feature gets what the score changes when it becomes
 *  known. Each pair of orders has its document of the background. */
function sampled(
  { scorer, numFeatures }: Model,
  cells: Float64Array,
  background: Float64Array,
  backgroundSize: number,
  made: (base: number, more: Partial<ScoreContributions>) => ScoreContributions,
  values: Float64Array,
  { seed = 1, samples = 50 }: ContributionOptions,
): ScoreContributions {
  const score = scoreOfCells(scorer, numFeatures);
  const numRows = cells.length / Math.max(1, numFeatures);
  const squares = new Float64Array(values.length);
  const order = Array.from({ length: numFeatures }, (_, column) => column);
  const mixed = new Float64Array(numFeatures);
  const pair = new Float64Array(numFeatures);
  let base = 0;
  for (let row = 0; row < backgroundSize; row++)
    base += score(background.subarray(row * numFeatures, (row + 1) * numFeatures)) / backgroundSize;
  for (let row = 0; row < numRows; row++) {
    const random = seededRandom(seed, row + 1);
    for (let sample = 0; sample < samples; sample++) {
      const other = random.below(backgroundSize) * numFeatures;
      shuffleInPlace(random, order);
      pair.fill(0);
      for (const backwards of [false, true]) {
        for (let column = 0; column < numFeatures; column++) mixed[column] = background[other + column];
        let before = score(mixed);
        for (let i = 0; i < numFeatures; i++) {
          const column = order[backwards ? numFeatures - 1 - i : i];
          mixed[column] = cells[row * numFeatures + column];
          const after = score(mixed);
          pair[column] += (after - before) / 2;
          before = after;
        }
      }
      for (let column = 0; column < numFeatures; column++) {
        values[row * numFeatures + column] += pair[column] / samples;
        squares[row * numFeatures + column] += pair[column] ** 2 / samples;
      }
    }
  }
  const standardErrors = squares.map((square, i) => Math.sqrt(Math.max(0, square - values[i] ** 2) / Math.max(1, samples - 1)));
  return made(base, { standardErrors, backgroundSize });
}

function scoreOfCells(scorer: Model['scorer'], numFeatures: number): (cells: Float64Array) => number {
  if (scorer.kind === 'net') return (cells) => netScore(scorer, cells);
  if (scorer.kind === 'linear') {
    return (cells) => {
      let sum = scorer.bias;
      for (let column = 0; column < numFeatures; column++) sum += scorer.weights[column] * cells[column];
      return sum;
    };
  }
  return (cells) => treesScore(scorer, cells);
}

function netScore(scorer: NetScorer, cells: Float64Array): number {
  const score = new Float64Array(1);
  scoreNet(scorer, cells, 1, score);
  return score[0];
}

function treesScore(scorer: TreeScorer, cells: Float64Array): number {
  let sum = scorer.base;
  for (let tree = 0; tree < scorer.treeWeights.length; tree++) {
    sum += scorer.treeWeights[tree] * scorer.value[leafOf(scorer, scorer.nodeOffsets[tree], cells)];
  }
  return sum;
}

/** How pairs of features act together (Lundberg et al. 2018): a square of one row and column per feature and one for the base, half of a
 *  pair's effect on each side of the diagonal. */
export function scoreInteractions(model: Model, matrix: FeatureMatrix): Float64Array[] {
  const { scorer, numFeatures } = model;
  if (scorer.kind !== 'trees') throw new InputError(`interactions are for trees, and this is a ${scorer.kind} model`);
  const cells = modelCells(model, matrix);
  const shapley = new PathShapley(scorer);
  const used = [...new Set(scorer.feature)].filter((column) => column >= 0);
  const width = numFeatures + 1;
  const [plain, on, off] = [0, 1, 2].map(() => new Float64Array(numFeatures));
  return Array.from({ length: matrix.numRows }, (_, row) => {
    const square = new Float64Array(width * width);
    shapley.explain(cells, row * numFeatures, plain);
    for (const held of used) {
      shapley.explain(cells, row * numFeatures, on, 1, held);
      shapley.explain(cells, row * numFeatures, off, -1, held);
      for (const column of used) if (column !== held) square[held * width + column] = (on[column] - off[column]) / 2;
    }
    for (const column of used) {
      let others = 0;
      for (const other of used) if (other !== column) others += square[column * width + other];
      square[column * width + column] = plain[column] - others;
    }
    square[width * width - 1] = shapley.base;
    return square;
  });
}

/** Contributions by Saabas' rule, which walks the document's own way only: fast, and unfair to features that are asked late. */
export function approximateContributions(model: Model, matrix: FeatureMatrix): ScoreContributions {
  const { scorer, numFeatures } = model;
  if (scorer.kind !== 'trees') throw new InputError(`approximate contributions are for trees, and this is a ${scorer.kind} model`);
  const cells = modelCells(model, matrix);
  const shapley = new PathShapley(scorer);
  const { numRows } = matrix;
  const values = new Float64Array(numRows * numFeatures);
  for (let row = 0; row < numRows; row++) {
    shapley.approximate(cells, row * numFeatures, values.subarray(row * numFeatures, (row + 1) * numFeatures));
  }
  return { method: 'path', numRows, numFeatures, base: new Float64Array(numRows).fill(shapley.base), values };
}
