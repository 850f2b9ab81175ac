import { jsonText } from '../../../core/index.js';
import { type InterleavingResult, interleavingResultOf } from '../../../experiment/index.js';
import { nodePlatform } from '../../../node/index.js';
import { formAsked, formOptions, formProblems } from '../../options/output-form.js';
import type { Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { outputOption, withOutput } from '../../print/output.js';

const forms: readonly string[] = ['table', 'json'];
const options = defineOptions([...formOptions(forms), outputOption]);

/** Tests the clicks on interleaved lists. */
export const interleaveTestCommand: Command = defineCommand({
  name: 'interleave test',
  summary: 'test which ranking users preferred, by the lists that were shown and the clicks on them',
  description:
    'Gives credit for the clicks on each list by the rule of its method, and tests the signs of the differences: a sign test without ties, and the share of A with Wilson’s interval. Where every line names a user, the differences of a user are added up first.',
  examples: [{ command: 'gradus interleave test shown.jsonl', explains: 'who was preferred, and is it more than chance?' }],
  arguments: [{ name: 'LOG', help: 'lists of gradus interleave lists, with "clicked" in each line', file: 'input' }],
  options,
  check: (args) => formProblems(args, forms),

  async run(args, context) {
    const result = await interleavingResultOf(nodePlatform.source(args.positionals[0]));
    await withOutput(args.value('output'), context, (writer) => {
      writer.write(formAsked(args, forms) === 'json' ? `${jsonText(result, 2)}\n` : textOf(result));
    });
    return 0;
  },
});

function textOf({ impressions, users, creditA, creditB, winsA, winsB, ties, pValue, effect, low, high }: InterleavingResult): string {
  const units = users === null ? `${impressions} lists` : `${users} users, ${impressions} lists`;
  const verdict = pValue >= 0.05 ? 'no difference that chance does not explain' : effect > 0 ? 'A is preferred' : 'B is preferred';
  return [
    `${verdict} (${units})`,
    `wins: A ${winsA}, B ${winsB}, ties ${ties}; sign test without ties p = ${pValue.toFixed(4)}`,
    `share of A beyond one half: ${effect.toFixed(4)}, 95% interval [${low.toFixed(4)}, ${high.toFixed(4)}]`,
    `credit: A ${creditA.toFixed(2)}, B ${creditB.toFixed(2)}`,
    '',
  ].join('\n');
}
