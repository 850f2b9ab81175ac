import type { Features } from '../../core/feature-matrix.js';
import { usedFeatures } from '../models/summary.js';
import type { Model } from '../ranker.js';
import { columnTargets } from './rows.js';

/** The columns of a model that make a difference to its scores and for which the data gives no value, in any row. Sparse files leave
 *  zeros out, so that may be as it should be; it may also be the wrong file. */
export function absentFeatures(model: Model, features: Features): number[] {
  const given = new Uint8Array(model.numFeatures); // fits: flags
  const targets = columnTargets(model, features);
  const hasValues = columnsWithValues(features);
  for (let column = 0; column < targets.length; column++) if (targets[column] >= 0 && hasValues[column] === 1) given[targets[column]] = 1;
  const used = usedFeatures(model);
  const absent: number[] = [];
  for (let column = 0; column < used.length; column++) if (used[column] === 1 && given[column] === 0) absent.push(column);
  return absent;
}

function columnsWithValues(features: Features): Uint8Array {
  const { numFeatures, values } = features;
  const hasValues = new Uint8Array(numFeatures); // fits: flags
  if (features.layout === 'sparse') {
    for (const column of features.columns) hasValues[column] = 1;
    return hasValues;
  }
  // rows that were filled up no longer tell a 0 that was given from one that was left out; where fewer cells were left out than there
  // are rows, every column has one that was given
  const numRows = numFeatures === 0 ? 0 : values.length / numFeatures;
  const mayBeFilled = values.length - features.numGiven >= numRows;
  for (let row = 0, i = 0; row < numRows; row++) {
    for (let column = 0; column < numFeatures; column++, i++) {
      if (!Number.isNaN(values[i]) && !(mayBeFilled && values[i] === 0)) hasValues[column] = 1;
    }
  }
  return hasValues;
}
