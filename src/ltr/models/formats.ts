import type { Model } from '../ranker.js';
import { MODEL_FORMAT, modelFromJson, modelToJson } from './json.js';
import { modelFromLightGbm, modelToLightGbm } from './lightgbm.js';
import type { ModelReading, ReadableModel, WritableModel, WrittenModel } from './model-file.js';
import { modelToOnnx } from './onnx.js';
import { modelFromRankLib } from './ranklib.js';
import { modelToRankLib } from './ranklib-writer.js';
import { modelToC, modelToTypeScript, type SourceOptions } from './source.js';
import { modelFromXgBoost, modelToXgBoost } from './xgboost.js';

/** How a model becomes a file. */
export interface ModelWriter {
  write(model: Model, options: SourceOptions): WrittenModel;
}

/** How a file of another tool is known, and becomes a model. */
export interface ModelReader {
  /** Whether a file that begins like this is of the format. */
  recognise(start: string): boolean;
  read(text: string, reading: ModelReading): Model;
}

/** Every form of a model: those that can be read have both halves. */
export const modelFormats: Readonly<Record<ReadableModel, ModelReader & ModelWriter> & Record<WritableModel, ModelWriter>> = {
  gradus: {
    recognise: (start) => start.startsWith('{') && start.includes(`"${MODEL_FORMAT}"`),
    read: modelFromJson,
    write: (model) => ({ content: modelToJson(model), notes: [] }),
  },
  ranklib: { recognise: (start) => start.startsWith('##'), read: modelFromRankLib, write: modelToRankLib },
  lightgbm: { recognise: (start) => /^tree\r?\nversion=v/.test(start), read: modelFromLightGbm, write: modelToLightGbm },
  xgboost: {
    recognise: (start) => /^\{\s*"(learner|version)"\s*:\s*[{[]/.test(start),
    read: modelFromXgBoost,
    write: modelToXgBoost,
  },
  onnx: { write: (model) => modelToOnnx(model) },
  onnx3: { write: (model) => modelToOnnx(model, { treeOpset: 3 }) },
  typescript: { write: modelToTypeScript },
  c: { write: modelToC },
};
