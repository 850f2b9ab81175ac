import type { Problem } from '../../core/index.js';
import { type ChosenRanker, featureSettings, nestedSearchSettings, type TunedRankers, trainingSettings } from '../../experiment/index.js';
import { loadLearner } from '../../ltr/index.js';
import { listenForInterrupt, writeOutputFile } from '../../node/index.js';
import { formAsked, formProblems, numberText } from '../options/output-form.js';
import { writeAnswer } from '../options/question.js';
import { optionName, optionsFor, settingsFrom } from '../options/settings.js';
import { dataNames, dataOptions, firstFeatureOptions, resultForms, resultOptions } from '../options/training.js';
import type { ArgumentsOf, Command, Context } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { ProgressMeter } from '../print/progress.js';
import { say } from '../print/say.js';
import { verdictGrid } from '../print/verdict.js';

const judgedBy = ['objective', 'metric', 'normalisation', 'seed', 'rel', 'convention', 'threads'] as const;

const options = defineOptions([
  ...optionsFor(nestedSearchSettings),
  { long: 'state', value: 'FILE', help: 'keep what is known there, and go on from it if it is there already', file: 'output' },
  ...optionsFor(trainingSettings, ...judgedBy),
  ...dataOptions,
  ...firstFeatureOptions,
  ...resultOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** Searches learners and their options. */
export const tuneCommand: Command = defineCommand({
  name: 'tune',
  summary: 'find the learner and the options that rank best, and say what that is worth',
  description: [
    'Searches learners and their options together by nested cross-validation. The queries are cut into folds at random. On the training part of each fold the candidates are tried by inner folds: all of them on few queries, the best third on three times as many, until the last are trained on all; of each learner the best stays in. What was chosen is trained on the whole training part and tested once on the fold, which the choice has never seen.',
    'The answer names the ranker that is ahead over all queries, how far the others are behind with intervals and Holm-corrected p-values, which simpler ones cannot be told apart from it (fewer numbers in the model: weights, or leaves of all trees), and the command that trains it on all data. The defaults of each learner are always among the candidates.',
    'The same seed gives the same answer for any number of threads. With --state a search that was ended goes on where it was.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus tune --train all.txt', explains: 'linear models, coordinate ascent and LambdaMART on all cores' },
    {
      command: 'gradus tune --train all.txt --learners lambdamart,ranksvm --grid lambdamart:leaves=4,8,16 --budget 12 --state search.json',
      explains: 'two learners, own values for one option, and a file to go on from',
    },
  ],
  arguments: [],
  options,
  check: (args) => tuneProblems(args),
  run: tuneFiles,
});

function tuneProblems(args: Args): readonly Problem[] {
  const problems: Problem[] = [];
  if (!args.has('train')) problems.push({ message: '--train FILE is missing', wayOut: 'name the documents to learn from' });
  problems.push(...formProblems(args, resultForms));
  return problems;
}

async function tuneFiles(args: Args, context: Context): Promise<number> {
  const statePath = args.value('state');
  const meter = new ProgressMeter(context.stderr, 'searching', args.has('quiet'));
  const interrupt = listenForInterrupt(() => meter.clear());
  const { nodePlatform, tune } = await import('../on-demand/train.js');
  const work = tune(
    {
      ...settingsFrom(args, nestedSearchSettings),
      ...settingsFrom(args, trainingSettings, ...judgedBy),
      ...settingsFrom(args, featureSettings, ...dataNames, 'firstFeature'),
      spelling: optionName,
      state: statePath,
      signal: interrupt.signal,
      onNote: (note) => say(args, context, note),
      onProgress: (done, total) => meter.update(done, total),
      onState: async (text) => {
        if (statePath !== undefined) await writeOutputFile(statePath, (writer) => writer.write(text));
      },
    },
    nodePlatform,
  );
  const tuned = await work.finally(() => {
    meter.clear();
    interrupt.close();
  });
  if (tuned === undefined) {
    say(
      args,
      context,
      statePath === undefined ? 'interrupted; nothing was kept' : `interrupted; the same command goes on from ${statePath}`,
    );
    return interrupt.status;
  }
  const next = await commandsOf(args, tuned);
  const grid = verdictGrid(tuned.verdict, numberText(args, formAsked(args, resultForms)), {
    title: 'options on all data',
    of: (wanted) => optionsText(tuned.rankers.find(({ name }) => name === wanted)?.final),
  });
  await writeAnswer(args, context, { json: { ...tuned, ...next }, grids: [grid], words: wordsOf(args, tuned, next) });
  return 0;
}

interface NextCommands {
  /** Trains what is ahead. */
  readonly next: string;
  /** Trains the simplest ranker that cannot be told apart from it; null if there is none. */
  readonly simplest: string | null;
}

async function commandsOf(args: Args, { verdict, rankers }: TunedRankers): Promise<NextCommands> {
  const finalOf = (wanted: string): ChosenRanker | undefined => rankers.find(({ name }) => name === wanted)?.final;
  const [ahead] = verdict.rankers;
  const [simplest] = verdict.simpler;
  return {
    next: await trainCommandFor(args, finalOf(ahead.name)),
    simplest: simplest === undefined ? null : await trainCommandFor(args, finalOf(simplest)),
  };
}

/** The command that trains this ranker on all data, by the rules of the search. */
async function trainCommandFor(args: Args, ranker: ChosenRanker | undefined): Promise<string> {
  if (ranker === undefined) throw new Error('a ranker has no options');
  const { objectives } = await loadLearner(ranker.learner);
  const words = ['gradus', 'train', ranker.learner];
  for (const [name, value] of Object.entries(ranker.options)) words.push(`--${optionName(name)}`, String(value));
  // what it was judged by is reported, because there is nothing to watch it on; a loss of its own follows no objective
  const reported = args.value('metric') ?? (objectives === 'own' ? args.value('objective') : undefined);
  const passedOn: string[] = [
    'train',
    'normalise',
    'seed',
    'rel',
    'convention',
    ...[...dataOptions, ...firstFeatureOptions].map(({ long }) => long),
  ];
  if (objectives !== 'own') passedOn.push('objective');
  for (const { long, value } of options) {
    if (!passedOn.includes(long)) continue;
    for (const given of args.given.get(long) ?? []) words.push(`--${long}`, ...(value === undefined ? [] : [given]));
  }
  if (reported !== undefined) words.push('--measure', reported);
  words.push('--model', 'model.json');
  return words.map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

function optionsText(ranker: ChosenRanker | undefined): string {
  const given = Object.entries(ranker?.options ?? {}).map(([name, value]) => `--${optionName(name)} ${value}`);
  return given.length === 0 ? 'defaults' : given.join(' ');
}

/** The statement that the search ends in. */
function wordsOf(args: Args, { verdict, procedure, folds, inner, tried }: TunedRankers, { next, simplest }: NextCommands): string[] {
  const digits = args.number('digits');
  const shown = (value: number): string => value.toFixed(digits);
  const [ahead, ...others] = verdict.rankers;
  const { low, high } = ahead.interval;
  const words = [
    `${ahead.name} is ahead: ${verdict.measure} ${shown(ahead.mean)}, 95% interval [${shown(low)}, ${shown(high)}] over ${verdict.queries} queries that its training never saw.`,
  ];
  const apart = others.filter(({ against }) => against?.toldApart === true);
  if (others.length > 0) {
    const behind = apart.map(
      ({ name, against }) => `${name} (${shown(against?.difference ?? 0)}, p = ${shown(against?.correctedPValue ?? 1)})`,
    );
    words.push(apart.length === 0 ? 'Nothing else can be told apart from it.' : `Behind it beyond chance: ${behind.join(', ')}.`);
  }
  const simpler = others.filter(({ name }) => verdict.simpler.includes(name)).sort((a, b) => a.size - b.size);
  const faster = others.filter(
    ({ against, seconds, name }) => !against?.toldApart && seconds < ahead.seconds && !verdict.simpler.includes(name),
  );
  const listed = (some: typeof others): string =>
    some.map(({ name, size, seconds }) => `${name} (${size} numbers, ${seconds.toFixed(2)} s)`).join(', ');
  const own = `${ahead.size} numbers, ${ahead.seconds.toFixed(2)} s`;
  if (simpler.length > 0) words.push(`Simpler, and not told apart from it (${own}): ${listed(simpler)}.`);
  if (faster.length > 0) words.push(`Faster, and not told apart from it: ${listed(faster)}.`);
  if (simpler.length + faster.length === 0 && others.length > apart.length)
    words.push(`Nothing that is not told apart from it is simpler or faster (${own}).`);
  words.push(
    `${tried} candidates were tried in each of ${folds} folds, by ${inner} inner folds. Of equally good rankers the best of ${verdict.rankers.length} would be ahead of their average by ${shown(verdict.luck)} by luck alone.`,
    `The choice of each fold, tested on that fold, is worth ${shown(procedure.mean)}: ${countsOf(procedure.choices.map(({ learner }) => learner))}.`,
    `Next: ${next}`,
  );
  if (simplest !== null) words.push(`Or the simplest: ${simplest}`);
  return words;
}

function countsOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} in ${count} of ${names.length} folds`).join(', ');
}
