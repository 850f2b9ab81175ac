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

/** The tools whose models can be read, by name. */
export type ReadableModel = 'gradus' | 'ranklib' | 'lightgbm' | 'xgboost';
/** The forms in which a model can be written, by name. */
export type WritableModel = ReadableModel | 'onnx' | 'onnx3' | 'typescript' | 'c';
