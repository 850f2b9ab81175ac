import { poolSettings, type Reusability, readGroups, reuseOf } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
import { measureOption } from '../../options/judging.js';
import { type Answer, answerOptions, printAnswer, questionArguments, questionProblems, readQuestion } from '../../options/question.js';
import { optionsFor } from '../../options/settings.js';
import type { ArgumentsOf, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { shownBy } from '../agree.js';

const options = defineOptions([measureOption('AP'), ...optionsFor(poolSettings, 'groups', 'depth'), ...answerOptions]);
type Args = ArgumentsOf<typeof options>;

/** Whether a collection can judge runs that were not pooled. */
export const poolReuseCommand: Command = defineCommand({
  name: 'pool reuse',
  summary: 'whether the collection can judge runs that were not pooled',
  description:
    'Leaves each group of runs out of the pool: judgements of documents that only this group has among its first --depth are taken away, and its runs are scored again. Judged documents that no pool explains stay. A run that falls far was judged on what it brought itself, and so would a new one be.',
  examples: [{ command: 'gradus pool reuse qrels.txt *.run --groups teams.csv --depth 10', explains: 'leave one team out' }],
  arguments: questionArguments,
  options,

  check: (args) => questionProblems(args, 'pool reuse', 2),

  async run(args, context) {
    const { plan, material } = await readQuestion(args, context, ['AP']);
    const path = args.value('groups');
    const groups = path === undefined ? new Map<string, string>() : await readGroups(path, nodePlatform);
    const found = reuseOf(plan, material, groups, { depth: args.number('depth'), rel: args.number('rel') });
    await printAnswer(args, context, answerOf(found, args));
    return 0;
  },
});

function answerOf(found: Reusability, args: Args): Answer {
  const text = shownBy(args);
  const right = (name: string) => ({ name, numeric: true });
  return {
    json: found,
    grids: [
      {
        columns: [
          { name: 'group' },
          right('documents'),
          right('relevant'),
          { name: 'run' },
          right(found.measure),
          right('without'),
          right('rank'),
          right('without'),
        ],
        rows: () =>
          found.groups.flatMap(({ group, documents, relevant, runs }) =>
            runs.map(({ run, before, after, rankBefore, rankAfter }) => [
              group,
              String(documents),
              String(relevant),
              run,
              text(before),
              text(after),
              String(rankBefore),
              String(rankAfter),
            ]),
          ),
      },
    ],
    words: [
      `Without their own group runs fall by ${text(found.meanFall)} on average and ${text(found.largestFall)} at most; tau-b of the two orders is ${text(found.tau)}.${beyondWords(found, text)} Pool of depth ${args.number('depth')}.`,
    ],
  };
}

/** How many runs fall further than what a test tells apart. */
function beyondWords({ differenceNeeded, shareBeyond }: Reusability, text: (value: number) => string): string {
  if (differenceNeeded === null || shareBeyond === null) return '';
  return ` ${Math.round(100 * shareBeyond)}% of them fall by more than ${text(differenceNeeded)}, the difference from which on every two runs are told apart (gradus meta power).`;
}
