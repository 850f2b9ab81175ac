import { InputError } from '../../core/index.js';
import { modelFormatOf, type WritableModel, writableModels } from '../../ltr/index.js';
import { firstFeatureOptions } from '../options/training.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { withOutput } from '../print/output.js';
import { say } from '../print/say.js';

/** Writes a model in the form of another tool. */
export const modelConvertCommand: Command = defineCommand({
  name: 'model convert',
  summary: 'write a model for another tool',
  description:
    'Writes a model to OUTPUT in the form that --to names: gradus, ranklib, lightgbm, xgboost, onnx (operator TreeEnsemble with doubles; onnx3 for old runtimes, in 32-bit floats), typescript or c. What the other form cannot say is told.',
  examples: [
    { command: 'gradus model convert lightgbm.txt model.onnx', explains: 'a LightGBM model as ONNX, the form told by the name' },
    { command: 'gradus model convert model.json model.txt --to ranklib', explains: 'for RankLib' },
  ],
  arguments: [
    { name: 'MODEL', help: 'the model file, of gradus train, RankLib, LightGBM or XGBoost; - is standard input', file: 'input' },
    { name: 'OUTPUT', help: 'the file to write; - is standard output', file: 'output' },
  ],
  options: [
    {
      long: 'to',
      value: 'FORM',
      choices: writableModels,
      help: 'the form to write',
      defaultText: 'told by the name of OUTPUT: .onnx, .ts, .c, .json',
    },
    { long: 'function', value: 'NAME', help: 'the name of the function in TypeScript or C' },
    ...firstFeatureOptions,
  ],

  check(args) {
    const output = args.positionals.at(1);
    // a file that is missing is reported as such
    if (output === undefined || args.has('to') || modelFormatOf(output) !== undefined) return [];
    return [{ message: `${output} does not tell the form to write`, wayOut: `give --to ${writableModels.join('|')}` }];
  },

  async run(args, context) {
    const [path, output] = args.positionals;
    const { loadModel } = await import('../on-demand/load-model.js');
    const model = await loadModel(path, { firstFeature: args.number('first-feature') });
    const format = args.value('to') ?? (modelFormatOf(output) as WritableModel);
    if (args.has('function') && format !== 'typescript' && format !== 'c') {
      throw new InputError({ message: `--function has no meaning for ${format}`, wayOut: 'it names a function in TypeScript or C' });
    }
    const { writeModel } = await import('../on-demand/write-model.js');
    const { content, notes } = writeModel(model, format, { functionName: args.value('function') });
    for (const note of notes) say(args, context, note);
    if (typeof content === 'string') await withOutput(output, context, (writer) => writer.write(content));
    else if (output === '-') throw new InputError({ message: 'ONNX files are binary', wayOut: 'name a file in the place of -' });
    else {
      const { writeWholeFile } = await import('../on-demand/output-file.js');
      writeWholeFile(output, content);
    }
    return 0;
  },
});
