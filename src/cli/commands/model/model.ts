import type { CommandGroup } from '../../parse/command.js';

/** What can be done with a trained model, a command for each. */
export const modelCommands: CommandGroup = {
  name: 'model',
  summary: 'inspect a trained model, or convert it for another tool',
  description: [
    'MODEL is a file of gradus train, RankLib, LightGBM (save_model or dump_model), XGBoost (save_model, .json or .ubj, or dump_model), CatBoost (JSON), Solr, Elasticsearch (trained models) or ONNX (trees), recognised by its content; - is standard input.',
    'Scores of models from LightGBM, XGBoost, CatBoost and Solr (trees) are those of these tools to the bit. Their files count columns and not feature ids: the first column is feature 1, as in LETOR files, unless --first-feature says otherwise.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus model inspect model.json', explains: 'what is in it' },
    {
      command: 'gradus model convert lightgbm.txt model.onnx',
      explains: 'a LightGBM model as ONNX; the format follows from the file name',
    },
    {
      command: 'gradus model explain model.json test.txt --query 10032',
      explains: 'which features put each document of a query where it is',
    },
    { command: 'gradus model importance model.json --data test.txt -m nDCG@10', explains: 'what each feature is worth on test data' },
    { command: 'gradus model report model.json test.txt -o model.html', explains: 'a page with pictures about all of this' },
  ],
  argument: 'ACTION',
  subcommands: [
    { name: 'inspect', load: async () => (await import('./inspect.js')).inspectCommand },
    { name: 'convert', load: async () => (await import('./convert.js')).modelConvertCommand },
    { name: 'explain', load: async () => (await import('./explain.js')).modelExplainCommand },
    { name: 'report', load: async () => (await import('./report.js')).modelReportCommand },
    { name: 'importance', load: async () => (await import('./importance.js')).importanceCommand },
  ],
};
