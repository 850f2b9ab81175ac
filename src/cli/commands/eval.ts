import { judgingRulesOf } from '../../conventions/convention.js';
import { refuseGradeFacts, refuseJudgements } from '../../conventions/measures-of-tools.js';
import { conventionNames, findConvention, gradusConvention } from '../../conventions/registry.js';
import { type JudgingRules, tieRules } from '../../core/judging-rules.js';
import { type Problem, printable } from '../../core/problem.js';
import { evaluateFiles } from '../../node/evaluate-files.js';
import { columnsOf } from '../columns-option.js';
import type { Command } from '../command.js';
import { engineNotes, engineOptions, engineProblems, evaluateByEngine, ownEngine } from '../engine-eval.js';
import { judgingRulesAsked } from '../judging-options.js';
import { checkMeasure, defaultMeasures, measuresUnder } from '../measure-arguments.js';
import { outputOption, withOutput } from '../output.js';
import { formAsked, formProblems } from '../output-form.js';
import { ProgressMeter } from '../progress.js';
import { type Evaluation, namedTable, scoreForms, writeScores } from '../score-output.js';
import { scoringNotes } from '../scoring-notes.js';
import { threadsOption } from '../threads-option.js';

const evalForms: readonly string[] = [...scoreForms, 'parquet'];

export const evalCommand: Command = {
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
    {
      long: 'rel',
      short: 'l',
      value: 'GRADE',
      number: true,
      help: 'the lowest grade that counts as relevant, 1 if not given, for measures that do not say so themselves',
    },
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
    {
      long: 'convention',
      value: 'NAME',
      choices: conventionNames(),
      help: `whose rules to follow: ${conventionNames().join(', ')}; ${gradusConvention.name} if not given`,
      complete: 'convention',
    },
    { long: 'lenient', help: 'skip lines that cannot be read and say how many there were, instead of stopping' },
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
    {
      long: 'name',
      value: 'NAME',
      repeatable: true,
      help: 'what a run is called in the output, one for each run in order; its tag if not given',
    },
    outputOption,
  ],

  check(args) {
    const problems: Problem[] = engineProblems(args);
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
    const numNames = args.values('name').length;
    const numRuns = Math.max(0, args.positionals.length - 1);
    if (numNames > 0 && numNames !== numRuns) {
      problems.push({
        message: `${numNames} ${numNames === 1 ? 'name' : 'names'} for ${numRuns} ${numRuns === 1 ? 'run' : 'runs'}`,
        wayOut: 'give --name once for each run',
      });
    }
    const fromStdin = args.positionals.filter((path) => path === '-').length;
    if (fromStdin > 1) problems.push({ message: `- was given ${fromStdin} times`, wayOut: 'standard input can be read only once' });
    return problems;
  },

  async run(args, context) {
    const [qrels, ...runs] = args.positionals;
    const quiet = args.has('quiet');
    const convention = findConvention(args.value('convention') ?? gradusConvention.name);
    const measures = measuresUnder(convention, args.number('rel'), args.values('measure'), defaultMeasures);
    const rules: Partial<JudgingRules> = { ...judgingRulesOf(convention.rules), ...judgingRulesAsked(args, convention.missingTopicsOfAll) };

    const shown = {
      files: runs,
      names: args.values('name'),
      qrels,
      convention: convention.name,
      rules,
      perTopic: args.has('per-topic'),
      summary: !args.has('no-summary'),
      digits: args.number('digits') ?? 4,
    };
    const show = async (evaluation: Evaluation): Promise<number> => {
      if (!quiet) for (const note of evaluation.notes) context.stderr.write(`gradus: ${printable(note)}\n`);
      const form = formAsked(args, evalForms);
      if (form === 'parquet') {
        await (await import('../../node/save-scores.js')).saveParquetScores(args.value('output') ?? '-', namedTable(evaluation));
        return 0;
      }
      await withOutput(args.value('output'), context, (writer) => writeScores(form, evaluation, writer, context.environment));
      return 0;
    };
    if (args.has('engine')) {
      const done = await evaluateByEngine(args, context, { qrels, runs, measures, rules, planOptions: convention.planOptions });
      for (const { facts } of done) refuseGradeFacts(convention, measures, facts);
      const provenance = done.map((run) => run.provenance);
      return await show({ ...shown, tables: done.map(({ table }) => table), notes: engineNotes(done, rules), provenance });
    }

    const meters = new Map(runs.map((run) => [run, new ProgressMeter(context.stderr, `reading ${printable(run)}`, quiet)]));
    const result = await evaluateFiles({
      qrels,
      runs,
      measures,
      rules,
      planOptions: convention.planOptions,
      lenient: args.has('lenient'),
      keepGroups: args.has('groups'),
      known: args.value('known'),
      expected: args.value('expected'),
      columns: columnsOf(args),
      threads: args.number('threads'),
      onProgress: (done, total, run) => meters.get(run)?.update(done, total),
    }).finally(() => {
      for (const meter of meters.values()) meter.clear();
    });

    refuseJudgements(convention, measures, result.qrels);
    const provenance = result.runs.map(({ numRows }) => ({ ...ownEngine(), runRows: numRows, qrelsRows: result.qrels.grades.length }));
    const fate = rules.missingTopics === 'skip' ? 'left out of the averages' : 'counted as empty rankings';
    const notes = scoringNotes(qrels, result, fate);
    return await show({ ...shown, tables: result.runs.map(({ table }) => table), notes, provenance });
  },
};
