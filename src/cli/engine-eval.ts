import type { JudgingRules } from '../core/judging-rules.js';
import { InputError, type Problem, printable } from '../core/problem.js';
import type { Measure } from '../measures/measure.js';
import type { PlanOptions } from '../measures/plan.js';
import type { EngineRequest, EngineRun } from '../node/engines/engine.js';
import { gradusVersion } from '../node/version.js';
import type { ParsedArguments } from './arguments.js';
import { columnsOf, columnsOption } from './columns-option.js';
import type { Context, OptionSpec } from './command.js';
import { ProgressMeter } from './progress.js';

/** The engines that runs can be evaluated by, other than this program. */
export const engineNames: readonly string[] = ['duckdb', 'spark'];

/** The options of a command that hands its work to an engine. */
export const engineOptions: readonly OptionSpec[] = [
  {
    long: 'engine',
    value: 'NAME',
    choices: engineNames,
    help: 'who computes: duckdb, inside this program and within --memory-limit, or spark, on the cluster that --master names; this program itself if not given. Files may then be patterns, such as "run/*.parquet", and directories',
  },
  {
    long: 'memory-limit',
    value: 'SIZE',
    help: 'how much memory the engine may take, such as 2GB; what does not fit goes to temporary files',
    check: (value) => void checkSize(value),
  },
  {
    long: 'master',
    value: 'URL',
    help: 'the cluster for --engine spark, such as spark://host:7077, yarn or local[4]; local[*] if not given',
  },
  {
    long: 'conf',
    value: 'NAME=VALUE',
    repeatable: true,
    help: 'a setting that --engine spark passes on, such as spark.executor.memory=2g',
  },
  {
    long: 'allow-network',
    help: 'let --engine duckdb read addresses such as s3://bucket/run.parquet, and fetch its extension for that; without it DuckDB reads the files that are named and nothing else',
  },
  {
    long: 'trust-unique',
    help: 'with --engine, do not look whether a topic of the run has a document twice, which takes as long as the measures',
  },
  columnsOption,
];

function checkSize(value: string): void {
  if (/^[1-9][0-9]*(\.[0-9]+)?\s*([KMGT]i?B)$/i.test(value)) return;
  throw new InputError({ message: `expected a size such as 2GB, found ${value}` });
}

/** This program itself, as the engine of a result. */
export function ownEngine(): { engine: string; version: string } {
  return { engine: 'gradus', version: gradusVersion() };
}

/** What does not go together with an engine. */
export function engineProblems(args: ParsedArguments): Problem[] {
  const problems: Problem[] = [];
  const engine = args.value('engine');
  for (const option of ['memory-limit', 'trust-unique']) {
    if (engine === undefined && args.has(option)) {
      problems.push({ message: `--${option} is for an engine`, wayOut: 'add --engine duckdb or --engine spark' });
    }
  }
  for (const option of ['master', 'conf']) {
    if (engine !== 'spark' && args.has(option)) problems.push({ message: `--${option} is for Spark`, wayOut: 'add --engine spark' });
  }
  if (engine !== 'duckdb' && args.has('allow-network')) {
    problems.push({ message: '--allow-network is for DuckDB', wayOut: 'add --engine duckdb, or leave it out' });
  }
  for (const option of ['lenient', 'groups', 'known', 'expected']) {
    if (engine !== undefined && args.has(option)) {
      problems.push({ message: `--${option} has no meaning for --engine ${engine}`, wayOut: 'leave one of them out' });
    }
  }
  return problems;
}

export interface EngineWork {
  readonly qrels: string;
  readonly runs: readonly string[];
  readonly measures: readonly Measure[];
  readonly rules: Partial<JudgingRules>;
  readonly planOptions?: PlanOptions | undefined;
}

/** Has the runs evaluated by the engine that the arguments name. */
export async function evaluateByEngine(args: ParsedArguments, context: Context, work: EngineWork): Promise<EngineRun[]> {
  let meter: ProgressMeter | undefined;
  let at = '';
  const request: EngineRequest = {
    ...work,
    columns: columnsOf(args),
    trustUnique: args.has('trust-unique'),
    threads: args.number('threads'),
    memoryLimit: args.value('memory-limit'),
    allowNetwork: args.has('allow-network'),
    onProgress(doing, share) {
      if (doing !== at) meter?.clear();
      if (doing !== at) meter = new ProgressMeter(context.stderr, printable(doing), args.has('quiet'));
      at = doing;
      meter?.update(share ?? 0, 1);
    },
  };
  try {
    if (args.value('engine') === 'duckdb') return await (await import('../node/engines/duckdb.js')).evaluateWithDuckdb(request);
    const { evaluateWithSpark } = await import('../node/engines/spark.js');
    return await evaluateWithSpark({
      ...request,
      master: args.value('master'),
      settings: args.values('conf'),
      environment: context.environment,
    });
  } finally {
    meter?.clear();
  }
}

/** What a person should know about the numbers. */
export function engineNotes(runs: readonly EngineRun[], rules: Partial<JudgingRules>): string[] {
  const fate = rules.missingTopics === 'skip' ? 'left out of the averages' : 'counted as empty rankings';
  return runs.flatMap(({ path, facts: { judgedTopics, answeredTopics } }) =>
    answeredTopics < judgedTopics
      ? [`${path}: ${judgedTopics - answeredTopics} of ${judgedTopics} judged topics not answered, ${fate}`]
      : [],
  );
}
