import { jsonText } from '../../core/index.js';
import {
  againstSettings,
  continuedSettings,
  riskSettings,
  type TrainedRanker,
  type Trial,
  trainingEngineSettings,
  trainingFileSettings,
} from '../../experiment/index.js';
import { evaluateModel, type Learner, type Model, modelToJson, type TrainingCurves } from '../../ltr/index.js';
import { listenForInterrupt, writeOutputFile } from '../../node/index.js';
import { formAsked } from '../options/output-form.js';
import { optionName, settingsFrom } from '../options/settings.js';
import { type TrainArguments, trainOptions, trainProblems } from '../options/train.js';
import { dataOptions, learnerOptions, perLearner, resultForms, searchFrom } from '../options/training.js';
import { filesText, rankerFrom, sayNotesOnValues, sizeOf } from '../options/training-data.js';
import type { Command, CommandGroup, Context } from '../parse/command.js';
import { defineCommand, withFurtherOptions } from '../parse/define.js';
import { type Grid, type GridForm, withOutput, writeGrid } from '../print/output.js';
import { ProgressMeter } from '../print/progress.js';
import { say } from '../print/say.js';

/** Trains a model; one command for each learner, because each has options of its own. */
export const trainCommands: CommandGroup = {
  name: 'train',
  summary: 'train a ranker on any measure under any rules',
  description: [
    'Learns to rank from documents with labels and features: LETOR or SVMlight files, CSV, TSV or JSON. The measure to optimise is written as everywhere (nDCG@10, AP, GAP(g=[0.5,0.5]), ERR …), and --convention says by whose rules empty and short queries count, in training as in the report.',
    'Validation data, from a file or as a share of the training data, decides which of the models met on the way is kept. With --grid, and --random for large grids, options of the learner are chosen by it too; the results of all trials are printed.',
    'The model holds everything that is needed to use it: how features are scaled, what was optimised under which rules, options, seed, a fingerprint of the data. Ctrl-C ends training and saves the best model so far; a second one ends the program.',
  ].join('\n\n'),
  examples: [
    {
      command: "gradus train coordinate-ascent --train train.txt --validate vali.txt --test test.txt --objective 'nDCG@10' --model ca.json",
      explains: 'optimise nDCG@10, keep what is best on the validation data, report on the test data',
    },
    {
      command: 'gradus train adarank --train train.txt --objective AP --convention letor4 --model ada.json',
      explains: "average precision by LETOR's rules",
    },
    {
      command:
        'gradus train coordinate-ascent --train train.csv --validate-share 0.2 --grid restarts=2,5 --grid tolerance=0.01,0.001 --model ca.json',
      explains: 'try four combinations of options on a fifth of the queries',
    },
    {
      command:
        "gradus train lambdamart --engine spark --master spark://host:7077 --python venv/bin/python --train 'train/*.parquet' --test test.parquet --model big.json",
      explains: 'train with XGBoost on a cluster, and report on test data here',
    },
  ],
  ...perLearner(trainCommand),
};

/** The command for one learner, with its options. */
function trainCommand(learner: Learner): Command {
  const command = defineCommand({
    name: `train ${learner.name}`,
    summary: `${learner.title}. ${learner.help}`,
    description: 'gradus train --help describes what all learners have in common.',
    examples: [
      {
        command: `gradus train ${learner.name} --train train.txt --validate vali.txt --test test.txt --model model.json`,
        explains: 'learn, keep what is best on the validation data, report on the test data',
      },
    ],
    arguments: [],
    options: trainOptions,
    check: (args) => trainProblems(args, learner),
    run: (args, context) => train(args, context, learner),
  });
  return withFurtherOptions(command, learnerOptions(learner), dataOptions[0].long);
}

