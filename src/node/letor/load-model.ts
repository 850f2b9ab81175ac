import type { ModelReading } from '../../ltr/models/model-file.js';
import { readModelFile } from '../../ltr/models/read-model.js';
import type { Model } from '../../ltr/ranker.js';
import { fileSource } from '../files.js';

/** Reads a model from a file of Gradus or of another tool, compressed or not; `-` is standard input. */
export async function loadModel(path: string, reading: ModelReading = {}): Promise<Model> {
  return await readModelFile(fileSource(path), reading);
}
