import type { Model } from '../ranker.js';
import { modelToJson } from './json.js';
import { modelToLightGbm } from './lightgbm.js';
import type { WrittenModel } from './model-file.js';
import { modelToOnnx } from './onnx.js';
import { modelToRankLib } from './ranklib-writer.js';
import { modelToC, modelToTypeScript, type SourceOptions } from './source.js';
import { modelToXgBoost } from './xgboost.js';

/** The forms in which a model can be written. */
export const writableModels = ['gradus', 'ranklib', 'lightgbm', 'xgboost', 'onnx', 'onnx3', 'typescript', 'c'] as const;
export type WritableModel = (typeof writableModels)[number];

/** The form that the name of a file asks for; undefined where the name does not tell. */
export function modelFormatOf(path: string): WritableModel | undefined {
  if (/\.onnx$/i.test(path)) return 'onnx';
  if (/\.m?ts$/i.test(path)) return 'typescript';
  if (/\.c$/i.test(path)) return 'c';
  if (/\.json$/i.test(path)) return 'gradus';
  return undefined;
}

/** A model in any form, with notes on what that form cannot say. */
export function writeModel(model: Model, format: WritableModel, options: SourceOptions = {}): WrittenModel {
  switch (format) {
    case 'gradus':
      return { content: modelToJson(model), notes: [] };
    case 'ranklib':
      return modelToRankLib(model);
    case 'lightgbm':
      return modelToLightGbm(model);
    case 'xgboost':
      return modelToXgBoost(model);
    case 'onnx':
      return modelToOnnx(model);
    case 'onnx3':
      return modelToOnnx(model, { treeOpset: 3 });
    case 'typescript':
      return modelToTypeScript(model, options);
    case 'c':
      return modelToC(model, options);
  }
}
