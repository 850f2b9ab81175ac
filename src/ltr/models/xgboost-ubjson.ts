import type { Model } from '../ranker.js';
import { parseJson } from './json-places.js';
import type { ModelReading, WrittenModel } from './model-file.js';
import { readUbjson, writeUbjson } from './ubjson.js';
import { modelFromXgBoostDocument, modelToXgBoost } from './xgboost.js';

/** XGBoost's binary model file, which holds the same document as its JSON. */
export function modelFromXgBoostUbjson(bytes: Uint8Array, reading: ModelReading = {}): Model {
  return modelFromXgBoostDocument(readUbjson(bytes), reading);
}

/** A binary model file that XGBoost reads. */
export function modelToXgBoostUbjson(model: Model): WrittenModel {
  const { content, notes } = modelToXgBoost(model);
  return { content: writeUbjson(parseJson(String(content), 'the XGBoost model'), (path) => arrayTypes[path.at(-1) ?? '']), notes };
}

/** Which arrays of numbers have one type. XGBoost refuses others that have one, such as tree_info and iteration_indptr. */
const arrayTypes: Readonly<Record<string, 'd' | 'l' | 'U' | 'L'>> = {
  base_weights: 'd',
  categories: 'l',
  categories_nodes: 'l',
  categories_segments: 'L',
  categories_sizes: 'L',
  default_left: 'U',
  left_children: 'l',
  loss_changes: 'd',
  parents: 'l',
  right_children: 'l',
  split_conditions: 'd',
  split_indices: 'l',
  split_type: 'U',
  sum_hessian: 'd',
};
