import { InputError, type Problem } from '../../core/index.js';
import { type ReportRequest, readMeasuresOfAll, reportSettings, textSettings } from '../../experiment/index.js';
import { nodePlatform } from '../../node/index.js';
import { comparisonFrom, comparisonOptions, comparisonProblems } from '../options/comparison.js';
import { judgingFrom, measureOption, missingOption, nameOptions, readingFrom } from '../options/judging.js';
import { commandLine, reportFormOptions, reportOutputOptions, reportOutputProblems, writeReport } from '../options/report-output.js';
import { nameProblems, scoringOptions, showingProgress, standardInputProblems } from '../options/scoring.js';
import { optionsFor } from '../options/settings.js';
import type { ArgumentsOf, Command } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';

const options = defineOptions([
  ...optionsFor(reportSettings, 'trec', 'about'),
  {
    long: 'scores',
    value: 'FILE',
    repeatable: true,
    help: 'a file of scores for --trec, instead of judgements and runs; -m says what each table of topics and systems holds, in order',
    file: 'input',
  },
  { long: 'training', value: 'MODEL', help: 'draw how this model was learnt, instead of judgements and runs', file: 'input' },
  ...reportFormOptions,
  measureOption('nDCG@10 AP P@10 RR R@100'),
  ...comparisonOptions,
  missingOption('zero, or skip with --trec'),
  ...optionsFor(reportSettings, 'margin', 'pairs', 'graded', 'agree', 'bounds', 'audit'),
  { long: 'no-audit', help: 'do not check the files for anomalies' },
  ...optionsFor(textSettings, 'queries', 'documents'),
  ...optionsFor(reportSettings, 'title', 'date'),
  {
    long: 'header',
    value: 'TEXT',
    repeatable: true,
    help: 'a line of the header of the TREC report, such as Task: ad hoc',
    check: checkHeader,
  },
  ...nameOptions,
  ...scoringOptions,
  ...reportOutputOptions,
]);
type Args = ArgumentsOf<typeof options>;

/** Writes all that there is to say about runs into one document. */
export const reportCommand: Command = defineCommand({
  name: 'report',
  summary: 'write a report about runs: a page, a document or tables',
  description: [
    'Compares runs: means with intervals and significance, differences by topic, a heat map of topics and systems, distributions, recall-precision and gain curves, how far measures agree, critical differences of ranks, how sure the ranks are, unjudged documents, anomalies in the files, and where every number comes from. One run is described alone.',
    'With --trec it is the evaluation report of the TREC conferences: summary statistics, precision at levels of recall and after 5 to 1000 documents, the recall-precision graph, and average precision by topic against the median of all runs given; with --run (or --about, if --run has to choose a run of files that hold several) it is about one of them, against the median, the best and the worst of the others. Its numbers are those of trec_eval, or with --scores those of files: CSV or TSV with a row per topic and a column per system, or what gradus eval -q --json or trec_eval -q printed.',
    'With --training it shows a model instead: its options, and the curves that gradus train --history recorded in it, one picture for each measure; gradus model report says more about a model.',
    'HTML is one file that needs nothing else and prints well; Markdown puts its pictures as SVG files into a folder beside it; a PDF is printed by the Chromium of the system. The same input gives the same bytes: a report has a date only if --date gives one.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus report qrels.txt bm25.run neural.run -o report.html', explains: 'a page that compares two runs' },
    {
      command: 'gradus report qrels.txt mine.run others/*.run --trec --about mine -o mine.pdf',
      explains: 'the report of TREC about one run, against the others, printed',
    },
    {
      command: 'gradus report --trec --scores ap.csv --scores p10.csv -m AP -m P@10 --about run18 -o run18.html',
      explains: 'the same from ready scores',
    },
    {
      command: "gradus report qrels.txt mine.run --trec --header 'Task: ad hoc' --header 'Organisation: Example'",
      explains: 'the same as text, with a header',
    },
    {
      command: 'gradus report qrels.txt *.run --agree machine.qrels --bounds -o report.html',
      explains: 'with what another judge would conclude, and what missing judgements can change',
    },
    {
      command: 'gradus report qrels.txt *.run -o paper.tex --figures tikz',
      explains: 'tables for a paper, and its figures in paper-charts',
    },
    {
      command: 'gradus report qrels.txt *.run --baseline bm25 -m "nDCG@10 RR" -o report.md',
      explains: 'Markdown and SVG, all against one',
    },
  ],
  arguments: [
    { name: 'QRELS', help: 'the judgements, or a learning-to-rank test file; not with --scores', optional: true, file: 'input' },
    { name: 'RUN', help: 'what a system retrieved; at least one', optional: true, repeatable: true, file: 'input' },
  ],
  options,

  check(args) {
    const problems: Problem[] = [];
    const numRuns = Math.max(0, args.positionals.length - 1);
    problems.push(...sourceProblems(args), ...nameProblems(args, numRuns), ...standardInputProblems(args));
    for (const option of [
      'measure',
      'baseline',
      'test',
      'correction',
      'family',
      'interval',
      'margin',
      'pairs',
      'graded',
      'documents',
      'agree',
      'bounds',
      'audit',
      'no-audit',
    ] as const) {
      if (args.has('trec') && args.has(option) && !(option === 'measure' && args.has('scores')))
        problems.push({ message: `the TREC report has no use for --${option}`, wayOut: 'leave out one of the two' });
    }
    for (const option of ['header', 'about', 'scores'] as const) {
      if (!args.has('trec') && args.has(option)) problems.push({ message: `--${option} belongs to the TREC report`, wayOut: 'add --trec' });
    }
    if (args.has('audit') && args.has('no-audit')) problems.push({ message: '--audit and --no-audit contradict each other' });
    problems.push(...comparisonProblems(args), ...reportOutputProblems(args));
    return problems;
  },

  async run(args, context) {
    const { reportExperiment, reportModel, reportScores } = await import('../on-demand/report.js');
    const request = reportRequest(args);
    const scores = args.values('scores');
    const training = args.value('training');
    const report =
      training !== undefined
        ? await reportModel({ ...request, model: training, onlyTraining: true }, nodePlatform)
        : scores.length > 0
          ? await reportScores({ ...request, scores, measures: scoreMeasures(args) }, nodePlatform)
          : await showingProgress(args, context, (progress) => reportExperiment({ ...request, ...progress }, nodePlatform));
    await writeReport(report, args, context);
    return 0;
  },
});

