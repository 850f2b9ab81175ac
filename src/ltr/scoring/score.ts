import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import { scoreLinear } from './dense.js';
import { narrowed } from './narrow.js';
import { NetScoring } from './net-scoring.js';
import { normaliseRows } from './normalise.js';
import { RowReader } from './rows.js';
import { type BlockScorer, createTreeScoring } from './tree-scoring-wasm.js';
import { scoreTrees } from './trees.js';

/** Rows that are worked on together: what they and one tree take stays in the nearest caches. */
const BLOCK_CELLS = 1 << 14;
const MOST_BLOCK_ROWS = 256;
/** With fewer rows an ensemble is not worth laying out. */
const FEWEST_ROWS = 32;

/** The score of every row, in the order of the rows. Features are found by their names where both sides have names,
 *  otherwise by their ids; a feature that the data does not have is what the model says of missing ones. */
export function scoreMatrix(whole: Model, matrix: FeatureMatrix): Float64Array {
  const { numRows, queryOffsets } = matrix;
  const features = matrix.features ?? matrix.binned;
  if (features === undefined) throw new InputError('the data was read without its features, which a model needs to score it');
  const narrow = narrowed(whole);
  const model = narrow?.model ?? whole;
  const { numFeatures, normalisation, scorer } = model;
  const reader = new RowReader(whole, features, narrow);
  const scores = new Float64Array(numRows);
  const blocks = scorer.kind === 'trees' && numRows >= FEWEST_ROWS ? createTreeScoring(scorer, numFeatures) : undefined;
  const scoreRows = rowScoring(model, blocks);
  if (normalisation?.kind === 'query') {
    const longest = queryOffsets.reduce((most, end, q) => (q === 0 ? most : Math.max(most, end - queryOffsets[q - 1])), 0);
    const cells = new Float64Array(longest * numFeatures);
    for (let q = 0; q + 1 < queryOffsets.length; q++) {
      const start = queryOffsets[q];
      const rows = queryOffsets[q + 1] - start;
      reader.read(start, start + rows, cells);
      normaliseRows(cells, rows, numFeatures, normalisation);
      scoreRows(cells, rows, scores.subarray(start, start + rows));
    }
    return scores;
  }
  const fitting = Math.max(1, Math.min(MOST_BLOCK_ROWS, Math.floor(BLOCK_CELLS / Math.max(1, numFeatures))));
  const blockRows = blocks?.blockRows ?? fitting;
  const cells = blocks?.cells ?? new Float64Array(blockRows * numFeatures);
  for (let start = 0; start < numRows; start += blockRows) {
    const end = Math.min(numRows, start + blockRows);
    let missing = reader.read(start, end, cells);
    if (normalisation !== undefined) {
      normaliseRows(cells, end - start, numFeatures, normalisation);
      missing = true;
    }
    if (blocks === undefined) scoreRows(cells, end - start, scores.subarray(start, end));
    else blocks.score(end - start, missing, scores.subarray(start, end));
  }
  return scores;
}

type RowScoring = (cells: Float64Array, numRows: number, scores: Float64Array) => void;

/** What scores rows that are side by side in cells. */
function rowScoring({ scorer, numFeatures }: Model, blocks: BlockScorer | undefined): RowScoring {
  if (scorer.kind === 'linear') return (cells, numRows, scores) => scoreLinear(scorer, cells, numRows, scores);
  if (scorer.kind === 'net') {
    const scoring = new NetScoring(scorer);
    return (cells, numRows, scores) => scoring.score(cells, numRows, scores);
  }
  if (blocks === undefined) return (cells, numRows, scores) => scoreTrees(scorer, cells, numRows, numFeatures, scores);
  return (cells, numRows, scores) => {
    for (let start = 0; start < numRows; start += blocks.blockRows) {
      const end = Math.min(numRows, start + blocks.blockRows);
      blocks.cells.set(cells.subarray(start * numFeatures, end * numFeatures));
      blocks.score(end - start, true, scores.subarray(start, end));
    }
  };
}
