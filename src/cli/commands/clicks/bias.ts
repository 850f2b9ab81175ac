import { clickSettings, positionBiasOf } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
import { formAsked, formProblems, numberText } from '../../options/output-form.js';
import { writeAnswer } from '../../options/question.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import { resultForms, resultOptions } from '../../options/training.js';
import type { ArgumentSpec, Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';

/** The log that every step begins with. */
export const logArgument: ArgumentSpec = { name: 'LOG', help: 'the log of lists that were shown and of clicks on them', file: 'input' };

const options = defineOptions([...optionsFor(clickSettings, 'method'), ...resultOptions]);

/** Share of moved documents below which an estimate says little. */
const FEW_MOVED = 0.05;

/** How ranks are looked at. */
export const clicksBiasCommand: Command = defineCommand({
  name: 'clicks bias',
  summary: 'estimate how often each rank is looked at',
  description:
    'Clicks depend on what is looked at, and higher ranks are looked at more often. Documents that were shown at several ranks for the same query tell the two apart: by expectation maximisation over all impressions (em), or by the click rates of those that were shown at the first rank too (harvest). The first rank counts as 1.',
  examples: [{ command: 'gradus clicks bias log.csv --method harvest', explains: 'by documents that changed ranks alone' }],
  arguments: [logArgument],
  options,
  check: (args) => formProblems(args, resultForms),

  async run(args, context) {
    const bias = await positionBiasOf(args.positionals[0], settingsFrom(args, clickSettings, 'method'), nodePlatform);
    const shown = numberText(args, formAsked(args, resultForms));
    const right = (name: string) => ({ name, numeric: true });
    const list = bias.ranks.map(({ propensity }) => propensity?.toFixed(4) ?? '').join(',');
    const words = [`${bias.lists} lists; ${(100 * bias.moved).toFixed(1)} % of the documents were shown at several ranks.`];
    if (bias.moved < FEW_MOVED)
      words.push('Few documents changed ranks, so that bias and relevance are hard to tell apart; show some at random ranks.');
    if (bias.ranks.every(({ propensity }) => propensity !== null)) words.push(`For training: --clicks propensities --propensities ${list}`);
    await writeAnswer(args, context, {
      json: bias,
      grids: [
        {
          columns: [right('rank'), right('impressions'), right('clicks'), right('click rate'), right('looked at')],
          rows: () =>
            bias.ranks.map(({ rank, impressions, clicks, propensity }) => [
              String(rank),
              String(impressions),
              String(clicks),
              impressions === 0 ? '-' : shown(clicks / impressions),
              propensity === null ? '-' : shown(propensity),
            ]),
        },
      ],
      words,
    });
    return 0;
  },
});
