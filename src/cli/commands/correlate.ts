import { formatFixed, jsonText, type Problem } from '../../core/index.js';
import { type Correlation, correlateSources, correlationSettings, fingerprintOf, type MeasureAgreement } from '../../experiment/index.js';
import { fileSource, nodePlatform } from '../../node/index.js';
import type { AgreementOptions, ListAgreement, ListsAgreement } from '../../stats/index.js';
import { askedMeasures } from '../options/judging.js';
import { digitsOption, formAsked, formOptions, formProblems, numberText } from '../options/output-form.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { type Grid, type GridForm, outputOption, withOutput, writeGrid } from '../print/output.js';
import { say } from '../print/say.js';

const forms: readonly string[] = ['table', 'tsv', 'csv', 'md', 'latex', 'json'];

const options = defineOptions([
  ...optionsFor(correlationSettings, 'measures', 'p', 'ties', 'cutoff', 'unlisted'),
  { long: 'per-topic', short: 'q', help: 'with runs: also print the values of each topic' },
  ...formOptions(forms),
  digitsOption,
  ...optionsFor(correlationSettings, 'lenient', 'columns', 'run', 'subset', 'judges', 'topic'),
  outputOption,
]);
type Args = ArgumentsOf<typeof options>;

/** Asks how far two files agree; whether they hold scores or runs is recognised by content. */
export const correlateCommand: Command = defineCommand({
  name: 'correlate',
  summary: 'measure how well two rankings of systems or documents agree',
  description: [
    'With two files of scores it compares how they rank the systems that both have, by their means over topics, the best first: Kendall tau-a, tau-b and tau-c, tau AP (the first file is the truth) and its versions for ties, Spearman, Pearson, the root of the mean squared error, rank-biased overlap and overlap@k. A coefficient that is not defined, because of ties or because all values are equal, is shown as a dash.',
    'With two runs it compares the lists of documents topic by topic: Spearman, Kendall tau-a, tau-b and tau-c, tau AP (the first run is the truth), rank-biased overlap with its bounds, and overlap@k; -q shows the topics. The coefficients are of the documents that both list; with --unlisted last those that only one lists stand behind the end of the other list, all of them tied. Rank-biased overlap and overlap@k are made for lists of different documents and take them as they are. A mean is over the topics that have a value.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus correlate old-judgements.csv new-judgements.csv', explains: 'do two sets of scores rank the systems alike?' },
    { command: 'gradus correlate bm25.run neural.run --p 0.95 -q', explains: 'how alike are two result lists, topic by topic?' },
    { command: 'gradus correlate a.run b.run --json', explains: 'everything for a script' },
  ],
  arguments: [
    {
      name: 'A',
      help: 'a run, or scores: a CSV with a row per topic and a column per system, or what gradus eval printed',
      file: 'input',
    },
    { name: 'B', help: 'the other, of the same kind', file: 'input' },
  ],
  options,

  check(args) {
    const problems: Problem[] = [];
    if (args.positionals[0] === '-' && args.positionals[1] === '-') {
      problems.push({ message: '- was given twice', wayOut: 'standard input can be read only once' });
    }
    problems.push(...formProblems(args, forms));
    return problems;
  },

  async run(args, context) {
    const [first, second] = args.positionals;
    const options: AgreementOptions = {
      p: args.number('p'),
      ties: args.value('ties'),
      cutoff: args.number('cutoff'),
      unlisted: args.value('unlisted'),
    };
    const { measures, ...settings } = settingsFrom(args, correlationSettings);
    const found = await correlateSources(fileSource(first), fileSource(second), {
      ...settings,
      measures: measures && askedMeasures({ measures }, []).map(({ text }) => text),
    });
    for (const note of found.notes) say(args, context, note);
    const form = formAsked(args, forms);
    const files = [first, second].map((name) => ({ name, source: fileSource(name) }));
    const fingerprint =
      form === 'json' ? await fingerprintOf(found.of === 'scores' ? { scores: files } : { runs: files }, nodePlatform) : undefined;
    await withOutput(args.value('output'), context, (writer) => {
      if (form === 'json') writer.write(`${jsonText({ fingerprint, ...resultOf(found, options, args.has('per-topic')) }, 2)}\n`);
      else writeGrid(form as GridForm, gridOf(found, options, args), writer, context.environment);
    });
    return 0;
  },
});

