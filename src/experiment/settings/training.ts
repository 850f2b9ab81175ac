import { readMeasures } from '../../conventions/read-measures.js';
import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import { parseFeatureColumns } from '../../formats/letor/feature-rows.js';
import { normalisationNames } from '../../ltr/dataset.js';
import type { ContributionOptions } from '../../ltr/explanations/contributions.js';
import { findLossName } from '../../ltr/losses/names.js';
import type { PermutationOptions } from '../../ltr/models/importance.js';
import { riskMeasures } from '../../ltr/objectives/risk-weights.js';
import { findLearner, learnerEntries } from '../../ltr/registry.js';
import type { TrainRankerOptions } from '../../ltr/train.js';
import type { TrainingEngineSettings } from '../engine.js';
import type { ContinuedTraining } from '../training/continued-training.js';
import type { TrainRequest } from '../training/train.js';
import { defaultObjective, type FeatureSettings, type TrainingFiles, type TrainingSettings } from '../training/training-data.js';
import { USUAL_BUDGET, usualLearners } from '../tuning/search-space.js';
import type { TuneRequest } from '../tuning/tune.js';
import { engineSettings, judgingSettings, measureList, readingSettings, scoringSettings } from './judging.js';
import { listOf, type NumberSetting, type Setting, type SettingsOf, type TurnsOff } from './setting.js';

function checkOneMeasure(text: string): void {
  const measures = readMeasures([text]);
  if (measures.length !== 1) throw new InputError(`expected one measure, found ${measures.length} in ${text}`);
}

const oneMeasure: Omit<Setting<string>, 'help'> & { readonly value: string } = {
  value: 'MEASURE',
  complete: 'measure',
  check: checkOneMeasure,
};

/** What is optimised, watched and reported, and how training goes about it. */
export const trainingSettings: SettingsOf<
  TrainingSettings & Pick<TrainRankerOptions, 'normalisation' | 'seed'> & { readonly threads: number }
> = {
  objective: {
    ...oneMeasure,
    check: (text) => {
      if (findLossName(text) === undefined) checkOneMeasure(text);
    },
    default: defaultObjective,
    help: 'the measure to optimise, or a loss for lambdamart, such as yetirank (see its --loss); learners with a loss of their own take none',
  },
  metric: {
    ...oneMeasure,
    help: 'the measure watched on validation data, by which the best model is kept',
    defaultText: 'the objective',
  },
  measures: {
    ...measureList,
    help: 'measures to report, separated by blanks',
    defaultText: 'the objective and the metric',
  },
  watchMeasures: {
    value: measureList.value,
    repeatable: true,
    complete: 'measure',
    check: (text) => void readMeasures([text]),
    help: 'measures to watch besides the metric, separated by blanks, on --validate and every --watch',
    defaultText: 'none',
  },
  stopOn: {
    value: 'SET:MEASURE',
    help: 'what the best model is chosen and training is stopped by, as validation:AP or other.txt:nDCG@5',
    defaultText: 'the metric on the validation data',
  },
  normalisation: {
    value: 'HOW',
    choices: normalisationNames,
    help: 'bring features to a common scale, which is saved in the model',
    defaultText: 'as they are',
  },
  seed: {
    type: 'integer',
    value: 'N',
    min: 0,
    max: limits.seed,
    default: 1,
    help: 'the random seed; the same seed gives the same model',
  },
  rel: judgingSettings.rel,
  convention: judgingSettings.convention,
  threads: scoringSettings.threads,
};

const validateShare: NumberSetting = {
  type: 'number',
  value: 'SHARE',
  help: 'set this share of the training queries aside to choose by, such as 0.2: those at the end of the file',
};

const forDocuments = `for ${learnerEntries
  .filter(({ weighsDocuments }) => weighsDocuments)
  .map(({ name }) => name)
  .join(', ')}`;

/** What a model is trained, chosen and tested on. */
export const trainingFileSettings: SettingsOf<TrainingFiles> = {
  train: { value: 'FILE', repeatable: true, file: 'input', help: 'documents to learn from, those of all files together' },
  validate: { value: 'FILE', repeatable: true, file: 'input', help: 'documents to choose the best model by, those of all files together' },
  validateShare,
  watch: {
    value: 'FILE',
    repeatable: true,
    file: 'input',
    help: 'documents to watch while the model is trained, besides those of --validate',
  },
  test: { value: 'FILE', repeatable: true, file: 'input', help: 'documents to report on, once the model is chosen' },
  queryWeights: {
    value: 'FILE',
    file: 'input',
    help: `how much each training query counts: one number per line, in the order of the data; for ${learnerEntries
      .filter(({ weighsQueries }) => weighsQueries)
      .map(({ name }) => name)
      .join(', ')}`,
  },
  docWeights: { value: 'FILE', file: 'input', help: `how much each training document counts: one number per line; ${forDocuments}` },
  weightColumn: {
    value: 'NAME',
    help: `the column of the training data that says so, by name or id; it is no feature then; ${forDocuments}`,
  },
  initScores: {
    value: 'FILE',
    file: 'input',
    help: `scores that the training documents have already and that the model adds to, without holding them: one number per line; ${forDocuments}`,
  },
  initScoreColumn: {
    value: 'NAME',
    help: `the column of the training data that holds such scores, by name or id; it is no feature then; ${forDocuments}`,
  },
  baseline: {
    value: 'FILE',
    file: 'input',
    help: 'a run or scores of the training documents that the model is not to fall below: losses count 1 + --alpha times; for lambdamart, lambdarank and coordinate-ascent',
  },
};

