import { jsonText, printable, type TieRule } from '../../../core/index.js';
import type { Model, ModelSummary } from '../../../ltr/index.js';
import { formAsked, formProblems } from '../../options/output-form.js';
import { firstFeatureOptions } from '../../options/training.js';
import type { Command, TextWriter } from '../../parse/command.js';
import { defineCommand } from '../../parse/define.js';
import { outputOption, withOutput } from '../../print/output.js';

/** Text for people, or JSON. */
const forms: readonly string[] = ['table', 'json'];

/** Tells what a model file holds. */
export const inspectCommand: Command = defineCommand({
  name: 'model inspect',
  summary: 'describe a model',
  description: 'Shows the learner, the size, the features used and how the model was trained.',
  examples: [{ command: 'gradus model inspect model.json', explains: 'what is in it' }],
  arguments: [
    {
      name: 'MODEL',
      help: 'the model file, of gradus train or another tool (see gradus model --help); - is standard input',
      file: 'input',
    },
  ],
  options: [...firstFeatureOptions, { long: 'json', help: 'print JSON' }, outputOption],

  check: (args) => formProblems(args, forms),

  async run(args, context) {
    const [path] = args.positionals;
    const { loadModel } = await import('../../on-demand/load-model.js');
    const model = await loadModel(path, { firstFeature: args.number('first-feature') });
    const { summariseModel } = await import('../../on-demand/model-summary.js');
    const summary = summariseModel(model);
    const { featureNames, missing, inputs, normalisation, training } = model;
    await withOutput(args.value('output'), context, (writer) => {
      if (formAsked(args, forms) === 'json') {
        const told = {
          ...summary,
          ...(featureNames === undefined ? {} : { featureNames }),
          missing: Number.isNaN(missing) ? null : missing,
          ...(inputs === undefined ? {} : { inputs }),
          ...(normalisation === undefined ? {} : { normalisation: { kind: normalisation.kind, method: normalisation.method } }),
          ...(training === undefined ? {} : { training }),
        };
        writer.write(`${jsonText(told, 2)}\n`);
      } else writeSummary(writer, model, summary, path);
    });
    return 0;
  },
});

/** Names and values in two columns; long values go on below, under the first. */
function writeSummary(writer: TextWriter, model: Model, summary: ModelSummary, path: string): void {
  const lines: [string, string][] = [
    ['model', path],
    ['learner', summary.learner],
    ['scores by', scoringWords(summary)],
    ['features', featureWords(model, summary)],
    ['missing', missingWords(model)],
  ];
  const { normalisation, training } = model;
  if (normalisation !== undefined) {
    lines.push(['scale', `${normalisation.method} ${normalisation.kind === 'query' ? 'query by query' : 'over the training data'}`]);
  }
  if (training === undefined) lines.push(['training', 'not recorded in the file']);
  else {
    lines.push(['objective', training.objective + (training.convention === undefined ? '' : `, rules of ${training.convention}`)]);
    if (training.ties !== undefined) lines.push(['ties', tieWords[training.ties]]);
    const best =
      training.best === undefined ? '' : `, the best ${training.best.iteration} (validation ${training.best.validation.toFixed(4)})`;
    lines.push(['iterations', `${training.iterations}${best}`]);
    const options = Object.entries(training.options).map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') : value}`);
    if (options.length > 0) lines.push(['options', options.join(', ')]);
    lines.push(['seed', String(training.seed)]);
    if (training.data !== undefined) lines.push(['data', training.data]);
  }
  for (const [name, value] of lines) {
    const [first, ...others] = wrap(printable(value, 4000), Math.min(writer.columns, 80) - 12);
    writer.write(`${name.padEnd(11)} ${first}\n`);
    for (const other of others) writer.write(`${' '.repeat(12)}${other}\n`);
  }
}

/** What became of equal scores where the model was chosen and judged. */
const tieWords: Readonly<Record<TieRule, string>> = {
  docno: 'equal scores by document id, descending (docno)',
  'docno-ascending': 'equal scores by document id, ascending (docno-ascending)',
  file: 'equal scores as they stand in the file (file)',
  rank: 'equal scores by their stated rank (rank)',
  quicksort: 'equal scores as the quicksort of ranx leaves them (quicksort)',
  optimistic: 'of equal scores the best grade first (optimistic)',
  pessimistic: 'of equal scores the worst grade first (pessimistic)',
  expected: 'the mean over all orders of equal scores (expected)',
};

function scoringWords({ scorer, trees, layers }: ModelSummary): string {
  if (trees !== undefined) {
    const span = ({ least, mean, most }: { least: number; mean: number; most: number }): string =>
      least === most ? `${least}` : `${least} to ${most} (mean ${mean.toFixed(1)})`;
    return `${trees.trees} ${trees.trees === 1 ? 'tree' : 'trees'}, leaves ${span(trees.leaves)}, depth ${span(trees.depth)}`;
  }
  return scorer === 'net' ? `a net of ${layers?.join(' - ')} units` : 'a weighted sum of the features';
}

function featureWords({ numFeatures, featureNames }: Model, { features }: ModelSummary): string {
  const named = featureNames === undefined ? '' : `: ${featureNames.slice(0, 8).join(', ')}${numFeatures > 8 ? ', …' : ''}`;
  return `${features.first} to ${features.last}, ${features.used} of ${numFeatures} used${named}`;
}

function missingWords({ missing, scorer }: Model): string {
  if (scorer.kind === 'trees' && scorer.zeroIsMissing) return 'missing values and zeros go the way that each split says';
  return Number.isNaN(missing) ? 'missing values go the way that each split says' : `missing values count as ${missing}`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