/** What a program gets. */
function resultOf(found: Correlation, { p = 0.9, ties, cutoff = 10, unlisted }: AgreementOptions, perTopic: boolean): object {
  if (found.of === 'scores') return { p, cutoff, systems: found.systems, results: found.results };
  const { topics, ...summary } = found.agreement;
  return { p, ties, cutoff, unlisted, topics: topics.length, ...summary, ...(perTopic ? { perTopic: topics } : {}) };
}

/** What a person gets. */
function gridOf(found: Correlation, options: AgreementOptions, args: Args): Grid {
  const form = formAsked(args, forms);
  const text = numberText(args, form);
  const shown = (value: number | null): string => (value === null ? '-' : text(value));
  if (found.of === 'scores') return scoreGrid(found.results, options, shown);
  // programs compute means themselves, and would take the row for a topic
  const withMean = !args.has('per-topic') || (form !== 'csv' && form !== 'tsv');
  return listGrid(found.agreement, options, { perTopic: args.has('per-topic'), withMean, shown });
}

type Shown = (value: number | null) => string;

function scoreGrid(results: readonly MeasureAgreement[], options: AgreementOptions, shown: Shown): Grid {
  const rows: [string, (result: MeasureAgreement) => number | null][] = [
    ['Kendall tau-a', ({ tauA }) => tauA],
    ['Kendall tau-b', ({ tauB }) => tauB],
    ['Kendall tau-c', ({ tauC }) => tauC],
    ['tau AP', ({ tauAp }) => tauAp],
    ['tau AP, ties a', ({ tauApA }) => tauApA],
    ['tau AP, ties b', ({ tauApB }) => tauApB],
    ['Spearman rho', ({ spearman }) => spearman],
    ['Pearson r', ({ pearson }) => pearson],
    ['RMSE', ({ rmse }) => rmse],
    [`RBO ext (p=${options.p ?? 0.9})`, ({ rbo }) => rbo.ext],
    ['RBO min', ({ rbo }) => rbo.min],
    ['RBO max', ({ rbo }) => rbo.max],
    ['RBO residual', ({ rbo }) => rbo.res],
    [`overlap@${Math.min(options.cutoff ?? 10, results[0].items)}`, ({ overlap }) => overlap],
  ];
  return {
    columns: [{ name: `${results[0].items} systems` }, ...results.map(({ measure }) => ({ name: measure, numeric: true }))],
    *rows() {
      for (const [name, value] of rows) yield [name, ...results.map((result) => shown(value(result)))];
    },
  };
}

function listGrid(
  agreement: ListsAgreement,
  options: AgreementOptions,
  { perTopic, withMean, shown }: { readonly perTopic: boolean; readonly withMean: boolean; readonly shown: Shown },
): Grid {
  const names = [
    'Spearman',
    'tau-a',
    'tau-b',
    'tau-c',
    'tau AP',
    'RBO ext',
    'RBO min',
    'RBO max',
    'RBO residual',
    `overlap@${options.cutoff ?? 10}`,
  ];
  const valuesOf = ({ spearman, tauA, tauB, tauC, tauAp, rbo, overlap }: ListsAgreement['mean']): string[] =>
    [spearman, tauA, tauB, tauC, tauAp, rbo.ext, rbo.min, rbo.max, rbo.res, overlap].map(shown);
  return {
    columns: [{ name: 'topic' }, ...[...names, 'shared', 'only A', 'only B'].map((name) => ({ name, numeric: true }))],
    *rows() {
      const { topics, mean } = agreement;
      const counts = ({ shared, onlyFirst, onlySecond }: ListAgreement): number[] => [shared, onlyFirst, onlySecond];
      for (const one of perTopic ? topics : []) yield [one.topic, ...valuesOf(one), ...counts(one).map(String)];
      if (!withMean) return;
      const meanCount = (i: number): string => formatFixed(topics.reduce((sum, one) => sum + counts(one)[i], 0) / topics.length, 1);
      yield [`mean of ${topics.length}`, ...valuesOf(mean), ...[0, 1, 2].map(meanCount)];
    },
  };
}
