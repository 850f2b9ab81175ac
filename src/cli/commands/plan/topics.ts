import { planSettings, planTopics, type TopicPlan } from '../../../experiment/index.js';
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
  ...optionsFor(planSettings, 'difference', 'power', 'alpha', 'pairs', 'width'),
  ...answerOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** How many topics find a difference. */
export const planTopicsCommand: Command = defineCommand({
  name: 'plan topics',
  summary: 'how many topics find a difference of interest',
  description:
    'Takes the spread of the differences between systems from a pilot, and says how many topics a paired t test, an analysis of variance of as many systems and an interval of the wanted width need (Sakai 2016), each the smallest number that is enough, with the numbers at the 95% limits of the variance. The curve says what fewer or more topics would find.',
  examples: [
    { command: 'gradus plan topics --scores pilot.csv --difference 0.02', explains: 'how many topics find a difference of 0.02?' },
    { command: 'gradus plan topics qrels.txt a.run b.run -m AP --power 0.9 --pairs 3', explains: 'from runs, for three tests' },
  ],
  arguments: scoredArguments,
  options,

  check: (args) => [...standardInputProblems(args), ...questionProblems(args, 'plan topics', 1), ...scoredProblems(args, 'plan topics')],

  async run(args, context) {
    const scores = await scoresFrom(args, context, ['nDCG@10']);
    for (const note of scores.notes) say(args, context, note);
    const plans = planTopics(scores, settingsFrom(args, planSettings, 'difference', 'power', 'alpha', 'pairs', 'width'));
    await printAnswer(args, context, answerOf(plans, args));
    return 0;
  },
});

function answerOf(plans: readonly TopicPlan[], args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const difference = args.number('difference');
  return {
    json: plans,
    grids: [
      {
        columns: [{ name: 'measure' }, { name: 'design' }, right('topics'), right('at the limits'), right('reached')],
        rows: () =>
          plans.flatMap(({ measure, tTest, anova, interval, pilotSystems }) => [
            [measure, 'paired t test', String(tTest.topics), `[${tTest.low}, ${tTest.high}]`, `power ${text(tTest.power)}`],
            ...(anova === null
              ? []
              : [[measure, `analysis of variance, ${pilotSystems} systems`, String(anova.topics), '-', `power ${text(anova.power)}`]]),
            [
              measure,
              `interval of width ${args.number('width')}`,
              String(interval.topics),
              `[${interval.low}, ${interval.high}]`,
              `width ${text(interval.width)}`,
            ],
          ]),
      },
      {
        columns: [{ name: 'measure' }, right('topics'), right(`power for ${difference}`)],
        rows: () => plans.flatMap(({ measure, curve }) => curve.map(({ topics, power }) => [measure, String(topics), text(power)])),
      },
    ],
    words: [
      ...plans.map(
        ({ measure, differenceVariance: own, pilotTopics, pilotSystems }) =>
          `${measure}: variance of a difference ${own.variance.toPrecision(4)} [${own.low.toPrecision(4)}, ${own.high.toPrecision(4)}] with ${own.degreesOfFreedom} degrees of freedom, from ${pilotSystems} systems on ${pilotTopics} topics.`,
      ),
      `A difference of ${difference} is to be found with a chance of ${args.number('power')} at alpha ${plans[0].alpha}${plans[0].pairs > 1 ? `, which is divided by ${plans[0].pairs} pairs (Bonferroni; Tukey's test would need fewer topics)` : ''}. Topic set sizes by Sakai 2016, exact smallest numbers.`,
    ],
  };
}
