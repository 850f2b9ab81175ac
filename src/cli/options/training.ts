import { readMeasures } from '../../conventions/index.js';
import { expectationOf, InputError, limits, type Problem } from '../../core/index.js';
import { defaultObjective } from '../../experiment/index.js';
import type { FeatureRole } from '../../formats/index.js';
import {
  checkOptions,
  findLearner,
  type Learner,
  learnerEntries,
  type NormalisationName,
  normalisationNames,
  type OptionValue,
} from '../../ltr/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type {
  ArgumentsOf,
  ChoiceOption,
  Command,
  CommandGroup,
  ListOption,
  NumberOption,
  OptionSpec,
  Switch,
  TextOption,
} from '../parse/command.js';
import { outputOption } from '../print/output.js';
import { lenientOptions, measureOption, ruleOptions, threadsOptions } from './judging.js';
import { digitsOption, formOptions } from './output-form.js';
import { optionName } from './settings.js';

/** A group of commands with one for each learner. */
export function perLearner(commandOf: (learner: Learner) => Command): Pick<CommandGroup, 'argument' | 'subcommands' | 'canonical'> {
  return {
    argument: 'LEARNER',
    subcommands: learnerEntries.map(({ name, load }) => ({ name, load: async () => commandOf(await load()) })),
    canonical: (word) => findLearner(word).name,
  };
}

const measureCheck = (value: string): void => {
  const measures = readMeasures([value]);
  if (measures.length !== 1) throw new InputError(`expected one measure, found ${measures.length} in ${value}`);
};

/** How the columns of models without feature ids are numbered; and files of features that begin with 0 are read as such. */
export const firstFeatureOption: NumberOption<'first-feature'> = {
  long: 'first-feature',
  value: 'ID',
  type: 'integer',
  min: 0,
  max: 1_000_000,
  default: 1,
  help: 'the id that feature files give to the first column of a LightGBM or XGBoost model',
};

/** What the data is like; the same for training, cross-validation and scoring. */
export const layoutOptions: readonly [
  ListOption<'columns'>,
  ListOption<'features'>,
  ListOption<'ignore'>,
  Switch<'no-header'>,
  NumberOption<'num-features'>,
  TextOption<'feature-names'>,
] = [
  {
    long: 'columns',
    value: 'LIST',
    repeatable: true,
    help: 'which columns of CSV, TSV and JSON are what, such as topic=qid,label=rel,doc=url; numbers count columns from 1; known names need not be told',
    check: (value) => void parseFeatureColumns(value),
  },
  {
    long: 'features',
    value: 'LIST',
    repeatable: true,
    help: 'the columns that are features, separated by commas',
    defaultText: 'all that are nothing else',
  },
  { long: 'ignore', value: 'LIST', repeatable: true, help: 'columns that are not features, separated by commas' },
  { long: 'no-header', help: 'the first line of a CSV file is data; --columns then gives numbers' },
  {
    long: 'num-features',
    value: 'N',
    type: 'integer',
    min: 1,
    max: limits.features,
    help: 'how many features a LETOR file has, where its documents do not mention all of them',
  },
  { long: 'feature-names', value: 'FILE', help: 'what the features of a LETOR file are called, one name per line', file: 'input' },
];

const missingFeatureOption: ChoiceOption<'missing', 'zero' | 'nan'> = {
  long: 'missing',
  value: 'HOW',
  choices: ['zero', 'nan'],
  choiceTexts: { zero: '0', nan: 'unknown, which trees send either way' },
  default: 'zero',
  help: 'what a feature is that a line leaves out',
};

/** The same with what a model says about left-out features where it is used, for when there is none yet. */
export const dataOptions: readonly [...typeof layoutOptions, typeof missingFeatureOption, ...typeof lenientOptions] = [
  ...layoutOptions,
  missingFeatureOption,
  ...lenientOptions,
];

