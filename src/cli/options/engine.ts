import { InputError, type Problem } from '../../core/index.js';
import type { EngineSettings } from '../../experiment/index.js';
import type { ArgumentsOf, ChoiceOption, ListOption, Switch, TextOption } from '../parse/command.js';

/** The engines that runs can be evaluated by, other than this program. */
export const engineNames: readonly string[] = ['duckdb', 'spark'];

/** The options of a command that hands its work to an engine. */
export const engineOptions: readonly [
  ChoiceOption<'engine', string>,
  TextOption<'memory-limit'>,
  TextOption<'master'>,
  ListOption<'conf'>,
  Switch<'allow-network'>,
  Switch<'trust-unique'>,
] = [
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
];

function checkSize(value: string): void {
  if (/^[1-9][0-9]*(\.[0-9]+)?\s*([KMGT]i?B)$/i.test(value)) return;
  throw new InputError({ message: `expected a size such as 2GB, found ${value}` });
}

/** What does not go together with an engine.
 *  @param others Options of the command that no engine heeds. */
export function engineProblems<Other extends string>(
  args: ArgumentsOf<typeof engineOptions> & { readonly has: (option: Other) => boolean },
  others: readonly Other[],
): Problem[] {
  const problems: Problem[] = [];
  const engine = args.value('engine');
  for (const option of ['memory-limit', 'trust-unique'] as const) {
    if (engine === undefined && args.has(option)) {
      problems.push({ message: `--${option} is for an engine`, wayOut: 'add --engine duckdb or --engine spark' });
    }
  }
  for (const option of ['master', 'conf'] as const) {
    if (engine !== 'spark' && args.has(option)) problems.push({ message: `--${option} is for Spark`, wayOut: 'add --engine spark' });
  }
  if (engine !== 'duckdb' && args.has('allow-network')) {
    problems.push({ message: '--allow-network is for DuckDB', wayOut: 'add --engine duckdb, or leave it out' });
  }
  for (const option of others) {
    if (engine !== undefined && args.has(option)) {
      problems.push({ message: `--${option} has no meaning for --engine ${engine}`, wayOut: 'leave one of them out' });
    }
  }
  return problems;
}

/** What the arguments say about the engine, and to it. */
export function engineSettings(args: ArgumentsOf<typeof engineOptions>): EngineSettings & { readonly engine?: string | undefined } {
  return {
    engine: args.value('engine'),
    trustUnique: args.has('trust-unique'),
    memoryLimit: args.value('memory-limit'),
    allowNetwork: args.has('allow-network'),
    master: args.value('master'),
    conf: args.values('conf'),
  };
}
