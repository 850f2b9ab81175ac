import { InputError } from '../../core/problem.js';
import type { ReadOptions } from '../../formats/reader.js';

/** How a model file of another tool is to be understood. */
export interface ModelReading extends Pick<ReadOptions, 'source' | 'expectedBytes'> {
  /** The id that feature files give to the model's first column; 1 by default, as LETOR files count. Files that say it
   *  themselves (RankLib, Gradus) need no telling. */
  readonly firstFeature?: number | undefined;
}

/** A model in the form of another tool. */
export interface WrittenModel {
  readonly content: string | Uint8Array;
  /** What the reader should know: where the other form cannot say all that the model says. */
  readonly notes: readonly string[];
}

/** Writes a model as one string or array. JavaScript refuses to make one that is too large, and nobody knows before how large it gets. */
export function refusingTooLarge<T>(format: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError({ message: `the model is too large to be written as ${format}`, wayOut: 'take fewer or smaller trees' });
  }
}

/** How a model is written; each form uses what concerns it. */
export interface ModelWriting {
  /** The name of a function or, for Solr, of the model; `scoreDocument`, `score_document` and `gradus` by default. */
  readonly functionName?: string | undefined;
  /** Which Solr reads it; from 9.2 on splits say where missing values go. */
  readonly solr?: '8' | '9.2' | undefined;
  /** For Elasticsearch: adds what keeps every score from being negative. */
  readonly shift?: boolean | undefined;
}

/** The forms of models that can be read, by name. */
export type ReadableModel =
  | 'gradus'
  | 'ranklib'
  | 'lightgbm'
  | 'lightgbm-dump'
  | 'xgboost'
  | 'xgboost-ubj'
  | 'xgboost-dump'
  | 'catboost'
  | 'solr'
  | 'elasticsearch'
  | 'onnx';
/** The forms in which a model can be written, by name. */
export type WritableModel = Exclude<ReadableModel, 'catboost'> | 'onnx3' | 'typescript' | 'c';
