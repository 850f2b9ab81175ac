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
