import type { RankLibVersion } from '../../conventions/ranklib-versions.js';
import { findConvention } from '../../conventions/registry.js';
import { type FeatureMatrix, numQueries, queryText, toDense } from '../../core/feature-matrix.js';
import { formatJava } from '../../core/numbers/print.js';
import { InputError } from '../../core/problem.js';
import { readLetor } from '../../formats/read.js';
import { type ByteSource, readText } from '../../formats/source.js';
import { featuresOf, fitNormalisation, normaliseMatrix, withColumnsOf } from '../../ltr/dataset.js';
import { foldsOf, selectQueries, splitQueries } from '../../ltr/folds.js';
import { modelToRankLib } from '../../ltr/models/ranklib-writer.js';
import type { Learner, Model, OptionValue, Team } from '../../ltr/ranker.js';
import { learnerEntries } from '../../ltr/registry.js';
import { scoreMatrix } from '../../ltr/scoring/score.js';
import { trainRanker } from '../../ltr/train.js';
import type { Measure } from '../../measures/measure.js';
import type { ToolHost } from '../host.js';
import { type MetricScorer, makeScorer } from './metrics.js';
import { rounded } from './run-ranklib.js';
import { measureOfMetric, optionsFromFlags } from './training.js';
import { parseRankLibTraining, type RankLibTraining, rankLibRankers } from './training-options.js';

/** A file that a training reads or writes. */
export interface RankLibFile {
  readonly use: 'input' | 'output';
  readonly path: string;
  /** The flag that names it. */
  readonly label: string;
}

/** What training needs from the world around it. */
export interface RankLibTrainingHost extends Pick<ToolHost, 'writeOut'> {
  source(path: string): ByteSource;
  /** Refuses, before the work, what could not be written or would take the place of what is read. */
  checkFiles(files: readonly RankLibFile[]): void;
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  /** Threads for a learner that can use them; none otherwise. */
  trainingTeam?(learner: Learner, threads: number | undefined): Promise<(Team & { close(): Promise<void> }) | undefined>;
  /** Lets training end before its time. `status` is then what the tool ends with. */
  listenForInterrupt?(onFirst: () => void): { readonly signal: AbortSignal; readonly status: number; close(): void };
}

/** Trains as RankLib does, by its own arguments, and gives the exit status: RankLib's parameters and the shape of what it prints, with
 *  the learners of Gradus. The numbers are those of RankLib's own metrics; models are written in RankLib's format.
 *
 *      await runRankLibTraining(['-train', 'train.txt', '-ranker', '6', '-save', 'model.txt'], defaultRankLibVersion, nodeRankLibHost);
 */
export async function runRankLibTraining(argv: readonly string[], version: RankLibVersion, host: RankLibTrainingHost): Promise<number> {
  const training = parseRankLibTraining(argv, version);
  const entry = learnerEntries.find(({ ranklib }) => ranklib === training.ranker);
  if (entry === undefined) throw new InputError(`-ranker ${training.ranker} (${rankLibRankers[training.ranker]}) is not available`);
  const learner = await entry.load();
  const convention = findConvention(`ranklib@${version.name}`);
  const run: Run = {
    host,
    line: (text = '') => void host.writeOut(new TextEncoder().encode(`${text}\n`)),
    training,
    learner,
    options: optionsFromFlags(learner, training.ranker, training.rankerFlags),
    objective: measureOfMetric(training.trainMetric, training.gmax, convention),
    trainScorer: () => makeScorer(training.trainMetric, { version, gmax: training.gmax, judgements: undefined }),
    testScorer: () => makeScorer(training.testMetric, { version, gmax: training.gmax, judgements: undefined }),
    convention: convention.name,
  };
  host.checkFiles(filesOf(training));
  heading(run);
  return training.folds === undefined ? await trainOne(run) : await crossValidate(run, training.folds);
}

function filesOf({ train, validate, test, feature, save, idv, folds = 0, foldModels }: RankLibTraining): RankLibFile[] {
  const named = (use: RankLibFile['use'], label: string, path: string | undefined): RankLibFile[] =>
    path === undefined ? [] : [{ use, label, path }];
  return [
    ...named('input', '-train', train),
    ...named('input', '-validate', validate),
    ...named('input', '-test', test),
    ...named('input', '-feature', feature),
    ...named('output', '-save', save),
    ...named('output', '-idv', idv),
    ...Array.from({ length: folds }, (_, fold) => named('output', '-kcvmd', foldModels && foldModelPath(foldModels, fold))).flat(),
  ];
}

interface Run {
  readonly host: RankLibTrainingHost;
  readonly line: (text?: string) => void;
  readonly training: RankLibTraining;
  readonly learner: Learner;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly objective: Measure;
  trainScorer(): MetricScorer;
  testScorer(): MetricScorer;
  readonly convention: string;
}

