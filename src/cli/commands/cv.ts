import { jsonText, type Problem } from '../../core/index.js';
import {
  type CrossValidation,
  foldSettings,
  numFoldsOf,
  pooledFolds,
  type SeveralRequest,
  searchSettings,
} from '../../experiment/index.js';
import { type Learner, modelToJson, oneFeatureNote } from '../../ltr/index.js';
import { listenForInterrupt, writeOutputFile } from '../../node/index.js';
import { standardDeviationOf } from '../../stats/index.js';
import { formAsked, formProblems, numberText } from '../options/output-form.js';
import { writeAnswer } from '../options/question.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import {
  dataOptions,
  firstFeatureOptions,
  gridProblems,
  learnerOptions,
  learnerProblems,
  nothingToDrawFrom,
  objectiveOptions,
  perLearner,
  resultForms,
  resultOptions,
  searchFrom,
} from '../options/training.js';
import { rankerFrom, sayNotesOnValues } from '../options/training-data.js';
import type { ArgumentsOf, Command, CommandFile, CommandGroup, Context } from '../parse/command.js';
import { defineCommand, defineOptions, withFurtherOptions } from '../parse/define.js';
import { type Grid, type GridForm, withOutput, writeGrid } from '../print/output.js';
import { ProgressMeter } from '../print/progress.js';
import { say } from '../print/say.js';
import { verdictGrid } from '../print/verdict.js';

