import { InputError, jsonText, type Problem } from '../../core/index.js';
import { type Gated, gateExperiment, gateMeasures, gateSettings, isStored, namesOfRuns, renamed } from '../../experiment/index.js';
import { appendText, type FileSource, fileSource, nodePlatform, refuseOverwriting, writeOutputFile } from '../../node/index.js';
import { type GateReport, gateJson, gatePassed, writeGateJunit, writeGateMarkdown, writeGateText } from '../../report/index.js';
import { askedMeasures, judgingFrom, measureOption, missingOption, readingFrom } from '../options/judging.js';
import { endingProblems, formAsked, formProblems } from '../options/output-form.js';
import { scoreFiles, scoringOptions, standardInputProblems } from '../options/scoring.js';
import { optionsFor, settingsFrom } from '../options/settings.js';
import type { ArgumentsOf, Command, Context } from '../parse/command.js';
import { defineCommand, defineOptions } from '../parse/define.js';
import { outputOption, tableLook, withOutput } from '../print/output.js';
import { say } from '../print/say.js';
import { writeScores } from '../print/scores.js';

/** Text for people, or JSON. */
const gateForms: readonly string[] = ['table', 'json'];

const options = defineOptions([
  measureOption(gateMeasures.join(' ')),
  ...optionsFor(gateSettings),
  missingOption(
    'zero for topics that a run does not answer, error for those that differ from stored scores',
    'topics that one side does not have',
  ),
  {
    long: 'weights',
    value: 'FILE',
    help: 'what topics weigh in the means: lines of a topic and a number; 1 for the others',
    file: 'input',
  },
  {
    long: 'must-not-fail',
    value: 'FILE',
    help: 'topics that may not fall, one on each line; a value after a tab is a floor for the first measure instead',
    file: 'input',
  },
  {
    long: 'save-baseline',
    value: 'FILE',
    help: "if the gate passes, write the candidate's scores to this file, as JSON",
    file: 'output',
    replaces: 'BASELINE',
  },
  {
    long: 'summary',
    value: 'FILE',
    help: 'write a summary in Markdown to this file; auto adds it to the job summary of GitHub Actions, and does nothing elsewhere',
    complete: 'file',
  },
  { long: 'junit', value: 'FILE', help: 'write JUnit XML to this file, a test case per check', file: 'output' },
  { long: 'json', help: 'print everything as JSON' },
  ...scoringOptions,
  outputOption,
]);
type Args = ArgumentsOf<typeof options>;

/** Turns a comparison with a baseline into an exit status. */
export const gateCommand: Command = defineCommand({
  name: 'gate',
  summary: 'fail if a candidate is significantly worse than a baseline',
  description: [
    'Compares a candidate with a baseline, topic by topic, and ends with status 1 if a measure fell by more than --max-drop and the fall is significant (one-sided test, corrected over the measures). A drop that chance explains passes, and so does a real but small one; with --strict either is enough to fail.',
    'Single topics can be guarded too: --max-topic-drop fails the gate if any topic falls by more, whatever the mean does, and --must-not-fail names topics that may not fall at all. --weights lets some topics count more than others in the means.',
    'The gate also fails with fewer topics than --min-topics, because it could not see a drop then, and, if --max-unjudged is given, when too many of the first documents of the candidate have no judgement.',
    'The baseline is a run, or scores stored before: what gradus eval -q --json printed, or --save-baseline wrote. Its topics must be those that are judged now; --missing skip compares those that both have. Stored scores have a fingerprint of the judgements, the rules and the version that they were made with, and are refused if one of them has changed, unless --trust-baseline is given.',
    'Status 0: the candidate passes; 1: it does not; 2: the input is bad, and nothing was decided.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus gate qrels.txt main.run pr.run', explains: 'nDCG@10 may fall by 0.01' },
    {
      command: "gradus gate qrels.txt baseline.json pr.run -m 'nDCG@10 R@100' --max-drop 0.01,R@100=0.02 --junit gate.xml --summary auto",
      explains: 'two measures against stored scores, with reports for the server',
    },
    {
      command: 'gradus gate qrels.txt baseline.json new.run --save-baseline baseline.json',
      explains: 'if it passes, the new scores become the baseline',
    },
  ],
  arguments: [
    { name: 'QRELS', help: 'the judgements, or a learning-to-rank test file', file: 'input' },
    { name: 'BASELINE', help: 'the run to be compared with, or its stored scores', file: 'input' },
    { name: 'CANDIDATE', help: 'the run that would take its place', file: 'input' },
  ],
  options,

  check(args) {
    const problems: Problem[] = [];
    problems.push(...standardInputProblems(args));
    problems.push(...idleDrops(args), ...formProblems(args, gateForms));
    problems.push(...endingProblems(args, 'junit', ['xml']), ...endingProblems(args, 'save-baseline', ['json']));
    if (args.value('summary') !== 'auto') problems.push(...endingProblems(args, 'summary', ['md']));
    return problems;
  },

  files(args, environment) {
    const path = summaryPath(args, environment);
    return path === undefined ? [] : [{ use: 'output', path, label: '--summary' }];
  },

  async run(args, context) {
    const [judgements, baselinePath, candidatePath] = args.positionals;
    const baseline = fileSource(baselinePath);
    await keepRun(args, baseline);
    const { maxDrop, maxUnjudged, worst, trustBaseline, ...test } = settingsFrom(args, gateSettings);
    const weights = args.value('weights');
    const mustNotFail = args.value('must-not-fail');
    const gated = await gateExperiment(
      {
        ...judgingFrom(args),
        ...readingFrom(args),
        judgements,
        baseline,
        candidate: fileSource(candidatePath),
        measures: args.values('measure'),
        missing: args.value('missing'),
        maxUnjudged,
        weights: weights === undefined ? undefined : fileSource(weights),
        mustNotFail: mustNotFail === undefined ? undefined : fileSource(mustNotFail),
        trustBaseline,
        worst,
        threads: args.number('threads'),
        test: { ...test, ...maxDrop },
      },
      nodePlatform,
      (request) => scoreFiles(args, context, request, { skippedWords: 'left out for all systems' }),
    );
    const { report } = gated;
    const passed = gatePassed(report);
    const form = formAsked(args, gateForms);
    // the text for people has the notes in it
    if (form === 'json') for (const note of report.notes ?? []) say(args, context, note);
    await withOutput(args.value('output'), context, (writer) => {
      if (form === 'json') writer.write(`${jsonText({ fingerprint: gated.fingerprint, ...gateJson(report) }, 2)}\n`);
      else writeGateText(report, writer, tableLook(writer, context.environment));
    });
    await writeReports(args, context, report);
    if (passed) await saveBaseline(args, gated);
    return passed ? 0 : 1;
  },
});

