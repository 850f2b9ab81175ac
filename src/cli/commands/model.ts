import { jsonText } from '../../core/json-text.js';
import type { TieRule } from '../../core/judging-rules.js';
import { limits } from '../../core/limits.js';
import { InputError, type Problem, printable } from '../../core/problem.js';
import type { FeatureImportance } from '../../ltr/models/importance.js';
import { modelFormatOf, type WritableModel, writableModels } from '../../ltr/models/model-file.js';
import type { ModelSummary } from '../../ltr/models/summary.js';
import type { Model } from '../../ltr/ranker.js';
import type { ParsedArguments } from '../arguments.js';
import type { Command, Context, TextWriter } from '../command.js';
import { askedMeasures, measureOption } from '../measure-option.js';
import { outputOption, withOutput, writeGrid } from '../output.js';
import { formAsked, formProblems } from '../output-form.js';
import { say } from '../say.js';
import { readFeatures, sayAbsentFeatures } from '../training.js';
import { dataOptions, defaultObjective, firstFeatureOption } from '../training-options.js';

const ACTIONS = ['inspect', 'convert', 'importance'] as const;
/** Features that a table shows if nothing else is asked for. */
const SHOWN_FEATURES = 20;

/** Which action an option belongs to; those that are not named here belong to importance, except the universal ones. */
const optionsOf: Readonly<Record<(typeof ACTIONS)[number], readonly string[]>> = {
  inspect: ['json', 'output', 'first-feature', 'quiet', 'no-color', 'help'],
  convert: ['to', 'function', 'first-feature', 'quiet', 'no-color', 'help'],
  importance: [
    'json',
    'output',
    'first-feature',
    'quiet',
    'no-color',
    'help',
    'data',
    'measure',
    'seed',
    'repeats',
    'top',
    ...dataOptions.map(({ long }) => long),
  ],
};

/** Text for people, or JSON. */
const modelForms: readonly string[] = ['table', 'json'];

/** Looks into a model of any tool, or writes it for another. */
export const modelCommand: Command = {
  name: 'model',
  summary: 'look into a trained model, or write it for another tool',
  description: [
    'MODEL is a file of gradus train, RankLib, LightGBM (save_model) or XGBoost (save_model("x.json")), recognised by its content; - is standard input.',
    'inspect tells the learner, the size, the features used and how the model was trained. convert writes it to OUTPUT in the form that --to names: gradus, ranklib, lightgbm, xgboost, onnx (operator TreeEnsemble with doubles; onnx3 for old runtimes, in 32-bit floats), typescript or c. What the other form cannot say is told.',
    'importance lists the features by the gain of their splits, by the number of splits, or by weight; with --data by what a measure loses when the values of a feature are shuffled.',
    'Scores of models from LightGBM and XGBoost are those of these tools to the bit. Their files count columns and not feature ids: the first column is feature 1, as in LETOR files, unless --first-feature says otherwise.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus model inspect model.json', explains: 'what is in it' },
    { command: 'gradus model convert lightgbm.txt model.onnx', explains: 'a LightGBM model as ONNX, the form told by the name' },
    { command: 'gradus model convert model.json model.txt --to ranklib', explains: 'for RankLib' },
    { command: 'gradus model importance model.json --data test.txt -m nDCG@10', explains: 'what each feature is worth on test data' },
  ],
  arguments: [
    { name: 'ACTION', help: 'inspect, convert or importance', choices: [...ACTIONS] },
    { name: 'MODEL', help: 'the model file', file: 'input' },
    { name: 'OUTPUT', help: 'with convert: the file to write; - is standard output', optional: true, file: 'output' },
  ],
  options: [
    {
      long: 'to',
      value: 'FORM',
      choices: [...writableModels],
      help: `convert: the form to write, one of ${writableModels.join(', ')}; told by the name of OUTPUT if not given (.onnx, .ts, .c, .json)`,
    },
    { long: 'function', value: 'NAME', help: 'convert: the name of the function in TypeScript or C' },
    firstFeatureOption,
    { long: 'data', value: 'FILE', help: 'importance: labelled documents to shuffle features in', file: 'input' },
    measureOption(defaultObjective),
    {
      long: 'seed',
      value: 'N',
      integer: { min: 0, max: limits.seed },
      help: 'importance: where the random numbers of shuffling start, 1 if not given',
    },
    { long: 'repeats', value: 'N', integer: { min: 1, max: 1000 }, help: 'importance: how often each feature is shuffled, 5 if not given' },
    { long: 'top', value: 'N', integer: { min: 1 }, help: `importance: how many features a table shows, ${SHOWN_FEATURES} if not given` },
    ...dataOptions,
    { long: 'json', help: 'print JSON' },
    outputOption,
  ],

  check(args) {
    const [action, , output] = args.positionals;
    const known = ACTIONS.find((name) => name === action);
    if (known === undefined) return [];
    const problems: Problem[] = [];
    for (const { long } of modelCommand.options) {
      if (args.has(long) && !optionsOf[known].includes(long)) problems.push({ message: `--${long} has no meaning for model ${known}` });
    }
    if (known !== 'convert' && output !== undefined) problems.push({ message: `unexpected argument ${output}` });
    if (known === 'convert') {
      if (output === undefined) problems.push({ message: 'OUTPUT is missing', wayOut: 'name the file to write, or - for standard output' });
      else if (!args.has('to') && modelFormatOf(output) === undefined) {
        problems.push({ message: `${output} does not tell the form to write`, wayOut: `give --to ${writableModels.join('|')}` });
      }
    }
    if (known !== 'convert') problems.push(...formProblems(args, modelForms));
    if (known === 'importance' && !args.has('data')) {
      for (const long of ['measure', 'seed', 'repeats', ...dataOptions.map((option) => option.long)]) {
        if (args.has(long)) problems.push({ message: `--${long} needs --data` });
      }
    }
    return problems;
  },

  async run(args, context) {
    const [action, path, output] = args.positionals;
    const { loadModel } = await import('../load-model.js');
    const model = await loadModel(path, { firstFeature: args.number('first-feature') });
    if (action === 'convert') await convert(args, context, model, output);
    else if (action === 'importance') await importance(args, context, model);
    else await inspect(args, context, model, path);
    return 0;
  },
};

