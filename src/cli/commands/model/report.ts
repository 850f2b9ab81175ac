import { InputError } from '../../../core/index.js';
import { defaultObjective, importanceSettings, reportSettings } from '../../../experiment/index.js';
import { askedMeasures, measureOption } from '../../options/judging.js';
import { commandLine, reportFormOptions, reportOutputOptions, reportOutputProblems, writeReport } from '../../options/report-output.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import { dataOptions, firstFeatureOptions } from '../../options/training.js';
import { featureReading } from '../../options/training-data.js';
import type { Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';

const options = defineOptions([
  measureOption(defaultObjective),
  { long: 'query', value: 'ID', help: 'the query that is explained as an example', defaultText: 'the one of median value' },
  {
    long: 'top',
    value: 'N',
    type: 'integer',
    min: 0,
    max: 1000,
    default: 6,
    help: 'how many features have a picture of how scores follow them',
  },
  ...optionsFor(importanceSettings),
  ...firstFeatureOptions,
  ...dataOptions,
  ...reportFormOptions,
  ...optionsFor(reportSettings, 'title', 'date'),
  ...reportOutputOptions,
]);

/** Writes all that there is to say about a model into one document. */
export const modelReportCommand: Command = defineCommand({
  name: 'model report',
  summary: 'write a report about a model: a page with pictures, a document or tables',
  description: [
    'What the model is, and the curves of its training, if it has recorded them. With DATA, labelled documents that it was not trained on, also: what the measure is there; what it loses when the values of each feature are shuffled, with intervals over queries (bootstrap) and Holm-corrected p-values; how scores follow the features that lose most, all others as they are (partial dependence); and one query as an example, with the two documents whose exchange would gain most and what puts them where they are.',
    'HTML is one file that needs nothing else and prints well; the other forms are those of gradus report.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus model report model.json test.txt -o model.html', explains: 'a page about a model on test data' },
    {
      command: 'gradus model report lightgbm.txt test.txt -m AP --query 10032 -o model.pdf',
      explains: 'a model of LightGBM, one query as the example',
    },
  ],
  arguments: [
    {
      name: 'MODEL',
      help: 'the model file, of gradus train or another tool (see gradus model --help); - is standard input',
      file: 'input',
    },
    { name: 'DATA', help: 'labelled documents with features', optional: true, file: 'input' },
  ],
  options,

  check(args) {
    const problems = reportOutputProblems(args);
    if (args.positionals.length >= 2) return problems;
    const needData = ['measure', 'query', 'top', 'seed', 'repeats', 'shuffle', ...dataOptions.map(({ long }) => long)] as const;
    return [...problems, ...needData.filter(args.has).map((option) => ({ message: `--${option} needs DATA` }))];
  },

  async run(args, context) {
    const [model, file] = args.positionals;
    const measures = askedMeasures({ measures: args.values('measure') }, [defaultObjective]);
    if (measures.length !== 1) throw new InputError(`expected one measure, found ${measures.length}`);
    const { nodePlatform, reportModel } = await import('../../on-demand/model-report.js');
    const { seed = 1, ...shuffling } = settingsFrom(args, importanceSettings);
    const report = await reportModel(
      {
        model,
        firstFeature: args.number('first-feature'),
        title: args.value('title'),
        date: args.value('date'),
        command: commandLine('model report', options, args),
        ...(file === undefined
          ? {}
          : {
              data: {
                ...shuffling,
                seed,
                file,
                reading: { ...featureReading(args, context), missing: args.value('missing') },
                measure: measures[0],
                query: args.value('query'),
                top: args.number('top'),
              },
            }),
      },
      nodePlatform,
    );
    await writeReport(report, args, context);
    return 0;
  },
});
