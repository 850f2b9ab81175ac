import { formatFixed, InputError, jsonText, type Problem, type Run, type ScoreTable } from '../../core/index.js';
import { canonicalName, readingNotes, readingSettings } from '../../experiment/index.js';
import { ChosenColumns, holdsScores, type OpenedSource, openSource, readRun, readScores } from '../../formats/index.js';
import { parseMeasure } from '../../measures/index.js';
import { fileSource } from '../../node/index.js';
import {
  type AgreementOptions,
  type ListsAgreement,
  listsAgreement,
  type ResultList,
  type ScoreAgreement,
  scoreAgreement,
} from '../../stats/index.js';
import { askedMeasures, columnsOption, measureOption } from '../options/judging.js';
import { digitsOption, formAsked, formOptions, formProblems } from '../options/output-form.js';
import { sayNotes } from '../options/scoring.js';
import { settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command, Context } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { type Grid, type GridForm, outputOption, withOutput, writeGrid } from '../print/output.js';
import { say } from '../print/say.js';

const forms: readonly string[] = ['table', 'tsv', 'csv', 'md', 'latex', 'json'];

const options = defineOptions([
  measureOption('every measure that both files of scores have'),
  {
    long: 'p',
    value: 'P',
    type: 'number',
    min: 0,
    max: 1,
    exclusive: true,
    default: 0.9,
    help: 'persistence of rank-biased overlap',
  },
  {
    long: 'ties',
    value: 'TREATMENT',
    choices: ['w', 'a', 'b'],
    choiceTexts: { w: 'they share the best place', a: 'their order is unknown', b: 'it is unknown and lacks information' },
    default: 'a',
    help: 'what equal scores mean for rank-biased overlap',
  },
  { long: 'cutoff', short: 'k', value: 'K', type: 'integer', min: 1, default: 10, help: 'how deep the overlap looks' },
  { long: 'per-topic', short: 'q', help: 'with runs: also print the values of each topic' },
  ...formOptions(forms),
  digitsOption,
  { long: 'lenient', help: 'skip lines of runs that cannot be read, instead of stopping' },
  ...columnsOption,
  outputOption,
]);
type Args = ArgumentsOf<typeof options>;

/** Asks how far two files agree; whether they hold scores or runs is recognised by content. */
export const correlateCommand: Command = defineCommand({
  name: 'correlate',
  summary: 'say how far two rankings agree: of systems, or of documents',
  description: [
    'With two files of scores it compares how they rank the systems that both have, by their means over topics, the best first: Kendall tau-a and tau-b, tau AP (the first file is the truth) and its versions for ties, Spearman, Pearson, the root of the mean squared error, rank-biased overlap and overlap@k. A coefficient that is not defined, because of ties or because all values are equal, is shown as a dash.',
    'With two runs it compares the lists of documents topic by topic: rank-biased overlap with its bounds, overlap@k, and tau-b of the documents that both retrieved; -q shows the topics.',
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
    const inputs: Inputs = [await openSource(fileSource(first)), await openSource(fileSource(second))];
    const areScores = [await holdsScores(inputs[0]), await holdsScores(inputs[1])];
    if (areScores[0] !== areScores[1]) {
      throw new InputError({
        message: `${areScores[0] ? first : second} holds scores and ${areScores[0] ? second : first} does not`,
        wayOut: 'compare two files of scores or two runs',
      });
    }
    const options: AgreementOptions = {
      p: args.number('p'),
      ties: args.value('ties'),
      cutoff: args.number('cutoff'),
    };
    if (areScores[0]) await correlateScores(args, context, inputs, options);
    else await correlateRuns(args, context, inputs, options);
    return 0;
  },
});

type Inputs = readonly [OpenedSource, OpenedSource];

