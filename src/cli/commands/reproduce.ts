import type { Problem } from '../../core/index.js';
import { type Reproduced, reproduceOf, reproduceSettings } from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import { judgingFrom, measureOption, readingFrom } from '../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionProblems } from '../options/question.js';
import { standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import type { Grid } from '../print/output.js';
import { say } from '../print/say.js';
import { shownBy } from './agree.js';

const options = defineOptions([measureOption('nDCG@10 AP'), ...optionsFor(reproduceSettings), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** Whether an experiment was reproduced. */
export const reproduceCommand: Command = defineCommand({
  name: 'reproduce',
  summary: 'say how far an experiment was reproduced',
  description: [
    'Compares a run with its reproduction: the order of documents (tau, rank-biased overlap), the scores of topics (root of the mean squared error), the means with their difference and its interval, a test, and the probability that the difference is practically none. With --advanced also the effect of that system over the first: the effect ratio (1 if it is the same, below 0 if it is reversed) and the change of the relative improvement (0 if it is the same). Numbers are those of repro_eval (Breuer and others 2020); beside its tau and overlap, which depend on names of documents and lengths of lists, stand versions that do not.',
    'With --replication the reproduced runs are of another collection, so that scores are compared as means only. A high p-value is no evidence of equality: look at the interval.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus reproduce qrels.txt original.run mine.run', explains: 'is it the same experiment?' },
    {
      command: 'gradus reproduce qrels.txt bm25.run my-bm25.run --advanced neural.run --advanced-again my-neural.run',
      explains: 'was the improvement reproduced?',
    },
  ],
  arguments: [
    { name: 'QRELS', help: 'the judgements', file: 'input' },
    { name: 'ORIGINAL', help: 'the run of the original', file: 'input' },
    { name: 'REPRODUCED', help: 'the run of the reproduction', file: 'input' },
  ],
  options,

  check(args) {
    const problems: Problem[] = [...standardInputProblems(args), ...questionProblems(args, 'reproduce', 1)];
    if (args.given.has('advanced') !== args.given.has('advanced-again')) {
      problems.push({ message: '--advanced and --advanced-again belong together', wayOut: 'give both or neither' });
    }
    return problems;
  },

  async run(args, context) {
    const [judgements, original, reproduced] = args.positionals;
    const { advanced, advancedAgain: again, ...settings } = settingsFrom(args, reproduceSettings);
    const found = await reproduceOf(
      {
        ...judgingFrom(args),
        ...settings,
        judgements,
        original,
        reproduced,
        advanced: advanced === undefined || again === undefined ? undefined : { original: advanced, reproduced: again },
        ...readingFrom(args),
      },
      nodePlatform,
    );
    for (const note of found.notes) say(args, context, note);
    const replication = settings.replication === undefined ? [] : [settings.replication];
    await printAnswer(args, context, answerOf(found, args), {
      judgements: [judgements, ...replication],
      runs: [original, reproduced, ...[advanced, again].filter((path) => path !== undefined)],
    });
    return 0;
  },
});

function answerOf(found: Reproduced, args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string): Grid['columns'][number] => ({ name, numeric: true });
  const grids: Grid[] = [
    {
      columns: [
        { name: 'measure' },
        { name: 'run' },
        ...['original', 'reproduced', 'difference', 'interval', 'P(equal)', 'RMSE', 'nRMSE', 'p'].map(right),
      ],
      rows: () =>
        found.scores.map((own) => [
          own.measure,
          own.run,
          text(own.original),
          text(own.reproduced),
          text(own.difference),
          own.interval === null ? '-' : `[${text(own.interval.low)}, ${text(own.interval.high)}]`,
          text(own.equivalence?.equivalent ?? null),
          text(own.rmse),
          text(own.normalisedRmse),
          text(own.pValue),
        ]),
    },
  ];
  if (found.orders.length > 0) {
    grids.unshift({
      columns: [{ name: 'run' }, ...['topics', 'tau', 'RBO', 'tau union, repro_eval', 'RBO, repro_eval'].map(right)],
      rows: () =>
        found.orders.map(({ run, topics, tau, rbo, tauUnion, overlap }) => [
          run,
          String(topics),
          text(tau),
          text(rbo),
          text(tauUnion),
          text(overlap),
        ]),
    });
  }
  if (found.effects.length > 0) {
    grids.push({
      columns: [{ name: 'measure' }, right('effect ratio'), right('delta relative improvement')],
      rows: () => found.effects.map(({ measure, effectRatio, deltaImprovement }) => [measure, text(effectRatio), text(deltaImprovement)]),
    });
  }
  return {
    json: found,
    grids,
    words: [
      ...found.metadata.map(
        ({ run, changed, parts }) =>
          `By their headers (ir_metadata), the two runs of ${run} ${parts.length === 0 ? 'are alike in every part' : `differ in ${parts.join(', ')}`} (${changed}).`,
      ),
      `Measures of ${found.kind} by Breuer and others 2020; p by ${found.kind === 'reproduction' ? 'a paired t test' : 'a t test of two samples'}, which is no evidence of equality where it is high. P(equal): that the mean difference is at most ${args.number('rope')}, by the t posterior. Rank-biased overlap with p ${args.number('persistence')}, lists cut at ${args.number('depth')}.`,
    ],
  };
}
