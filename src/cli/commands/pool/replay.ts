import { type PoolReplay, poolSettings, replayPool } from '../../../experiment/index.js';
import { measureOption } from '../../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionArguments, questionProblems, readQuestion } from '../../options/question.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { shownBy } from '../agree.js';

const names = ['order', 'budget', 'depth', 'memory', 'persistence', 'seeds', 'seed'] as const;
const options = defineOptions([measureOption('AP'), ...optionsFor(poolSettings, ...names), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** How well the order of systems comes out of fewer judgements. */
export const poolReplayCommand: Command = defineCommand({
  name: 'pool replay',
  summary: 'how well the order of systems comes out of fewer judgements',
  description:
    'Judges the collection again in the given order, with the judgements that there are in the place of a judge, up to the budget for each topic and to a quarter, half, double and four times of it, and compares the order of the runs with the one under all judgements. The order of the runs, which decides ties, is shuffled over --seeds; the spread of tau is shown.',
  examples: [
    {
      command: 'gradus pool replay qrels.txt *.run --order rbp-a --budget 50',
      explains: 'would 50 judgements per topic have been enough?',
    },
  ],
  arguments: questionArguments,
  options,

  check: (args) => questionProblems(args, 'pool replay', 2),

  async run(args, context) {
    const { plan, material } = await readQuestion(args, context, ['AP']);
    const found = replayPool(plan, material, { ...settingsFrom(args, poolSettings, ...names), rel: args.number('rel') });
    await printAnswer(args, context, answerOf(found, args));
    return 0;
  },
});

function answerOf(found: PoolReplay, args: Args): Answer {
  const text = shownBy(args);
  return {
    json: found,
    grids: [
      {
        columns: ['per topic', 'judged', 'share', 'relevant', 'tau', 'over seeds'].map((name) => ({ name, numeric: true })),
        rows: () =>
          found.budgets.map(({ budget, judged, share, relevant, tau, tauLow, tauHigh }) => [
            String(budget),
            String(judged),
            text(share),
            `${relevant} of ${found.allRelevant}`,
            text(tau),
            `[${text(tauLow)}, ${text(tauHigh)}]`,
          ]),
      },
    ],
    words: [
      `${found.measure} of the runs, order ${found.order}; tau-b with the order under all ${found.allJudged} judgements, the mean over ${args.number('seeds')} orders of the runs (seed ${args.number('seed')}) with the least and the largest. Judging by such an order favours the runs that drive it.`,
    ],
  };
}