const rule = '---------------------------------';

function heading({ line, training, trainScorer, testScorer }: Run): void {
  line();
  line(`Training data:\t${training.train}`);
  if (training.folds !== undefined) line(`Cross validation: ${training.folds} folds.`);
  if (training.test !== undefined) line(`Test data:\t${training.test}`);
  if (training.validate !== undefined) line(`Validation data:\t${training.validate}`);
  line(`Ranking method:\t${rankLibRankers[training.ranker]}`);
  line(`Feature description file:\t${training.feature ?? 'Unspecified. All features will be used.'}`);
  line(`Train metric:\t${trainScorer().name}`);
  line(`Test metric:\t${testScorer().name}`);
  line(`Feature normalization: ${training.norm ?? 'No'}`);
  if (training.save !== undefined) line(`Model file: ${training.save}`);
  line();
}

/** Reads a file as RankLib does: 32-bit features, a new list wherever the id changes, scaled by list. */
async function readLists({ host, line, training }: Run, path: string, like?: FeatureMatrix): Promise<FeatureMatrix> {
  const { matrix: read } = await readLetor(host.source(path), { scattered: 'split', precision: 'single', features: 'dense' });
  const negative = read.labels.findIndex((label) => label < 0);
  if (negative >= 0) throw new InputError({ source: path, line: read.lines[negative], message: 'a label cannot be negative in RankLib' });
  let matrix = like === undefined ? read : withColumnsOf(read, like, 'other');
  if (training.dropsHopeless) {
    // fits: entries
    const hopeful = Uint32Array.from({ length: numQueries(matrix) }, (_, q) => q).filter((q) =>
      matrix.labels.subarray(matrix.queryOffsets[q], matrix.queryOffsets[q + 1]).some((label) => label > 0),
    );
    matrix = selectQueries(matrix, hopeful);
  }
  line(`Reading feature file [${path}]... [Done.]`);
  line(`(${numQueries(matrix)} ranked lists, ${matrix.numRows} entries read)`);
  if (training.feature !== undefined) matrix = await withOnlyFeatures(matrix, host.source(training.feature));
  const { norm } = training;
  if (norm === undefined) return matrix;
  return normaliseMatrix(matrix, fitNormalisation(matrix, norm === 'linear' ? 'query-minmax' : `query-${norm}`));
}

