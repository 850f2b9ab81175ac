import { type ComparisonState, type NextDocuments, nextDocuments, poolSettings } from '../../../experiment/index.js';
import { measureOption } from '../../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionArguments, questionProblems, readQuestion } from '../../options/question.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { say } from '../../print/say.js';
import { shownBy } from '../agree.js';

const options = defineOptions([
  measureOption('AP'),
  ...optionsFor(poolSettings, 'order', 'budget', 'depth', 'memory', 'persistence', 'seed'),
  ...answerOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** Which documents to judge next. */
export const poolNextCommand: Command = defineCommand({
  name: 'pool next',
  summary: 'which documents to judge next',
  description:
    'Chooses documents of the runs that nobody judged yet, topic by topic, and prints them in the order in which to judge them. Move-to-front, bandits and the later weights of rank-biased precision learn from each judgement: judge a few, add them to the judgements and ask again. Judging by such an order favours the runs that drive it; gradus pool replay says how much.',
  examples: [
    { command: 'gradus pool next qrels.txt *.run --budget 20 -o to-judge.csv', explains: 'twenty documents for each topic' },
    { command: 'gradus pool next qrels.txt *.run --order rbp-a --json', explains: 'those that weigh most in rank-biased precision' },
    { command: 'gradus pool next qrels.txt bm25.run neural.run --order minimal', explains: 'those that tell the two apart' },
  ],
  arguments: questionArguments,
  options,

  check: (args) => questionProblems(args, 'pool next', 1),

  async run(args, context) {
    const { plan, material } = await readQuestion(args, context, ['AP']);
    const settings = settingsFrom(args, poolSettings, 'order', 'budget', 'depth', 'memory', 'persistence', 'seed');
    const found = nextDocuments(plan, material, { ...settings, rel: args.number('rel') });
    const { pool } = found;
    say(
      args,
      context,
      `the pool of depth ${args.number('depth')} holds ${pool.documents} documents, ${pool.judged} of them judged and ${pool.relevant} relevant; ${pool.unique} are brought by one run only`,
    );
    await printAnswer(args, context, answerOf(found, args));
    return 0;
  },
});

/** How a comparison stands, in words. */
function comparisonWords({ ahead, probability, expected }: ComparisonState, text: (value: number) => string): string {
  return ahead === null
    ? 'With even chances for what nobody judged, neither run is ahead.'
    : `${ahead} is ahead with a probability of ${text(probability)} (expected difference ${text(expected)}, even chances for what nobody judged); gradus pool bounds says what the missing judgements can change.`;
}

function answerOf(found: NextDocuments, args: Args): Answer {
  const text = shownBy(args);
  const lowest = found.runs.toSorted((a, b) => (a.judgedAt10 ?? 1) - (b.judgedAt10 ?? 1))[0];
  return {
    json: found,
    grids: [{ columns: [{ name: 'topic' }, { name: 'document' }], rows: () => found.documents.map(({ topic, doc }) => [topic, doc]) }],
    words: [
      ...(found.comparison === undefined ? [] : [comparisonWords(found.comparison, text)]),
      `${found.documents.length} documents by ${args.value('order')}, up to ${args.number('budget')} for each topic, in the order in which to judge them. The run with the fewest judged documents among its first ten is ${lowest.run}, with a share of ${text(lowest.judgedAt10)}.`,
    ],
  };
}
