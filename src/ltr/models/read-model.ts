import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import { MODEL_FORMAT, modelFromJson } from './json.js';
import { modelFromLightGbm } from './lightgbm.js';
import type { ModelReading } from './model-file.js';
import { modelFromRankLib } from './ranklib.js';
import { modelFromXgBoost } from './xgboost.js';

/** The model files that can be read. */
export const readableModels = ['gradus', 'ranklib', 'lightgbm', 'xgboost'] as const;
/** The tools whose models can be read, by name. */
export type ReadableModel = (typeof readableModels)[number];

/** Which tool wrote this, by its first lines. */
export function recogniseModel(text: string): ReadableModel {
  const start = text.slice(0, 4096).trimStart();
  if (start.startsWith('##')) return 'ranklib';
  if (/^tree\r?\nversion=v/.test(start)) return 'lightgbm';
  if (start.startsWith('{')) {
    if (start.includes(`"${MODEL_FORMAT}"`)) return 'gradus';
    if (/^\{\s*"(learner|version)"\s*:\s*[{[]/.test(start)) return 'xgboost';
    throw new InputError({
      message: 'the file is JSON, but neither a model of Gradus nor of XGBoost',
      wayOut: 'XGBoost writes one with save_model("model.json")',
    });
  }
  throw new InputError({
    message: `the file begins with ${JSON.stringify(start.slice(0, 30))}, which is no model of Gradus, RankLib, LightGBM or XGBoost`,
    wayOut: start.includes('\u0000') ? 'binary files (.ubj, .onnx, .pkl) are not read; save the model as text or JSON' : undefined,
  });
}

/** A model of any tool; the tool is recognised by the content. */
export function readModel(text: string, reading: ModelReading = {}): Model {
  const format = recogniseModel(text);
  if (format === 'gradus') return modelFromJson(text);
  if (format === 'ranklib') return modelFromRankLib(text);
  return format === 'lightgbm' ? modelFromLightGbm(text, reading) : modelFromXgBoost(text, reading);
}
