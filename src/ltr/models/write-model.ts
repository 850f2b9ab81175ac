import type { Model } from '../ranker.js';
import { modelFormats } from './formats.js';
import { refusingTooLarge, type WritableModel, type WrittenModel } from './model-file.js';
import type { SourceOptions } from './source.js';

/** A model in any form, with notes on what that form cannot say. */
export function writeModel(model: Model, format: WritableModel, options: SourceOptions = {}): WrittenModel {
  return refusingTooLarge(format, () => modelFormats[format].write(model, options));
}
