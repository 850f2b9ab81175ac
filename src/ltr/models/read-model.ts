import { InputError, namingSource } from '../../core/problem.js';
import type { Reader } from '../../formats/format.js';
import { type Head, headOf } from '../../formats/head.js';
import { readAll, textBytes } from '../../formats/reader.js';
import { opened, type Readable, readThrough } from '../../formats/source.js';
import type { Model } from '../ranker.js';
import { type ModelContents, modelFormats, modelStart } from './formats.js';
import type { ModelReading, ReadableModel } from './model-file.js';

/** Which tool wrote this, by its beginning. */
export function recogniseModel(content: string | Uint8Array): ReadableModel {
  return recognised(headOf(bytesOf(content).subarray(0, 4096))).name as ReadableModel;
}

/** A model of any tool, as text or bytes; the tool is recognised by the content. */
export function readModel(content: string | Uint8Array, reading: ModelReading = {}): Model {
  const bytes = bytesOf(content);
  return readAll(recognised(headOf(bytes)).read.inOrder(reading), bytes);
}

/** Reads a model from a file of Gradus or of another tool, compressed or not. */
export async function readModelFile(readable: Readable, reading: ModelReading = {}): Promise<Model> {
  const input = await opened(readable);
  const { name: source, size: expectedBytes } = input.source;
  try {
    const { read } = namingSource(source, () => recognised(headOf(input.start)));
    return await readThrough(input, read.inOrder({ ...reading, source, expectedBytes }));
  } finally {
    await input.close();
  }
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? textBytes(content) : content;
}

function recognised(head: Head): { readonly name: string; readonly read: Extract<Reader<ModelContents['model']>, { inOrder: unknown }> } {
  for (const { name, recognise, read } of modelFormats) {
    const { model } = read;
    if (model !== undefined && 'inOrder' in model && recognise(head, 'model', undefined) !== undefined) return { name, read: model };
  }
  const start = modelStart(head);
  if (start.startsWith('{')) {
    throw new InputError({
      message: 'the file is JSON, but no model of Gradus, XGBoost, LightGBM, CatBoost, Solr or Elasticsearch',
      wayOut: 'XGBoost writes one with save_model("model.json"), CatBoost with save_model("model.json", format="json")',
    });
  }
  throw new InputError({
    message: `the file begins with ${JSON.stringify(start.slice(0, 30))}, which is no model of Gradus or of another tool that it reads`,
    wayOut: start.includes('\u0000') ? 'of binary files, .ubj of XGBoost and .onnx are read; save other models as text or JSON' : undefined,
  });
}
