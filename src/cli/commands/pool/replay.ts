import { type MinimalReplay, type PoolReplay, poolSettings, replayComparison, replayPool } from '../../../experiment/index.js';
import { measureOption } from '../../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionArguments, questionProblems, readQuestion } from '../../options/question.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { shownBy } from '../agree.js';

const names = ['order', 'budget', 'depth', 'memory', 'persistence', 'seeds', 'confidence', 'seed'] as const;
const options = defineOptions([measureOption('AP'), ...optionsFor(poolSettings, ...names), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** How well the order of systems comes out of fewer judgements. */
export const poolReplayCommand: Command = defineCommand({
  name: 'pool replay',
  summary: 'how well the order of systems comes out of fewer judgements',
  description:
    'Judges the collection again in the given order, with the judgements that there are in the place of a judge, up to the budget for each topic and to a quarter, half, double and four times of it, and compares the order of the runs with the one under all judgements. The order of the runs, which decides ties, is shuffled over --seeds; the spread of tau is shown. With --order influence the budget is spent over all topics together, and documents that nobody judged count by how probably they are relevant (a model of the judged ones); with the others they count as not relevant. With --order minimal two runs are judged apart document by document, until it is probable enough which is ahead.',
  examples: [
    {
      command: 'gradus pool replay qrels.txt *.run --order rbp-a --budget 50',
      explains: 'would 50 judgements per topic have been enough?',
    },
    {
      command: 'gradus pool replay qrels.txt *.run --order influence --budget 50',
      explains: 'the same, by what moves the order of the runs, with expected values for what nobody judged',
    },
    {
      command: 'gradus pool replay qrels.txt bm25.run neural.run --order minimal',
      explains: 'how many judgements would have told two apart?',
    },
  ],
  arguments: questionArguments,
  options,

  check: (args) => questionProblems(args, 'pool replay', 2),

  async run(args, context) {
    const { plan, material } = await readQuestion(args, context, ['AP']);
    const { order, ...settings } = { ...settingsFrom(args, poolSettings, ...names), rel: args.number('rel') };
    const answer =
      order === 'minimal'
        ? minimalAnswer(replayComparison(plan, material, settings), args)
        : answerOf(replayPool(plan, material, { ...settings, order }), args);
    await printAnswer(args, context, answer);
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

function minimalAnswer(found: MinimalReplay, args: Args): Answer {
  const text = shownBy(args);
  const { first, second, stoppedAfter, allJudged, confidence, aheadUnderAll, agrees, measure } = found;
  const scaled = measure === 'AP' ? ' of average precision times the number of relevant documents' : ` of ${measure}`;
  return {
    json: found,
    grids: [
      {
        columns: ['judged', 'expected', 'spread', 'probability']
          .map((name) => ({ name, numeric: true }))
          .concat([{ name: 'ahead', numeric: false }]),
        rows: () =>
          found.trace.map(({ judged, expected, standardDeviation, probability, ahead }) => [
            String(judged),
            text(expected),
            text(standardDeviation),
            text(probability),
            ahead ?? '-',
          ]),
      },
    ],
    words: [
      stoppedAfter === null
        ? `All ${allJudged} judgements of their documents do not settle which of ${first} and ${second} is ahead.`
        : `Settled after ${stoppedAfter} of ${allJudged} judgements of their documents; under all of them ${aheadUnderAll === null ? 'the two are level' : `${aheadUnderAll} is ahead`}${agrees ? '' : ', so that stopping there would have been wrong'}.`,
      `Expected difference ${first} - ${second}${scaled}, with even chances for what is not judged yet; stop from a probability of ${confidence} on (after Carterette, Allan and Sitaraman 2006).`,
    ],
  };
}