async function correlateScores(args: Args, context: Context, inputs: Inputs, options: AgreementOptions): Promise<void> {
  const asked = args.has('measure') ? askedMeasures({ measures: args.values('measure') }, []).map(({ text }) => text) : undefined;
  const naming = { measure: asked?.length === 1 ? asked[0] : undefined };
  const [pathA, pathB] = args.positionals;
  const a = await readScores(inputs[0], naming);
  const b = await readScores(inputs[1], naming);
  const systems = a.systems.filter((system) => b.systems.includes(system));
  const alone = a.systems.length + b.systems.length - 2 * systems.length;
  if (alone > 0) say(args, context, `${alone === 1 ? '1 system is' : `${alone} systems are`} in one of the files only and left out`);
  if (systems.length < 2) {
    throw new InputError({
      message: `the files have ${systems.length} systems in common, expected at least 2`,
      wayOut: 'systems are matched by name',
    });
  }
  if (a.topics.join('\n') !== b.topics.join('\n'))
    say(args, context, 'the files are over different topics; means are over those of each file');
  const results = measurePairs(a, b, asked).map(([label, measureA, measureB]): MeasureAgreement => {
    // the best system comes first, also where less is better
    const [signA, signB] = [signOf(a.measures[measureA]), signOf(b.measures[measureB])];
    const first = meansOf(a, measureA, systems, pathA).map((mean) => signA * mean);
    const second = meansOf(b, measureB, systems, pathB).map((mean) => signB * mean);
    const agreement = scoreAgreement(systems, first, second, options);
    // a distance means nothing between what is better large and what is better small
    return { measure: label, ...agreement, rmse: signA === signB ? agreement.rmse : null };
  });
  const form = formAsked(args, forms);
  await withOutput(args.value('output'), context, (writer) => {
    if (form === 'json') writer.write(`${jsonText({ p: options.p ?? 0.9, cutoff: options.cutoff ?? 10, systems, results }, 2)}\n`);
    else writeGrid(form as GridForm, scoreGrid(results, options, args.number('digits')), writer, context.environment);
  });
}

type MeasureAgreement = Omit<ScoreAgreement, 'rmse'> & { readonly measure: string; readonly rmse: number | null };

/** -1 for a measure of which less is better. */
function signOf(measure: string): 1 | -1 {
  try {
    return parseMeasure(measure).def.direction === 'lower' ? -1 : 1;
  } catch (error) {
    if (error instanceof InputError) return 1; // a name that is no measure of ours
    throw error;
  }
}

/** Measures that both files have; if there is but one in each, these two, whatever they are called. */
function measurePairs(a: ScoreTable, b: ScoreTable, asked: readonly string[] | undefined): [label: string, a: number, b: number][] {
  const namesB = b.measures.map(canonicalName);
  const pairs = a.measures.flatMap((name, m): [string, number, number][] => {
    const canonical = canonicalName(name);
    const other = namesB.indexOf(canonical);
    return other < 0 || (asked !== undefined && !asked.includes(canonical)) ? [] : [[canonical, m, other]];
  });
  if (pairs.length > 0) return pairs;
  if (asked === undefined && a.measures.length === 1 && b.measures.length === 1) return [[`${a.measures[0]} ~ ${b.measures[0]}`, 0, 0]];
  throw new InputError({
    message: `found no measure to compare by: the first file has ${a.measures.join(', ')}, the second ${b.measures.join(', ')}`,
    wayOut: 'score both with the same measure, or give files with one measure each',
  });
}

