import type { Problem } from '../../core/index.js';
import {
  againstSettings,
  continuedSettings,
  riskSettings,
  searchSettings,
  trainingEngineSettings,
  trainingFileSettings,
} from '../../experiment/index.js';
import { findLearner, type Learner, modelFormatOf } from '../../ltr/index.js';
import type { ArgumentsOf, TextOption } from '../parse/command.js';
import { formProblems } from './output-form.js';
import { type OptionFor, optionsFor } from './settings.js';
import {
  dataOptions,
  firstFeatureOptions,
  gridProblems,
  learnerProblems,
  nothingToDrawFrom,
  objectiveOptions,
  resultForms,
  resultOptions,
} from './training.js';

type TrainOption =
  | OptionFor<typeof trainingFileSettings>
  | OptionFor<typeof riskSettings, 'alpha'>
  | OptionFor<typeof againstSettings>
  | OptionFor<typeof continuedSettings>
  | OptionFor<typeof trainingEngineSettings>
  | TextOption<'model'>
  | TextOption<'history'>
  | OptionFor<typeof searchSettings>
  | (typeof objectiveOptions)[number]
  | (typeof dataOptions)[number]
  | (typeof firstFeatureOptions)[number]
  | (typeof resultOptions)[number];

/** The options of training, besides those of each learner. */
export const trainOptions: readonly TrainOption[] = [
  ...optionsFor(trainingFileSettings),
  ...optionsFor(riskSettings, 'alpha'),
  ...optionsFor(againstSettings),
  ...optionsFor(continuedSettings),
  ...optionsFor(trainingEngineSettings),
  { long: 'model', value: 'FILE', help: 'where the model is saved; it appears when it is complete', file: 'output' },
  {
    long: 'history',
    value: 'FILE',
    help: 'write what was seen after each iteration, as CSV, or as JSON if the name ends in .json; the model holds it too',
    file: 'output',
  },
  ...objectiveOptions,
  ...optionsFor(searchSettings),
  ...dataOptions,
  ...firstFeatureOptions,
  ...resultOptions,
];
/** What was given for them. */
export type TrainArguments = ArgumentsOf<typeof trainOptions>;

/** What of the arguments does not go together, or not with the learner. */
export function trainProblems(args: TrainArguments, learner: Learner): readonly Problem[] {
  const problems = [...learnerProblems(args, learner)];
  if (!args.has('train')) problems.push({ message: '--train FILE is missing', wayOut: 'name the documents to learn from' });
  if (!args.has('model')) problems.push({ message: '--model FILE is missing', wayOut: 'say where the model is to be saved' });
  if (args.has('validate') && args.has('validate-share')) {
    problems.push({ message: '--validate and --validate-share both say what to choose by', wayOut: 'give one of them' });
  }
  const promised = modelFormatOf(args.value('model') ?? '');
  if (promised !== undefined && promised !== 'gradus') {
    problems.push({
      message: `--model ${args.value('model')}: models are saved as JSON`,
      wayOut: `end the name in .json; gradus model convert writes ${promised}`,
    });
  }
  const chooses = args.has('validate') || args.has('validate-share') || args.has('watch');
  if (args.has('grid') && !chooses) {
    problems.push({ message: '--grid has nothing to choose by', wayOut: 'give --validate FILE or --validate-share 0.2' });
  }
  if (args.has('random') && !args.has('grid')) problems.push(nothingToDrawFrom);
  if (args.has('metric') && !chooses) {
    problems.push({
      message: '--metric is watched on validation data, and there is none',
      wayOut: 'give --validate FILE or --validate-share 0.2, or report it with -m',
    });
  }
  if (args.has('query-weights') && findLearner(learner.name).weighsQueries !== true) {
    problems.push({ message: `${learner.name} cannot weigh queries`, wayOut: 'leave --query-weights out' });
  }
  for (const [file, column] of [
    ['doc-weights', 'weight-column'],
    ['init-scores', 'init-score-column'],
  ] as const) {
    if (args.has(file) && args.has(column)) {
      problems.push({ message: `--${file} and --${column} both say what each document has`, wayOut: 'give one of them' });
    }
    const given = args.has(file) ? file : args.has(column) ? column : undefined;
    if (given !== undefined && findLearner(learner.name).weighsDocuments !== true) {
      const what = file === 'doc-weights' ? 'weigh documents' : 'begin with scores';
      problems.push({ message: `${learner.name} cannot ${what}`, wayOut: `leave --${given} out` });
    }
  }
  if (args.has('baseline') && learner.weighsRisk !== true) {
    problems.push({
      message: `${learner.name} cannot be trained against a baseline`,
      wayOut: 'take lambdamart, lambdarank or coordinate-ascent, or leave --baseline out',
    });
  }
  if (args.given.has('alpha') && !args.has('baseline')) {
    problems.push({ message: '--alpha has no meaning without --baseline', wayOut: 'leave it out' });
  }
  for (const option of ['risk-measure', 'keep'] as const) {
    if (!args.has(option)) continue;
    if (!args.has('baseline')) problems.push({ message: `--${option} has no meaning without --baseline`, wayOut: 'leave it out' });
    else if (learner.asksSwaps !== true && !(option === 'risk-measure' && args.value(option) === 'urisk'))
      problems.push({ message: `${learner.name} has no --${option}`, wayOut: 'take lambdamart or lambdarank' });
  }
  if (args.has('keep') && (args.has('alpha') || args.has('risk-measure')))
    problems.push({ message: '--keep and a risk measure both say what is made of the baseline', wayOut: 'give one of them' });
  for (const option of ['from', 'checkpoint', 'snapshot-every'] as const) {
    if (!args.has(option)) continue;
    if (learner.continues !== true) problems.push({ message: `${learner.name} has no --${option}`, wayOut: 'take lambdamart or mart' });
    if (args.has('grid') && option !== 'from')
      problems.push({ message: `--${option} goes with one model, not with --grid`, wayOut: 'leave one of them out' });
  }
  if (args.has('from') && args.has('normalise'))
    problems.push({ message: 'the model of --from says itself how features are scaled', wayOut: 'leave --normalise out' });
  problems.push(...engineProblems(args, learner), ...formProblems(args, resultForms));
  if (problems.length === 0) problems.push(...gridProblems(args, learner));
  return problems;
}

/** Options that a training on an engine has no use for. */
const notForEngines = [
  'validate-share',
  'watch',
  'watch-measures',
  'stop-on',
  'query-weights',
  'doc-weights',
  'weight-column',
  'init-scores',
  'init-score-column',
  'baseline',
  'from',
  'snapshot-every',
  'normalise',
  'grid',
  'random',
  'threads',
  'no-header',
  'num-features',
  'feature-names',
  'first-feature',
  'missing',
  'lenient',
] as const;

function engineProblems(args: TrainArguments, learner: Learner): readonly Problem[] {
  if (!args.has('engine')) {
    const given = (['master', 'conf', 'python', 'workers'] as const).filter((option) => args.given.has(option));
    return given.map((option) => ({ message: `--${option} is for Spark`, wayOut: 'add --engine spark' }));
  }
  const problems: Problem[] = notForEngines
    .filter((option) => args.given.has(option))
    .map((option) => ({ message: `--${option} has no meaning for --engine spark`, wayOut: 'leave one of them out' }));
  if (learner.name !== 'lambdamart') problems.push({ message: `${learner.name} cannot be trained on Spark`, wayOut: 'take lambdamart' });
  return problems;
}