async function train(args: TrainArguments, context: Context, learner: Learner): Promise<number> {
  const engine = args.value('engine');
  if (engine !== undefined) return await trainElsewhere(args, context, learner, engine);
  const modelPath = args.value('model') ?? '';
  const meter = new ProgressMeter(context.stderr, 'training', args.has('quiet'));
  const interrupt = listenForInterrupt(() => {
    meter.clear();
    say(args, context, 'interrupted; the best model so far will be saved, and Ctrl-C again ends at once');
  });
  let best: Trial | undefined;
  try {
    const { nodePlatform, trainFromFiles } = await import('../on-demand/train.js');
    const work = trainFromFiles(
      {
        ...rankerFrom(args, context, learner),
        ...settingsFrom(args, trainingFileSettings),
        ...searchFrom(args),
        ...settingsFrom(args, riskSettings, 'alpha'),
        ...settingsFrom(args, againstSettings),
        ...settingsFrom(args, continuedSettings),
        onCheckpoint: args.has('checkpoint') ? (model) => saveModel(args.value('checkpoint') ?? '', model) : undefined,
        onSnapshot: (model, iteration) => saveModel(modelPath.replace(/(\.json)?$/, `.snapshot-${iteration}$1`), model),
        train: args.values('train'),
        history: args.has('history') || formAsked(args, resultForms) === 'json',
        signal: interrupt.signal,
        onProgress: (done, total) => meter.update(done, total),
        onTrial: (trial) => {
          best = trial;
        },
      },
      nodePlatform,
    );
    const trained = await work.finally(async () => {
      meter.clear();
      // whatever went wrong with a later trial, the best of those before is kept
      const model = best?.model;
      if (model !== undefined) await saveModel(modelPath, model);
    });
    if (trained.best === undefined) say(args, context, 'interrupted before training began; nothing was saved');
    else await report(args, context, learner, trained, trained.best, modelPath);
  } finally {
    interrupt.close();
  }
  return interrupt.status;
}

async function saveModel(path: string, model: Model): Promise<void> {
  await writeOutputFile(path, (writer) => writer.write(modelToJson(model)));
}

/** Trains on an engine, which has the training data to itself. */
async function trainElsewhere(args: TrainArguments, context: Context, learner: Learner, engine: string): Promise<number> {
  const meter = new ProgressMeter(context.stderr, 'training', args.has('quiet'));
  const { nodePlatform, trainOnEngine } = await import('../on-demand/train.js');
  const trained = await trainOnEngine(
    {
      ...rankerFrom(args, context, learner),
      ...settingsFrom(args, trainingEngineSettings),
      ...settingsFrom(args, trainingFileSettings, 'validate', 'test'),
      engine,
      train: args.values('train'),
      checkpoint: args.value('checkpoint'),
      history: args.has('history') || formAsked(args, resultForms) === 'json',
      spelling: optionName,
      onProgress: (done, total) => meter.update(done, total),
    },
    nodePlatform,
  ).finally(() => meter.clear());
  const modelPath = args.value('model') ?? '';
  const { model, plan, training } = trained;
  await saveModel(modelPath, model);
  const watched = trained.validation && evaluateModel(model, trained.validation, [plan.metric], plan.rules);
  const best = { options: model.training?.options ?? {}, model, watched, validation: watched?.aggregate(0) };
  const { trainer, documents, queries, workers } = training;
  say(args, context, `${trainer}: ${documents} documents of ${queries} queries, ${workers} ${workers === 1 ? 'task' : 'tasks'}`);
  await report(args, context, learner, { plan, data: trained, trials: [best] }, best, modelPath);
  return 0;
}

/** What a model was trained and is judged on; an engine keeps the training data to itself. */
interface Reported extends Pick<TrainedRanker, 'plan' | 'trials'> {
  readonly data: Pick<TrainedRanker['data'], 'validation' | 'tests'> & Partial<Pick<TrainedRanker['data'], 'train'>>;
}

