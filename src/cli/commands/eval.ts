import { type Problem, tieRules } from '../../core/index.js';
import { defaultMeasures, noteText } from '../../experiment/index.js';
import { alignTables } from '../../stats/index.js';
import { columnOptions } from '../options/columns.js';
import { engineOptions, engineProblems, engineSettings } from '../options/engine.js';
import { checkMeasure } from '../options/measure.js';
import { formAsked, formProblems } from '../options/output-form.js';
import {
  conventionOption,
  lenientOption,
  nameProblems,
  relOption,
  sayNotes,
  scoreFiles,
  standardInputProblems,
} from '../options/scoring.js';
import { threadsOption } from '../options/threads.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { outputOption, withOutput } from '../print/output.js';
import { scoreForms, writeScores } from '../print/scores.js';

const evalForms: readonly string[] = [...scoreForms, 'parquet'];

/** Scores runs, as a stream where the measures allow it. */
export const evalCommand: Command = defineCommand({
  name: 'eval',
  summary: 'score runs against judgements',
  description: [
    `Computes measures for each run and prints them. Without -m these are ${defaultMeasures.join(', ')}.`,
    'All judged topics are averaged; a topic that a run does not answer counts as an empty ranking, and a note on standard error says how many there were. --missing skip leaves such topics out, and --convention follows the rules of another tool.',
    'Files may be compressed with gzip or zstd; - is standard input. Every problem of the input is reported with file and line; --lenient skips what cannot be read.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus eval qrels.txt run.txt', explains: 'the default measures of one run' },
    { command: "gradus eval qrels.txt bm25.run neural.run -m 'nDCG@10 AP(rel=2)' -f md", explains: 'two runs side by side, as Markdown' },
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
      long: 'measure',
      short: 'm',
      value: 'MEASURE',
      repeatable: true,
      help: 'a measure, or several separated by blanks, such as nDCG@10 or "P(rel=2)@5 AP"; names of trec_eval, ir_measures, ranx and RankLib are understood (gradus measures lists them)',
      complete: 'measure',
      check: checkMeasure,
    },
    { long: 'per-topic', short: 'q', help: 'also print the values of each topic' },
    { long: 'no-summary', short: 'n', help: 'leave the values over all topics out; makes sense with -q' },
    {
      long: 'format',
      short: 'f',
      value: 'FORM',
      choices: evalForms,
      help: `how the result is printed: ${scoreForms.join(', ')}; an aligned table if not given. trec is the layout of trec_eval. parquet writes the values of each topic to the file that --output names`,
    },
    { long: 'json', help: 'the same as --format json' },
    {
      long: 'digits',
      short: 'p',
      value: 'N',
      integer: { min: 0, max: 100 },
      help: 'decimals that are printed, 4 if not given; json and jsonl print all',
    },
    relOption,
    { long: 'depth', short: 'M', value: 'N', integer: { min: 1 }, help: 'look only at the first N documents of each ranking' },
    { long: 'judged-only', short: 'J', help: 'take documents without a judgement out of the rankings first' },
    {
      long: 'ties',
      value: 'ORDER',
      choices: tieRules,
      help: 'what becomes of equal scores: ordered by document id, descending (docno, the default) or ascending (docno-ascending), as in the file (file), by the rank that the file states (rank), with the best (optimistic) or the worst (pessimistic) grade first, or the mean over all orders (expected)',
    },
    { long: 'all-topics', short: 'c', help: 'average over all judged topics, which is the default except under some conventions' },
    {
      long: 'missing',
      value: 'RULE',
      choices: ['zero', 'skip'],
      help: 'a judged topic that the run does not answer counts as an empty ranking (zero, the default) or is left out (skip)',
    },
    conventionOption,
    lenientOption,
    { long: 'groups', help: "keep the second column of the judgements, for measures such as AP(groups='mean')" },
    {
      long: 'known',
      value: 'FILE',
      help: 'documents that the reader of each topic knows already, for Coverage and Novelty: judgements whose second column is the reader',
      file: 'input',
    },
    {
      long: 'expected',
      value: 'FILE',
      help: 'how many relevant documents the reader of each topic expects, for RelativeRecall and RecallEffort: lines of a topic and a number',
      file: 'input',
    },
    threadsOption,
    ...engineOptions,
    ...columnOptions,
    {
      long: 'name',
      value: 'NAME',
      repeatable: true,
      help: 'what a run is called in the output, one for each run in order; its tag if not given',
    },
    outputOption,
  ],

  check(args) {
    const problems: Problem[] = engineProblems(args, ['lenient', 'groups', 'known', 'expected']);
    problems.push(...formProblems(args, evalForms));
    if (args.has('all-topics') && args.value('missing') === 'skip') {
      problems.push({ message: '--all-topics and --missing skip contradict each other', wayOut: 'give one of them' });
    }
    if (args.has('no-summary') && !args.has('per-topic')) {
      problems.push({ message: '--no-summary without --per-topic leaves nothing to print', wayOut: 'add --per-topic' });
    }
    if (formAsked(args, evalForms) === 'parquet' && (args.value('output') ?? '-') === '-') {
      problems.push({ message: '--format parquet is not for terminals', wayOut: 'name a file with --output' });
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
      names: args.values('name'),
      ties: args.value('ties'),
      depth: args.number('depth'),
      judgedOnly: args.has('judged-only'),
      missing: args.has('all-topics') ? 'zero' : args.value('missing'),
      groups: args.has('groups'),
      known: args.value('known'),
      expected: args.value('expected'),
      ...engineSettings(args),
    });
    sayNotes(args, context, scored.notes);
    const form = formAsked(args, evalForms);
    if (form === 'parquet') {
      const { saveParquetScores } = await import('../on-demand/save-files.js');
      await saveParquetScores(args.value('output') ?? '-', alignTables(scored.tables));
      return 0;
    }
    const { plan, tables, notes } = scored;
    const shown = {
      tables,
      files: runs,
      qrels,
      convention: plan.convention.name,
      rules: plan.rules,
      notes: notes.map(noteText),
      origins: scored.runs.map(({ origin }) => origin),
      perTopic: args.has('per-topic'),
      summary: !args.has('no-summary'),
      digits: args.number('digits') ?? 4,
    };
    await withOutput(args.value('output'), context, (writer) => writeScores(form, shown, writer, context.environment));
    return 0;
  },
});
