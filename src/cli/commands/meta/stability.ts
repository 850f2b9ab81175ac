import { stabilityOf, stabilitySettings } from '../../../experiment/index.js';
import { measureOption } from '../../options/judging.js';
import {
  type Answer,
  answerOptions,
  decimals,
  printAnswer,
  questionArguments,
  questionProblems,
  readQuestion,
} from '../../options/question.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { ArgumentsOf, Command, Context } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import type { Grid } from '../../print/output.js';
import { say } from '../../print/say.js';

/** What is judged if no measure is asked for. */
const measures: readonly string[] = ['AP', 'nDCG@10', 'P@10', 'RR'];

const options = defineOptions([measureOption(measures.join(', ')), ...optionsFor(stabilitySettings), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** How far the order of systems depends on measure, rules, topics and pool. */
export const stabilityCommand: Command = defineCommand({
  name: 'meta stability',
  summary: 'how stable the order of systems is',
  description:
    'How far measures, conventions, tie rules and pool depths agree about the order of systems (tau-b, tau AP), how often half of the topics reverse what the other half says, and what becomes of a run that was not pooled.',
  examples: [
    { command: 'gradus meta stability qrels.txt *.run -m AP --pool 10', explains: 'would a shallower pool have ranked them alike?' },
  ],
  arguments: questionArguments,
  options,

  check: (args) => questionProblems(args, 'meta stability', 2),

  async run(args, context) {
    await printAnswer(args, context, await stable(args, context));
    return 0;
  },
});

async function stable(args: Args, context: Context): Promise<Answer> {
  const { plan, material } = await readQuestion(args, context, measures);
  const { resamples: splits, ...settings } = settingsFrom(args, stabilitySettings);
  const { agreements, swaps, leftOut, numTopics, notes, seed } = stabilityOf(plan, material, {
    ...settings,
    splits,
    spelling: args.has('measure') ? args.values('measure') : undefined,
  });
  for (const note of notes) say(args, context, note);
  const text = decimals(args);
  const right = (header: string): Grid['columns'][number] => ({ name: header, numeric: true });
  const left = (header: string): Grid['columns'][number] => ({ name: header });
  return {
    json: { seed, agreements, swaps, leftOut },
    grids: [
      {
        columns: [left('one order'), left('other order'), right('tau-b'), right('tau AP'), right('swapped')],
        rows: () =>
          agreements.map(({ first: a, second: b, tau, tauAp, swapped, pairs }) => [a, b, text(tau), text(tauAp), `${swapped} of ${pairs}`]),
      },
      {
        columns: [left('measure'), right('topics'), right('swap rate'), right('safe difference')],
        rows: () =>
          swaps.flatMap(({ measure, sizes }) =>
            sizes.map(({ size, rate, safeDifference }) => [
              measure,
              String(size),
              text(rate),
              safeDifference === undefined ? '-' : text(safeDifference),
            ]),
          ),
      },
      ...(leftOut.length === 0
        ? []
        : [
            {
              columns: [left('run'), right(plan.measures[0].text), right('not pooled'), right('change')],
              rows: () => leftOut.map(({ run, before, without }) => [run, text(before), text(without), text(without - before)]),
            },
          ]),
    ],
    words: [
      `${material.runs.length} systems, ${numTopics} topics, seed ${seed}. The swap rate says how often a difference on some topics is reversed on as many others; from the safe difference on, at most 5% are.`,
    ],
  };
}