/** What training goes on from, and how it is saved on the way. */
export const continuedSettings: SettingsOf<
  Required<Pick<ContinuedTraining, 'snapshotEvery'>> & { readonly from: string; readonly checkpoint: string }
> = {
  from: {
    value: 'MODEL',
    file: 'input',
    help: 'a model of trees, of Gradus or another tool, to add --trees further ones to; for lambdamart and mart',
  },
  checkpoint: {
    value: 'FILE',
    file: 'output',
    help: 'keep what is trained so far there, and go on from it if it is there already; for lambdamart and mart',
  },
  snapshotEvery: {
    type: 'integer',
    value: 'K',
    min: 1,
    max: 1_000_000,
    help: 'save the model after every K iterations too, as model.snapshot-K.json; for lambdamart and mart',
  },
};

/** Who trains in place of this program, and its settings. */
export const trainingEngineSettings: SettingsOf<TrainingEngineSettings & { readonly engine: string }> = {
  engine: {
    value: 'NAME',
    choices: ['spark'],
    choiceTexts: { spark: "XGBoost's ranker on the cluster that --master names" },
    help: 'who trains; --train then names Parquet files, patterns such as "train/*.parquet" or directories; for lambdamart',
    defaultText: 'this program itself',
  },
  master: engineSettings.master,
  conf: engineSettings.conf,
  python: {
    value: 'PROGRAM',
    default: 'python3',
    help: 'the Python that has pyspark and xgboost, such as venv/bin/python, for --engine spark',
  },
  workers: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 100_000,
    help: 'how many tasks of --engine spark train together; the model depends on it',
    defaultText: 'one for each core of the cluster',
  },
};

/** What a model is not to lose against a baseline. */
export const againstSettings: SettingsOf<Required<Pick<TrainRequest, 'riskMeasure' | 'keep'>>> = {
  riskMeasure: {
    value: 'WHICH',
    choices: riskMeasures,
    choiceTexts: {
      urisk: 'the mean difference, losses counting more',
      trisk: 'the same over its standard error',
      georisk: 'effectiveness and safety in one number',
    },
    default: 'urisk',
    help: 'what is made larger against --baseline; trisk and georisk for lambdamart and lambdarank',
  },
  keep: {
    value: measureList.value,
    repeatable: true,
    complete: 'measure',
    check: (text) => void readMeasures([text]),
    help: 'measures whose means over the training queries must not fall below those of --baseline, while the objective is made larger; for lambdamart and lambdarank',
    defaultText: 'none',
  },
};

/** Which options of the learner are tried. */
export const searchSettings: SettingsOf<{ readonly grid: readonly string[]; readonly random: number }> = {
  grid: {
    value: 'OPTION=VALUES',
    repeatable: true,
    help: 'values of an option of the learner to try, as in rate=0.05,0.1; every combination of several is tried',
  },
  random: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 100_000,
    help: 'try only so many combinations, drawn at random; an option can then have a range, as in rate=0.01..0.3',
  },
};

/** What a ranker is trained and tested on in turn. */
export const foldSettings: SettingsOf<
  Pick<TrainingFiles, 'train' | 'validateShare'> & {
    readonly folds: number;
    readonly shuffle: boolean;
    readonly folders: readonly string[];
    readonly also: readonly string[];
  }
> = {
  train: { ...trainingFileSettings.train, help: 'documents to cut into folds, those of all files together' },
  folds: { type: 'integer', value: 'K', min: 2, max: 100_000, default: 5, help: 'how many folds' },
  shuffle: { help: 'draw the folds at random, by --seed; without it they are cut in the order of the file' },
  folders: {
    value: 'DIR',
    repeatable: true,
    help: 'a folder with train.txt, test.txt and, if there is validation data, vali.txt; in place of --train',
    complete: 'file',
  },
  also: {
    value: 'LEARNER',
    repeatable: true,
    help: 'another learner to train with its usual options and to test on the same folds',
    check: (name) => void findLearner(name),
  },
  validateShare: {
    ...validateShare,
    help: 'set this share of the training queries of each fold aside to choose by, such as 0.2',
  },
};

