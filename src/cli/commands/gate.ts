import { jsonText } from '../../core/json-text.js';
import { InputError, type Problem, printable } from '../../core/problem.js';
import { ScoreTable } from '../../core/score-table.js';
import type { Measure } from '../../measures/measure.js';
import { parseMeasure, splitOutside } from '../../measures/parse.js';
import { holdsScores, loadScores } from '../../node/load-scores.js';
import { appendText, writeOutputFile } from '../../node/output-file.js';
import { gateInThreads } from '../../node/resample.js';
import { refuseOverwriting } from '../../node/same-file.js';
import {
  type GateReport,
  gateJson,
  gatePassed,
  type UnjudgedRate,
  writeGateJunit,
  writeGateMarkdown,
  writeGateText,
} from '../../report/gate.js';
import { alignTables, MISSING_POLICIES } from '../../stats/alignment.js';
import type { GateOptions } from '../../stats/gate.js';
import type { ParsedArguments } from '../arguments.js';
import type { Command, Context, OptionSpec } from '../command.js';
import { outputOption, withOutput } from '../output.js';
import { endingProblems, formAsked, formProblems } from '../output-form.js';
import { askedMeasures, canonicalName, directionsOf, measureOption, renamed, scoreRuns, scoringOptions } from '../score-input.js';
import { writeScores } from '../score-output.js';
import { askedTest, pairTests, testOptions } from '../test-options.js';

const gateMeasures: readonly string[] = ['nDCG@10'];

/** Text for people, or JSON. */
const gateForms: readonly string[] = ['table', 'json'];

