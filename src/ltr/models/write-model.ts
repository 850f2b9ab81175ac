import type { Model } from '../ranker.js';
import { modelFormats } from './formats.js';
import { type ModelWriting, refusingTooLarge, type WritableModel, type WrittenModel } from './model-file.js';

/** A model in any form, with notes on what that form cannot say. */
export function writeModel(model: Model, format: WritableModel, options: ModelWriting = {}): WrittenModel {
  const write = modelFormats.find(({ name }) => name === format)?.write.model;
  if (write === undefined) throw new TypeError(`there is no form ${format} of models`);
  return refusingTooLarge(format, () => write(model, options));
}
