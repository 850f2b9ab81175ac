import type { Problem } from '../../core/index.js';
import { type ComparableScores, comparableFiles, comparableRuns } from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { ArgumentSpec, ArgumentsOf, Context, ListOption } from '../parse/command.js';
import { askedMeasures } from './judging.js';
import type { QuestionArguments } from './question.js';
import { scoreFiles } from './scoring.js';

/** Scores in the place of judgements and runs. */
export const readyScoresOption: ListOption<'scores'> = {
  long: 'scores',
  value: 'FILE',
  repeatable: true,
  help: 'a file of scores with a row per topic, in the place of judgements and runs',
  file: 'input',
};

/** Judgements and runs, where scores do not take their place. */
export const scoredArguments: readonly ArgumentSpec[] = [
  { name: 'QRELS', help: 'the judgements, or a learning-to-rank test file; not with --scores', optional: true, file: 'input' },
  { name: 'RUN', help: 'two or more runs', optional: true, repeatable: true, file: 'input' },
];

/** What is wrong with the files that were named.
 *  @param instead Options that take the place of judgements and runs. */
export function scoredProblems(args: GivenArguments, name: string, instead: readonly string[] = ['scores']): Problem[] {
  const ready = instead.filter((option) => args.given.has(option));
  if (ready.length > 1) return [{ message: `--${ready.join(' and --')} were both given`, wayOut: 'give one of them' }];
  if (ready.length === 1) {
    return args.positionals.length === 0
      ? []
      : [{ message: `--${ready[0]} takes the place of judgements and runs`, wayOut: 'give one or the other' }];
  }
  return args.positionals.length >= 3
    ? []
    : [{ message: `gradus ${name} needs judgements and two runs or more`, wayOut: 'give them, or scores with --scores' }];
}

/** The scores of the runs or files that were named. */
export async function scoresFrom(
  args: QuestionArguments & ArgumentsOf<[typeof readyScoresOption]>,
  context: Context,
  otherwise: readonly string[],
): Promise<ComparableScores> {
  if (args.has('scores')) {
    const asked = args.has('measure') ? askedMeasures({ measures: args.values('measure') }, []).map(({ text }) => text) : undefined;
    return await comparableFiles(args.values('scores').map(nodePlatform.source), asked, 'error');
  }
  const [judgements, ...runs] = args.positionals;
  return comparableRuns(await scoreFiles(args, context, { judgements, runs, missing: 'zero' }, { otherwise }), 'zero');
}
