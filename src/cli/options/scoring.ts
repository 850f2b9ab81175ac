import { conventionNames, gradusConvention } from '../../conventions/index.js';
import { type Problem, printable } from '../../core/index.js';
import {
  type ExperimentRequest,
  type JudgingSettings,
  type Note,
  noteText,
  type PlanManner,
  type ReadingSettings,
  type ScoredRuns,
  scoreExperiment,
} from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import type { MissingPolicy } from '../../stats/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf, ChoiceOption, Context, ListOption, NumberOption, Switch } from '../parse/command.js';
import { ProgressMeter } from '../print/progress.js';
import { say } from '../print/say.js';
import { columnOptions, columnSettings } from './columns.js';
import { threadsOption } from './threads.js';

/** The option `--rel`, for commands that score. */
export const relOption: NumberOption<'rel'> = {
  long: 'rel',
  short: 'l',
  value: 'GRADE',
  number: true,
  help: 'the lowest grade that counts as relevant, 1 if not given, for measures that do not say so themselves',
};

/** The option `--convention`, for commands that score. */
export const conventionOption: ChoiceOption<'convention', string> = {
  long: 'convention',
  value: 'NAME',
  choices: conventionNames(),
  help: `whose rules to follow: ${conventionNames().join(', ')}; ${gradusConvention.name} if not given`,
  complete: 'convention',
};

/** The option `--lenient`, for commands that read lines. */
export const lenientOption: Switch<'lenient'> = {
  long: 'lenient',
  help: 'skip lines that cannot be read and say how many there were, instead of stopping',
};

/** Options of commands that score runs before they do something with the scores. */
export const scoringOptions: readonly [
  typeof relOption,
  typeof conventionOption,
  typeof lenientOption,
  ...typeof columnOptions,
  typeof threadsOption,
] = [relOption, conventionOption, lenientOption, ...columnOptions, threadsOption];

/** How files are read, as far as the arguments say. */
export function readingSettings(args: ArgumentsOf<readonly [typeof lenientOption, ...typeof columnOptions]>): ReadingSettings {
  return { lenient: args.has('lenient'), ...columnSettings(args) };
}

/** The arguments that say by what and by whose rules rankings are judged. */
export type JudgingArguments = ArgumentsOf<[typeof relOption, typeof conventionOption, ListOption<'measure'>]>;

/** How rankings are judged, as far as the arguments say. */
export function judgingSettings(args: JudgingArguments): JudgingSettings {
  return { convention: args.value('convention'), measures: args.values('measure'), rel: args.number('rel') };
}

/** What commands have that look at rankings topic by topic. */
export function missingOption(help: string): ChoiceOption<'missing', MissingPolicy> {
  return { long: 'missing', value: 'POLICY', choices: ['zero', 'skip', 'error'], help };
}

/** What runs are to be called. */
export const nameOption: ListOption<'name'> = {
  long: 'name',
  value: 'NAME',
  repeatable: true,
  help: 'what a run is called, one for each run in order; its tag if not given',
};

/** Shows on a terminal how far the work is while it lasts. */
export async function showingProgress<T>(
  args: GivenArguments,
  context: Context,
  work: (progress: Required<Pick<ExperimentRequest, 'onProgress' | 'onEngine'>>) => Promise<T>,
): Promise<T> {
  let meter: ProgressMeter | undefined;
  let at = '';
  const show = (doing: string, done: number, total: number): void => {
    if (doing !== at) {
      meter?.clear();
      meter = new ProgressMeter(context.stderr, printable(doing), args.has('quiet'));
      at = doing;
    }
    meter?.update(done, total);
  };
  try {
    return await work({
      onProgress: (done, total, run) => show(`reading ${run}`, done, total),
      onEngine: (doing, share) => show(doing, share ?? 0, 1),
    });
  } finally {
    meter?.clear();
  }
}

/** Scores the files that are named, by what the arguments say and `special` says otherwise, and shows how far it is. */
export async function scoreFiles(
  args: JudgingArguments & ArgumentsOf<typeof scoringOptions>,
  context: Context,
  special: Pick<ExperimentRequest, 'judgements' | 'runs'> & Partial<ExperimentRequest>,
  manner: PlanManner = {},
): Promise<ScoredRuns> {
  return await showingProgress(args, context, (progress) => {
    const request: ExperimentRequest = {
      ...judgingSettings(args),
      ...readingSettings(args),
      ...progress,
      threads: args.number('threads'),
      ...special,
    };
    return scoreExperiment(request, nodePlatform, manner);
  });
}

/** Standard input can be read only once. */
export function standardInputProblems(args: GivenArguments): Problem[] {
  const given = args.positionals.filter((path) => path === '-').length;
  return given < 2 ? [] : [{ message: `- was given ${given} times`, wayOut: 'standard input can be read only once' }];
}

/** Names are given to all runs or to none. */
export function nameProblems(args: ArgumentsOf<[typeof nameOption]>, numRuns: number): Problem[] {
  const numNames = args.values('name').length;
  if (numNames === 0 || numNames === numRuns) return [];
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return [{ message: `${counted(numNames, 'name')} for ${counted(numRuns, 'run')}`, wayOut: 'give --name once for each run' }];
}

/** Says notes on standard error. */
export function sayNotes(args: GivenArguments, context: Context, notes: readonly Note[]): void {
  for (const note of notes) say(args, context, noteText(note));
}