/** What training and cross-validation have in common. */
export const objectiveOptions: readonly [
  TextOption<'objective'>,
  TextOption<'metric'>,
  ReturnType<typeof measureOption>,
  ChoiceOption<'normalise', NormalisationName>,
  NumberOption<'seed'>,
  ...((typeof ruleOptions)[number] | (typeof threadsOptions)[number])[],
] = [
  {
    long: 'objective',
    value: 'MEASURE',
    help: 'the measure to optimise; learners with a loss of their own take none',
    default: defaultObjective,
    complete: 'measure',
    check: measureCheck,
  },
  {
    long: 'metric',
    value: 'MEASURE',
    help: 'the measure watched on validation data, by which the best model is kept',
    defaultText: 'the objective',
    complete: 'measure',
    check: measureCheck,
  },
  { ...measureOption('the objective and the metric'), help: 'measures to report, separated by blanks' },
  {
    long: 'normalise',
    value: 'HOW',
    choices: normalisationNames,
    help: 'bring features to a common scale, which is saved in the model',
    defaultText: 'as they are',
  },
  {
    long: 'seed',
    value: 'N',
    type: 'integer',
    min: 0,
    max: limits.seed,
    default: 1,
    help: 'where random numbers start; the same seed gives the same model',
  },
  ...ruleOptions,
  ...threadsOptions,
];

/** The forms that results can be printed in. */
export const resultForms: readonly string[] = ['table', 'csv', 'tsv', 'md', 'latex', 'json'];

/** How the results of training are printed. */
export const resultOptions: readonly [...ReturnType<typeof formOptions>, typeof digitsOption, typeof outputOption] = [
  ...formOptions(resultForms, { help: 'how results are printed' }),
  digitsOption,
  outputOption,
];

/** The options of a learner as they are written. */
export function learnerOptions({ options }: Learner): OptionSpec[] {
  return Object.entries(options).map(([name, spec]) => {
    const isSwitch = spec.type === 'boolean' && spec.default === false;
    return {
      long: optionName(name),
      ...(isSwitch ? {} : { value: spec.type === 'choice' ? 'WHICH' : 'N' }),
      help: `${spec.help} (${expectationOf(spec)})`,
      default: spec.default,
    };
  });
}

/** The learner's options that were given, as texts. */
export function givenLearnerOptions({ given }: GivenArguments, { options }: Learner): Record<string, OptionValue> {
  return Object.fromEntries(
    Object.keys(options).flatMap((name) => given.get(optionName(name))?.map((value): [string, OptionValue] => [name, value]) ?? []),
  );
}

/** What is wrong with the learner and its options. */
export function learnerProblems(args: ArgumentsOf<typeof objectiveOptions>, learner: Learner): readonly Problem[] {
  try {
    checkOptions(asWritten(learner), asWrittenKeys(givenLearnerOptions(args, learner)));
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
  if (learner.objectives !== 'own' || !args.has('objective')) return [];
  return [
    {
      message: `${learner.name} minimises a loss of its own and takes no --objective`,
      wayOut: '--metric says what is watched on validation data',
    },
  ];
}

/** The learner with its options called as they are written, so that messages are about what was typed. */
function asWritten(learner: Learner): Pick<Learner, 'name' | 'options'> {
  return { name: learner.name, options: asWrittenKeys(learner.options) };
}

function asWrittenKeys<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [`--${optionName(name)}`, value]));
}

/** Understands `topic=qid,label=rel,doc=3`. */
export function parseFeatureColumns(text: string): Partial<Record<FeatureRole, string | number>> {
  const words: Readonly<Record<string, FeatureRole>> = {
    ...{ topic: 'topic', query: 'topic', qid: 'topic', query_id: 'topic' },
    ...{ label: 'label', grade: 'label', relevance: 'label', doc: 'doc', docid: 'doc', docno: 'doc' },
  };
  const columns: Partial<Record<FeatureRole, string | number>> = {};
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const role = words[part.slice(0, Math.max(0, equals)).toLowerCase()];
    const column = part.slice(equals + 1);
    if (role === undefined || column === '') {
      throw new InputError({
        message: `invalid columns: expected role=column, found "${part}"`,
        wayOut: 'roles are topic, label and doc; columns are names, or numbers from 1',
      });
    }
    if (columns[role] !== undefined)
      throw new InputError({ message: `--columns names the ${role} twice: ${columns[role]} and ${column}`, wayOut: 'name it once' });
    columns[role] = /^[1-9][0-9]*$/.test(column) ? Number(column) : column;
  }
  return columns;
}