async function convert(args: ParsedArguments, context: Context, model: Model, output: string): Promise<void> {
  const format = writableModels.find((name) => name === args.value('to')) ?? (modelFormatOf(output) as WritableModel);
  if (args.has('function') && format !== 'typescript' && format !== 'c') {
    throw new InputError({ message: `--function has no meaning for ${format}`, wayOut: 'it names a function in TypeScript or C' });
  }
  const { writeModel } = await import('../../ltr/models/write-model.js');
  const { content, notes } = writeModel(model, format, { functionName: args.value('function') });
  for (const note of notes) say(args, context, note);
  if (typeof content === 'string') await withOutput(output, context, (writer) => writer.write(content));
  else if (output === '-') throw new InputError({ message: 'ONNX files are binary', wayOut: 'name a file in the place of -' });
  else {
    const { writeWholeFile } = await import('../../node/output-file.js');
    writeWholeFile(output, content);
  }
}

async function inspect(args: ParsedArguments, context: Context, model: Model, path: string): Promise<void> {
  const { summariseModel } = await import('../../ltr/models/summary.js');
  const summary = summariseModel(model);
  const { featureNames, missing, inputs, normalisation, training } = model;
  await withOutput(args.value('output'), context, (writer) => {
    if (formAsked(args, modelForms) === 'json') {
      const told = {
        ...summary,
        ...(featureNames === undefined ? {} : { featureNames }),
        missing: Number.isNaN(missing) ? null : missing,
        ...(inputs === undefined ? {} : { inputs }),
        ...(normalisation === undefined ? {} : { normalisation: { kind: normalisation.kind, method: normalisation.method } }),
        ...(training === undefined ? {} : { training }),
      };
      writer.write(`${jsonText(told, 2)}\n`);
    } else writeSummary(writer, model, summary, path);
  });
}

