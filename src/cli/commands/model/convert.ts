import { InputError } from '../../../core/index.js';
import { modelFormatOf, type WritableModel, writableModels } from '../../../ltr/index.js';
import { firstFeatureOptions } from '../../options/training.js';
import type { Command } from '../../parse/command.js';
import { defineCommand } from '../../parse/define.js';
import { withOutput } from '../../print/output.js';
import { say } from '../../print/say.js';

/** The forms that each option has a meaning for. */
const formsOf = { function: ['typescript', 'c', 'solr'], solr: ['solr'], shift: ['elasticsearch'] } as const satisfies Record<
  string,
  readonly WritableModel[]
>;

/** Writes a model in the form of another tool. */
export const modelConvertCommand: Command = defineCommand({
  name: 'model convert',
  summary: 'write a model for another tool',
  description: [
    'Writes a model to OUTPUT in the form that --to names: gradus, ranklib, lightgbm, xgboost, xgboost-ubj, onnx (operator TreeEnsemble with doubles; onnx3 for old runtimes, in 32-bit floats), typescript or c.',
    'For serving: solr; elasticsearch (a trained model of Elasticsearch itself); xgboost-dump for the learning-to-rank plugins of Elasticsearch and OpenSearch and for Vespa; lightgbm-dump for Vespa.',
    'Where the other form cannot express everything, a note says so.',
  ].join('\n\n'),
  examples: [
    {
      command: 'gradus model convert lightgbm.txt model.onnx',
      explains: 'a LightGBM model as ONNX; the format follows from the file name',
    },
    { command: 'gradus model convert model.json model.txt --to ranklib', explains: 'for RankLib' },
    { command: 'gradus model convert model.json solr.json --to solr', explains: "for Solr's model store" },
  ],
  arguments: [
    {
      name: 'MODEL',
      help: 'the model file, of gradus train or another tool (see gradus model --help); - is standard input',
      file: 'input',
    },
    { name: 'OUTPUT', help: 'the file to write; - is standard output', file: 'output' },
  ],
  options: [
    {
      long: 'to',
      value: 'FORM',
      choices: writableModels,
      help: 'the form to write',
      defaultText: 'follows from the name of OUTPUT: .onnx, .ubj, .ts, .c, .json',
    },
    { long: 'function', value: 'NAME', help: 'the name of the function in TypeScript or C, or of the model in Solr' },
    {
      long: 'solr',
      value: 'VERSION',
      choices: ['8', '9.2'],
      help: 'which Solr is written for; from 9.2 on splits say where missing values go',
      defaultText: '8',
    },
    { long: 'shift', help: 'for Elasticsearch: add what keeps every score from being negative' },
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
    const { loadModel } = await import('../../on-demand/load-model.js');
    const model = await loadModel(path, { firstFeature: args.number('first-feature') });
    const format = args.value('to') ?? (modelFormatOf(output) as WritableModel);
    for (const [option, forms] of Object.entries(formsOf)) {
      if (!args.has(option as keyof typeof formsOf) || (forms as readonly WritableModel[]).includes(format)) continue;
      throw new InputError({ message: `--${option} has no meaning for ${format}`, wayOut: `it is for --to ${forms.join(' and ')}` });
    }
    const { writeModel } = await import('../../on-demand/write-model.js');
    const { content, notes } = writeModel(model, format, {
      functionName: args.value('function'),
      solr: args.value('solr'),
      shift: args.has('shift'),
    });
    for (const note of notes) say(args, context, note);
    if (typeof content === 'string') await withOutput(output, context, (writer) => writer.write(content));
    else if (output === '-')
      throw new InputError({ message: `files of the form ${format} are binary`, wayOut: 'name a file in the place of -' });
    else {
      const { writeWholeFile } = await import('../../on-demand/output-file.js');
      writeWholeFile(output, content);
    }
    return 0;
  },
});
