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

/** The forms in which a model can be written. */
export const writableModels = ['gradus', 'ranklib', 'lightgbm', 'xgboost', 'onnx', 'onnx3', 'typescript', 'c'] as const;
export type WritableModel = (typeof writableModels)[number];

/** The form that the name of a file asks for; undefined where the name does not tell. */
export function modelFormatOf(path: string): WritableModel | undefined {
  if (/\.onnx$/i.test(path)) return 'onnx';
  if (/\.m?ts$/i.test(path)) return 'typescript';
  if (/\.c$/i.test(path)) return 'c';
  if (/\.json$/i.test(path)) return 'gradus';
  return undefined;
}
