/** What a model is trained by, and the documents that it is trained on, from files. */
import { judgingRulesOf } from '../../conventions/convention.js';
import { parameterDefaults, readMeasures } from '../../conventions/read-measures.js';
import { findConvention, gradusConvention } from '../../conventions/registry.js';
import { type FeatureMatrix, numQueries } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { FeatureOptions } from '../../formats/letor/feature-options.js';
import type { LetorReading } from '../../formats/letor/parser.js';
import { readFeatures, readPredictions } from '../../formats/read.js';
import { type ByteSource, readText } from '../../formats/source.js';
import { notesOnData, withColumnsOf } from '../../ltr/dataset.js';
import type { EvaluationRules } from '../../ltr/evaluate-model.js';
import { splitQueries } from '../../ltr/folds.js';
import { type FeaturePart, joinFeatures } from '../../ltr/join-features.js';
import { usedFeatures } from '../../ltr/models/summary.js';
import type { Learner, Model, Team } from '../../ltr/ranker.js';
import { absentFeatures } from '../../ltr/scoring/absent-features.js';
import { leftOutValue } from '../../ltr/scoring/rows.js';
import type { WatchedSet } from '../../ltr/training/curves.js';
import type { Measure } from '../../measures/measure.js';
import { sourceOf } from '../material.js';
import { noteText, readingNotes } from '../notes.js';
import { readPerDocument, takesColumns } from '../per-document.js';
import type { JudgingSettings } from '../plan.js';
import type { Platform } from '../platform.js';

/** What is optimised, or watched, if nothing is asked for. */
export const defaultObjective = 'nDCG@10';

/** What a person can say about the measures of a training. */
export interface TrainingSettings extends Pick<JudgingSettings, 'convention' | 'rel'> {
  /** The measure to optimise; default: `nDCG@10`. */
  readonly objective?: string | undefined;
  /** The measure watched on validation data; default: the objective. */
  readonly metric?: string | undefined;
  /** Measures to report; default: the objective and the metric. */
  readonly measures?: readonly string[] | undefined;
  /** Measures that are watched besides the metric. */
  readonly watchMeasures?: readonly string[] | undefined;
  /** What the best model is chosen and training is stopped by, as `validation:nDCG@10`; default: the metric on the validation data. */
  readonly stopOn?: string | undefined;
}

/** What is to be optimised, watched and reported, under which rules. */
export interface TrainingPlan {
  readonly objective: Measure | undefined;
  readonly metric: Measure;
  readonly reported: readonly Measure[];
  readonly watched: readonly Measure[];
  /** What must not fall below the baseline. */
  readonly kept: readonly Measure[];
  readonly convention: string;
  readonly rules: EvaluationRules;
}

/** What is optimised and what is watched, by the settings and by what the learner can do. */
export function trainingPlanOf(
  settings: TrainingSettings & { readonly keep?: readonly string[] | undefined },
  learner: Pick<Learner, 'objectives'>,
): TrainingPlan {
  const convention = findConvention(settings.convention ?? gradusConvention.name);
  const defaults = parameterDefaults(convention, settings.rel);
  const one = (text: string): Measure => readMeasures([text], defaults)[0];
  const objective = learner.objectives === 'own' ? undefined : one(settings.objective ?? defaultObjective);
  const metric = settings.metric === undefined ? (objective ?? one(defaultObjective)) : one(settings.metric);
  const otherwise = new Map([objective ?? metric, metric].map((measure) => [measure.text, measure]));
  return {
    objective,
    metric,
    reported: settings.measures === undefined ? [...otherwise.values()] : readMeasures(settings.measures, defaults),
    watched: settings.watchMeasures === undefined ? [] : readMeasures(settings.watchMeasures, defaults),
    kept: settings.keep === undefined ? [] : readMeasures(settings.keep, defaults),
    convention: convention.name,
    rules: { ...judgingRulesOf(convention.rules), ...convention.planOptions },
  };
}

/** A file of features, or whatever else can be read. */
export type FeatureInput = string | ByteSource;

/** How a platform reads features: with the threads that it has. */
export interface FeatureThreads {
  /** Threads that are there already; a large file is otherwise worth some of its own. */
  readonly team?: Pick<Team, 'run' | 'size'> | undefined;
  /** How many of those there may be. */
  readonly threads?: number | 'all' | undefined;
  /** Only bins of the values are needed, at most so many for each feature. */
  readonly bins?: number | undefined;
}

