import { correctSettings, type LabelPlans, planLabels } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
import { judgingFrom, measureOption, readingFrom } from '../../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionProblems } from '../../options/question.js';
import { standardInputProblems } from '../../options/scoring.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { say } from '../../print/say.js';
import { shownBy } from '../agree.js';

const options = defineOptions([measureOption('nDCG@10'), ...optionsFor(correctSettings, 'halfWidth'), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** How many topics people have to judge beside a machine. */
export const planLabelsCommand: Command = defineCommand({
  name: 'plan labels',
  summary: 'how many topics people have to judge beside a machine',
  description:
    'Takes a pilot in which people judged some topics, chosen at random, and a machine judged these and more, and says how many topics people have to judge for corrected scores (gradus correct) with an interval of --half-width to either side, with the spread of the scores and their correlation with those of the machine that this rests on, and the numbers at the limits of both. The curve says what fewer or more topics would give.',
  examples: [
    {
      command: 'gradus plan labels human.qrels machine.qrels bm25.run neural.run --half-width 0.02',
      explains: 'how many topics for an interval of 0.02 to either side?',
    },
  ],
  arguments: [
    { name: 'HUMAN', help: 'judgements by people, of some topics chosen at random', file: 'input' },
    { name: 'MACHINE', help: 'judgements by a machine, of these topics and more', file: 'input' },
    { name: 'RUN', help: 'one or more runs', repeatable: true, file: 'input' },
  ],
  options,

  check: (args) => [...standardInputProblems(args), ...questionProblems(args, 'plan labels', 1)],

  async run(args, context) {
    const [human, machine, ...runs] = args.positionals;
    const settings = settingsFrom(args, correctSettings, 'halfWidth');
    const request = { ...judgingFrom(args), ...readingFrom(args), ...settings, human, machine, runs, threads: args.number('threads') };
    const found = await planLabels(request, nodePlatform);
    for (const note of found.notes) say(args, context, note);
    await printAnswer(args, context, answerOf(found, args), { judgements: [human, machine], runs });
    return 0;
  },
});

function answerOf(found: LabelPlans, args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const rows = found.measures.flatMap(({ measure, systems }) => systems.map((own) => ({ measure, ...own })));
  return {
    json: found,
    grids: [
      {
        columns: [
          { name: 'measure' },
          { name: 'system' },
          ...['sd', 'interval', 'correlation', 'interval', 'topics by people', 'at the limits', 'without the machine'].map(right),
        ],
        rows: () =>
          rows.map(({ measure, system, standardDeviation: sd, correlation, needed, neededAtLimits: limits }) => [
            measure,
            system,
            text(sd.value),
            `[${text(sd.interval.low)}, ${text(sd.interval.high)}]`,
            text(correlation.value),
            correlation.interval === null ? '-' : `[${text(correlation.interval.low)}, ${text(correlation.interval.high)}]`,
            needed === null ? '-' : String(needed.humanItems),
            limits === null ? '-' : `[${limits[0]}, ${limits[1]}]`,
            needed === null ? '-' : String(needed.withoutJudge),
          ]),
      },
      {
        columns: [{ name: 'measure' }, { name: 'system' }, right('topics by people'), right('half width')],
        rows: () =>
          rows.flatMap(({ measure, system, curve }) =>
            curve.map(({ topics, halfWidth }) => [measure, system, String(topics), text(halfWidth)]),
          ),
      },
    ],
    words: [
      `For 95% intervals of ${found.halfWidth} to either side, beside ${found.machineTopics} topics that the machine judged alone; from a pilot of ${found.pilotTopics} topics, which must be a random sample. Variance with the best lambda (Angelopoulos and others 2023), Student's t; the spread by the chi-squared distribution, the correlation by Fisher's transformation.`,
    ],
  };
}
