import { InputError, jsonText, printable } from '../../../core/index.js';
import { defaultObjective, importanceSettings, type MeasuredImportance } from '../../../experiment/index.js';
import type { FeatureImportance } from '../../../ltr/index.js';
import { askedMeasures, measureOption } from '../../options/judging.js';
import { formAsked, formProblems } from '../../options/output-form.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import { dataOptions, firstFeatureOptions } from '../../options/training.js';
import { featureReading } from '../../options/training-data.js';
import type { Command } from '../../parse/command.js';
import { defineCommand } from '../../parse/define.js';
import { outputOption, withOutput, writeGrid } from '../../print/output.js';
import { say } from '../../print/say.js';

/** Features that a table shows if nothing else is asked for. */
const SHOWN_FEATURES = 20;
/** Text for people, or JSON. */
const forms: readonly string[] = ['table', 'json'];

/** Lists features by what they are worth to a model. */
export const importanceCommand: Command = defineCommand({
  name: 'model importance',
  summary: 'show how important each feature is to a model',
  description:
    'Lists the features by the gain of their splits, by the number of splits, or by weight; with --data by what a measure loses when the values of a feature are shuffled, with 95 % intervals over queries (bootstrap) and p-values of no loss, Holm-corrected for all features.',
  examples: [
    { command: 'gradus model importance model.json', explains: 'what the model itself says' },
    { command: 'gradus model importance model.json --data test.txt -m nDCG@10', explains: 'what each feature is worth on test data' },
  ],
  arguments: [
    {
      name: 'MODEL',
      help: 'the model file, of gradus train or another tool (see gradus model --help); - is standard input',
      file: 'input',
    },
  ],
  options: [
    ...firstFeatureOptions,
    { long: 'data', value: 'FILE', help: 'labelled documents to shuffle features in', file: 'input' },
    measureOption(defaultObjective),
    ...optionsFor(importanceSettings),
    { long: 'top', value: 'N', type: 'integer', min: 1, default: SHOWN_FEATURES, help: 'how many features a table shows' },
    ...dataOptions,
    { long: 'json', help: 'print JSON' },
    outputOption,
  ],

  check(args) {
    const problems = formProblems(args, forms);
    if (args.has('data')) return problems;
    const idle = (['measure', 'seed', 'repeats', 'shuffle', ...dataOptions.map(({ long }) => long)] as const).filter(args.has);
    return [...problems, ...idle.map((option) => ({ message: `--${option} needs --data` }))];
  },

  async run(args, context) {
    const [path] = args.positionals;
    const { loadModel } = await import('../../on-demand/load-model.js');
    const model = await loadModel(path, { firstFeature: args.number('first-feature') });
    const { measuredImportance, ownImportance } = await import('../../on-demand/model-importance.js');
    const dataPath = args.value('data');
    let features: (FeatureImportance & Partial<MeasuredImportance>)[];
    let by: keyof FeatureImportance;
    if (dataPath === undefined) {
      features = ownImportance(model);
      by = features.some(({ gain }) => gain !== undefined)
        ? 'gain'
        : features.some(({ weight }) => weight !== undefined)
          ? 'weight'
          : 'splits';
    } else {
      const { nodePlatform, readFeatureFile } = await import('../../on-demand/load-features.js');
      const settings = {
        ...featureReading(args, context),
        model,
        firstFeature: args.number('first-feature'),
        missing: args.value('missing'),
      };
      const matrix = await readFeatureFile(dataPath, settings, nodePlatform);
      const measures = askedMeasures({ measures: args.values('measure') }, [defaultObjective]);
      if (measures.length !== 1) throw new InputError(`expected one measure, found ${measures.length}`);
      const { seed = 1, ...shuffling } = settingsFrom(args, importanceSettings);
      features = measuredImportance(model, matrix, { ...shuffling, measure: measures[0], seed });
      by = 'loss';
    }
    const size = (feature: FeatureImportance): number => Math.abs(Number(feature[by] ?? 0));
    const order = by === 'loss' ? (feature: FeatureImportance): number => feature.loss ?? 0 : size;
    const sorted = features.sort((a, b) => order(b) - order(a) || a.id - b.id);
    await withOutput(args.value('output'), context, (writer) => {
      if (formAsked(args, forms) === 'json') {
        writer.write(`${jsonText({ by, features: sorted }, 1)}\n`);
        return;
      }
      const shown = sorted.slice(0, args.number('top') ?? SHOWN_FEATURES);
      const columns = (['gain', 'splits', 'weight', 'loss'] as const).filter((name) =>
        shown.some((feature) => feature[name] !== undefined),
      );
      const whole = sorted.reduce((sum, feature) => sum + size(feature), 0);
      writeGrid(
        'table',
        {
          columns: [
            { name: 'feature', numeric: true },
            ...(model.featureNames === undefined ? [] : [{ name: 'name' }]),
            ...columns.map((name) => ({ name, numeric: true })),
            ...(by === 'loss' ? [{ name: '95% interval' }, { name: 'p (holm)', numeric: true }] : [{ name: 'share', numeric: true }]),
          ],
          rows: () =>
            shown.map((feature) => [
              String(feature.id),
              ...(model.featureNames === undefined ? [] : [printable(feature.name ?? '', 40)]),
              ...columns.map((name) => cellText(name, feature[name] ?? 0)),
              ...(by === 'loss' ? findingTexts(feature) : [`${((100 * size(feature)) / (whole || 1)).toFixed(1)} %`]),
            ]),
        },
        writer,
        context.environment,
      );
      if (sorted.length > shown.length) say(args, context, `${sorted.length - shown.length} more features; --top shows them`);
    });
    return 0;
  },
});

function cellText(name: 'gain' | 'splits' | 'weight' | 'loss', value: number): string {
  if (name === 'splits') return String(value);
  return name === 'gain' ? value.toPrecision(5) : name === 'loss' ? value.toFixed(4) : value.toPrecision(6);
}

/** How sure a loss is. */
function findingTexts({ interval, correctedPValue: p }: Partial<MeasuredImportance>): [interval: string, p: string] {
  return [
    interval === undefined ? '' : `[${interval.low.toFixed(4)}, ${interval.high.toFixed(4)}]`,
    p === undefined ? '' : p < 0.0001 ? '<0.0001' : p.toFixed(4),
  ];
}
