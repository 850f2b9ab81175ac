import { InputError, type Problem } from '../../core/index.js';
import {
  fusionSettings,
  type GivenWeights,
  noteText,
  pairTestSettings,
  type RunsToFuse,
  type TunedRuns,
  tuningSettings,
  weightsInOrder,
} from '../../experiment/index.js';
import { formats } from '../../formats/index.js';
import { type FuseOptions, fusionMethods, planFusion, weightsFor } from '../../fusion/index.js';
import { gradusVersion, nodePlatform } from '../../node/index.js';
import { testFrom } from '../options/comparison.js';
import { columnOptions, columnsFrom, lenientOptions, ruleOptions } from '../options/judging.js';
import { digitsOption, formOptions, formProblems } from '../options/output-form.js';
import { standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command, Context } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { tableLook } from '../print/output.js';
import { ProgressMeter } from '../print/progress.js';
import { say } from '../print/say.js';

const fusionReportForms: readonly string[] = ['table', 'md', 'latex', 'json'];
/** Options that only mean something when weights are tuned. */
const tuningOptions = [
  'qrels',
  'folds',
  'train-topics',
  'search',
  'step',
  'test',
  'correction',
  'alpha',
  'seed',
  'resamples',
  'format',
  'json',
  'digits',
  'rel',
  'convention',
] as const;

