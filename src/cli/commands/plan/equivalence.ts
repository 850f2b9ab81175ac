import { type EquivalencePlan, planEquivalence, reproduceSettings } from '../../../experiment/index.js';
import type { ThreeWays } from '../../../judging/index.js';
import { measureOption } from '../../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionProblems } from '../../options/question.js';
import { readyScoresOption, scoredArguments, scoredProblems, scoresFrom } from '../../options/ready-scores.js';
import { standardInputProblems } from '../../options/scoring.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { say } from '../../print/say.js';
import { shownBy } from '../agree.js';

const options = defineOptions([readyScoresOption, measureOption('nDCG@10'), ...optionsFor(reproduceSettings, 'rope'), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** Whether two systems are practically equal. */
export const planEquivalenceCommand: Command = defineCommand({
  name: 'plan equivalence',
  summary: 'whether two systems are practically equal',
  description:
    'How probable it is that the first system is better by more than --rope, that the two are practically equal, and that the second is better: by the t posterior of the mean difference, and by signed ranks, as the share of draws in which each of the three was the most likely. A verdict is given only where one of them reaches 0.95.',
  examples: [{ command: 'gradus plan equivalence qrels.txt old.run new.run --rope 0.01', explains: 'are two systems practically equal?' }],
  arguments: scoredArguments,
  options,

  check: (args) => [
    ...standardInputProblems(args),
    ...questionProblems(args, 'plan equivalence', 1),
    ...scoredProblems(args, 'plan equivalence'),
  ],

  async run(args, context) {
    const scores = await scoresFrom(args, context, ['nDCG@10']);
    for (const note of scores.notes) say(args, context, note);
    if (scores.table.systems.length > 2) say(args, context, 'the first two systems are compared, the others are left out');
    await printAnswer(args, context, answerOf(planEquivalence(scores, settingsFrom(args, reproduceSettings, 'rope')), args));
    return 0;
  },
});

function answerOf(plans: readonly EquivalencePlan[], args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const [{ first, second }] = plans;
  const verdict = ({ first: a, equivalent, second: b }: ThreeWays): string =>
    a >= 0.95 ? `${first} is better` : b >= 0.95 ? `${second} is better` : equivalent >= 0.95 ? 'practically equal' : 'open';
  return {
    json: { rope: args.number('rope'), results: plans },
    grids: [
      {
        columns: [
          { name: 'measure' },
          { name: 'by' },
          right(first),
          right(second),
          right(`P(${first})`),
          right('P(equal)'),
          right(`P(${second})`),
          { name: 'verdict' },
        ],
        rows: () =>
          plans.flatMap(({ measure, firstMean, secondMean, t, signedRank }) =>
            (
              [
                ['t', t],
                ['signed ranks', signedRank],
              ] as const
            ).map(([name, own]) => [
              measure,
              name,
              text(firstMean),
              text(secondMean),
              text(own.first),
              text(own.equivalent),
              text(own.second),
              verdict(own),
            ]),
          ),
      },
    ],
    words: [
      `Bayesian comparison with a region of practical equivalence of ${args.number('rope')} to either side (Benavoli and others 2017). By signed ranks, the share of 50000 draws (seed 1) in which each way was the most likely.`,
    ],
  };
}