/** How learners and their options are searched together. */
export const nestedSearchSettings: SettingsOf<
  Required<Pick<TuneRequest, 'learners' | 'grid' | 'budget' | 'folds' | 'inner'>> & Pick<TrainingFiles, 'train'>
> = {
  train: foldSettings.train,
  learners: {
    value: 'LIST',
    repeatable: true,
    help: 'learners to try, separated by commas',
    defaultText: usualLearners.join(', '),
    read: listOf,
  },
  grid: {
    value: 'OPTION=VALUES',
    repeatable: true,
    help: 'values of an option to draw from, as in rate=0.05,0.1 or rate=0.01..0.3, or lambdamart:rate=0.1,0.2 for one learner; in the place of the usual ones',
  },
  budget: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 100_000,
    default: USUAL_BUDGET,
    help: 'how many learners with options are tried in all',
  },
  folds: { ...foldSettings.folds, help: 'how many folds to test on' },
  inner: { type: 'integer', value: 'K', min: 2, max: 1000, default: 3, help: 'how many folds inside each to choose by' },
};

type LayoutSettings = Pick<
  FeatureSettings,
  'columns' | 'features' | 'ignore' | 'header' | 'numFeatures' | 'featureNames' | 'firstFeature' | 'missing' | 'lenient'
>;

/** How documents with features are read. */
export const featureSettings: SettingsOf<LayoutSettings> & {
  readonly columns: { readonly repeatable: true };
  readonly header: TurnsOff;
} = {
  firstFeature: {
    type: 'integer',
    value: 'ID',
    min: 0,
    max: 1_000_000,
    default: 1,
    help: 'the id of the first feature in LETOR files, 0 or 1, and of the first column of a LightGBM or XGBoost model',
  },
  columns: {
    value: 'LIST',
    repeatable: true,
    help: 'which columns of CSV, TSV and JSON are what, such as topic=qid,label=rel,doc=url; numbers count columns from 1; common names are recognised',
    read: parseFeatureColumns,
  },
  features: {
    value: 'LIST',
    repeatable: true,
    help: 'the columns that are features, separated by commas',
    defaultText: 'all that are nothing else',
    read: listOf,
  },
  ignore: { value: 'LIST', repeatable: true, help: 'columns that are not features, separated by commas', read: listOf },
  header: { turnsOff: true, help: 'the first line of a CSV file is data; --columns then gives numbers' },
  numFeatures: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: limits.features,
    help: 'how many features a LETOR file has, where its documents do not mention all of them',
  },
  featureNames: { value: 'FILE', file: 'input', help: 'what the features of a LETOR file are called, one name per line' },
  missing: {
    value: 'HOW',
    choices: ['zero', 'nan'],
    choiceTexts: { zero: '0', nan: 'unknown, which trees send either way' },
    default: 'zero',
    help: 'what a feature is that a line leaves out',
  },
  lenient: readingSettings.lenient,
};

/** How it is found out what a feature is worth on data. */
export const importanceSettings: SettingsOf<Pick<PermutationOptions, 'seed' | 'repeats' | 'shuffle'>> = {
  seed: { ...trainingSettings.seed, help: 'where the random numbers of shuffling start' },
  repeats: { type: 'integer', value: 'N', min: 1, max: 1000, default: 5, help: 'how often each feature is shuffled' },
  shuffle: {
    value: 'RANGE',
    choices: ['data', 'query'],
    choiceTexts: { data: 'over all documents', query: 'among the documents of each query, which leaves what a query as a whole has' },
    default: 'data',
    help: 'where values are shuffled',
  },
};

/** How scores of a model are explained. */
export const contributionSettings: SettingsOf<Pick<ContributionOptions, 'method' | 'backgroundSize' | 'seed' | 'samples'>> = {
  method: {
    value: 'HOW',
    choices: ['path', 'interventional', 'sampled'],
    choiceTexts: {
      path: 'a feature that is not known goes both ways of a split, as the training documents did',
      interventional: 'it comes from other documents',
      sampled: 'the same, estimated',
    },
    defaultText: 'path for trees that know their training documents, sampled for nets, else interventional',
    help: 'what stands for a feature that is not known',
  },
  backgroundSize: {
    type: 'integer',
    value: 'N',
    min: 1,
    max: 1_000_000,
    default: 100,
    help: 'how many other documents features come from',
  },
  seed: { ...trainingSettings.seed, help: 'where the random numbers start that draw these documents' },
  samples: { type: 'integer', value: 'N', min: 2, max: 1_000_000, default: 50, help: 'how many pairs of orders an estimate takes' },
};
