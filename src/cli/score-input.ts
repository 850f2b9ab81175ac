import { judgingRulesOf } from '../conventions/convention.js';
import { refuseJudgements } from '../conventions/measures-of-tools.js';
import { conventionNames, findConvention, gradusConvention } from '../conventions/registry.js';
import type { JudgingRules } from '../core/judging-rules.js';
import { InputError, printable } from '../core/problem.js';
import { type ScoreColumn, ScoreTable } from '../core/score-table.js';
import type { Measure } from '../measures/measure.js';
import { parseMeasure } from '../measures/parse.js';
import { evaluateFiles } from '../node/evaluate-files.js';
import type { MissingPolicy } from '../stats/alignment.js';
import type { Direction } from '../stats/compare.js';
import type { ParsedArguments } from './arguments.js';
import { columnsOf, columnsOption } from './columns-option.js';
import type { Context, OptionSpec } from './command.js';
import { checkMeasure, measuresUnder } from './measure-arguments.js';
import { ProgressMeter } from './progress.js';
import { scoringNotes } from './scoring-notes.js';
import { threadsOption } from './threads-option.js';

/** Options of commands that score runs before they do something with the scores. */
export const scoringOptions: readonly OptionSpec[] = [
  {
    long: 'rel',
    short: 'l',
    value: 'GRADE',
    number: true,
    help: 'the lowest grade that counts as relevant, 1 if not given, for measures that do not say so themselves',
  },
  {
    long: 'convention',
    value: 'NAME',
    choices: conventionNames(),
    help: `whose rules to follow: ${conventionNames().join(', ')}; ${gradusConvention.name} if not given`,
    complete: 'convention',
  },
  { long: 'lenient', help: 'skip lines that cannot be read and say how many there were, instead of stopping' },
  columnsOption,
  threadsOption,
];

export function measureOption(otherwise: string): OptionSpec {
  return {
    long: 'measure',
    short: 'm',
    value: 'MEASURE',
    repeatable: true,
    help: `a measure, or several separated by blanks; ${otherwise} if not given`,
    complete: 'measure',
    check: checkMeasure,
  };
}

/** The measures that were asked for, with the defaults that options and convention give them. */
export function askedMeasures(args: ParsedArguments, otherwise: readonly string[]): Measure[] {
  const convention = findConvention(args.value('convention') ?? gradusConvention.name);
  return measuresUnder(convention, args.number('rel'), args.values('measure'), otherwise);
}

export interface ScoredRuns {
  /** One table per run, each of one system. */
  readonly tables: readonly ScoreTable[];
  readonly notes: readonly string[];
}

export interface ScoringManner {
  /** Whose rules hold, if not those that the arguments name. */
  readonly conventionName?: string;
  /** What becomes of topics that the policy *skip* leaves out. */
  readonly skippedWords?: string;
}

/** Scores run files. A topic that a run does not answer counts as an empty ranking under the policy *zero*; otherwise it is left
 *  out of that run's table, for the comparison to decide about. */
export async function scoreRuns(
  args: ParsedArguments,
  context: Context,
  qrels: string,
  runs: readonly string[],
  measures: readonly Measure[],
  missing: MissingPolicy,
  { conventionName = args.value('convention') ?? gradusConvention.name, skippedWords = 'left out for all systems' }: ScoringManner = {},
): Promise<ScoredRuns> {
  const quiet = args.has('quiet');
  const convention = findConvention(conventionName);
  const missingTopics = missing === 'zero' ? convention.missingTopicsOfAll : 'skip';
  const rules: Partial<JudgingRules> = { ...judgingRulesOf(convention.rules), missingTopics };
  const meters = new Map(runs.map((run) => [run, new ProgressMeter(context.stderr, `reading ${printable(run)}`, quiet)]));
  const result = await evaluateFiles({
    qrels,
    runs,
    measures,
    rules,
    planOptions: convention.planOptions,
    lenient: args.has('lenient'),
    columns: columnsOf(args),
    threads: args.number('threads'),
    onProgress: (done, total, run) => meters.get(run)?.update(done, total),
  }).finally(() => {
    for (const meter of meters.values()) meter.clear();
  });
  refuseJudgements(convention, measures, result.qrels);
  const fate = missing === 'zero' ? 'counted as empty rankings' : missing === 'skip' ? skippedWords : 'which is refused';
  return { tables: result.runs.map(({ table }) => table), notes: scoringNotes(qrels, result, fate) };
}

/** The same scores under other names. */
export function renamed(table: ScoreTable, systems: readonly string[], columns: readonly ScoreColumn[] = table.columns): ScoreTable {
  return new ScoreTable(systems, table.topics, columns, table.values, table.notes);
}

/** Runs go by the names that were given, or by their tags; where two have the same, or none, by their files. */
export function namesOfRuns(tables: readonly ScoreTable[], files: readonly string[], given: readonly string[]): string[] {
  const tags = tables.map((table) => table.systems[0]);
  const distinct = new Set(tags).size === tags.length && !tags.includes('');
  return tables.map((_, r) => given[r] ?? (distinct ? tags[r] : files[r]));
}

/** One spelling for all names of a measure, so that `ndcg_cut_10` of a file is the `nDCG@10` that was asked for. */
export function canonicalName(name: string): string {
  return known(name)?.text ?? name;
}

function known(name: string): Measure | undefined {
  try {
    return parseMeasure(name);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Which way measures are good. What is neither better nor worse when it is larger cannot be compared; a name that is no measure of
 *  ours is taken to be better when it is larger. */
export function directionsOf(names: readonly string[]): Record<string, Direction> {
  const directions: Record<string, Direction> = {};
  for (const name of names) {
    const direction = known(name)?.def.direction ?? 'higher';
    if (direction === 'neither') {
      throw new InputError({
        message: `${name} says nothing about which system is better`,
        wayOut: 'compare by a measure of quality such as nDCG@10',
      });
    }
    directions[name] = direction;
  }
  return directions;
}
