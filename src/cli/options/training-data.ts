import { type FeatureMatrix, numQueries, type ScoreTable } from '../../core/index.js';
import { type FeatureSettings, featureSettings, type RankerRequest, trainingSettings } from '../../experiment/index.js';
import type { Learner } from '../../ltr/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf, Context } from '../parse/command.js';
import { say } from '../print/say.js';
import { settingsFrom } from './settings.js';
import {
  dataNames,
  type dataOptions,
  type firstFeatureOptions,
  givenLearnerOptions,
  layoutFrom,
  type layoutOptions,
  type objectiveOptions,
} from './training.js';

/** The arguments of commands that train. */
export type TrainingArguments = ArgumentsOf<
  readonly ((typeof objectiveOptions)[number] | (typeof dataOptions)[number] | (typeof firstFeatureOptions)[number])[]
>;

/** How files of features are read. */
export function featureReading(args: ArgumentsOf<typeof layoutOptions>, context: Context): FeatureSettings {
  return { ...layoutFrom(args), threads: 'all', onNote: (note) => say(args, context, note) };
}

/** What a ranker is to be, and how the documents are read that it is trained on. */
export function rankerFrom(args: TrainingArguments, context: Context, learner: Learner): RankerRequest {
  return {
    ...settingsFrom(args, trainingSettings),
    ...settingsFrom(args, featureSettings, ...dataNames, 'firstFeature'),
    learner,
    options: givenLearnerOptions(args, learner),
    onNote: (note) => say(args, context, note),
  };
}

/** Several files in a sentence. */
export function filesText(paths: readonly string[]): string {
  return paths.join(' and ');
}

/** Says how means over orders of equal scores were found, and how exact they are, each once. */
export function sayNotesOnValues(args: GivenArguments, context: Context, tables: readonly { name: string; table: ScoreTable }[]): void {
  const notes = tables.flatMap(({ name, table }) => table.notes.map((note) => `${name}: ${note}`));
  for (const note of new Set(notes)) say(args, context, note);
}

/** What a file holds, for reports. */
export function sizeOf(path: string, matrix: FeatureMatrix): { file: string; queries: number; documents: number; features: number } {
  return {
    file: path,
    queries: numQueries(matrix),
    documents: matrix.numRows,
    features: (matrix.features ?? matrix.binned)?.numFeatures ?? 0,
  };
}