async function report(
  args: TrainArguments,
  context: Context,
  learner: Learner,
  { plan: measures, data, trials }: Reported,
  best: Trial,
  modelPath: string,
): Promise<void> {
  const { reported, rules } = measures;
  const parts = [
    ...(data.train === undefined ? [] : [{ name: 'train', path: filesText(args.values('train')), matrix: data.train }]),
    ...(data.validation === undefined
      ? []
      : [{ name: 'validation', path: filesText(args.values(args.has('validate') ? 'validate' : 'train')), matrix: data.validation }]),
    ...data.tests.map((matrix, i) => ({
      name: data.tests.length === 1 ? 'test' : `test ${i + 1}`,
      path: args.values('test')[i],
      matrix,
    })),
  ];
  const tables = parts.map(({ name, matrix }) => ({ name, table: evaluateModel(best.model, matrix, reported, rules) }));
  const values = tables.map(({ table }) => reported.map((_, m) => table.aggregate(m)));
  sayNotesOnValues(args, context, [...tables, ...(best.watched === undefined ? [] : [{ name: 'validation', table: best.watched }])]);
  const form = formAsked(args, resultForms);
  const digits = args.number('digits');
  const { training } = best.model;
  const searched = args.has('grid');
  const kept = training?.best === undefined ? '' : `, kept the one after ${training.best.iteration}`;
  if (form !== 'json') {
    say(args, context, `${learner.title}: ${training?.iterations ?? 0} iterations${kept}; saved as ${modelPath}`);
    const chosen = chosenBySize(best);
    if (chosen !== '' && data.train !== undefined) say(args, context, `${chosen}: ${data.train.numRows} training documents`);
  }
  const { scorer } = best.model;
  if (scorer.kind === 'trees' && scorer.feature.every((feature) => feature < 0)) {
    const fewest = training?.options.minDocs;
    say(
      args,
      context,
      `no tree has a split, so that every document gets the same score: a leaf must hold ${fewest} documents; --min-docs allows fewer`,
    );
  }
  const { oneFeatureNote } = await import('../on-demand/model-summary.js');
  const note = oneFeatureNote(best.model);
  if (note !== undefined) say(args, context, note);
  const historyPath = args.value('history');
  const { history } = training ?? {};
  if (historyPath !== undefined && history !== undefined) {
    await writeOutputFile(historyPath, (writer) => writer.write(historyText(history, historyPath.endsWith('.json'))));
  }
  await withOutput(args.value('output'), context, (writer) => {
    if (form === 'json') {
      const named = (numbers: readonly number[]): Record<string, number> =>
        Object.fromEntries(reported.map(({ text }, m) => [text, numbers[m]]));
      const result = {
        learner: learner.name,
        objective: measures.objective?.text,
        metric: measures.metric.text,
        convention: measures.convention,
        options: best.options,
        seed: args.number('seed') ?? 1,
        iterations: training?.iterations,
        best: training?.best,
        history,
        model: modelPath,
        data: Object.fromEntries(parts.map(({ name, path, matrix }) => [name, sizeOf(path, matrix)])),
        values: Object.fromEntries(parts.map(({ name }, i) => [name, named(values[i])])),
        ...(searched ? { trials: trials.map(({ options, validation }) => ({ options, validation })) } : {}),
      };
      writer.write(`${jsonText(result, 2)}\n`);
      return;
    }
    if (searched) {
      writeGrid(form as GridForm, trialGrid(args, trials, best, measures.metric.text, digits), writer, context.environment);
      // one table per file, where a file is for programs
      if (form === 'csv' || form === 'tsv') return;
      writer.write('\n');
    }
    const grid: Grid = {
      columns: [{ name: 'data' }, { name: 'queries', numeric: true }, ...reported.map(({ text }) => ({ name: text, numeric: true }))],
      rows: () =>
        parts.map(({ name, matrix }, i) => [
          name,
          String(matrix.queryOf.length),
          ...values[i].map((value) => (form === 'csv' || form === 'tsv' ? String(value) : value.toFixed(digits))),
        ]),
    };
    writeGrid(form as GridForm, grid, writer, context.environment);
  });
}

/** One row for each iteration, one column for each set and measure. */
function historyText(history: TrainingCurves, asJson: boolean): string {
  if (asJson) return `${jsonText(history, 2)}\n`;
  const { iterations, curves } = history;
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const header = ['iteration', ...curves.map(({ set, measure }) => quoted(`${set}:${measure}`))];
  const rows = iterations.map((iteration, i) => [iteration, ...curves.map(({ values }) => values[i])].join(','));
  return `${[header.join(','), ...rows].join('\n')}\n`;
}

/** What the learner took by the size of the data, where its options left it the choice. */
function chosenBySize({ options, model }: Trial): string {
  return options.leaves === 'auto' ? `leaves ${model.training?.options.leaves}` : '';
}

/** One row for each combination of options that was tried. */
function trialGrid(args: TrainArguments, trials: readonly Trial[], best: Trial, metric: string, digits: number): Grid {
  const searched = args.values('grid').map((text) => text.slice(0, text.indexOf('=')));
  const names = [...new Set(searched)].map(
    (written) => Object.keys(best.options).find((name) => name === written || optionName(name) === written) ?? written,
  );
  return {
    columns: [
      ...names.map((name) => ({ name: optionName(name), numeric: true })),
      { name: 'iterations', numeric: true },
      { name: `${metric} on validation`, numeric: true },
      { name: 'best' },
    ],
    rows: () =>
      trials.map((trial) => [
        ...names.map((name) => String(trial.options[name])),
        String(trial.model.training?.iterations ?? 0),
        (trial.validation ?? 0).toFixed(digits),
        trial === best ? '*' : '',
      ]),
  };
}