/** How documents with features are read. */
export interface FeatureSettings
  extends FeatureThreads,
    Pick<FeatureOptions, 'lenient' | 'columns' | 'features' | 'ignore' | 'header' | 'labelled'> {
  /** How many features a LETOR file has, where its documents do not mention all of them. */
  readonly numFeatures?: number | undefined;
  /** What the features of a LETOR file are called: one name per line. */
  readonly featureNames?: FeatureInput | undefined;
  /** The id of the first feature; default: 1. */
  readonly firstFeature?: number | undefined;
  /** What a feature is that a line leaves out, unless a model says so: 0, or unknown. */
  readonly missing?: 'zero' | 'nan' | undefined;
  /** The model that the documents are for, which says what left-out and unknown values count as. */
  readonly model?: Model | undefined;
  /** Called with what a person should know about a file, as soon as it has been read. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** Reads one file of documents with features. */
export async function readFeatureFile(input: FeatureInput, settings: FeatureSettings, platform: Platform): Promise<FeatureMatrix> {
  const { numFeatures, featureNames: namesInput, firstFeature, missing, model, onNote, ...options } = settings;
  const source = sourceOf(input, platform);
  const featureNames = namesInput === undefined ? undefined : await readNames(sourceOf(namesInput, platform));
  const { matrix, skipped } = await readOn(platform, source, {
    ...options,
    // what else a table holds, texts among it, is nothing to the model
    known: model?.featureNames && new Set(model.featureNames),
    // as many features as there are names, so that a file with others is refused
    letor: {
      numFeatures: numFeatures ?? featureNames?.length,
      featureNames,
      firstFeature: firstFeature === 0 || model?.firstFeature === 0 ? 0 : 1,
      nonFinite: missing === 'nan' || (model !== undefined && 'nan'),
      // dense rows must not fill with 0 what sparse rows would leave open
      missing: missing === 'nan' ? Number.NaN : model === undefined ? 0 : leftOutValue(model),
    },
  });
  for (const note of readingNotes(source.name, { skipped })) onNote?.(noteText(note));
  const absent = model && absentNote(model, matrix);
  if (absent !== undefined) onNote?.(`${source.name}: ${absent}`);
  return matrix;
}

function readOn(platform: Platform, source: ByteSource, options: FeatureOptions & FeatureThreads): Promise<LetorReading> {
  if (platform.readFeatures !== undefined) return platform.readFeatures(source, options);
  const { team: _, threads: __, bins: ___, ...others } = options;
  return readFeatures(source, others);
}

/** One name per line. */
async function readNames(source: ByteSource): Promise<string[]> {
  const lines = (await readText(source)).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** Which features of a model are nowhere in the data, and what they count as; undefined if all are there. */
function absentNote(model: Model, { features }: FeatureMatrix): string | undefined {
  const absent = features === undefined ? [] : absentFeatures(model, features);
  if (absent.length === 0) return undefined;
  const names = absent.map((column) => model.featureNames?.[column] ?? String(model.firstFeature + column));
  const numUsed = usedFeatures(model).reduce((sum, flag) => sum + flag, 0);
  const which = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
  const value = leftOutValue(model);
  const worth = Number.isNaN(value) ? 'missing' : String(value);
  const [noun, they] = names.length === 1 ? ['feature', 'it counts'] : ['features', 'they count'];
  return `no document has ${noun} ${which}, of ${numUsed} that the model uses; ${they} as ${worth} everywhere`;
}

/** Reads files of features whose documents belong together, in the order given.
 *  @param role What they are for, in messages. */
export async function readFeatureFiles(
  inputs: readonly FeatureInput[],
  role: string,
  settings: FeatureSettings,
  platform: Platform,
): Promise<FeatureMatrix> {
  const parts: FeaturePart[] = [];
  for (const input of inputs) {
    parts.push({ source: sourceOf(input, platform).name, matrix: await readFeatureFile(input, settings, platform) });
  }
  return joinFeatures(parts, role, missingValue(settings));
}

function missingValue({ missing }: FeatureSettings): number {
  return missing === 'nan' ? Number.NaN : 0;
}

/** The files of a training. */
export interface TrainingFiles {
  /** Documents to learn from, those of all files together. */
  readonly train: readonly FeatureInput[];
  /** Documents to choose the best model by, those of all files together. */
  readonly validate?: readonly FeatureInput[] | undefined;
  /** The share of the training queries that is set aside to choose by: those at the end. */
  readonly validateShare?: number | undefined;
  /** Files of documents to report on. */
  readonly test?: readonly FeatureInput[] | undefined;
  /** Further files that are watched while a model is trained, each by its name. */
  readonly watch?: readonly FeatureInput[] | undefined;
  /** How much each training query counts: one number per line. */
  readonly queryWeights?: FeatureInput | undefined;
  /** How much each training document counts: one number per line. */
  readonly docWeights?: FeatureInput | undefined;
  /** The column of the training data that says so, by name or id; it is no feature then. */
  readonly weightColumn?: string | undefined;
  /** Scores that the training documents have already: one number per line. */
  readonly initScores?: FeatureInput | undefined;
  /** The column of the training data that says so, by name or id; it is no feature then. */
  readonly initScoreColumn?: string | undefined;
  /** A run, or scores of the training documents, against which losses count more than gains. */
  readonly baseline?: FeatureInput | undefined;
}

/** Everything that a model is trained and tested on. */
export interface TrainingData {
  readonly train: FeatureMatrix;
  readonly validation: FeatureMatrix | undefined;
  readonly queryWeights: Float64Array | undefined;
  /** In the order of the rows. */
  readonly documentWeights: Float64Array | undefined;
  readonly initialScores: Float64Array | undefined;
  /** All documents of the training files, those that were set aside to choose by too. */
  readonly whole: FeatureMatrix;
  /** Further sets that are watched. */
  readonly watched: readonly WatchedSet[];
  /** One for each file, in the order given. */
  readonly tests: readonly FeatureMatrix[];
}

/** Reads everything that a model is trained and tested on; all of it has the columns of the training data.
 *  @param onTraining Called with all training data, before the rest is read. */
export async function readTrainingData(
  { train, validate = [], validateShare, test = [], watch = [], queryWeights, ...perDocument }: TrainingFiles,
  settings: FeatureSettings,
  platform: Platform,
  onTraining?: (whole: FeatureMatrix) => void,
): Promise<TrainingData> {
  const { bins, ...usual } = settings;
  // documents that are divided or put together need their values
  const isWhole = train.length === 1 && validateShare === undefined && !takesColumns(perDocument);
  const read = await readFeatureFiles(train, 'training', isWhole ? settings : usual, platform);
  const { matrix: whole, documentWeights, initialScores } = await readPerDocument(read, perDocument, platform);
  onTraining?.(whole);
  const other = async (inputs: readonly FeatureInput[], role: string): Promise<FeatureMatrix> =>
    withColumnsOf(await readFeatureFiles(inputs, role, usual, platform), whole, role, missingValue(settings));
  const watched: WatchedSet[] = [];
  for (const input of watch) watched.push({ name: sourceOf(input, platform).name, matrix: await other([input], 'watched') });
  const tests: FeatureMatrix[] = [];
  for (const input of test) tests.push(await other([input], 'test'));
  const weights = queryWeights === undefined ? undefined : await readWeights(sourceOf(queryWeights, platform), whole);
  if (validateShare !== undefined) {
    const { first, rest } = splitQueries(whole, 1 - validateShare);
    return {
      whole,
      train: first,
      validation: rest,
      queryWeights: weights?.subarray(0, numQueries(first)),
      documentWeights: documentWeights?.subarray(0, first.numRows),
      initialScores: initialScores?.subarray(0, first.numRows),
      watched,
      tests,
    };
  }
  return {
    whole,
    train: whole,
    validation: validate.length === 0 ? undefined : await other(validate, 'validation'),
    queryWeights: weights,
    documentWeights,
    initialScores,
    watched,
    tests,
  };
}

/** One number for each query of the whole training file. */
async function readWeights(source: ByteSource, whole: FeatureMatrix): Promise<Float64Array> {
  const weights = await readPredictions(source);
  if (weights.length === numQueries(whole)) return weights;
  throw new InputError({
    source: source.name,
    message: `holds ${weights.length} numbers, expected one for each of ${numQueries(whole)} queries`,
  });
}

/** Reads a fold as LETOR hands it out: a folder with train.txt, test.txt and, if there is validation data, vali.txt. */
export async function readFold(folder: string, settings: FeatureSettings, platform: Platform): Promise<TrainingData> {
  const vali = `${folder}/vali.txt`;
  return await readTrainingData(
    {
      train: [`${folder}/train.txt`],
      validate: platform.source(vali).isReopenable ? [vali] : undefined,
      test: [`${folder}/test.txt`],
    },
    settings,
    platform,
  );
}

/** What a person should know about training data, of which these measures are optimised or watched. */
export function trainingNotes(matrix: FeatureMatrix, { objective, metric }: TrainingPlan, settings: FeatureSettings): string[] {
  const notes = notesOnData(matrix, missingValue(settings));
  const { labels } = matrix;
  const numNegative = labels.reduce((sum, label) => sum + (label < 0 ? 1 : 0), 0);
  if (numNegative > 0) {
    const lowest = labels.reduce((least, label) => Math.min(least, label), 0);
    notes.push(`${numNegative} ${numNegative === 1 ? 'label is' : 'labels are'} below 0, the lowest ${lowest}; measures count them as 0`);
  }
  const highest = labels.reduce((most, label) => Math.max(most, label), 0);
  const isSteep = [objective, metric].some((measure) => String(measure?.params.gain).startsWith('exp'));
  const numFractional = labels.reduce((sum, label) => sum + (Number.isInteger(label) ? 0 : 1), 0);
  if (numFractional > 0 && isSteep) {
    notes.push(
      `${numFractional} ${numFractional === 1 ? 'label is no whole number' : 'labels are no whole numbers'}; each gains 2^label - 1 as it is, while LightGBM refuses them`,
    );
  }
  if (highest >= STEEP_LABEL && isSteep) {
    notes.push(
      `a label of ${highest} gains 2^${highest} - 1, beside which lower labels count for next to nothing; gain='linear' takes labels as they are`,
    );
  }
  return notes;
}

/** Labels from which on an exponential gain leaves nothing for the others; LightGBM and RankLib give up here. */
const STEEP_LABEL = 31;
