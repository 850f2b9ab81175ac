import { planReliability, planSettings, type ReliabilityPlan } from '../../../experiment/index.js';
import { measureOption } from '../../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionProblems } from '../../options/question.js';
import { readyScoresOption, scoredArguments, scoredProblems, scoresFrom } from '../../options/ready-scores.js';
import { standardInputProblems } from '../../options/scoring.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { say } from '../../print/say.js';
import { shownBy } from '../agree.js';

const options = defineOptions([
  readyScoresOption,
  measureOption('nDCG@10'),
  ...optionsFor(planSettings, 'stability', 'drop'),
  ...answerOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** How reliable scores are. */
export const planReliabilityCommand: Command = defineCommand({
  name: 'plan reliability',
  summary: 'how reliable scores and their order are, and how many topics make them so',
  description:
    'A generalisability study: how much of the spread of scores comes from systems, from topics and from neither, how reliable the order of systems (E rho²) and their scores (Phi) are with the topics at hand and with others, and how many topics reach the wanted value, with 95% intervals.',
  examples: [
    { command: 'gradus plan reliability --scores scores.csv --stability 0.95', explains: 'how many topics make the order reliable?' },
    { command: 'gradus plan reliability --scores scores.csv --drop 0.25', explains: 'without the weakest quarter of the systems' },
  ],
  arguments: scoredArguments,
  options,

  check: (args) => [
    ...standardInputProblems(args),
    ...questionProblems(args, 'plan reliability', 1),
    ...scoredProblems(args, 'plan reliability'),
  ],

  async run(args, context) {
    const scores = await scoresFrom(args, context, ['nDCG@10']);
    for (const note of scores.notes) say(args, context, note);
    const plans = planReliability(scores, settingsFrom(args, planSettings, 'stability', 'drop'));
    for (const note of plans.flatMap(({ components }) => components.notes)) say(args, context, note);
    await printAnswer(args, context, answerOf(plans, args));
    return 0;
  },
});

function answerOf(plans: readonly ReliabilityPlan[], args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const whole = (value: number | null): string => (value === null ? '-' : String(value));
  return {
    json: plans,
    grids: [
      {
        columns: [
          { name: 'measure' },
          right('systems'),
          right('topics'),
          right('variance of systems'),
          right('of topics'),
          right('of neither'),
        ],
        rows: () =>
          plans.map(({ measure, components: own }) => [
            measure,
            String(own.numSystems),
            String(own.numTopics),
            ...[own.systems, own.topics, own.residual].map((value) => value.toPrecision(5)),
          ]),
      },
      {
        columns: [
          { name: 'measure' },
          { name: 'coefficient' },
          right('topics'),
          right('value'),
          right('interval'),
          right(`topics for ${args.number('stability')}`),
          right('interval'),
        ],
        rows: () =>
          plans.flatMap(({ measure, studies }) =>
            studies.flatMap(({ numTopics, relative, absolute }) =>
              (
                [
                  ['E rho²', relative],
                  ['Phi', absolute],
                ] as const
              ).map(([name, own]) => [
                measure,
                name,
                String(numTopics),
                text(own.value),
                `[${text(own.low)}, ${text(own.high)}]`,
                whole(own.topics),
                `[${whole(own.topicsLow)}, ${whole(own.topicsHigh)}]`,
              ]),
            ),
          ),
      },
    ],
    words: [
      ...plans
        .filter(({ dropped }) => dropped.length > 0)
        .map(({ measure, dropped }) => `${measure}: ${dropped.length} systems are left out as the weakest.`),
      'Generalisability theory (Brennan 2001; Urbano and others 2013): E rho² for the order of systems, Phi for their scores; 95% intervals from F distributions.',
    ],
  };
}
