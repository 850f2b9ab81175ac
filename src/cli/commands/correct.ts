import { type Corrected, correctScores, correctSettings } from '../../experiment/index.js';
import type { CorrectedIntervalMethod, CorrectedMean } from '../../judging/index.js';
import { nodePlatform } from '../../node/index.js';
import { judgingFrom, measureOption, readingFrom } from '../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionProblems } from '../options/question.js';
import { standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { say } from '../print/say.js';
import { shownBy } from './agree.js';

const options = defineOptions([measureOption('nDCG@10'), ...optionsFor(correctSettings), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** Scores that a machine's judgements give, corrected by a sample that people judged. */
export const correctCommand: Command = defineCommand({
  name: 'correct',
  summary: "correct scores by a machine's judgements with a few by people",
  description: [
    'People judged some topics, and a machine judged these and many more. The scores of the runs are corrected by what people say (prediction-powered inference), with intervals that allow for both: shorter than those from the topics of people alone where the machine is any good, and never misled by its bias. The topics that people judged must be a random sample of all; otherwise the intervals mean nothing.',
    'Differences of systems are corrected as differences on topics, with how many topics people would have to judge to settle each.',
  ].join('\n\n'),
  examples: [
    {
      command: 'gradus correct human.qrels machine.qrels bm25.run neural.run',
      explains: 'nDCG@10 of both, corrected, and their difference',
    },
    { command: 'gradus correct human.qrels machine.qrels *.run -m AP --half-width 0.02 --json', explains: 'everything, for a script' },
  ],
  arguments: [
    { name: 'HUMAN', help: 'judgements by people, of some topics chosen at random', file: 'input' },
    { name: 'MACHINE', help: 'judgements by a machine, of these topics and more', file: 'input' },
    { name: 'RUN', help: 'one or more runs', repeatable: true, file: 'input' },
  ],
  options,

  check: (args) => [...standardInputProblems(args), ...questionProblems(args, 'correct', 1)],

  async run(args, context) {
    const [human, machine, ...runs] = args.positionals;
    const found = await correctScores(
      {
        ...judgingFrom(args),
        ...readingFrom(args),
        ...settingsFrom(args, correctSettings),
        human,
        machine,
        runs,
        threads: args.number('threads'),
      },
      nodePlatform,
    );
    for (const note of found.notes) say(args, context, note);
    await printAnswer(args, context, answerOf(found, args), { judgements: [human, machine], runs });
    return 0;
  },
});

const quantileWords: Readonly<Record<CorrectedIntervalMethod, string>> = {
  shares: 'draws (10000, seed 1) of the shares of ones where the machine says 1 and where it says 0, by the prior of Jeffreys',
  fitted: "Student's t with a degree of freedom less for the tuned lambda",
  student: "Student's t",
  normal: 'the normal distribution',
};

function answerOf(found: Corrected, args: Args): Answer {
  const text = shownBy(args);
  const whole = ({ estimate, interval }: CorrectedMean): string[] => [text(estimate), `[${text(interval.low)}, ${text(interval.high)}]`];
  const right = (name: string) => ({ name, numeric: true });
  const share = (value: number | null): string => (value === null ? '-' : `${Math.round(100 * value)}%`);
  const numbers = ['machine only', `people (n=${found.humanTopics})`, 'interval', 'corrected', 'interval', 'lambda', 'saves'].map(right);
  const columns = [{ name: 'measure' }, { name: 'system' }, ...numbers, right('topics needed')];
  const methods = found.measures.flatMap(({ systems, differences }) =>
    [...systems, ...differences].map(({ corrected }) => corrected.quantile),
  );
  const quantiles = [...new Set(methods)].map((method) => quantileWords[method]).join(', or ');
  return {
    json: { ...found, halfWidth: args.number('half-width') },
    grids: [
      {
        columns,
        rows: () =>
          found.measures.flatMap(({ measure, systems }) =>
            systems.map(({ system, machineOnly, human, corrected, saves, needed }) => [
              measure,
              system,
              text(machineOnly),
              ...whole(human),
              ...whole(corrected),
              text(corrected.lambda),
              share(saves),
              needed === null ? '-' : String(needed.humanItems),
            ]),
          ),
      },
      {
        columns: [{ name: 'measure' }, { name: 'difference' }, ...numbers, right('topics to settle'), right('more of them')],
        rows: () =>
          found.measures.flatMap(({ measure, differences }) =>
            differences.map(({ first, second, machineOnly, human, corrected, saves, toSettle, moreTopics }) => [
              measure,
              `${first} - ${second}`,
              text(machineOnly),
              ...whole(human),
              ...whole(corrected),
              text(corrected.lambda),
              share(saves),
              toSettle === null ? '-' : String(toSettle.humanItems),
              moreTopics === null ? '-' : String(moreTopics),
            ]),
          ),
      },
    ].filter((_, i) => i === 0 || found.measures.some(({ differences }) => differences.length > 0)),
    words: [
      `Prediction-powered inference (Angelopoulos and others 2023) from ${found.humanTopics} topics that people and machine judged and ${found.machineTopics} that the machine did; 95% intervals by ${quantiles}. They hold if the topics of people are a random sample of all. The scores by the machine alone have no interval, because their bias is not known.`,
      `Saves: the share of topics by people that the machine's judgements are worth. Topics needed: how many people would have to judge for an interval of ${args.number('half-width')} to either side; to settle: for one that leaves 0 out, if the difference is as it seems, and how many more that is.`,
    ],
  };
}
