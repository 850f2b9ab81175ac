import { type Problem, printable } from '../../core/index.js';
import { type ExperimentRequest, type Note, noteText, type PlanManner, type ScoredRuns, scoreExperiment } from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentsOf, Context } from '../parse/command.js';
import { ProgressMeter } from '../print/progress.js';
import { say } from '../print/say.js';
import {
  columnOptions,
  type JudgingArguments,
  judgingFrom,
  lenientOptions,
  type nameOptions,
  readingFrom,
  ruleOptions,
  threadsOptions,
} from './judging.js';

/** Options of commands that score runs before they do something with the scores. */
export const scoringOptions: readonly (
  | (typeof ruleOptions)[number]
  | (typeof lenientOptions)[number]
  | (typeof columnOptions)[number]
  | (typeof threadsOptions)[number]
)[] = [...ruleOptions, ...lenientOptions, ...columnOptions, ...threadsOptions];

/** Shows on a terminal how far an engine is while it lasts. */
export async function showingProgress<T>(
  args: GivenArguments,
  context: Context,
  work: (progress: Required<Pick<ExperimentRequest, 'onEngine'>>) => Promise<T>,
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
    return await work({ onEngine: (doing, share) => show(doing, share ?? 0, 1) });
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
      ...judgingFrom(args),
      ...readingFrom(args),
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
export function nameProblems(args: ArgumentsOf<[(typeof nameOptions)[number]]>, numRuns: number): Problem[] {
  const numNames = args.values('name').length;
  if (numNames === 0 || numNames === numRuns) return [];
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return [{ message: `${counted(numNames, 'name')} for ${counted(numRuns, 'run')}`, wayOut: 'give --name once for each run' }];
}

/** Says notes on standard error. */
export function sayNotes(args: GivenArguments, context: Context, notes: readonly Note[]): void {
  for (const note of notes) say(args, context, noteText(note));
}
