import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { IdTable } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import { modelFromRankLib } from '../../ltr/models/ranklib.js';
import { scoreMatrix } from '../../ltr/scoring/score.js';
import { readFileText, ToolExit, type ToolHost } from '../host.js';
import type { RankList } from './lists.js';
import { type ListScorer, readLinear } from './run-ranklib.js';

/** Reads a model file of RankLib, of whatever ranker. */
export function readRankLibModel(host: ToolHost, path: string): ListScorer {
  const text = readFileText(host, path);
  if (text === undefined) throw new ToolExit(1, { err: `Error reading file: ${path}\n` });
  if (text.trimStart().startsWith('## Coordinate Ascent')) return readLinear(host, path);
  try {
    const model = modelFromRankLib(text);
    return (list) => scoreMatrix(model, matrixOf(list));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new ToolExit(1, { out: `${path}: ${error.message}\n` });
  }
}

/** One list as a matrix. */
function matrixOf({ id, labels, features, numFeatures }: RankList): FeatureMatrix {
  const numRows = labels.length;
  return {
    numRows,
    numRecords: numRows,
    queryOffsets: Uint32Array.of(0, numRows), // fits: entries
    queries: IdTable.of([id]),
    queryOf: Uint32Array.of(0),
    labels,
    lines: new Uint32Array(numRows), // fits: entries
    records: undefined,
    comments: undefined,
    features: {
      layout: 'dense',
      numFeatures,
      firstFeature: 1,
      numGiven: numRows * numFeatures,
      values: features ?? new Float32Array(numRows * numFeatures), // fits: single precision, which was asked for; stores that round say so
    },
  };
}