/** Scores may take the place of scores, but not that of the run they were made from. */
async function keepRun(args: Args, baseline: FileSource): Promise<void> {
  const saved = args.value('save-baseline');
  if (saved === undefined || baseline.path === undefined || (await isStored(baseline))) return;
  refuseOverwriting([
    { use: 'input', path: baseline.path, label: 'BASELINE' },
    { use: 'output', path: saved, label: '--save-baseline' },
  ]);
}

/** Sizes for measures that the gate does not look at would silently do nothing. */
function idleDrops(args: Args): Problem[] {
  try {
    const wanted = askedMeasures(judgingFrom(args), gateMeasures).map(({ text }) => text);
    const idle = Object.keys(settingsFrom(args, gateSettings, 'maxDrop').maxDrop?.maxDrops ?? {}).filter((name) => !wanted.includes(name));
    return idle.map((name) => ({
      message: `--max-drop: the gate does not look at ${name}, only at ${wanted.join(', ')}`,
      wayOut: `add it: ${[...wanted, name].map((measure) => `-m '${measure}'`).join(' ')}`,
    }));
  } catch (error) {
    // the checks of the single options report what is wrong with them
    if (error instanceof InputError) return [];
    throw error;
  }
}

async function writeReports(args: Args, context: Context, report: GateReport): Promise<void> {
  const junit = args.value('junit');
  if (junit !== undefined) await withOutput(junit, context, (writer) => writeGateJunit(report, writer));
  const path = summaryPath(args, context.environment);
  if (path === undefined) return;
  if (args.value('summary') === 'auto') {
    const parts: string[] = [];
    writeGateMarkdown(report, { write: (text) => void parts.push(text) });
    appendText(path, parts.join(''));
  } else await withOutput(path, context, (writer) => writeGateMarkdown(report, writer));
}

/** Where the summary goes; undefined if none is wanted, or if this is not GitHub Actions. */
function summaryPath(args: Args, environment: Context['environment']): string | undefined {
  const asked = args.value('summary');
  return asked === 'auto' ? environment.GITHUB_STEP_SUMMARY || undefined : asked;
}

async function saveBaseline(args: Args, { candidateScores: scores, fingerprint, plan }: Gated): Promise<void> {
  const path = args.value('save-baseline');
  if (path === undefined) return;
  const shown = {
    tables: [renamed(scores, namesOfRuns(scores.systems, [args.positionals[2]]))],
    files: [args.positionals[2]],
    qrels: args.positionals[0],
    convention: args.value('convention') ?? 'gradus',
    rules: plan.rules,
    fingerprint,
    notes: [],
    perTopic: true,
    summary: true,
    digits: 4,
  };
  await writeOutputFile(path, (writer) => writeScores('json', shown, writer, {}));
}
