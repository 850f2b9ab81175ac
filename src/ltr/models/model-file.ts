import { InputError } from '../../core/problem.js';

/** How a model file of another tool is to be understood. */
export interface ModelReading {
  /** The id that feature files give to the model's first column; 1 if not given, as LETOR files count. Files that say it
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

/** The forms in which a model can be written. */
export const writableModels = ['gradus', 'ranklib', 'lightgbm', 'xgboost', 'onnx', 'onnx3', 'typescript', 'c'] as const;
/** The forms in which a model can be written, by name. */
export type WritableModel = (typeof writableModels)[number];

/** The form that the name of a file asks for; undefined where the name does not tell. */
export function modelFormatOf(path: string): WritableModel | undefined {
  if (/\.onnx$/i.test(path)) return 'onnx';
  if (/\.m?ts$/i.test(path)) return 'typescript';
  if (/\.c$/i.test(path)) return 'c';
  if (/\.json$/i.test(path)) return 'gradus';
  return undefined;
}
