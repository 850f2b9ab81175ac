import { interleaveRuns, interleavingSettings } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { outputOption, withOutput } from '../../print/output.js';

const options = defineOptions([...optionsFor(interleavingSettings), outputOption]);

/** Mixes two runs. */
export const interleaveListsCommand: Command = defineCommand({
  name: 'interleave lists',
  summary: 'mix two runs into lists to be shown',
  description:
    'Writes a line of JSON for each topic that both runs answer: the list, who gave each document (team draft), and both rankings. Team draft: whoever has fewer picks takes its best unused document. Balanced: both take turns. Probabilistic: documents are drawn from both, the first ranks most often, so that every list is possible. The same seed gives the same lists.',
  examples: [
    { command: 'gradus interleave lists old.run new.run -o lists.jsonl', explains: 'one list per topic, by team draft' },
    {
      command: 'gradus interleave lists old.run new.run --method probabilistic --length 5 --seed 7',
      explains: 'five documents, drawn at random',
    },
  ],
  arguments: [
    { name: 'A', help: 'the run of the first system', file: 'input' },
    { name: 'B', help: 'the run of the second system', file: 'input' },
  ],
  options,

  async run(args, context) {
    const [a, b] = args.positionals.map(nodePlatform.source);
    const lists = await interleaveRuns(a, b, settingsFrom(args, interleavingSettings));
    await withOutput(args.value('output'), context, (writer) => {
      for (const list of lists) writer.write(`${JSON.stringify(list)}\n`);
    });
    return 0;
  },
});
