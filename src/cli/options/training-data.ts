import { findConvention, gradusConvention, judgingRulesOf, parameterDefaults, readMeasures } from '../../conventions/index.js';
import { type FeatureMatrix, numQueries, type ScoreTable } from '../../core/index.js';
import { noteText, readingNotes } from '../../experiment/index.js';
import {
  absentFeatures,
  type EvaluationRules,
  type FeaturePart,
  type GivenOptions,
  type Iteration,
  joinFeatures,
  type Learner,
  leftOutValue,
  type Model,
  notesOnData,
  type Team,
  trainRanker,
  usedFeatures,
} from '../../ltr/index.js';
import type { Measure } from '../../measures/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf, Context } from '../parse/command.js';
import { say } from '../print/say.js';
import type { lenientOptions } from './judging.js';
import { type dataOptions, defaultObjective, type layoutOptions, type objectiveOptions, parseFeatureColumns } from './training.js';

/** What is to be optimised, watched and reported, under which rules. */
export interface AskedMeasures {
  readonly objective: Measure | undefined;
  readonly metric: Measure;
  readonly reported: readonly Measure[];
  readonly convention: string;
  readonly rules: EvaluationRules;
}

/** What is optimised and what is watched, by the options and by what the learner can do. */
export function askedMeasures(args: ArgumentsOf<typeof objectiveOptions>, learner: Learner): AskedMeasures {
  const convention = findConvention(args.value('convention') ?? gradusConvention.name);
  const defaults = parameterDefaults(convention, args.number('rel'));
  const one = (text: string): Measure => readMeasures([text], defaults)[0];
  const objective = learner.objectives === 'own' ? undefined : one(args.value('objective') ?? defaultObjective);
  const asked = args.value('metric');
  const metric = asked === undefined ? (objective ?? one(defaultObjective)) : one(asked);
  const otherwise = new Map([objective ?? metric, metric].map((measure) => [measure.text, measure]));
  return {
    objective,
    metric,
    reported: args.has('measure') ? readMeasures(args.values('measure'), defaults) : [...otherwise.values()],
    convention: convention.name,
    rules: { ...judgingRulesOf(convention.rules), ...convention.planOptions },
  };
}

/** How a command reads documents with features. */
export interface FeatureNeeds {
  /** Whether the documents must have labels; true by default. */
  readonly labelled?: boolean | undefined;
  /** The model that the documents are for, which says what left-out and unknown values count as. */
  readonly model?: Model | undefined;
  /** Threads that are there already; a large file is otherwise worth some of its own. */
  readonly team?: Team | undefined;
  /** How many of those there may be. */
  readonly threads?: number | undefined;
  /** The id of the first feature. */
  readonly firstFeature?: number | undefined;
  /** What a feature is that a line leaves out, unless the model says so. */
  readonly missing?: 'zero' | 'nan' | undefined;
}

/** How commands that train read their files. */
export function featureNeeds(args: TrainingArguments): FeatureNeeds {
  return { threads: args.number('threads'), missing: args.value('missing') };
}

/** The arguments of commands that train. */
export type TrainingArguments = ArgumentsOf<readonly ((typeof objectiveOptions)[number] | (typeof dataOptions)[number])[]>;

/** Reads a file of features as the options say. */
export async function readFeatures(
  args: ArgumentsOf<readonly [...typeof layoutOptions, (typeof lenientOptions)[number]]>,
  context: Context,
  path: string,
  { labelled = true, model, team, threads, firstFeature, missing }: FeatureNeeds = {},
): Promise<FeatureMatrix> {
  const { loadFeatures } = await import('../on-demand/load-features.js');
  const namesPath = args.value('feature-names');
  const featureNames = namesPath === undefined ? undefined : await readNames(namesPath);
  const list = (option: 'features' | 'ignore'): readonly string[] | undefined =>
    args.has(option) ? args.values(option).flatMap((names) => names.split(',')) : undefined;
  const { matrix, skipped } = await loadFeatures(path, {
    lenient: args.has('lenient'),
    columns: args.has('columns') ? parseFeatureColumns(args.values('columns').join(',')) : undefined,
    features: list('features'),
    ignore: list('ignore'),
    header: args.has('no-header') ? false : undefined,
    labelled,
    team,
    threads: threads ?? 'all',
    // as many features as there are names, so that a file with others is refused
    letor: {
      numFeatures: args.number('num-features') ?? featureNames?.length,
      featureNames,
      firstFeature: firstFeature === 0 ? 0 : 1,
      nonFinite: missing === 'nan' || (model !== undefined && 'nan'),
      // dense rows must not fill with 0 what sparse rows would leave open
      missing: missing === 'nan' ? Number.NaN : model === undefined ? 0 : leftOutValue(model),
    },
  });
  for (const note of readingNotes(path, { skipped })) say(args, context, noteText(note));
  return matrix;
}

/** Says which features of a model are nowhere in the data, and what they count as. */
export function sayAbsentFeatures(args: GivenArguments, context: Context, path: string, model: Model, matrix: FeatureMatrix): void {
  if (matrix.features === undefined) return;
  const absent = absentFeatures(model, matrix.features);
  if (absent.length === 0) return;
  const names = absent.map((column) => model.featureNames?.[column] ?? String(model.firstFeature + column));
  const numUsed = usedFeatures(model).reduce((sum, flag) => sum + flag, 0);
  const which = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
  const value = leftOutValue(model);
  const worth = Number.isNaN(value) ? 'missing' : String(value);
  const [features, they] = names.length === 1 ? ['feature', 'it counts'] : ['features', 'they count'];
  say(args, context, `${path}: no document has ${features} ${which}, of ${numUsed} that the model uses; ${they} as ${worth} everywhere`);
}

/** Reads files of features whose documents belong together, in the order given. */
export async function readAllFeatures(
  args: TrainingArguments,
  context: Context,
  paths: readonly string[],
  role: string,
  team?: Team | undefined,
): Promise<FeatureMatrix> {
  const parts: FeaturePart[] = [];
  for (const source of paths) parts.push({ source, matrix: await readFeatures(args, context, source, { ...featureNeeds(args), team }) });
  return joinFeatures(parts, role, args.value('missing') === 'nan' ? Number.NaN : 0);
}

/** Several files in a sentence. */
export function filesText(paths: readonly string[]): string {
  return paths.join(' and ');
}

/** One name per line. */
async function readNames(path: string): Promise<string[]> {
  const { fileSource, readText } = await import('../on-demand/read-files.js');
  return (await readText(fileSource(path)))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Labels from which on an exponential gain leaves nothing for the others; LightGBM and RankLib give up here. */
const STEEP_LABEL = 31;

/** What a person should know about the training data. */
export function sayNotesOnData(
  args: TrainingArguments,
  context: Context,
  path: string,
  matrix: FeatureMatrix,
  measures: AskedMeasures,
): void {
  for (const note of notesOnData(matrix, args.value('missing') === 'nan' ? Number.NaN : 0)) say(args, context, `${path}: ${note}`);
  const highest = matrix.labels.reduce((most, label) => Math.max(most, label), 0);
  const steep = [measures.objective, measures.metric].find((measure) => String(measure?.params.gain).startsWith('exp'));
  if (highest >= STEEP_LABEL && steep !== undefined) {
    say(
      args,
      context,
      `${path}: a label of ${highest} gains 2^${highest} - 1, beside which lower labels count for next to nothing; gain='linear' takes labels as they are`,
    );
  }
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
  measures: AskedMeasures,
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
  return { file: path, queries: numQueries(matrix), documents: matrix.numRows, features: matrix.features?.numFeatures ?? 0 };
}
