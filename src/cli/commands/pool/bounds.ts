import { type CompletedScores, completedScoresOf, poolSettings, readChances } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
import { measureOption } from '../../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionArguments, questionProblems, readQuestion } from '../../options/question.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { shownBy } from '../agree.js';

const names = ['depth', 'chance', 'chances', 'draws', 'confidence', 'seed'] as const;
const options = defineOptions([measureOption('AP, nDCG@10'), ...optionsFor(poolSettings, ...names), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** What missing judgements can change. */
export const poolBoundsCommand: Command = defineCommand({
  name: 'pool bounds',
  summary: 'what missing judgements can change, and when to stop judging',
  description:
    'For every measure of rankings, the lowest and the highest value that a run can have once all documents of the pool are judged, and the value to expect; for every two runs (with more than ten, for the best and each other), the same of their difference, and how probable it is which of them is ahead. A comparison is certain if no completion of the missing judgements can turn it, probable from --confidence on, and open otherwise: judging can stop when none is open. Unjudged documents below --depth stay as they are. This is about these topics; what other topics would say is the question of gradus compare.',
  examples: [
    { command: 'gradus pool bounds qrels.txt bm25.run neural.run -m AP', explains: 'can the missing judgements turn the comparison?' },
    { command: 'gradus pool bounds qrels.txt *.run --depth 20 --chance 0.1 --json', explains: 'everything, with a chance of one in ten' },
  ],
  arguments: questionArguments,
  options,

  check(args) {
    const problems = questionProblems(args, 'pool bounds', 1);
    if (args.given.has('chance') && args.given.has('chances')) {
      problems.push({ message: '--chance and --chances both say how probable relevance is', wayOut: 'leave one of them out' });
    }
    return problems;
  },

  async run(args, context) {
    const { plan, material } = await readQuestion(args, context, ['AP', 'nDCG@10']);
    const { chances, ...settings } = settingsFrom(args, poolSettings, ...names);
    const found = await completedScoresOf(plan, material, {
      ...settings,
      rel: args.number('rel'),
      chances: chances === undefined ? undefined : (otherwise) => readChances(nodePlatform.source(chances), otherwise),
    });
    await printAnswer(args, context, answerOf(found, args));
    return 0;
  },
});

function answerOf(found: CompletedScores, args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  const numbers = ['now', 'lowest', 'highest', 'expected', '95% of draws'].map(right);
  const cells = ({
    value,
    low,
    high,
    attained,
    expected,
    interval,
  }: CompletedScores['measures'][number]['runs'][number] | Pair): string[] => [
    text(value),
    `${text(low)}${attained ? '' : '*'}`,
    `${text(high)}${attained ? '' : '*'}`,
    text(expected),
    `[${text(interval.low)}, ${text(interval.high)}]`,
  ];
  const pairs = found.measures.flatMap(({ measure, pairs: own }) => own.map((pair) => ({ measure, pair })));
  const open = pairs.filter(({ pair }) => pair.settled === 'open');
  const isOuter = found.measures.some(({ runs, pairs: own }) => [...runs, ...own].some(({ attained }) => !attained));
  return {
    json: found,
    grids: [
      {
        columns: [{ name: 'measure' }, { name: 'run' }, ...numbers],
        rows: () => found.measures.flatMap(({ measure, runs }) => runs.map((run) => [measure, run.run, ...cells(run)])),
      },
      {
        columns: [{ name: 'measure' }, { name: 'difference' }, ...numbers, { name: 'ahead' }, right('probability'), { name: 'settled' }],
        rows: () =>
          pairs.map(({ measure, pair }) => [
            measure,
            `${pair.first} - ${pair.second}`,
            ...cells(pair),
            pair.ahead ?? '-',
            text(pair.probability),
            pair.settled,
          ]),
      },
    ].filter((_, i) => i === 0 || pairs.length > 0),
    words: [
      ...(pairs.length === 0
        ? []
        : [
            open.length === 0
              ? 'Judging can stop: no comparison is open.'
              : `Judge on: ${open.length} of ${pairs.length} comparisons ${open.length === 1 ? 'is' : 'are'} open.`,
          ]),
      `${found.openDocuments} documents without a judgement on ${found.openTopics} of ${found.topics} topics may turn out to have any of the grades ${found.grades.join(', ')}; expected values by ${found.chances}, ${found.draws} completions drawn (seed ${found.seed}); settled from ${found.confidence} on.${isOuter ? ' * Outer bounds, which no completion may reach.' : ''}`,
    ],
  };
}

type Pair = CompletedScores['measures'][number]['pairs'][number];
