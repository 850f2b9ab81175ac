import { escapeUnprintable } from '../../core/index.js';
import { writePredictions, writeTrecRun } from '../../formats/index.js';
import { firstFeatureOptions, layoutOptions } from '../options/training.js';
import { featureReading } from '../options/training-data.js';
import type { Command, TextWriter } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { outputOption } from '../print/output.js';
import { say } from '../print/say.js';

/** Applies a model to documents. */
export const scoreCommand: Command = defineCommand({
  name: 'score',
  summary: 'rank documents by a trained model',
  description: [
    'Gives every document of DATA the score of a model, and writes a TREC run (--format trec, the default), which gradus eval, compare and report read together with the judgements that --qrels writes, or one number for each data line (--format letor), which gradus explain and the tools of LETOR read together with DATA.',
    'Features are found by name where model and data have names, otherwise by number, and are brought to the scale that the model was trained on. Labels are not needed, but LETOR files have them.',
    'In a run, documents go by their id: the docid of a LETOR comment or the column of a table; otherwise by the number of their line. Ranks order equal scores by the rule that the model was chosen by, which is named in its file: the document id, descending, unless a convention says otherwise.',
  ].join('\n\n'),
  examples: [
    {
      command: 'gradus score model.json test.txt -o model.run --qrels test.qrels && gradus eval test.qrels model.run',
      explains: 'a TREC run with the labels as judgements, and how good it is',
    },
    {
      command:
        'gradus score model.json test.txt --format letor -o predictions.txt && gradus explain test.txt predictions.txt --as letor4,ranklib',
      explains: 'a prediction file, and what the tools of learning to rank make of it',
    },
  ],
  arguments: [
    { name: 'MODEL', help: 'what gradus train saved, or a model of RankLib, LightGBM or XGBoost', file: 'input' },
    { name: 'DATA', help: 'documents with features: LETOR or SVMlight, CSV, TSV, JSON; - is standard input', file: 'input' },
  ],
  options: [
    {
      long: 'format',
      short: 'f',
      value: 'FORM',
      choices: ['trec', 'letor'],
      choiceTexts: { trec: 'a TREC run', letor: 'one number for each data line' },
      help: 'what is written',
      defaultText: 'a run in the format that the name of the output file implies, or a TREC run',
    },
    { long: 'qrels', value: 'FILE', help: 'also write the labels of the documents there, as judgements for the run', file: 'output' },
    { long: 'name', value: 'NAME', help: "the run's tag", defaultText: "the learner's name" },
    ...firstFeatureOptions,
    ...layoutOptions,
    outputOption,
  ],
  check: (args) =>
    args.has('name') && args.value('format') === 'letor'
      ? [{ message: '--name has no meaning for --format letor', wayOut: 'leave it out' }]
      : [],

  async run(args, context) {
    const [modelPath, dataPath] = args.positionals;
    const output = args.value('output');
    const qrelsPath = args.value('qrels');
    const { formatToWrite, savePredictions, saveQrels, saveRun } = await import('../on-demand/save-files.js');
    const letor = args.value('format') === 'letor';
    const to = letor || args.has('format') ? 'trec-run' : undefined;
    formatToWrite(output ?? '-', 'run', to, 'give --format trec');
    if (qrelsPath !== undefined) formatToWrite(qrelsPath, 'qrels', undefined, 'leave the ending out');
    const { loadModel } = await import('../on-demand/load-model.js');
    const { scoreDocuments } = await import('../on-demand/score-documents.js');
    const model = await loadModel(modelPath, { firstFeature: args.number('first-feature') });
    const { nodePlatform, readFeatureFile } = await import('../on-demand/load-features.js');
    const settings = {
      ...featureReading(args, context),
      labelled: qrelsPath !== undefined,
      model,
      firstFeature: args.number('first-feature'),
    };
    const matrix = await readFeatureFile(dataPath, settings, nodePlatform);
    const { scores, run, qrels } = scoreDocuments(model, matrix, { source: dataPath, name: args.value('name') });
    if (context.take !== undefined && output === undefined) context.take.predictions(scores);
    else if (output === undefined || output === '-') printText(context.stdout, letor ? writePredictions(scores) : writeTrecRun(run));
    else if (letor) await savePredictions(output, scores);
    else await saveRun(output, run, { format: to });
    if (qrelsPath !== undefined) await saveQrels(qrelsPath, qrels);
    if (matrix.comments === undefined && !letor && context.take === undefined) {
      say(args, context, `${dataPath} has no document ids; documents go by the numbers of their lines`);
    }
    return 0;
  },
});

function printText(writer: TextWriter, chunks: Iterable<Uint8Array>): void {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    writer.write(writer.isTerminal ? escapeUnprintable(text, 'lines') : text);
  }
}