/** What the files of scores hold, in their order, as far as that was said. */
function scoreMeasures(args: Args): readonly string[] | undefined {
  return args.has('measure') ? readMeasuresOfAll(args.values('measure')).map(({ text }) => text) : undefined;
}

/** What is wrong with where the report is to come from. */
function sourceProblems(args: Args): Problem[] {
  const numScores = args.values('scores').length;
  if (args.has('training')) {
    const others = args.positionals.length > 0 || numScores > 0 || args.has('trec');
    return others ? [{ message: '--training takes the place of judgements, runs and scores', wayOut: 'give one or the other' }] : [];
  }
  if (numScores === 0) {
    const numRuns = Math.max(0, args.positionals.length - 1);
    return numRuns > 0 ? [] : [{ message: 'found no run, expected judgements and at least 1 run', wayOut: 'name them: QRELS RUN...' }];
  }
  const problems: Problem[] = [];
  if (args.positionals.length > 0)
    problems.push({ message: '--scores takes the place of judgements and runs', wayOut: 'give one or the other' });
  const numMeasures = scoreMeasures(args)?.length;
  if (numMeasures !== undefined && numMeasures !== numScores) {
    problems.push({
      message: `${numMeasures} measures for ${numScores} files of scores`,
      wayOut: 'give -m once for each --scores, in the same order, or not at all if the files name their measures',
    });
  }
  return problems;
}

function checkHeader(line: string): void {
  if (!/^[^:]*\S[^:]*:/.test(line))
    throw new InputError({
      message: `--header: expected a name, a colon and a value, found ${line}`,
      wayOut: "write --header 'Task: ad hoc'",
    });
}

/** Whether `--run` names the run that the TREC report is about. Where `--about` does, it chooses a run of files as in every command. */
function namesSubject(args: Args): boolean {
  return args.has('trec') && args.has('run') && !args.has('about');
}

/** The report that the arguments ask for. */
function reportRequest(args: Args): ReportRequest {
  const [judgements, ...runs] = args.positionals;
  const { run, ...reading } = readingFrom(args);
  return {
    ...judgingFrom(args),
    ...reading,
    ...(namesSubject(args) ? {} : { run }),
    judgements,
    runs,
    names: args.values('name'),
    missing: args.value('missing'),
    threads: args.number('threads'),
    trec: args.has('trec'),
    queries: args.value('queries'),
    documents: args.value('documents'),
    about: args.value('about') ?? (namesSubject(args) ? run : undefined),
    graded: args.has('graded'),
    margin: args.number('margin'),
    pairs: args.has('pairs'),
    agree: args.values('agree'),
    bounds: args.has('bounds'),
    comparison: comparisonFrom(args),
    audit: args.has('audit') ? true : args.has('no-audit') ? false : undefined,
    title: args.value('title'),
    header: args.values('header').map(headerLine),
    command: commandLine('report', options, args),
    date: args.value('date'),
  };
}

/** `Task: ad hoc`. */
function headerLine(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}
