import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import { scoreLinear, scoreNet } from './dense.js';
import { normaliseRows } from './normalise.js';
import { RowReader } from './rows.js';
import { scoreTrees } from './trees.js';

/** Rows that are worked on together: what they and one tree take stays in the nearest caches. */
const BLOCK_CELLS = 1 << 14;
const MOST_BLOCK_ROWS = 256;

/** The score of every row, in the order of the rows. Features are found by their names where both sides have names,
 *  otherwise by their ids; a feature that the data does not have is what the model says of missing ones. */
export function scoreMatrix(model: Model, matrix: FeatureMatrix): Float64Array {
  const { features, numRows, queryOffsets } = matrix;
  if (features === undefined) throw new InputError('the data was read without its features, which a model needs to score it');
  const { numFeatures, normalisation } = model;
  const reader = new RowReader(model, features);
  const scores = new Float64Array(numRows);
  const byQuery = normalisation?.kind === 'query';
  const blockRows = Math.max(1, Math.min(MOST_BLOCK_ROWS, Math.floor(BLOCK_CELLS / Math.max(1, numFeatures))));
  let cells = new Float64Array(blockRows * numFeatures);
  for (let start = 0, query = 0; start < numRows; query++) {
    const end = byQuery ? queryOffsets[query + 1] : Math.min(numRows, start + blockRows);
    if ((end - start) * numFeatures > cells.length) cells = new Float64Array((end - start) * numFeatures);
    reader.read(start, end, cells);
    if (normalisation !== undefined) normaliseRows(cells, end - start, numFeatures, normalisation);
    scoreRows(model, cells, end - start, scores.subarray(start, end));
    start = end;
  }
  return scores;
}

function scoreRows({ scorer, numFeatures }: Model, cells: Float64Array, numRows: number, scores: Float64Array): void {
  if (scorer.kind === 'trees') scoreTrees(scorer, cells, numRows, numFeatures, scores);
  else if (scorer.kind === 'linear') scoreLinear(scorer, cells, numRows, scores);
  else scoreNet(scorer, cells, numRows, scores);
}
