import type { Model } from '../ranker.js';
import { modelToJson } from './json.js';
import { modelToLightGbm } from './lightgbm.js';
import { refusingTooLarge, type WritableModel, type WrittenModel } from './model-file.js';
import { modelToOnnx } from './onnx.js';
import { modelToRankLib } from './ranklib-writer.js';
import { modelToC, modelToTypeScript, type SourceOptions } from './source.js';
import { modelToXgBoost } from './xgboost.js';

/** A model in any form, with notes on what that form cannot say. */
export function writeModel(model: Model, format: WritableModel, options: SourceOptions = {}): WrittenModel {
  return refusingTooLarge(format, () => written(model, format, options));
}

function written(model: Model, format: WritableModel, options: SourceOptions): WrittenModel {
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