function meansOf(table: ScoreTable, measure: number, systems: readonly string[], path: string): number[] {
  return systems.map((system) => {
    const values = table.column(measure, system);
    const lacking = values.findIndex(Number.isNaN);
    if (lacking >= 0) {
      throw new InputError({
        source: path,
        message: `${system} has no value of ${table.measures[measure]} for topic ${table.topics[lacking]}, so its mean is over other topics than those of the others`,
        wayOut: 'give it a value, or leave the topic out for all systems',
      });
    }
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}

function shown(value: number | null, digits: number): string {
  return value === null ? '-' : formatFixed(value, digits);
}

function scoreGrid(results: readonly MeasureAgreement[], options: AgreementOptions, digits: number): Grid {
  const rows: [string, (result: MeasureAgreement) => number | null][] = [
    ['Kendall tau-a', ({ tauA }) => tauA],
    ['Kendall tau-b', ({ tauB }) => tauB],
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
      for (const [name, value] of rows) yield [name, ...results.map((result) => shown(value(result), digits))];
    },
  };
}

async function correlateRuns(args: Args, context: Context, inputs: Inputs, options: AgreementOptions): Promise<void> {
  if (args.has('measure')) {
    throw new InputError({ message: '-m has no meaning for two runs', wayOut: 'leave it out, or give two files of scores' });
  }
  const [pathA, pathB] = args.positionals;
  const lenient = args.has('lenient');
  const chosen = new ChosenColumns(settingsFrom(args, readingSettings, 'columns'));
  const readings = [await readRun(inputs[0], { lenient, ...chosen.of('run') }), await readRun(inputs[1], { lenient, ...chosen.of('run') })];
  chosen.refuseUnused();
  for (const [i, path] of [pathA, pathB].entries()) sayNotes(args, context, readingNotes(path, readings[i]));
  const [first, second] = readings.map(({ run }) => run);
  const agreement = listsAgreement(listsOf(first), listsOf(second), options);
  for (const [path, alone] of [
    [pathA, agreement.onlyFirst],
    [pathB, agreement.onlySecond],
  ] as const) {
    if (alone.length > 0)
      say(args, context, `${alone.length === 1 ? '1 topic is' : `${alone.length} topics are`} in ${path} only and left out`);
  }
  const form = formAsked(args, forms);
  const { topics, ...summary } = agreement;
  const perTopic = args.has('per-topic');
  await withOutput(args.value('output'), context, (writer) => {
    if (form === 'json') {
      const settings = { p: options.p ?? 0.9, ties: options.ties, cutoff: options.cutoff ?? 10, topics: topics.length };
      writer.write(`${jsonText({ ...settings, ...summary, ...(perTopic ? { perTopic: topics } : {}) }, 2)}\n`);
    } else writeGrid(form as GridForm, listGrid(agreement, options, perTopic, args.number('digits')), writer, context.environment);
  });
}

function listsOf(run: Run): Map<string, ResultList> {
  const lists = new Map<string, ResultList>();
  for (let topic = 0; topic < run.topics.size; topic++) {
    const [start, end] = [run.offsets[topic], run.offsets[topic + 1]];
    if (start === end) continue;
    const ids = Array.from(run.docOf.subarray(start, end), (doc) => run.docs.text(doc));
    lists.set(run.topics.text(topic), { ids, scores: run.scores.subarray(start, end) });
  }
  return lists;
}

function listGrid(agreement: ListsAgreement, options: AgreementOptions, perTopic: boolean, digits: number): Grid {
  const names = ['RBO ext', 'RBO min', 'RBO max', 'RBO residual', `overlap@${options.cutoff ?? 10}`, 'shared', 'tau-b'];
  return {
    columns: [{ name: 'topic' }, ...names.map((name) => ({ name, numeric: true }))],
    *rows() {
      const { topics, mean } = agreement;
      for (const { topic, rbo, overlap, shared, tauB } of perTopic ? topics : []) {
        const values = [rbo.ext, rbo.min, rbo.max, rbo.res, overlap].map((value) => shown(value, digits));
        yield [topic, ...values, String(shared), shown(tauB, digits)];
      }
      const shared = topics.reduce((sum, topic) => sum + topic.shared, 0) / topics.length;
      const values = [mean.rbo.ext, mean.rbo.min, mean.rbo.max, mean.rbo.res, mean.overlap].map((value) => shown(value, digits));
      yield [`mean of ${topics.length}`, ...values, formatFixed(shared, 1), shown(mean.tauB, digits)];
    },
  };
}
