import { clickSettings, clickTraining } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import { layoutOptions } from '../../options/training.js';
import { featureReading } from '../../options/training-data.js';
import type { Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { outputOption, withOutput } from '../../print/output.js';
import { say } from '../../print/say.js';
import { logArgument } from './bias.js';

const options = defineOptions([...optionsFor(clickSettings, 'method'), ...layoutOptions, outputOption]);

/** Training data from a log. */
export const clicksDataCommand: Command = defineCommand({
  name: 'clicks data',
  summary: 'write training data from a log and the features of its documents',
  description:
    'Writes LETOR lines: each list that was shown is a query of its own, its documents stand in the order in which they were shown, and labels are clicks; the comment of a line has the document, its rank and the chance that the rank is looked at. gradus train lambdamart --clicks learns from such data without taking the old order for relevance. Documents without features are left out, and counted.',
  examples: [
    { command: 'gradus clicks data log.parquet features.txt -o clicks.txt', explains: 'join a log with features by query and document' },
  ],
  arguments: [logArgument, { name: 'FEATURES', help: 'documents with features, their queries and ids as in the log', file: 'input' }],
  options,

  async run(args, context) {
    const [log, features] = args.positionals;
    const reading = { ...featureReading(args, context), ...settingsFrom(args, clickSettings, 'method') };
    const { lines, lists, emptyLists, absent, propensities } = await clickTraining(log, features, reading, nodePlatform);
    await withOutput(args.value('output'), context, (writer) => {
      for (const line of lines) writer.write(`${line}\n`);
    });
    if (absent > 0)
      say(args, context, `${absent} documents have no features and are left out; ${emptyLists} of ${lists} lists have none left`);
    const chances = propensities.map((value) => Number(value.toPrecision(4))).join(',');
    const path = args.value('output') ?? 'clicks.txt';
    say(args, context, `next: gradus train lambdamart --train ${path} --clicks propensities --propensities ${chances} --model model.json`);
    return 0;
  },
});
