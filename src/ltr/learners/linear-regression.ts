import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { Learner, LearnerOption, Model, TrainingRequest } from '../ranker.js';
import { finishedModel } from '../training/finished-model.js';
import { Pause } from '../training/pause.js';
import {
  cellsOf,
  linearScores,
  NO_PAIRS,
  noScale,
  queriesWithPairs,
  requireTeaching,
  scaled,
  standardScale,
} from '../training/training-cells.js';
import { watchOf } from '../training/watch.js';

const options: Readonly<Record<string, LearnerOption>> = {
  l2: { type: 'number', default: 1e-10, min: 0, help: 'weight of the squared weights beside the squared errors', ranklib: '-L2' },
  standardise: {
    type: 'boolean',
    default: true,
    help: 'solves for features of mean 0 and deviation 1, so that l2 means the same to each; the model takes them as they are',
  },
};

/** Least squares on the labels: the plain pointwise learner that others are measured by. */
export const linearRegression: Learner = {
  name: 'linear-regression',
  aliases: ['linear', 'linreg'],
  title: 'Linear regression',
  help: 'Fits the labels by least squares, query by query alike, and ranks by the fitted label.',
  ranklib: 9,
  options,
  objectives: 'own',
  train,
};

async function train(request: TrainingRequest): Promise<Model> {
  const { l2, standardise } = request.options as { l2: number; standardise: boolean };
  refuseWide(request.train.features.numFeatures);
  const raw = cellsOf(request.train);
  const validation = request.validation && cellsOf(request.validation);
  requireTeaching(queriesWithPairs(raw), NO_PAIRS);
  const { numFeatures, numRows, labels } = raw;
  const scale = standardise ? standardScale(raw) : noScale(numFeatures);
  const { cells } = scaled(raw, scale);
  const size = numFeatures + 1;
  const pause = new Pause();
  // the normal equations, the constant last
  const gram = new Float64Array(size * size);
  const right = new Float64Array(size);
  const row = new Float64Array(size);
  row[numFeatures] = 1;
  for (let r = 0; r < numRows; r++) {
    row.set(cells.subarray(r * numFeatures, (r + 1) * numFeatures));
    for (let a = 0; a < size; a++) {
      const value = row[a];
      if (value === 0) continue;
      right[a] += value * labels[r];
      for (let b = 0; b <= a; b++) gram[a * size + b] += value * row[b];
    }
    if (r % 256 === 0) await pause.ifDue();
  }
  for (let c = 0; c < numFeatures; c++) gram[c * size + c] += l2;
  const solution = solveSymmetric(gram, right, size);
  const weights = new Float64Array(numFeatures);
  let bias = solution[numFeatures];
  for (let c = 0; c < numFeatures; c++) {
    weights[c] = solution[c] * scale.factor[c];
    bias -= weights[c] * scale.shift[c];
  }
  const scores = new Float64Array(numRows);
  linearScores(raw, weights, scores, bias);
  let squares = 0;
  for (let r = 0; r < numRows; r++) squares += (scores[r] - labels[r]) ** 2;
  let onValidation: number | undefined;
  if (validation !== undefined && request.validation !== undefined) {
    const validationScores = new Float64Array(validation.numRows);
    linearScores(validation, weights, validationScores, bias);
    onValidation = watchOf(request.metric ?? request.objective, request.validation, request.rules)(validationScores);
  }
  request.onIteration?.({ iteration: 1, of: 1, training: squares / numRows, validation: onValidation });
  return finishedModel(
    'linear-regression',
    request,
    raw,
    { kind: 'linear', weights, bias },
    {
      objective: 'squared error',
      iterations: 1,
      best: onValidation === undefined ? undefined : { iteration: 1, validation: onValidation },
    },
  );
}

/** The normal equations have a cell for every pair of features. */
function refuseWide(numFeatures: number): void {
  if ((numFeatures + 1) ** 2 <= limits.filledCells) return;
  throw new InputError({
    message: `linear regression over ${numFeatures} features needs a table of ${numFeatures} by ${numFeatures} numbers, which is too large`,
    wayOut: 'take fewer features, or a learner without such a table, such as ranksvm',
  });
}

/** Solves A x = b for a symmetric, non-negative A of which the lower triangle is given (and overwritten), by A = L D L'. An
 *  unknown that the others determine (a constant or repeated feature) gets 0. */
export function solveSymmetric(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  const diagonal = Float64Array.from({ length: size }, (_, i) => matrix[i * size + i]);
  const usable = new Uint8Array(size); // fits: flags
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      if (usable[j] === 0) continue;
      let sum = matrix[i * size + j];
      for (let k = 0; k < j; k++) if (usable[k] === 1) sum -= matrix[i * size + k] * matrix[j * size + k] * matrix[k * size + k];
      matrix[i * size + j] = sum / matrix[j * size + j];
    }
    let pivot = matrix[i * size + i];
    for (let k = 0; k < i; k++) if (usable[k] === 1) pivot -= matrix[i * size + k] ** 2 * matrix[k * size + k];
    matrix[i * size + i] = pivot;
    usable[i] = pivot > 1e-12 * diagonal[i] ? 1 : 0;
  }
  const x = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    if (usable[i] === 0) continue;
    let sum = right[i];
    for (let k = 0; k < i; k++) if (usable[k] === 1) sum -= matrix[i * size + k] * x[k];
    x[i] = sum;
  }
  for (let i = size - 1; i >= 0; i--) {
    if (usable[i] === 0) continue;
    let sum = x[i] / matrix[i * size + i];
    for (let k = i + 1; k < size; k++) if (usable[k] === 1) sum -= matrix[k * size + i] * x[k];
    x[i] = sum;
  }
  return x;
}
