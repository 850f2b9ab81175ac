import { expectationOf, InputError, type Problem } from '../../core/index.js';
import {
  type FeatureSettings,
  featureSettings,
  type SearchRequest,
  searchSettings,
  trainingSettings,
  trialOptions,
} from '../../experiment/index.js';
import { checkOptions, findLearner, type Learner, learnerEntries, type OptionValue } from '../../ltr/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf, Command, CommandGroup, OptionSpec } from '../parse/command.js';
import { outputOption } from '../print/output.js';
import { digitsOption, formOptions } from './output-form.js';
import { type OptionFor, optionName, optionsFor, settingsFrom } from './settings.js';

const layoutNames = ['columns', 'features', 'ignore', 'header', 'numFeatures', 'featureNames'] as const;
type LayoutName = (typeof layoutNames)[number] | 'lenient';
/** The settings of the data that a model is trained on. */
export const dataNames: readonly (LayoutName | 'missing')[] = [...layoutNames, 'missing', 'lenient'];

/** A group of commands with one for each learner. */
export function perLearner(commandOf: (learner: Learner) => Command): Pick<CommandGroup, 'argument' | 'subcommands' | 'canonical'> {
  return {
    argument: 'LEARNER',
    subcommands: learnerEntries.map(({ name, load }) => ({ name, load: async () => commandOf(await load()) })),
    canonical: (word) => findLearner(word).name,
  };
}

type FeatureOption<Name extends keyof typeof featureSettings> = OptionFor<typeof featureSettings, Name>;

/** How the columns of models without feature ids are numbered; and files of features that begin with 0 are read as such. */
export const firstFeatureOptions: readonly FeatureOption<'firstFeature'>[] = optionsFor(featureSettings, 'firstFeature');

/** What the data is like; the same for training, cross-validation and scoring. */
export const layoutOptions: readonly FeatureOption<LayoutName>[] = optionsFor(featureSettings, ...layoutNames, 'lenient');

/** What the options say about the data. */
export function layoutFrom(args: ArgumentsOf<typeof layoutOptions>): Pick<FeatureSettings, LayoutName> {
  return settingsFrom(args, featureSettings, ...layoutNames, 'lenient');
}

/** The same with what a left-out feature is, which a model says where there is one. */
export const dataOptions: readonly FeatureOption<LayoutName | 'missing'>[] = optionsFor(featureSettings, ...dataNames);

/** What training and cross-validation have in common. */
export const objectiveOptions: readonly OptionFor<typeof trainingSettings>[] = optionsFor(trainingSettings);

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

type SearchArguments = ArgumentsOf<readonly (OptionFor<typeof searchSettings> | OptionFor<typeof trainingSettings, 'seed'>)[]>;

/** What `--random` without `--grid` gets. */
export const nothingToDrawFrom: Problem = { message: '--random has nothing to draw from', wayOut: 'give --grid OPTION=VALUES' };

/** Which options of the learner are tried; they may be written as they are on the command line. */
export function searchFrom(args: SearchArguments): SearchRequest {
  return { ...settingsFrom(args, searchSettings), spelling: optionName };
}

/** What is wrong with the options that are to be tried. */
export function gridProblems(args: SearchArguments, learner: Learner): readonly Problem[] {
  if (!args.has('grid')) return [];
  const given = { ...searchFrom(args), ...settingsFrom(args, trainingSettings, 'seed'), options: givenLearnerOptions(args, learner) };
  try {
    trialOptions(learner, given);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems;
  }
  return [];
}