/** Features that the file does not name are the same for all documents, and so cannot be used. */
async function withOnlyFeatures(matrix: FeatureMatrix, source: ByteSource): Promise<FeatureMatrix> {
  const text = await readText(source);
  const wanted = new Set<number>();
  for (const [i, row] of text.split('\n').entries()) {
    const word = row.replace(/#.*/, '').trim();
    if (word === '') continue;
    if (!/^\d+$/.test(word))
      throw new InputError({ source: source.name, line: i + 1, message: `expected the number of a feature, found ${word}` });
    wanted.add(Number(word));
  }
  const dense = toDense(featuresOf(matrix));
  const values = dense.values.slice();
  for (let i = 0; i < values.length; i++) if (!wanted.has((i % dense.numFeatures) + dense.firstFeature)) values[i] = 0;
  return { ...matrix, features: { ...dense, values } };
}

async function trainOne(run: Run): Promise<number> {
  const { host, line, training } = run;
  const whole = await readLists(run, training.train);
  const validation = training.validate === undefined ? undefined : await readLists(run, training.validate, whole);
  const test = training.test === undefined ? undefined : await readLists(run, training.test, whole);
  // a split for a test goes before one for validation, as in RankLib
  const cut = training.testSplit ?? (validation === undefined ? training.validationSplit : undefined);
  const { first, rest } = cut === undefined ? { first: whole, rest: undefined } : splitQueries(whole, cut);
  const parts = {
    train: first,
    validation: validation ?? (training.testSplit === undefined ? rest : undefined),
    test: test ?? (training.testSplit === undefined ? undefined : rest),
  };
  const { model, status } = await trainOn(run, parts.train, parts.validation);
  if (training.save !== undefined) await saveModel(host, training.save, model);
  line(`${run.trainScorer().name} on training data: ${rounded(mean(run.trainScorer(), model, parts.train), 4)}`);
  if (parts.validation !== undefined) {
    line(`${run.trainScorer().name} on validation data: ${rounded(mean(run.trainScorer(), model, parts.validation), 4)}`);
  }
  line(rule);
  if (parts.test !== undefined) {
    const scorer = run.testScorer();
    const values = listValues(scorer, model, parts.test);
    line(`${scorer.name} on test data: ${rounded(meanOf(values), 4)}`);
    if (training.idv !== undefined) {
      const text = [...values, meanOf(values)]
        .map(
          (value, q) =>
            `${scorer.name}   ${q < values.length && parts.test !== undefined ? queryText(parts.test, q) : 'all'}   ${formatJava(value)}\n`,
        )
        .join('');
      await host.writeFile(training.idv, text);
      line(`Per-ranked list performance saved to: ${training.idv}`);
    }
  }
  if (training.save !== undefined) {
    line();
    line(`Model saved to: ${training.save}`);
  }
  return status;
}

async function crossValidate(run: Run, folds: number): Promise<number> {
  const { host, line, training } = run;
  const whole = await readLists(run, training.train);
  const rows: { train: number; test: number; queries: number }[] = [];
  let weighted = 0;
  for (const [f, fold] of foldsOf(numQueries(whole), folds).entries()) {
    const rest = selectQueries(whole, fold.train);
    const { first, rest: held } =
      training.validationSplit === undefined ? { first: rest, rest: undefined } : splitQueries(rest, training.validationSplit);
    const test = selectQueries(whole, fold.test);
    const { model, status } = await trainOn(run, first, held);
    // a fold that was cut short is not comparable with the others
    if (status !== 0) return status;
    if (training.foldModels !== undefined) await saveModel(host, foldModelPath(training.foldModels, f), model);
    const row = { train: mean(run.trainScorer(), model, first), test: mean(run.testScorer(), model, test), queries: fold.test.length };
    rows.push(row);
    weighted += row.test * row.queries;
    line(rule);
  }
  line('Summary:');
  line(`${run.testScorer().name}\t|   Train\t| Test`);
  line(rule);
  for (const [f, row] of rows.entries()) line(`Fold ${f + 1}\t|   ${rounded(row.train, 4)}\t|  ${rounded(row.test, 4)}\t`);
  line(rule);
  line(`Avg.\t|   ${rounded(meanOf(rows.map(({ train }) => train)), 4)}\t|  ${rounded(meanOf(rows.map(({ test }) => test)), 4)}\t`);
  line(rule);
  line(`Total\t|   \t\t|  ${rounded(weighted / numQueries(whole), 4)}\t`);
  return 0;
}

function foldModelPath({ directory, name }: { readonly directory: string; readonly name: string }, fold: number): string {
  return `${directory}/f${fold + 1}.${name}`;
}

interface Trained {
  readonly model: Model;
  /** 0, or what the signal means that ended training before its time. */
  readonly status: number;
}

/** Trains, printing a line for each iteration unless that was not wanted. */
async function trainOn(run: Run, train: FeatureMatrix, validation: FeatureMatrix | undefined): Promise<Trained> {
  const { host, line, training, learner, options, objective, convention } = run;
  const { name } = run.trainScorer();
  line(rule);
  line('Training starts...');
  line(rule);
  if (!training.silent) {
    line(`#iter\t| ${name}-T\t| ${name}-V`);
    line(rule);
  }
  const shown = (value: number | undefined): string => (value === undefined ? '' : rounded(value, 4));
  const interrupt = host.listenForInterrupt?.(() => line('Interrupted; the best model so far is kept.'));
  const team = await host.trainingTeam?.(learner, training.threads);
  try {
    const model = await trainRanker({
      learner,
      train,
      validation,
      objective: learner.objectives === 'own' ? undefined : objective,
      metric: objective,
      rules: { ties: 'file' },
      options,
      convention,
      signal: interrupt?.signal,
      team,
      onIteration: ({ iteration, training: trained, validation: watched }) => {
        if (!training.silent) line(`${iteration}\t| ${shown(trained)}\t| ${shown(watched)}`);
      },
    });
    line(rule);
    // spelled as RankLib does, for scripts that look for it
    line('Finished sucessfully.');
    return { model, status: interrupt?.status ?? 0 };
  } finally {
    await team?.close();
    interrupt?.close();
  }
}

async function saveModel(host: RankLibTrainingHost, path: string, model: Model): Promise<void> {
  await host.writeFile(path, modelToRankLib(model).content);
}

/** The metric of each list when it is ranked by the model, equal scores in the order of the file. */
function listValues(scorer: MetricScorer, model: Model, matrix: FeatureMatrix): number[] {
  const scores = scoreMatrix(model, matrix);
  return Array.from({ length: numQueries(matrix) }, (_, q) => {
    const from = matrix.queryOffsets[q];
    const order = Uint32Array.from({ length: matrix.queryOffsets[q + 1] - from }, (_, d) => from + d); // fits: entries
    order.sort((a, b) => scores[b] - scores[a] || a - b);
    return scorer.score(
      queryText(matrix, q),
      Float64Array.from(order, (row) => matrix.labels[row]),
    );
  });
}

function mean(scorer: MetricScorer, model: Model, matrix: FeatureMatrix): number {
  return meanOf(listValues(scorer, model, matrix));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