const options = defineOptions([
  ...optionsFor(fusionSettings, 'method', 'norm', 'weights', 'k', 'p', 'gamma', 'sigma', 'absent', 'topics', 'ties', 'window', 'depth'),
  ...optionsFor(tuningSettings),
  ...optionsFor(pairTestSettings),
  {
    long: 'to',
    value: 'FORMAT',
    choices: ['trec', ...formats.flatMap(({ name, write }) => ('run' in write ? [name] : []))],
    help: 'the format of the fused run',
    defaultText: 'as the name of the file says, or TREC',
  },
  ...optionsFor(fusionSettings, 'name'),
  ...formOptions(fusionReportForms, { help: 'the form of the report of --tune' }),
  digitsOption,
  {
    long: 'output',
    short: 'o',
    value: 'FILE',
    help: 'write the fused run to this file, compressed if it ends in .gz; without it, standard output, or nothing with --tune',
    file: 'output',
  },
  ...ruleOptions,
  ...lenientOptions,
  ...columnOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** Fuses runs, and tunes weights on topics other than those they are tested on. */
export const fuseCommand: Command = defineCommand({
  name: 'fuse',
  summary: 'fuse several rankings into one, and tune the weights',
  description: [
    'Fuses runs: for each topic the documents that any run retrieved are ranked by a score made of all of them. Without options this is reciprocal rank fusion. Methods that look at scores make them comparable first (--norm).',
    `The methods, in which s is a normalised score, r a rank from 1, and n the number of runs that retrieved the document: ${fusionMethods.map(({ name, help }) => `${name}, ${help}`).join('; ')}.`,
    'A document that a run left out gets nothing from it (or its least score, --absent least); a topic that only some runs answer is fused from those (--topics union), and the notes say how many there were. Documents of equal score are ranked by id, descending, as trec_eval does, in the runs and in the result. The order of the runs does not matter. One run alone is normalised and written again.',
    'With --tune MEASURE and --qrels the weights are chosen on some topics and tested on others: on the training topics of --train-topics, or in turn on all but one of --folds parts. The report gives the value of every single run, of equal weights and of the tuned ones on both kinds of topics, and tests the difference to the best single run on topics that had no part in the choice. With --output the runs are fused with these weights; with folds each judged topic with those that the other parts chose, so that the result can be evaluated.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus fuse bm25.run neural.run -o fused.run', explains: 'reciprocal rank fusion, k = 60' },
    {
      command: 'gradus fuse bm25.run neural.run --method wsum --weights bm25=0.3,neural=0.7 | gradus eval qrels.txt -',
      explains: 'a weighted sum of min-max normalised scores, evaluated at once',
    },
    {
      command: 'gradus fuse *.run --method wsum --tune nDCG@10 --qrels qrels.txt --folds 5 -o tuned.run',
      explains: 'weights from four fifths of the topics, tested on the fifth, five times',
    },
  ],
  arguments: [{ name: 'RUN', help: 'what a system retrieved; several to be fused', repeatable: true, file: 'input' }],
  options,

  check(args) {
    const problems: Problem[] = standardInputProblems(args);
    if (args.has('tune')) {
      if (!args.has('qrels')) problems.push({ message: '--tune needs judgements', wayOut: 'name their file with --qrels' });
      if (args.has('weights')) problems.push({ message: '--tune and --weights contradict each other', wayOut: 'give one of them' });
      if (args.has('folds') && args.has('train-topics')) {
        problems.push({ message: '--folds and --train-topics contradict each other', wayOut: 'give one of them' });
      }
      if (args.positionals.length === 1) problems.push({ message: 'found 1 run, expected at least 2 to weigh against each other' });
    } else {
      const idle = tuningOptions.filter((option) => args.has(option));
      if (idle.length > 0) {
        problems.push({
          message: `${idle.map((option) => `--${option}`).join(', ')} without --tune`,
          wayOut: 'say what to tune for, such as --tune nDCG@10',
        });
      }
    }
    if (args.has('json') || args.has('format')) problems.push(...formProblems(args, fusionReportForms));
    if (problems.length > 0 || args.positionals.length === 0) return problems;
    return problems.concat(contradictions(args));
  },

  async run(args, context) {
    const { formatToWrite, saveRun } = await import('../on-demand/save-files.js');
    const output = args.value('output');
    const to = args.value('to');
    formatToWrite(output ?? '-', 'run', to, 'give --to FORMAT'); // rather now than after a long read
    const { fuseRuns, readRunsToFuse } = await import('../on-demand/fuse.js');
    const read = await readRunsToFuse(
      args.positionals.map(nodePlatform.source),
      { lenient: args.has('lenient'), ...columnsFrom(args) },
      args.has('tune'),
    );
    const { runs, names } = read;
    const readNotes = read.notes.map(noteText);
    if (!args.has('tune')) {
      const { given, options } = fusionFrom(args);
      const { run, numPartial } = fuseRuns(runs, { ...options, weights: given && weightsInOrder(given, names) });
      for (const note of [...readNotes, ...partialNote(numPartial, args)]) say(args, context, note);
      if (context.take !== undefined && output === undefined) context.take.run(run);
      else await saveRun(output ?? '-', run, { format: to });
      return 0;
    }
    const { tuned, comparison, notes } = await tune(args, context, read);
    const form = args.has('json') ? 'json' : (args.value('format') ?? 'table');
    const allNotes = [...readNotes, ...notes.map(noteText), ...partialNote(tuned.numPartial, args)];
    if (comparison === undefined) allNotes.push('fewer than 2 held-out topics have a value, too few for a test');
    if (form === 'json') for (const note of allNotes) say(args, context, note);
    if (output !== undefined) await saveRun(output, tuned.run, { format: to });
    // the report goes to standard output, unless the run is there
    const writer = output === '-' ? context.stderr : context.stdout;
    const { writeFusionReport } = await import('../print/fusion-report.js');
    writeFusionReport(form, { tuned, comparison, notes: allNotes }, writer, {
      digits: args.number('digits'),
      program: `Gradus ${gradusVersion()}`,
      look: tableLook(writer, context.environment),
    });
    return 0;
  },
});

function fusionFrom(args: Args): { readonly given: GivenWeights | undefined; readonly options: Omit<FuseOptions, 'weights'> } {
  const { weights, ...options } = settingsFrom(args, fusionSettings);
  return { given: weights, options };
}

/** What is wrong with the options together, before any file is read. */
function contradictions(args: Args): readonly Problem[] {
  try {
    const { given, options } = fusionFrom(args);
    const { method } = planFusion(options);
    if (args.has('tune')) {
      if (method.weights === 'none') return [{ message: `${method.name} knows no weights that could be tuned`, wayOut: 'use wsum' }];
    } else {
      const numRuns = args.positionals.length;
      // which runs the names mean is known once those are read
      weightsFor(method, given?.names === undefined ? given?.weights : Array.from({ length: numRuns }, () => 1), numRuns);
    }
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

function partialNote(numPartial: number, args: Args): string[] {
  if (numPartial === 0) return [];
  const fate = args.value('topics') === 'common' ? 'left out' : 'fused from those';
  return [`${numPartial === 1 ? '1 topic is' : `${numPartial} topics are`} answered by some runs only, ${fate}`];
}

async function tune(args: Args, context: Context, runs: RunsToFuse): Promise<TunedRuns> {
  const { tuneRuns } = await import('../on-demand/fuse.js');
  const { tune: measure, qrels, trainTopics, ...tuning } = settingsFrom(args, tuningSettings);
  const meter = new ProgressMeter(context.stderr, 'trying weights', args.has('quiet'));
  try {
    return await tuneRuns(
      runs,
      {
        ...fusionFrom(args).options,
        lenient: args.has('lenient'),
        convention: args.value('convention'),
        rel: args.number('rel'),
        ...tuning,
        measure: measure ?? '',
        judgements: nodePlatform.source(qrels ?? ''),
        trainTopics: trainTopics === undefined ? undefined : await topicList(trainTopics),
        seed: args.number('seed'),
        test: testFrom(args),
        onProgress: (tried, atMost) => meter.update(tried, atMost),
      },
      nodePlatform,
    );
  } finally {
    meter.clear();
  }
}

/** Topic ids, one to a line; empty lines do not count. */
async function topicList(path: string): Promise<string[]> {
  const { fileSource, readText } = await import('../on-demand/read-files.js');
  const topics = (await readText(fileSource(path)))
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wide = topics.find((topic) => /\s/.test(topic));
  if (wide !== undefined) {
    throw new InputError({ source: path, message: `expected one topic id to a line, found ${wide}`, wayOut: 'cut the other columns off' });
  }
  return topics;
}
