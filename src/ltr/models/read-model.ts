import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import { modelFormats } from './formats.js';
import { type ModelReading, type ReadableModel, readableModels } from './model-file.js';

/** Which tool wrote this, by its first lines. */
export function recogniseModel(text: string): ReadableModel {
  const start = text.slice(0, 4096).trimStart();
  const found = readableModels.find((name) => modelFormats[name].recognise(start));
  if (found !== undefined) return found;
  if (start.startsWith('{')) {
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
  return modelFormats[recogniseModel(text)].read(text, reading);
}
