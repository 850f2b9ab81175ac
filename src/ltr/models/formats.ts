/** The model formats: how files of each are recognised, read and written. */
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { Format, Reader } from '../../formats/format.js';
import type { Head, Recognition } from '../../formats/head.js';
import type { Model } from '../ranker.js';
import { MODEL_FORMAT, modelFromJson, modelToJson } from './json.js';
import { modelFromLightGbm, modelToLightGbm } from './lightgbm.js';
import type { ModelReading, ReadableModel, WritableModel, WrittenModel } from './model-file.js';
import { modelToOnnx } from './onnx.js';
import { modelFromRankLib } from './ranklib.js';
import { modelToRankLib } from './ranklib-writer.js';
import { modelToC, modelToTypeScript, type SourceOptions } from './source.js';
import { modelFromXgBoost, modelToXgBoost } from './xgboost.js';

/** What model files hold. */
export interface ModelContents {
  readonly model: { read(options: ModelReading): Model; write(model: Model, options: SourceOptions): WrittenModel };
}

/** A form of models. */
export interface ModelFormat extends Format<ModelContents> {
  readonly name: WritableModel;
}

/** Every form of a model, in the order in which those that can be read are tried. */
export const modelFormats: readonly ModelFormat[] = [
  {
    name: 'gradus',
    summary: 'JSON of Gradus',
    extensions: ['.json'],
    recognise: beginning((start) => start.startsWith('{') && start.includes(`"${MODEL_FORMAT}"`)),
    read: { model: ofText(modelFromJson) },
    write: { model: (model) => ({ content: modelToJson(model), notes: [] }) },
  },
  {
    name: 'ranklib',
    summary: 'text of RankLib',
    extensions: [],
    recognise: beginning((start) => start.startsWith('##')),
    read: { model: ofText(modelFromRankLib) },
    write: { model: modelToRankLib },
  },
  {
    name: 'lightgbm',
    summary: 'text of LightGBM',
    extensions: [],
    recognise: beginning((start) => /^tree\r?\nversion=v/.test(start)),
    read: { model: ofText(modelFromLightGbm) },
    write: { model: modelToLightGbm },
  },
  {
    name: 'xgboost',
    summary: 'JSON of XGBoost',
    extensions: [],
    recognise: beginning((start) => /^\{\s*"(learner|version)"\s*:\s*[{[]/.test(start)),
    read: { model: ofText(modelFromXgBoost) },
    write: { model: modelToXgBoost },
  },
  writtenOnly('onnx', 'ONNX, trees with doubles', ['.onnx'], (model) => modelToOnnx(model)),
  writtenOnly('onnx3', 'ONNX for old runtimes, trees with 32-bit floats', [], (model) => modelToOnnx(model, { treeOpset: 3 })),
  writtenOnly('typescript', 'a TypeScript function', ['.ts', '.mts'], modelToTypeScript),
  writtenOnly('c', 'a C function', ['.c'], modelToC),
];

/** The forms in which a model can be written. */
export const writableModels: readonly WritableModel[] = modelFormats.map(({ name }) => name);

/** The form that the name of a file asks for; undefined where the name does not tell. */
export function modelFormatOf(path: string): WritableModel | undefined {
  const name = path.toLowerCase();
  return modelFormats.find(({ extensions }) => extensions.some((extension) => name.endsWith(extension)))?.name;
}

function writtenOnly(
  name: Exclude<WritableModel, ReadableModel>,
  summary: string,
  extensions: readonly string[],
  write: ModelContents['model']['write'],
): ModelFormat {
  return { name, summary, extensions, recognise: () => undefined, read: {}, write: { model: write } };
}

/** Recognises a file by its first characters. */
function beginning(is: (start: string) => boolean): (head: Head) => Recognition<'model'> | undefined {
  return (head) => (is(modelStart(head)) ? { content: 'model' } : undefined);
}

/** The first characters of a model file, among which there may be what other formats take for comments. */
export function modelStart({ whole }: Head): string {
  return whole.slice(0, 4096).trimStart();
}

/** Model files are texts, of which none is read further than a model can be long. */
function ofText(read: (text: string, reading: ModelReading) => Model): Reader<ModelContents['model']> {
  return {
    inOrder(reading) {
      const decoder = new TextDecoder();
      let text = '';
      let numBytes = 0;
      return {
        push(chunk) {
          numBytes += chunk.length;
          checkModelSize(Math.max(numBytes, reading.expectedBytes ?? 0), reading.source);
          text += decoder.decode(chunk, { stream: true });
        },
        finish: () => read(text + decoder.decode(), reading),
      };
    },
  };
}

function checkModelSize(numBytes: number, source: string | undefined): void {
  if (numBytes <= limits.modelBytes) return;
  throw new InputError({
    source,
    message: `is larger than ${limits.modelBytes} bytes, too large for a model`,
    wayOut: 'check that it is the file that was meant',
  });
}
