/** The model formats: how files of each are recognised, read and written. */
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { Format, Reader } from '../../formats/format.js';
import type { Head, Recognition } from '../../formats/head.js';
import { joinChunks } from '../../formats/text/byte-writer.js';
import type { Model } from '../ranker.js';
import { modelFromCatBoost } from './catboost.js';
import { modelFromElasticsearch, modelToElasticsearch } from './elasticsearch.js';
import { MODEL_FORMAT, modelFromJson, modelToJson } from './json.js';
import { modelFromLightGbm, modelToLightGbm } from './lightgbm.js';
import type { ModelReading, ModelWriting, ReadableModel, WritableModel, WrittenModel } from './model-file.js';
import { modelToOnnx } from './onnx.js';
import { modelFromOnnx } from './onnx-reader.js';
import { modelFromRankLib } from './ranklib.js';
import { modelToRankLib } from './ranklib-writer.js';
import { modelFromSolr, modelToSolr } from './solr.js';
import { modelToC, modelToTypeScript } from './source.js';
import { modelFromLightGbmDump, modelFromXgBoostDump, modelToLightGbmDump, modelToXgBoostDump } from './tree-dumps.js';
import { modelFromXgBoost, modelToXgBoost } from './xgboost.js';
import { modelFromXgBoostUbjson, modelToXgBoostUbjson } from './xgboost-ubjson.js';

/** What model files hold. */
export interface ModelContents {
  readonly model: { read(options: ModelReading): Model; write(model: Model, options: ModelWriting): WrittenModel };
}

/** A form of models. */
export interface ModelFormat extends Format<ModelContents> {
  readonly name: ReadableModel | WritableModel;
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
  {
    name: 'xgboost-ubj',
    summary: 'UBJSON of XGBoost',
    extensions: ['.ubj'],
    recognise: beginning((start) => start.startsWith('{') && ubjsonStarts.some((count) => start.startsWith(count, 1))),
    read: { model: ofBytes(modelFromXgBoostUbjson) },
    write: { model: modelToXgBoostUbjson },
  },
  {
    name: 'xgboost-dump',
    summary: 'trees as XGBoost dumps them, for the plugins of Elasticsearch and OpenSearch and for Vespa',
    extensions: [],
    recognise: beginning((start) => /^(\[|\{\s*"(objective|splits)")/.test(start) && /"(nodeid|leaf)"\s*:/.test(start)),
    read: { model: ofText(modelFromXgBoostDump) },
    write: { model: modelToXgBoostDump },
  },
  {
    name: 'lightgbm-dump',
    summary: 'JSON that LightGBM dumps, for Vespa',
    extensions: [],
    recognise: beginning((start) => start.startsWith('{') && /^\{\s*"name"\s*:\s*"tree"/.test(start)),
    read: { model: ofText(modelFromLightGbmDump) },
    write: { model: modelToLightGbmDump },
  },
  {
    name: 'solr',
    summary: "JSON of Solr's learning to rank",
    extensions: [],
    recognise: beginning((start) => start.startsWith('{') && start.includes('"org.apache.solr.ltr.model.')),
    read: { model: ofText(modelFromSolr) },
    write: { model: modelToSolr },
  },
  {
    name: 'elasticsearch',
    summary: "JSON of Elasticsearch's trained models",
    extensions: [],
    recognise: beginning(
      (start) => start.startsWith('{') && /"(inference_config|definition|compressed_definition|trained_model)"\s*:/.test(start),
    ),
    read: { model: ofText(modelFromElasticsearch) },
    write: { model: modelToElasticsearch },
  },
  {
    name: 'catboost',
    summary: 'JSON of CatBoost',
    extensions: [],
    recognise: beginning((start) => start.startsWith('{') && /"(features_info|oblivious_trees|scale_and_bias|model_info)"\s*:/.test(start)),
    read: { model: ofText(modelFromCatBoost) },
    write: {},
  },
  {
    name: 'onnx',
    summary: 'ONNX, trees with doubles',
    extensions: ['.onnx'],
    // the version of the format, then who made it, the graph or the operators
    recognise: beginning(isOnnxStart),
    read: { model: ofBytes(modelFromOnnx) },
    write: { model: (model) => modelToOnnx(model) },
  },
  writtenOnly('onnx3', 'ONNX for old runtimes, trees with 32-bit floats', [], (model) => modelToOnnx(model, { treeOpset: 3 })),
  writtenOnly('typescript', 'a TypeScript function', ['.ts', '.mts'], modelToTypeScript),
  writtenOnly('c', 'a C function', ['.c'], modelToC),
];

/** The forms in which a model can be written. */
export const writableModels: readonly WritableModel[] = modelFormats.flatMap(({ name }) => (name === 'catboost' ? [] : [name]));

/** The form that the name of a file asks for; undefined where the name does not tell. */
export function modelFormatOf(path: string): WritableModel | undefined {
  const name = path.toLowerCase();
  const found = modelFormats.find(({ extensions }) => extensions.some((extension) => name.endsWith(extension)))?.name;
  return found === 'catboost' ? undefined : found;
}

function writtenOnly(
  name: Exclude<WritableModel, ReadableModel>,
  summary: string,
  extensions: readonly string[],
  write: ModelContents['model']['write'],
): ModelFormat {
  return { name, summary, extensions, recognise: () => undefined, read: {}, write: { model: write } };
}

/** How UBJSON says that a name of seven letters follows, `learner` or `version`. */
const ubjsonStarts: readonly string[] = [`L${'\u0000'.repeat(7)}\u0007`, 'i\u0007'];

/** A field with the version of the format, then one with who made the file, the graph or the operators. */
function isOnnxStart(start: string): boolean {
  return start.charCodeAt(0) === 0x08 && start.charCodeAt(1) < 0x20 && [0x12, 0x3a, 0x42].includes(start.charCodeAt(2));
}

/** Recognises a file by its first characters. */
function beginning(is: (start: string) => boolean): (head: Head) => Recognition<'model'> | undefined {
  return (head) => (is(modelStart(head)) ? { content: 'model' } : undefined);
}

/** The first characters of a model file, among which there may be what other formats take for comments. */
export function modelStart({ whole }: Head): string {
  return whole.slice(0, 4096).trimStart();
}

/** No model file is read further than a model can be long. */
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

/** The same of a binary file. */
function ofBytes(read: (bytes: Uint8Array, reading: ModelReading) => Model): Reader<ModelContents['model']> {
  return {
    inOrder(reading) {
      const chunks: Uint8Array[] = [];
      let numBytes = 0;
      return {
        push(chunk) {
          numBytes += chunk.length;
          checkModelSize(Math.max(numBytes, reading.expectedBytes ?? 0), reading.source);
          chunks.push(chunk.slice());
        },
        finish: () => read(joinChunks(chunks), reading),
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
