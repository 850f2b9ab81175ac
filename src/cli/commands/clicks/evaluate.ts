import { clickSettings, type JudgedByClicks, judgeByClicks } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
import { FEW_EFFECTIVE_QUERIES } from '../../../stats/index.js';
import { formAsked, formProblems, numberText } from '../../options/output-form.js';
import { writeAnswer } from '../../options/question.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import { resultForms, resultOptions } from '../../options/training.js';
import type { Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { logArgument } from './bias.js';

const options = defineOptions([...optionsFor(clickSettings), ...resultOptions]);

/** Other rankings by old clicks. */
export const clicksEvaluateCommand: Command = defineCommand({
  name: 'clicks evaluate',
  summary: 'say what rankings would be worth, by the clicks that another one got',
  description:
    'A click counts 1 / log2(rank + 1) at the rank that the new ranking gives its document, over the chance that it was looked at where it was shown. IPS is the mean of the sums over lists, SNIPS the same per weighted click, doubly robust corrects what a click model expects. Chances below --clip count as that. Several runs are compared with the first, list by list. gradus score makes a run of a model.',
  examples: [
    {
      command: 'gradus clicks evaluate log.jsonl old.run new.run --propensities 1,0.6,0.4,0.3',
      explains: 'two rankings by known chances, and their difference',
    },
  ],
  arguments: [logArgument, { name: 'RUN', help: 'a ranking of the same documents; one or more', repeatable: true, file: 'input' }],
  options,
  check: (args) => formProblems(args, resultForms),

  async run(args, context) {
    const [log, ...runs] = args.positionals;
    const judged = await judgeByClicks(log, runs, settingsFrom(args, clickSettings), nodePlatform);
    const shown = numberText(args, formAsked(args, resultForms));
    const right = (name: string) => ({ name, numeric: true });
    const between = ({ low, high }: { low: number; high: number }): string => `[${shown(low)}, ${shown(high)}]`;
    await writeAnswer(args, context, {
      json: judged,
      grids: [
        {
          columns: [
            { name: 'run' },
            ...['IPS', '95% interval', 'SNIPS', 'doubly robust', 'effective lists', 'clipped', 'against the first', 'interval', 'p'].map(
              right,
            ),
          ],
          rows: () =>
            judged.map(({ run, ips, snips, doublyRobust, effectiveSampleSize, clipped, against }) => [
              run,
              shown(ips.value),
              between(ips),
              shown(snips.value),
              doublyRobust === null ? '-' : shown(doublyRobust.value),
              effectiveSampleSize.toFixed(0),
              `${(100 * clipped).toFixed(1)} %`,
              against === null ? '' : shown(against.difference),
              against === null ? '' : between(against),
              against === null ? '' : shown(against.pValue),
            ]),
        },
      ],
      words: wordsOf(judged),
    });
    return 0;
  },
});

function wordsOf(judged: readonly JudgedByClicks[]): string[] {
  const [{ queries, effectiveSampleSize }] = judged;
  const words = [`${queries} lists; intervals by Student's t over lists.`];
  if (effectiveSampleSize < FEW_EFFECTIVE_QUERIES)
    words.push('So few lists carry the weight that the intervals cannot be relied on; raise --clip, or log more.');
  return words;
}
