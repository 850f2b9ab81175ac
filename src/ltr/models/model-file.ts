import { InputError } from '../../core/problem.js';

/** How a model file of another tool is to be understood. */
export interface ModelReading {
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

/** What is known of every form of a model without loading what reads and writes it, which `formats.ts` adds. */
const modelForms = [
  { name: 'gradus', isRead: true, endings: ['.json'] },
  { name: 'ranklib', isRead: true, endings: [] },
  { name: 'lightgbm', isRead: true, endings: [] },
  { name: 'xgboost', isRead: true, endings: [] },
  { name: 'onnx', isRead: false, endings: ['.onnx'] },
  { name: 'onnx3', isRead: false, endings: [] },
  { name: 'typescript', isRead: false, endings: ['.ts', '.mts'] },
  { name: 'c', isRead: false, endings: ['.c'] },
] as const;

/** The forms in which a model can be written, by name. */
export type WritableModel = (typeof modelForms)[number]['name'];
/** The tools whose models can be read, by name. */
export type ReadableModel = Extract<(typeof modelForms)[number], { readonly isRead: true }>['name'];

/** The forms in which a model can be written. */
export const writableModels: readonly WritableModel[] = modelForms.map(({ name }) => name);
/** The model files that can be read. */
export const readableModels: readonly ReadableModel[] = modelForms.flatMap((form) => (form.isRead ? [form.name] : []));

/** The form that the name of a file asks for; undefined where the name does not tell. */
export function modelFormatOf(path: string): WritableModel | undefined {
  const name = path.toLowerCase();
  return modelForms.find(({ endings }) => endings.some((ending) => name.endsWith(ending)))?.name;
}