export const gateCommand: Command = {
  name: 'gate',
  summary: 'fail if a candidate is significantly worse than a baseline, for continuous integration',
  description: [
    'Compares a candidate with a baseline, topic by topic, and ends with status 1 if a measure fell by more than --max-drop and the fall is significant (one-sided test, corrected over the measures). A drop that chance explains passes, and so does a real but small one; with --strict either is enough to fail.',
    'The gate also fails with fewer topics than --min-topics, because it could not see a drop then, and, if --max-unjudged is given, when too many of the first documents of the candidate have no judgement.',
    'The baseline is a run, or scores stored before: what gradus eval -q --json printed, or --save-baseline wrote. Its topics must be those that are judged now; --missing skip compares those that both have.',
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
  options: [
    measureOption(gateMeasures.join(' ')),
    {
      long: 'max-drop',
      value: 'SIZE',
      help: "how much a mean may fall, in the measure's own unit, 0.01 if not given; for single measures nDCG@10=0.01,AP=0.02",
      check: (value) => void parseDrops(value),
    },
    ...testOptions(pairTests, 'randomization'),
    { long: 'strict', help: 'fail on a drop that is larger than allowed or significant; both are needed otherwise' },
    { long: 'min-topics', value: 'N', integer: { min: 2 }, help: 'fail with fewer topics than this, 10 if not given' },
    {
      long: 'max-unjudged',
      value: 'RATE@K',
      help: 'fail if more than this share of the first K documents of the candidate has no judgement, such as 0.2@10 or 20%@10',
      check: (value) => void parseUnjudged(value),
    },
    {
      long: 'missing',
      value: 'POLICY',
      choices: ['zero', 'skip', 'error'],
      help: 'a topic that a run does not answer counts as an empty ranking, and topics that differ from those of stored scores are refused, if nothing is given; zero counts all of these as 0, skip leaves them out, error refuses them',
    },
    { long: 'worst', value: 'N', integer: { min: 0 }, help: 'how many of the topics that fell most are listed, 5 if not given' },
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
  ] satisfies readonly OptionSpec[],

  check(args) {
    const problems: Problem[] = [];
    const fromStdin = args.positionals.filter((path) => path === '-').length;
    if (fromStdin > 1) problems.push({ message: `- was given ${fromStdin} times`, wayOut: 'standard input can be read only once' });
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
    const { table, notes, unjudged, candidateScores } = await gateScores(args, context);
    const options: GateOptions = {
      ...askedTest(args),
      ...askedDrops(args),
      strict: args.has('strict'),
      minTopics: args.number('min-topics'),
      missing: MISSING_POLICIES.find((policy) => policy === args.value('missing')),
      directions: directionsOf(table.measures),
    };
    const result = await gateInThreads(table, options, { threads: args.number('threads') });
    const report: GateReport = { result, unjudged, mostTopics: args.number('worst'), notes: [...notes, ...result.comparison.notes] };
    const passed = gatePassed(report);
    // the text for people has the notes in it
    const form = formAsked(args, gateForms);
    if (form === 'json' && !args.has('quiet')) {
      for (const note of report.notes ?? []) context.stderr.write(`gradus: ${printable(note)}\n`);
    }
    await withOutput(args.value('output'), context, (writer) => {
      if (form === 'json') writer.write(`${jsonText(gateJson(report), 2)}\n`);
      else writeGateText(report, writer);
    });
    await writeReports(args, context, report);
    if (passed) await saveBaseline(args, candidateScores);
    return passed ? 0 : 1;
  },
};

interface GateScores {
  /** The baseline and the candidate. */
  readonly table: ScoreTable;
  readonly candidateScores: ScoreTable;
  readonly unjudged: UnjudgedRate | undefined;
  readonly notes: readonly string[];
}

async function gateScores(args: ParsedArguments, context: Context): Promise<GateScores> {
  const [qrels, baselinePath, candidatePath] = args.positionals;
  const measures = askedMeasures(args, gateMeasures);
  const wanted = measures.map(({ text }) => text);
  const asked = args.value('max-unjudged');
  const limit = asked === undefined ? undefined : parseUnjudged(asked);
  const scored: Measure[] = [...measures];
  if (limit !== undefined && !wanted.includes(limit.measure.text)) scored.push(limit.measure);
  const stored = await holdsScores(baselinePath);
  const saved = args.value('save-baseline');
  if (!stored && saved !== undefined) {
    refuseOverwriting([
      { use: 'input', path: baselinePath, label: 'BASELINE' },
      { use: 'output', path: saved, label: '--save-baseline' },
    ]);
  }
  // an unanswered topic of a run is an empty ranking unless something else was asked for
  const policy = MISSING_POLICIES.find((known) => known === args.value('missing')) ?? 'zero';
  const runs = stored ? [candidatePath] : [baselinePath, candidatePath];
  const { tables, notes } = await scoreRuns(args, context, qrels, runs, scored, policy);
  const baseline = stored ? await storedBaseline(baselinePath, wanted) : tables[0];
  const candidateScores = onlyMeasures(tables[tables.length - 1], wanted);
  const names = [baseline.systems[0], candidateScores.systems[0]];
  // the same system before and after a change has the same tag
  const [before, after] = names[0] === names[1] || names.includes('') ? ['baseline', 'candidate'] : names;
  return {
    table: alignTables([renamed(onlyMeasures(baseline, wanted), [before]), renamed(candidateScores, [after])]),
    candidateScores,
    unjudged: limit === undefined ? undefined : unjudgedRate(tables[tables.length - 1], limit),
    notes,
  };
}

async function storedBaseline(path: string, wanted: readonly string[]): Promise<ScoreTable> {
  const table = await loadScores(path, { measure: wanted.length === 1 ? wanted[0] : undefined });
  if (table.systems.length !== 1) {
    throw new InputError({
      source: path,
      message: `holds the scores of ${table.systems.length} systems (${table.systems.slice(0, 5).join(', ')}), expected those of one`,
      wayOut: 'store the baseline alone',
    });
  }
  const columns = table.columns.map((column) => ({ ...column, name: canonicalName(column.name) }));
  const found = columns.map(({ name }) => name);
  const absent = wanted.filter((name) => !found.includes(name));
  if (absent.length > 0) {
    throw new InputError({
      source: path,
      message: `has no scores of ${absent.join(', ')}, only of ${found.join(', ')}`,
      wayOut: `store it again: gradus eval QRELS RUN -q --json ${wanted.map((name) => `-m '${name}'`).join(' ')} -o ${path}`,
    });
  }
  if (table.topics.length === 1 && table.topics[0] === 'all') {
    throw new InputError({
      source: path,
      message: 'holds the values over all topics only, expected those of each topic',
      wayOut: 'store it again with gradus eval -q --json',
    });
  }
  return renamed(table, table.systems, columns);
}

/** The table without the columns that were computed for other reasons. */
function onlyMeasures(table: ScoreTable, names: readonly string[]): ScoreTable {
  const places = names.map((name) => table.measures.indexOf(name));
  const width = table.columns.length;
  const rows = table.values.length / width;
  const values = new Float64Array(rows * places.length);
  for (let row = 0; row < rows; row++) {
    for (const [m, place] of places.entries()) values[row * places.length + m] = table.values[row * width + place];
  }
  const columns = places.map((place) => table.columns[place]);
  return new ScoreTable(table.systems, table.topics, columns, values, table.notes);
}

interface AllowedDrops {
  /** For every measure that has none of its own. */
  readonly maxDrop: number | undefined;
  readonly maxDrops: Readonly<Record<string, number>>;
}

function askedDrops(args: ParsedArguments): AllowedDrops {
  const text = args.value('max-drop');
  return text === undefined ? { maxDrop: undefined, maxDrops: {} } : parseDrops(text);
}

/** Sizes for measures that the gate does not look at would silently do nothing. */
function idleDrops(args: ParsedArguments): Problem[] {
  try {
    const wanted = askedMeasures(args, gateMeasures).map(({ text }) => text);
    const idle = Object.keys(askedDrops(args).maxDrops).filter((name) => !wanted.includes(name));
    return idle.map((name) => ({
      message: `--max-drop: the gate does not look at ${name}, only at ${wanted.join(', ')}`,
      wayOut: `add it: ${[...wanted, name].map((measure) => `-m '${measure}'`).join(' ')}`,
    }));
  } catch (error) {
    // what is wrong with the single options is told by their own checks
    if (error instanceof InputError) return [];
    throw error;
  }
}

/** `0.01`, `nDCG@10=0.01,AP=0.02` or both: `0.01,AP=0.02` */
function parseDrops(text: string): AllowedDrops {
  const maxDrops: Record<string, number> = {};
  let maxDrop: number | undefined;
  for (const part of splitOutside(text, ',')) {
    // a measure may have parameters of its own, and so equals signs
    const equals = part.lastIndexOf('=');
    const size = part.slice(equals + 1).trim();
    const name = equals < 0 ? undefined : canonicalName(part.slice(0, equals).trim());
    if (size === '' || !(Number(size) >= 0 && Number.isFinite(Number(size))) || name === '') {
      throw new InputError({
        message: `--max-drop: expected a number of at least 0, found ${part.trim() || 'nothing'}`,
        wayOut: 'write 0.01 for all measures, or nDCG@10=0.01,AP=0.02',
      });
    }
    const isSecond = name === undefined ? maxDrop !== undefined : Object.hasOwn(maxDrops, name);
    if (isSecond) throw new InputError(`--max-drop: ${name ?? 'a size for all measures'} is given twice in ${text}`);
    if (name === undefined) maxDrop = Number(size);
    else maxDrops[name] = Number(size);
  }
  return { maxDrop, maxDrops };
}

interface UnjudgedLimit {
  readonly measure: Measure;
  readonly cutoff: number;
  readonly most: number;
}

/** `0.2@10` or `20%@10` */
function parseUnjudged(text: string): UnjudgedLimit {
  const found = /^(\d+(?:\.\d+)?|\.\d+)(%?)@([1-9]\d{0,6})$/.exec(text);
  const most = found === null ? Number.NaN : Number(found[1]) / (found[2] === '%' ? 100 : 1);
  if (found === null || !(most <= 1)) {
    throw new InputError({ message: `--max-unjudged: expected a share and a depth, found ${text}`, wayOut: 'write 0.2@10 or 20%@10' });
  }
  return { measure: parseMeasure(`Judged@${found[3]}`), cutoff: Number(found[3]), most };
}

/** The mean share of unjudged documents over the topics that the candidate answers. */
function unjudgedRate(table: ScoreTable, { measure, cutoff, most }: UnjudgedLimit): UnjudgedRate {
  const judged = table.column(measure.text).filter((value) => !Number.isNaN(value));
  const rate = judged.length === 0 ? 1 : 1 - judged.reduce((sum, value) => sum + value, 0) / judged.length;
  return { cutoff, rate, most };
}

async function writeReports(args: ParsedArguments, context: Context, report: GateReport): Promise<void> {
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
function summaryPath(args: ParsedArguments, environment: Context['environment']): string | undefined {
  const asked = args.value('summary');
  return asked === 'auto' ? environment.GITHUB_STEP_SUMMARY || undefined : asked;
}

async function saveBaseline(args: ParsedArguments, scores: ScoreTable): Promise<void> {
  const path = args.value('save-baseline');
  if (path === undefined) return;
  const evaluation = {
    tables: [scores],
    files: [args.positionals[2]],
    names: [],
    qrels: args.positionals[0],
    convention: args.value('convention') ?? 'gradus',
    rules: {},
    notes: [],
    perTopic: true,
    summary: true,
    digits: 4,
  };
  await writeOutputFile(path, (writer) => writeScores('json', evaluation, writer, {}));
}
