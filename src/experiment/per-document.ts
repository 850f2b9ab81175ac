/** Numbers that belong to single training documents: weights, and scores to begin with. */
import { type FeatureMatrix, featureValue, inRowOrder } from '../core/feature-matrix.js';
import { InputError } from '../core/problem.js';
import { readPredictions } from '../formats/read.js';
import { featuresOf } from '../ltr/dataset.js';
import { columnNamed } from '../ltr/trees/growth-rules.js';
import { sourceOf } from './material.js';
import type { Platform } from './platform.js';
import type { TrainingFiles } from './training/training-data.js';

type PerDocumentFiles = Pick<TrainingFiles, 'docWeights' | 'weightColumn' | 'initScores' | 'initScoreColumn'>;

/** Whether columns of the data are asked for, which takes their values. */
export function takesColumns({ weightColumn, initScoreColumn }: PerDocumentFiles): boolean {
  return weightColumn !== undefined || initScoreColumn !== undefined;
}

/** The weights and the scores of all documents, in the order of the rows, and the data without the columns that they were taken from. */
export async function readPerDocument(
  matrix: FeatureMatrix,
  { docWeights, weightColumn, initScores, initScoreColumn }: PerDocumentFiles,
  platform: Platform,
): Promise<{
  readonly matrix: FeatureMatrix;
  readonly documentWeights: Float64Array | undefined;
  readonly initialScores: Float64Array | undefined;
}> {
  const numbers = async (file: typeof docWeights, column: string | undefined, option: string): Promise<Float64Array | undefined> => {
    if (file !== undefined) return inOrderOf(matrix, await readPredictions(sourceOf(file, platform)), sourceOf(file, platform).name);
    return column === undefined ? undefined : columnValues(matrix, columnNamed(column, option, featuresOf(matrix)));
  };
  const documentWeights = await numbers(docWeights, weightColumn, 'weight column');
  const initialScores = await numbers(initScores, initScoreColumn, 'column of initial scores');
  const taken = [weightColumn, initScoreColumn].flatMap((name) =>
    name === undefined ? [] : [columnNamed(name, 'columns', featuresOf(matrix))],
  );
  return { matrix: taken.length === 0 ? matrix : withoutValues(matrix, new Set(taken)), documentWeights, initialScores };
}

function inOrderOf(matrix: FeatureMatrix, numbers: Float64Array, source: string): Float64Array {
  try {
    return inRowOrder(matrix, numbers);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problems.map((problem) => ({ ...problem, source })));
  }
}

function columnValues(matrix: FeatureMatrix, column: number): Float64Array {
  const features = featuresOf(matrix);
  return Float64Array.from({ length: matrix.numRows }, (_, row) => featureValue(features, row, column));
}

/** The same columns, some of which are 0 in every row, so that nothing is learnt from them. */
function withoutValues(matrix: FeatureMatrix, taken: ReadonlySet<number>): FeatureMatrix {
  const features = featuresOf(matrix);
  const values = features.values.slice();
  if (features.layout === 'dense') {
    for (const column of taken) for (let i = column; i < values.length; i += features.numFeatures) values[i] = 0;
  } else {
    features.columns.forEach((column, i) => {
      if (taken.has(column)) values[i] = 0;
    });
  }
  return { ...matrix, features: { ...features, values } };
}