const options = defineOptions([
  ...optionsFor(foldSettings),
  ...optionsFor(searchSettings),
  { long: 'models', value: 'DIR', help: 'save the model of each fold there, as fold-1.json, fold-2.json, …', complete: 'file' },
  {
    long: 'predictions',
    value: 'FILE',
    help: 'write the score of each document when it was tested, one per data line',
    file: 'output',
  },
  ...objectiveOptions,
  ...dataOptions,
  ...firstFeatureOptions,
  ...resultOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** Trains and tests on folds; one command for each learner, because each has options of its own. */
export const cvCommands: CommandGroup = {
  name: 'cv',
  summary: 'cross-validate a ranker',
  description: [
    'Cuts the queries of one file into folds, trains on all but one and tests on that one, for each in turn (--train and --folds); or takes folds as they are handed out, each a folder with train.txt, vali.txt and test.txt (--fold, once for each).',
    'Folds are stretches of the file in its own order, as RankLib cuts them, or are drawn at random with --shuffle. The results are the values on each test part, their mean and standard deviation, and the mean over all queries.',
    'With --grid every combination of options is cross-validated, and with --also other learners with their defaults, all on the same folds: the table has them in the order of their means, with the differences from the first, intervals and Holm-corrected p-values. The best of many is worth less on new queries than here; gradus tune says how much.',
    'With --predictions the scores that documents had when they were tested are written in the order of the file, for gradus eval, compare and explain.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus cv coordinate-ascent --train all.txt --folds 5 --shuffle -m "nDCG@10 AP"', explains: 'five random folds' },
    {
      command: 'gradus cv lambdamart --train all.txt --shuffle --grid leaves=7,15,31 --also ranksvm',
      explains: 'three numbers of leaves and another learner, compared',
    },
    { command: 'gradus cv adarank --fold Fold1 --fold Fold2 --fold Fold3 --fold Fold4 --fold Fold5', explains: 'the folds of LETOR' },
  ],
  ...perLearner(cvCommand),
};

/** The command for one learner, with its options. */
function cvCommand(learner: Learner): Command {
  const command = defineCommand({
    name: `cv ${learner.name}`,
    summary: `${learner.title}. ${learner.help}`,
    description: 'gradus cv --help describes what all learners have in common.',
    examples: [{ command: `gradus cv ${learner.name} --train all.txt --folds 5 --shuffle -m "nDCG@10 AP"`, explains: 'five random folds' }],
    arguments: [],
    options,
    check: (args) => cvProblems(args, learner),
    files: foldFiles,
    run: (args, context) => crossValidateFiles(args, context, learner),
  });
  return withFurtherOptions(command, learnerOptions(learner), dataOptions[0].long);
}

function cvProblems(args: Args, learner: Learner): readonly Problem[] {
  const problems = [...learnerProblems(args, learner)];
  if (args.has('train') === args.has('fold')) {
    problems.push({
      message: args.has('train') ? '--train and --fold both say what the data is' : 'neither --train FILE nor --fold DIR was given',
      wayOut: 'give one of them',
    });
  }
  for (const option of ['folds', 'shuffle', 'predictions', 'validate-share'] as const) {
    if (args.has('fold') && args.has(option))
      problems.push({ message: `--${option} goes with --train, not with --fold`, wayOut: 'leave it out' });
  }
  if (args.has('metric') && !args.has('validate-share') && !args.has('fold')) {
    problems.push({
      message: '--metric is watched on validation data, and there is none',
      wayOut: 'give --validate-share 0.2, or report it with -m',
    });
  }
  if (args.has('random') && !args.has('grid')) problems.push(nothingToDrawFrom);
  if (comparesSeveral(args)) {
    for (const option of ['fold', 'models', 'predictions', 'measure'] as const) {
      if (args.has(option))
        problems.push({ message: `--${option} goes with one ranker, not with --grid or --also`, wayOut: 'leave it out' });
    }
  }
  problems.push(...formProblems(args, resultForms));
  if (problems.length === 0) problems.push(...gridProblems(args, learner));
  return problems;
}

function comparesSeveral(args: Args): boolean {
  return args.has('grid') || args.has('also');
}

/** Compares combinations of options and learners on the same folds. */
async function compareRankers(args: Args, context: Context, learner: Learner): Promise<number> {
  const meter = new ProgressMeter(context.stderr, 'training', args.has('quiet'));
  const interrupt = listenForInterrupt(() => meter.clear());
  const { crossValidateSeveral, nodePlatform } = await import('../on-demand/train.js');
  const { folders: _, ...folds } = settingsFrom(args, foldSettings);
  const request: SeveralRequest = {
    ...rankerFrom(args, context, learner),
    ...folds,
    ...searchFrom(args),
    signal: interrupt.signal,
    onProgress: (done, total) => meter.update(done, total),
  };
  const compared = await crossValidateSeveral(request, nodePlatform).finally(() => {
    meter.clear();
    interrupt.close();
  });
  if (compared === undefined) {
    say(args, context, 'interrupted; rankers are compared when all folds are done');
    return interrupt.status;
  }
  const { verdict } = compared;
  const words = [
    `${verdict.rankers[0].name} is ahead over ${verdict.queries} queries; the others are compared with it by t tests, Holm-corrected.`,
    `It was chosen by these values, so that it will be worth less on others; gradus tune tests a choice on queries that it never saw.`,
  ];
  await writeAnswer(args, context, {
    json: compared,
    grids: [verdictGrid(verdict, numberText(args, formAsked(args, resultForms)))],
    words,
  });
  return 0;
}

/** The files of the folders that are read and written. */
function foldFiles(args: Args): CommandFile[] {
  const parts = ['train.txt', 'vali.txt', 'test.txt'];
  const read = args.values('fold').flatMap((folder) => parts.map((name) => ({ path: `${folder}/${name}`, label: '--fold' })));
  const written = Array.from(
    { length: args.has('models') ? numFoldsOf(settingsFrom(args, foldSettings)) : 0 },
    (_, fold) => modelPath(args, fold) ?? '',
  );
  return [
    ...read.map((file): CommandFile => ({ ...file, use: 'input' })),
    ...written.map((path): CommandFile => ({ path, label: '--models', use: 'output' })),
  ];
}

function modelPath(args: Args, fold: number): string | undefined {
  return args.has('models') ? `${args.value('models')}/fold-${fold + 1}.json` : undefined;
}

async function crossValidateFiles(args: Args, context: Context, learner: Learner): Promise<number> {
  if (comparesSeveral(args)) return await compareRankers(args, context, learner);
  const meter = new ProgressMeter(context.stderr, 'training', args.has('quiet'));
  const interrupt = listenForInterrupt(() => meter.clear());
  const { crossValidate, nodePlatform } = await import('../on-demand/train.js');
  const work = crossValidate(
    {
      ...rankerFrom(args, context, learner),
      ...settingsFrom(args, foldSettings),
      signal: interrupt.signal,
      onProgress: (done, total) => meter.update(done, total),
      async onFold(fold, model) {
        const path = modelPath(args, fold);
        if (path !== undefined) await writeOutputFile(path, (writer) => writer.write(modelToJson(model)));
      },
    },
    nodePlatform,
  );
  const validated = await work.finally(() => {
    meter.clear();
    interrupt.close();
  });
  const { folds, numFolds, predictions } = validated;
  if (interrupt.signal.aborted) {
    say(args, context, `interrupted after ${folds.length} of ${numFolds} folds; the results are of these`);
    if (folds.length === 0) return interrupt.status;
  }
  sayNotesOnValues(
    args,
    context,
    folds.map(({ name, table }) => ({ name: `fold ${name}`, table })),
  );
  for (const { name, model } of folds) {
    const note = oneFeatureNote(model);
    if (note !== undefined) say(args, context, `fold ${name}: ${note}`);
  }
  await report(args, context, learner, validated);
  const predictionsPath = args.value('predictions');
  if (predictionsPath !== undefined && predictions !== undefined && !interrupt.signal.aborted) {
    const { savePredictions } = await import('../on-demand/save-files.js');
    await savePredictions(predictionsPath, predictions);
  }
  return interrupt.status;
}

async function report(args: Args, context: Context, learner: Learner, { plan: measures, folds: results }: CrossValidation): Promise<void> {
  const { reported } = measures;
  const values = results.map(({ table }) => reported.map((_, m) => table.aggregate(m)));
  const totalQueries = results.reduce((sum, { queries }) => sum + queries, 0);
  const mean = reported.map((_, m) => values.reduce((sum, row) => sum + row[m], 0) / values.length);
  const spread = reported.map((_, m) => standardDeviationOf(values.map((row) => row[m])));
  const all = pooledFolds(results);
  const pooled = reported.map((_, m) => all.aggregate(m));
  const form = formAsked(args, resultForms);
  const digits = args.number('digits');
  await withOutput(args.value('output'), context, (writer) => {
    if (form === 'json') {
      const named = (numbers: readonly number[]): Record<string, number> =>
        Object.fromEntries(reported.map(({ text }, m) => [text, numbers[m]]));
      const folds = results.map(({ name, queries, model }, f) => ({
        fold: name,
        queries,
        iterations: model.training?.iterations,
        values: named(values[f]),
      }));
      const result = {
        learner: learner.name,
        objective: measures.objective?.text,
        metric: measures.metric.text,
        convention: measures.convention,
        options: results[0].model.training?.options,
        seed: args.number('seed') ?? 1,
        folds,
        mean: named(mean),
        standardDeviation: named(spread),
        allQueries: named(pooled),
      };
      writer.write(`${jsonText(result, 2)}\n`);
      return;
    }
    const shown = (value: number): string => (form === 'csv' || form === 'tsv' ? String(value) : value.toFixed(digits));
    const grid: Grid = {
      columns: [{ name: 'fold' }, { name: 'queries', numeric: true }, ...reported.map(({ text }) => ({ name: text, numeric: true }))],
      rows: () => [
        ...results.map(({ name, queries }, f) => [name, String(queries), ...values[f].map(shown)]),
        ['mean of folds', '', ...mean.map(shown)],
        ['standard deviation', '', ...spread.map(shown)],
        ['all queries', String(totalQueries), ...pooled.map(shown)],
      ],
    };
    writeGrid(form as GridForm, grid, writer, context.environment);
  });
}
