import { auditQrels, auditRun } from '../conventions/audit.js';
import { computes } from '../conventions/measures-of-tools.js';
import { findConvention } from '../conventions/registry.js';
import { printable } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import { parseMeasure } from '../measures/parse.js';
import { fingerprint } from '../node/app-files.js';
import { loadQrels } from '../node/load.js';
import { loadCandidRun } from '../node/load-audit.js';
import { gradusVersion } from '../node/version.js';
import { buildComparisonReport, defaultReportMeasures, planComparison } from '../report/build-comparison.js';
import { buildTrecReport, trecReportMeasures } from '../report/build-trec.js';
import type { Provenance, Report, ReportAudit } from '../report/model.js';
import { alignTables, MISSING_POLICIES, type MissingPolicy } from '../stats/alignment.js';
import { type Comparison, compareSystems } from '../stats/compare.js';
import type { ParsedArguments } from './arguments.js';
import { chosenColumns, columnsOf } from './columns-option.js';
import type { Command, Context } from './command.js';
import { measuresUnder, parameterDefaults, readMeasures } from './measure-arguments.js';
import { ProgressMeter } from './progress.js';
import { directionsOf, namesOfRuns, renamed, scoreRuns } from './score-input.js';
import { askedComparison } from './test-options.js';

/** Runs are audited one by one, which takes longer than to score them; with more of them it has to be asked for. */
const MOST_AUDITED = 20;

/** The report that the arguments ask for. */
export async function makeReport(args: ParsedArguments, context: Context, command: Command, conventionName: string): Promise<Report> {
  return args.has('trec')
    ? await trecReport(args, context, command, conventionName)
    : await comparisonReport(args, context, command, conventionName);
}

function policyOf(args: ParsedArguments, otherwise: MissingPolicy): MissingPolicy {
  return MISSING_POLICIES.find((policy) => policy === args.value('missing')) ?? otherwise;
}

async function trecReport(args: ParsedArguments, context: Context, command: Command, convention: string): Promise<Report> {
  const [qrels, ...runs] = args.positionals;
  const measures = readMeasures(trecReportMeasures, parameterDefaults(findConvention(convention), args.number('rel')));
  // trec_eval averages over the topics that both sides have
  const missing = policyOf(args, 'skip');
  const { tables, notes } = await scoreRuns(args, context, qrels, runs, measures, missing, {
    conventionName: convention,
    skippedWords: 'left out of its averages',
  });
  const names = namesOfRuns(tables, runs, args.values('name'));
  return buildTrecReport({
    tables: tables.map((table, r) => renamed(table, [names[r]])),
    title: args.value('title'),
    header: args.values('header').map((line) => headerLine(line)),
    notes,
    provenance: provenanceOf(args, command, convention, missing, null),
  });
}

/** `Task: ad hoc`. */
export function headerLine(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}

async function comparisonReport(args: ParsedArguments, context: Context, command: Command, convention: string): Promise<Report> {
  const [qrelsPath, ...runs] = args.positionals;
  const { qrels } = await loadQrels(qrelsPath, { lenient: args.has('lenient'), columns: columnsOf(args) });
  const defaults = parameterDefaults(findConvention(convention), args.number('rel'));
  const asked = measuresUnder(findConvention(convention), args.number('rel'), args.values('measure'), defaultReportMeasures);
  const names = asked.map(({ text }) => text);
  const directions = directionsOf(names);
  const plan = planComparison(asked, qrels.grades, (spelling) => {
    const plain = parseMeasure(spelling);
    // what the tool does not compute is drawn by our own rules
    return computes(findConvention(convention), plain) ? readMeasures([spelling], defaults)[0] : plain;
  });
  const missing = policyOf(args, 'zero');
  const { tables, notes } = await scoreRuns(args, context, qrelsPath, runs, plan.measures, missing, { conventionName: convention });
  const systems = namesOfRuns(tables, runs, args.values('name'));
  const table = alignTables(tables.map((scores, r) => renamed(scores, [systems[r]])));
  const comparison = runs.length < 2 ? undefined : compare(args, table, names, directions, missing);
  return buildComparisonReport({
    plan,
    table,
    comparison,
    directions,
    missing,
    alpha: args.number('alpha'),
    audit:
      args.has('audit') || (runs.length <= MOST_AUDITED && !args.has('no-audit')) ? await auditFiles(args, context, qrelsPath, runs) : [],
    title: args.value('title'),
    notes,
    provenance: provenanceOf(args, command, convention, missing, drawnSeed(args, comparison)),
  });
}

