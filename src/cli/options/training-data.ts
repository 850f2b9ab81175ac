import { type FeatureMatrix, numQueries, type ScoreTable } from '../../core/index.js';
import { type FeatureSettings, type TrainingPlan, trainingNotes, trainingPlanOf, trainingSettings } from '../../experiment/index.js';
import { type GivenOptions, type Iteration, type Learner, type Model, type Team, trainRanker } from '../../ltr/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf, Context, ListOption } from '../parse/command.js';
import { say } from '../print/say.js';
import { settingsFrom } from './settings.js';
import { type dataOptions, layoutFrom, type layoutOptions, type objectiveOptions } from './training.js';

/** What is optimised and what is watched, by the options and by what the learner can do. */
export function trainingPlan(args: ArgumentsOf<typeof objectiveOptions>, learner: Learner): TrainingPlan {
  return trainingPlanOf(settingsFrom(args, trainingSettings), learner);
}

/** The arguments of commands that train. */
export type TrainingArguments = ArgumentsOf<readonly ((typeof objectiveOptions)[number] | (typeof dataOptions)[number])[]>;

/** How files of features are read. */
export function featureReading(args: ArgumentsOf<typeof layoutOptions>, context: Context): FeatureSettings {
  return { ...layoutFrom(args), threads: 'all', onNote: (note) => say(args, context, note) };
}

/** The same for files to learn from. */
export function trainingReading(args: TrainingArguments, context: Context): FeatureSettings {
  return { ...featureReading(args, context), threads: args.number('threads') ?? 'all', missing: args.value('missing') };
}

/** Several files in a sentence. */
export function filesText(paths: readonly string[]): string {
  return paths.join(' and ');
}

/** Says what a person should know about the training data. */
export function sayNotesOnData(
  args: TrainingArguments & ArgumentsOf<readonly [ListOption<'train'>]>,
  context: Context,
  matrix: FeatureMatrix,
  plan: TrainingPlan,
): void {
  const notes = trainingNotes(matrix, plan, { missing: args.value('missing') });
  for (const note of notes) say(args, context, `${filesText(args.values('train'))}: ${note}`);
}

/** Says how means over orders of equal scores were found, and how exact they are, each once. */
export function sayNotesOnValues(args: GivenArguments, context: Context, tables: readonly { name: string; table: ScoreTable }[]): void {
  const notes = tables.flatMap(({ name, table }) => table.notes.map((note) => `${name}: ${note}`));
  for (const note of new Set(notes)) say(args, context, note);
}

/** Trains one model as the command line asks. */
export async function trainOnce(
  args: TrainingArguments,
  learner: Learner,
  options: GivenOptions,
  measures: TrainingPlan,
  data: { readonly train: FeatureMatrix; readonly validation: FeatureMatrix | undefined; readonly queryWeights?: Float64Array | undefined },
  around: {
    readonly signal: AbortSignal;
    readonly team: Team | undefined;
    readonly onIteration: (progress: Iteration) => void;
  },
): Promise<Model> {
  return await trainRanker({
    learner,
    train: data.train,
    validation: data.validation,
    queryWeights: data.queryWeights,
    objective: measures.objective,
    metric: measures.metric,
    rules: measures.rules,
    options,
    normalisation: args.value('normalise'),
    absent: args.value('missing') === 'nan' ? 'missing' : 'zero',
    seed: args.number('seed') ?? 1,
    convention: measures.convention,
    ...around,
  });
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
