import { readGroups, stabilityOf, stabilitySettings } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
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
    {
      command: 'gradus meta stability qrels.txt *.run -m AP --pool 10 --groups teams.csv',
      explains: 'what becomes of a team that was not pooled?',
    },
  ],
  arguments: questionArguments,
  options,

  check(args) {
    const problems = questionProblems(args, 'meta stability', 2);
    if (args.given.has('groups') && !args.given.has('pool')) {
      problems.push({ message: '--groups has no meaning without --pool', wayOut: 'say how deep the pool is, as in --pool 10' });
    }
    return problems;
  },

  async run(args, context) {
    await printAnswer(args, context, await stable(args, context));
    return 0;
  },
});

async function stable(args: Args, context: Context): Promise<Answer> {
  const { plan, material } = await readQuestion(args, context, measures);
  const { resamples: splits, groups, ...settings } = settingsFrom(args, stabilitySettings);
  const { agreements, swaps, leftOut, numTopics, notes, seed } = stabilityOf(plan, material, {
    ...settings,
    splits,
    groupOf: groups === undefined ? undefined : await readGroups(groups, nodePlatform),
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
              columns: [
                left('run'),
                ...(groups === undefined ? [] : [left('group')]),
                right(plan.measures[0].text),
                right('not pooled'),
                right('change'),
              ],
              rows: () =>
                leftOut.map(({ run, group, before, without }) => [
                  run,
                  ...(group === undefined ? [] : [group]),
                  text(before),
                  text(without),
                  text(without - before),
                ]),
            },
          ]),
    ],
    words: [
      `${material.runs.length} systems, ${numTopics} topics, seed ${seed}. The swap rate says how often a difference on some topics is reversed on as many others; from the safe difference on, at most 5% are.`,
    ],
  };
}
