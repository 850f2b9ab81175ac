import type { Problem } from '../../core/index.js';
import {
  defaultMeasures,
  engineSettings,
  fingerprintOf,
  judgingSettings,
  leadingSystems,
  noteText,
  readerSettings,
  readingSettings,
  showingSettings,
} from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import { alignTables } from '../../stats/index.js';
import { engineOptions, engineProblems } from '../options/engine.js';
import { columnOptions, lenientOptions, measureOption, nameOptions, rankingOptions, threadsOptions } from '../options/judging.js';
import { latexFrom, latexOptions, latexProblems } from '../options/latex.js';
import { digitsOption, formAsked, formOptions, formProblems } from '../options/output-form.js';
import { nameProblems, sayNotes, scoreFiles, standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { outputOption, withOutput } from '../print/output.js';
import { scoreForms, writeScores } from '../print/scores.js';

const evalForms: readonly string[] = [...scoreForms, 'parquet'];

const evalDigits: typeof digitsOption = {
  ...digitsOption,
  max: 100,
  help: 'number of decimals',
  defaultText: '4 for people, all for csv, tsv, json and jsonl',
};

/** Scores runs, as a stream where the measures allow it. */
export const evalCommand: Command = defineCommand({
  name: 'eval',
  summary: 'score runs against judgements',
  description: [
    `Computes measures for each run and prints them. Without -m these are ${defaultMeasures.join(', ')}.`,
    'All judged topics are averaged; a topic that a run does not answer counts as an empty ranking, and a note on standard error says how many there were. --missing skip leaves such topics out, and --convention follows the rules of another tool.',
    'Files may be compressed with gzip, zstd or lz4; - is standard input. Every input problem is reported with its file and line; --lenient skips what cannot be read.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus eval qrels.txt run.txt', explains: 'the default measures of one run' },
    { command: "gradus eval qrels.txt bm25.run neural.run -m 'nDCG@10 AP(rel=2)' -f md", explains: 'two runs side by side, as Markdown' },
    { command: 'gradus eval qrels.txt runs/*.run --sort nDCG@10 --top 10', explains: 'the ten best of many, a row each' },
    { command: 'gradus eval qrels.txt run.txt -m ndcg_cut.5,10 -m official -q', explains: "trec_eval's names, topic by topic" },
    { command: 'gradus eval qrels.txt run.txt --json', explains: 'everything for a script, in full precision' },
    {
      command: 'zcat run.gz | gradus eval qrels.txt - --convention trec_eval@9.0.7',
      explains: 'a run from a pipe, by the rules of trec_eval 9.0.7',
    },
    {
      command: "gradus eval qrels.parquet 'run/*.parquet' --engine duckdb --memory-limit 2GB",
      explains: 'more rows than fit in memory',
    },
  ],
  arguments: [
    {
      name: 'QRELS',
      help: 'the judgements: a TREC qrels file, or JSON, JSONL, CSV, TSV or Parquet; or a learning-to-rank test file, with predictions for runs',
      file: 'input',
    },
    {
      name: 'RUN',
      help: 'what a system retrieved: a TREC run file, or JSON, JSONL, CSV, TSV or Parquet',
      repeatable: true,
      file: 'input',
    },
  ],
  options: [
    {
      ...measureOption(defaultMeasures.join(', ')),
      help: 'a measure, or several separated by blanks, such as nDCG@10 or "P(rel=2)@5 AP"; names of trec_eval, ir_measures, ranx and RankLib are understood (gradus measures lists them)',
    },
    { long: 'per-topic', short: 'q', help: 'also print the values of each topic' },
    { long: 'no-summary', short: 'n', help: 'leave the values over all topics out; makes sense with -q, and csv and tsv do so anyway' },
    ...formOptions(evalForms, {
      help: 'how the result is printed; trec is the layout of trec_eval, and parquet writes the values of each topic to the file that --output names',
    }),
    ...latexOptions,
    evalDigits,
    ...optionsFor(showingSettings, 'sort', 'top', 'transpose', 'wide'),
    ...rankingOptions,
    { long: 'all-topics', short: 'c', help: 'average over all judged topics, which is the default except under some conventions' },
    ...lenientOptions,
    ...optionsFor(readingSettings, 'groups'),
    ...optionsFor(readerSettings),
    ...threadsOptions,
    ...engineOptions,
    ...columnOptions,
    ...nameOptions,
    outputOption,
  ],

  check(args) {
    const problems: Problem[] = engineProblems(args, ['lenient', 'groups', 'known', 'expected', 'grades']);
    problems.push(...formProblems(args, evalForms), ...latexProblems(args, formAsked(args, evalForms)));
    if (args.has('all-topics') && args.value('missing') === 'skip') {
      problems.push({ message: '--all-topics and --missing skip contradict each other', wayOut: 'give one of them' });
    }
    if (args.has('no-summary') && !args.has('per-topic')) {
      problems.push({ message: '--no-summary without --per-topic leaves nothing to print', wayOut: 'add --per-topic' });
    }
    if (formAsked(args, evalForms) === 'parquet' && (args.value('output') ?? '-') === '-') {
      problems.push({ message: '--format parquet is not for terminals', wayOut: 'name a file with --output' });
    }
    const form = formAsked(args, evalForms);
    if (args.has('wide') && form !== 'csv' && form !== 'tsv') {
      problems.push({ message: '--wide is for csv and tsv', wayOut: 'add --format csv, or leave it out' });
    }
    if (args.has('transpose') && !['table', 'md', 'latex'].includes(form)) {
      problems.push({ message: `--transpose is for tables that people read, not for ${form}`, wayOut: 'leave it out' });
    }
    problems.push(...nameProblems(args, Math.max(0, args.positionals.length - 1)));
    problems.push(...standardInputProblems(args));
    return problems;
  },

  async run(args, context) {
    const [qrels, ...runs] = args.positionals;
    const scored = await scoreFiles(args, context, {
      judgements: qrels,
      runs,
      ...settingsFrom(args, judgingSettings),
      ...(args.has('all-topics') ? { missing: 'zero' } : {}),
      names: args.values('name'),
      groups: args.has('groups'),
      ...settingsFrom(args, readerSettings),
      ...settingsFrom(args, engineSettings),
    });
    sayNotes(args, context, scored.notes);
    if (context.take !== undefined && !args.has('output')) {
      context.take.scores(scored);
      return 0;
    }
    const form = formAsked(args, evalForms);
    const shownPlaces = leadingSystems(scored.tables, settingsFrom(args, showingSettings, 'sort', 'top'));
    const tables = shownPlaces.map((place) => scored.tables[place]);
    if (form === 'parquet') {
      const { saveParquetScores } = await import('../on-demand/save-files.js');
      await saveParquetScores(args.value('output') ?? '-', alignTables(tables));
      return 0;
    }
    const { plan, notes } = scored;
    const shown = {
      tables,
      files: shownPlaces.map((place) => runs[place]),
      qrels,
      convention: plan.convention.name,
      rules: plan.rules,
      notes: notes.map(noteText),
      fingerprint:
        form === 'json' && scored.qrels !== undefined
          ? await fingerprintOf(
              {
                judgements: scored.qrels,
                plan,
                runs: shownPlaces.map((place) => ({
                  name: scored.tables[place].systems[0],
                  source: nodePlatform.source(runs[place]),
                })),
              },
              nodePlatform,
            )
          : undefined,
      origins: shownPlaces.map((place) => scored.runs[place].origin),
      directions: plan.measures.map(({ def }) => def.direction),
      latex: latexFrom(args),
      perTopic: args.has('per-topic'),
      summary: !args.has('no-summary'),
      digits: args.number('digits'),
      exactDigits: args.has('digits') ? args.number('digits') : undefined,
      transpose: args.has('transpose'),
      wide: args.has('wide'),
    };
    await withOutput(args.value('output'), context, (writer) => writeScores(form, shown, writer, context.environment));
    return 0;
  },
});