function compare(
  args: ParsedArguments,
  table: ScoreTable,
  measures: readonly string[],
  directions: ReturnType<typeof directionsOf>,
  missing: MissingPolicy,
): Comparison {
  return compareSystems(table, {
    ...askedComparison(args),
    missing,
    measures,
    directions,
    effectIntervals: false,
  });
}

/** A seed belongs to the account only if something was drawn. */
function drawnSeed(args: ParsedArguments, comparison: Comparison | undefined): number | null {
  if (comparison === undefined) return null;
  return comparison.resamples !== null || args.value('interval') === 'bootstrap' ? comparison.seed : null;
}

async function auditFiles(args: ParsedArguments, context: Context, qrelsPath: string, runs: readonly string[]): Promise<ReportAudit[]> {
  const options = { rel: args.number('rel') };
  const chosen = chosenColumns(args);
  const reading = await loadQrels(qrelsPath, { lenient: true, ...chosen.options });
  const audited = [auditQrels(qrelsPath, reading, options)];
  const meter = new ProgressMeter(context.stderr, 'looking for what is odd', args.has('quiet'));
  for (const [r, path] of runs.entries()) {
    meter.update(r, runs.length);
    audited.push(auditRun(path, await loadCandidRun(path, reading.lists, chosen), reading.qrels, options));
  }
  meter.clear();
  return audited.map(({ name, what, size, findings }) => ({
    file: name,
    what,
    size,
    findings: findings.map(({ severity, kind, sentence, recommendation, examples }) => ({
      severity,
      kind,
      sentence,
      recommendation: recommendation ?? null,
      examples,
    })),
  }));
}

function provenanceOf(
  args: ParsedArguments,
  command: Command,
  conventionName: string,
  missing: MissingPolicy,
  seed: number | null,
): Provenance {
  const [qrels, ...runs] = args.positionals;
  const { name, rules } = findConvention(conventionName);
  const rel = args.number('rel') ?? rules.relevanceFloor;
  const topics = {
    zero: 'a judged topic that a run does not answer counts as an empty ranking',
    skip: 'a judged topic that a run does not answer is left out',
    error: 'a judged topic that a run does not answer is refused',
  };
  return {
    program: `Gradus ${gradusVersion()}`,
    command: commandLine(args, command),
    date: args.value('date') ?? null,
    files: [
      { role: 'judgements', name: qrels, ...fingerprint(qrels) },
      ...runs.map((path) => ({ role: 'run' as const, name: path, ...fingerprint(path) })),
    ],
    convention: name,
    rules: [
      { name: 'equal scores', value: rules.ties },
      { name: 'scores', value: rules.scorePrecision === 'float32' ? 'rounded to 32 bits' : '64 bits' },
      { name: 'topics', value: topics[missing] },
      { name: 'relevant from grade', value: String(rel) },
    ],
    seed,
  };
}

/** The command as it could be typed again, in the order of the help, without where the result went. */
function commandLine(args: ParsedArguments, command: Command): string {
  const words = ['gradus', command.name];
  for (const { long, value } of command.options) {
    if (['output', 'threads'].includes(long)) continue;
    for (const given of args.values(long)) words.push(`--${long}`, ...(value === undefined ? [] : [quoted(given)]));
  }
  return [...words, ...args.positionals.map(quoted)].join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${printable(word, Infinity).replaceAll("'", "'\\''")}'`;
}