/** Names and values in two columns; long values go on below, under the first. */
function writeSummary(writer: TextWriter, model: Model, summary: ModelSummary, path: string): void {
  const lines: [string, string][] = [
    ['model', path],
    ['learner', summary.learner],
    ['scores by', scoringWords(summary)],
    ['features', featureWords(model, summary)],
    ['missing', missingWords(model)],
  ];
  const { normalisation, training } = model;
  if (normalisation !== undefined) {
    lines.push(['scale', `${normalisation.method} ${normalisation.kind === 'query' ? 'query by query' : 'over the training data'}`]);
  }
  if (training === undefined) lines.push(['training', 'not recorded in the file']);
  else {
    lines.push(['objective', training.objective + (training.convention === undefined ? '' : `, rules of ${training.convention}`)]);
    if (training.ties !== undefined) lines.push(['ties', tieWords[training.ties]]);
    const best =
      training.best === undefined ? '' : `, the best ${training.best.iteration} (validation ${training.best.validation.toFixed(4)})`;
    lines.push(['iterations', `${training.iterations}${best}`]);
    const options = Object.entries(training.options).map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : value}`);
    if (options.length > 0) lines.push(['options', options.join(', ')]);
    lines.push(['seed', String(training.seed)]);
    if (training.data !== undefined) lines.push(['data', training.data]);
  }
  for (const [name, value] of lines) {
    const [first, ...others] = wrap(printable(value, 4000), Math.min(writer.columns, 80) - 12);
    writer.write(`${name.padEnd(11)} ${first}\n`);
    for (const other of others) writer.write(`${' '.repeat(12)}${other}\n`);
  }
}

/** What became of equal scores where the model was chosen and judged. */
const tieWords: Readonly<Record<TieRule, string>> = {
  docno: 'equal scores by document id, descending (docno)',
  'docno-ascending': 'equal scores by document id, ascending (docno-ascending)',
  file: 'equal scores as they stand in the file (file)',
  rank: 'equal scores by their stated rank (rank)',
  quicksort: 'equal scores as the quicksort of ranx leaves them (quicksort)',
  optimistic: 'of equal scores the best grade first (optimistic)',
  pessimistic: 'of equal scores the worst grade first (pessimistic)',
  expected: 'the mean over all orders of equal scores (expected)',
};

function scoringWords({ scorer, trees, layers }: ModelSummary): string {
  if (trees !== undefined) {
    const span = ({ least, mean, most }: { least: number; mean: number; most: number }): string =>
      least === most ? `${least}` : `${least} to ${most} (mean ${mean.toFixed(1)})`;
    return `${trees.trees} ${trees.trees === 1 ? 'tree' : 'trees'}, leaves ${span(trees.leaves)}, depth ${span(trees.depth)}`;
  }
  return scorer === 'net' ? `a net of ${layers?.join(' - ')} units` : 'a weighted sum of the features';
}

function featureWords({ numFeatures, featureNames }: Model, { features }: ModelSummary): string {
  const named = featureNames === undefined ? '' : `: ${featureNames.slice(0, 8).join(', ')}${numFeatures > 8 ? ', …' : ''}`;
  return `${features.first} to ${features.last}, ${features.used} of ${numFeatures} used${named}`;
}

function missingWords({ missing, scorer }: Model): string {
  if (scorer.kind === 'trees' && scorer.zeroIsMissing) return 'missing values and zeros go the way that each split says';
  return Number.isNaN(missing) ? 'missing values go the way that each split says' : `missing values count as ${missing}`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

async function importance(args: ParsedArguments, context: Context, model: Model): Promise<void> {
  const { ownImportance, shuffledImportance } = await import('../../ltr/models/importance.js');
  const dataPath = args.value('data');
  let features: FeatureImportance[];
  let by: keyof FeatureImportance;
  if (dataPath === undefined) {
    features = ownImportance(model);
    by = features.some(({ gain }) => gain !== undefined)
      ? 'gain'
      : features.some(({ weight }) => weight !== undefined)
        ? 'weight'
        : 'splits';
  } else {
    const matrix = await readFeatures(args, context, dataPath, { model });
    sayAbsentFeatures(args, context, dataPath, model, matrix);
    const measures = askedMeasures(args, [defaultObjective]);
    if (measures.length !== 1) throw new InputError(`expected one measure, found ${measures.length}`);
    features = shuffledImportance(model, matrix, { measure: measures[0], seed: args.number('seed') ?? 1, repeats: args.number('repeats') });
    by = 'loss';
  }
  const size = (feature: FeatureImportance): number => Math.abs(Number(feature[by] ?? 0));
  const order = by === 'loss' ? (feature: FeatureImportance): number => feature.loss ?? 0 : size;
  const sorted = features.sort((a, b) => order(b) - order(a) || a.id - b.id);
  await withOutput(args.value('output'), context, (writer) => {
    if (formAsked(args, modelForms) === 'json') {
      writer.write(`${jsonText({ by, features: sorted }, 1)}\n`);
      return;
    }
    const shown = sorted.slice(0, args.number('top') ?? SHOWN_FEATURES);
    const columns = (['gain', 'splits', 'weight', 'loss'] as const).filter((name) => shown.some((feature) => feature[name] !== undefined));
    const whole = sorted.reduce((sum, feature) => sum + size(feature), 0);
    writeGrid(
      'table',
      {
        columns: [
          { name: 'feature', numeric: true },
          ...(model.featureNames === undefined ? [] : [{ name: 'name' }]),
          ...columns.map((name) => ({ name, numeric: true })),
          ...(by === 'loss' ? [] : [{ name: 'share', numeric: true }]),
        ],
        rows: () =>
          shown.map((feature) => [
            String(feature.id),
            ...(model.featureNames === undefined ? [] : [printable(feature.name ?? '', 40)]),
            ...columns.map((name) => cellText(name, feature[name] ?? 0)),
            ...(by === 'loss' ? [] : [`${((100 * size(feature)) / (whole || 1)).toFixed(1)} %`]),
          ]),
      },
      writer,
      context.environment,
    );
    if (sorted.length > shown.length) say(args, context, `${sorted.length - shown.length} more features; --top shows them`);
  });
}

function cellText(name: 'gain' | 'splits' | 'weight' | 'loss', value: number): string {
  if (name === 'splits') return String(value);
  return name === 'gain' ? value.toPrecision(5) : name === 'loss' ? value.toFixed(4) : value.toPrecision(6);
}
