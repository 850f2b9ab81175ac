import { InputError, jsonText, printable } from '../../../core/index.js';
import { contributionSettings, defaultObjective } from '../../../experiment/index.js';
import type { ContributionImportance, FeatureContribution, Model, PairExplanation, QueryExplanation } from '../../../ltr/index.js';
import { askedMeasures, measureOption } from '../../options/judging.js';
import { formAsked, formProblems } from '../../options/output-form.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import { dataOptions, firstFeatureOptions } from '../../options/training.js';
import { featureReading } from '../../options/training-data.js';
import type { Command, Context, TextWriter } from '../../parse/command.js';
import { defineCommand } from '../../parse/define.js';
import { outputOption, withOutput, writeGrid } from '../../print/output.js';
import { say } from '../../print/say.js';

/** Features that a table shows of a document, and of a model or a pair. */
const SHOWN_OF_DOCUMENT = 3;
const SHOWN = 20;
/** Text for people, or JSON. */
const forms: readonly string[] = ['table', 'json'];

/** Says which features put a document where it is. */
export const modelExplainCommand: Command = defineCommand({
  name: 'model explain',
  summary: 'say which features put documents where they are',
  description: [
    'With --query: the ranking of that query, and what each feature adds to the score of each document (Shapley values, which add up to the score).',
    'With --document and --against as well: why one of two documents is above the other, which single feature would turn the order, and what the measure would be if they changed places.',
    'Without --query: how far each feature moves scores within queries, over all the data.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus model explain model.json test.txt --query 10032', explains: 'why the ranking of query 10032 is as it is' },
    {
      command: 'gradus model explain model.json test.txt --query 10032 --document GX029-35 --against GX140-98',
      explains: 'why one document is above another',
    },
    { command: 'gradus model explain model.json test.txt', explains: 'which features move rankings' },
  ],
  arguments: [
    {
      name: 'MODEL',
      help: 'the model file, of gradus train or another tool (see gradus model --help); - is standard input',
      file: 'input',
    },
    { name: 'DATA', help: 'documents with features', file: 'input' },
  ],
  options: [
    { long: 'query', value: 'ID', help: 'the query to explain' },
    { long: 'document', value: 'ID', help: 'a document of the query: its docid, or line N' },
    { long: 'against', value: 'ID', help: 'the document that it is compared with' },
    ...optionsFor(contributionSettings),
    { long: 'background', value: 'FILE', help: 'the other documents that features come from', defaultText: 'those of DATA', file: 'input' },
    measureOption(defaultObjective),
    { long: 'top', value: 'N', type: 'integer', min: 1, help: 'how many features a table shows', defaultText: '3 of a document, else 20' },
    ...firstFeatureOptions,
    ...dataOptions,
    { long: 'json', help: 'print JSON' },
    outputOption,
  ],

  check(args) {
    const problems = formProblems(args, forms);
    if (args.has('document') !== args.has('against'))
      problems.push({ message: '--document and --against belong together', wayOut: 'give both' });
    if (args.has('document') && !args.has('query')) problems.push({ message: '--document needs --query', wayOut: 'add --query ID' });
    return problems;
  },

  async run(args, context) {
    const [path, dataPath] = args.positionals;
    const { loadModel } = await import('../../on-demand/load-model.js');
    const model = await loadModel(path, { firstFeature: args.number('first-feature') });
    const { nodePlatform, readFeatureFile } = await import('../../on-demand/load-features.js');
    const reading = {
      ...featureReading(args, context),
      model,
      firstFeature: args.number('first-feature'),
      missing: args.value('missing'),
    };
    const matrix = await readFeatureFile(dataPath, reading, nodePlatform);
    const backgroundPath = args.value('background');
    const options = {
      ...settingsFrom(args, contributionSettings),
      ...(backgroundPath === undefined ? {} : { background: await readFeatureFile(backgroundPath, reading, nodePlatform) }),
    };
    const { contributionImportance, explainPair, explainQuery } = await import('../../on-demand/model-explanation.js');
    const measures = askedMeasures({ measures: args.values('measure') }, [defaultObjective]);
    if (measures.length !== 1) throw new InputError(`expected one measure, found ${measures.length}`);
    const [query, document, against] = [args.value('query'), args.value('document'), args.value('against')];
    const json = formAsked(args, forms) === 'json';
    await withOutput(args.value('output'), context, (writer) => {
      const print = (found: object, write: () => void): void => (json ? writer.write(`${jsonText(found, 2)}\n`) : write());
      if (query === undefined) {
        const features = contributionImportance(model, matrix, options);
        const shown = features.slice(0, args.number('top') ?? SHOWN);
        print({ features }, () => writeImportance(writer, context, model, shown));
        if (!json && features.length > shown.length)
          say(args, context, `${features.length - shown.length} more features; --top shows them`);
      } else if (document !== undefined && against !== undefined) {
        const pair = explainPair(model, matrix, query, document, against, { measure: measures[0], seed: options.seed });
        print(pair, () => writePair(writer, context, model, pair, args.number('top') ?? SHOWN));
      } else {
        const explained = explainQuery(model, matrix, query, options);
        print(explained, () => writeQuery(writer, context, explained, args.number('top') ?? SHOWN_OF_DOCUMENT));
      }
    });
    return 0;
  },
});

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`;
const plain = (value: number): string => (Number.isNaN(value) ? 'missing' : String(Number(value.toPrecision(6))));
const named = ({ id, name }: { readonly id: number; readonly name: string | undefined }): string => printable(name ?? `feature ${id}`, 40);

function writeImportance(writer: TextWriter, context: Context, model: Model, features: readonly ContributionImportance[]): void {
  writer.write('How far each feature moves scores: within a query, which can change rankings, and in all\n\n');
  const columns = [
    { name: 'feature', numeric: true },
    ...(model.featureNames === undefined ? [] : [{ name: 'name' }]),
    { name: 'within query', numeric: true },
    { name: 'in all', numeric: true },
  ];
  const rows = features.map((feature) => [
    String(feature.id),
    ...(model.featureNames === undefined ? [] : [printable(feature.name ?? '', 40)]),
    feature.meanSizeWithinQuery.toFixed(4),
    feature.meanSize.toFixed(4),
  ]);
  writeGrid('table', { columns, rows: () => rows }, writer, context.environment);
}

function writeQuery(
  writer: TextWriter,
  context: Context,
  { query, documents, method, backgroundSize }: QueryExplanation,
  top: number,
): void {
  const source = backgroundSize === undefined ? method : `${method}, ${backgroundSize} other documents`;
  writer.write(`Query ${printable(query)}: scores start from ${documents[0]?.base.toFixed(4) ?? 'nothing'}, features add (${source})\n\n`);
  const words = (features: readonly FeatureContribution[]): string =>
    features
      .slice(0, top)
      .map((feature) => `${signed(feature.contribution)} ${named(feature)} (${plain(feature.value)})`)
      .join(', ');
  writeGrid(
    'table',
    {
      columns: [
        { name: 'rank', numeric: true },
        { name: 'document' },
        { name: 'label', numeric: true },
        { name: 'score', numeric: true },
        { name: 'because of' },
      ],
      rows: () =>
        documents.map(({ rank, document, label, score, features }) => [
          String(rank),
          printable(document, 40),
          plain(label),
          score.toFixed(4),
          words(features),
        ]),
    },
    writer,
    context.environment,
  );
}

function writePair(writer: TextWriter, context: Context, model: Model, pair: PairExplanation, top: number): void {
  const { above, below, measure, features, difference } = pair;
  const place = ({ document, rank, label, score }: PairExplanation['above']): string =>
    `${printable(document, 60)} (rank ${rank}, label ${plain(label)}, score ${score.toFixed(4)})`;
  const change = measure.exchanged - measure.value;
  writer.write(`${place(above)} is above ${place(below)} by ${difference.toFixed(4)}\n`);
  writer.write(
    `If they changed places, ${measure.name} of query ${printable(pair.query)} would be ${measure.exchanged.toFixed(4)} instead of ${measure.value.toFixed(4)} (${signed(change)})\n\n`,
  );
  writeGrid(
    'table',
    {
      columns: [
        { name: 'feature', numeric: true },
        ...(model.featureNames === undefined ? [] : [{ name: 'name' }]),
        { name: 'of the upper', numeric: true },
        { name: 'of the lower', numeric: true },
        { name: 'adds', numeric: true },
        { name: 'turns the order' },
      ],
      rows: () =>
        features
          .slice(0, top)
          .map((feature) => [
            String(feature.id),
            ...(model.featureNames === undefined ? [] : [printable(feature.name ?? '', 40)]),
            plain(feature.value),
            plain(feature.againstValue),
            signed(feature.contribution),
            feature.turnsOrder ? 'yes' : '',
          ]),
    },
    writer,
    context.environment,
  );
}
