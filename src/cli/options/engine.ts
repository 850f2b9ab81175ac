import type { Problem } from '../../core/index.js';
import { engineSettings } from '../../experiment/index.js';
import type { ArgumentsOf } from '../parse/command.js';
import { type OptionFor, optionsFor } from './settings.js';

/** The options of a command that hands its work to an engine. */
export const engineOptions: readonly OptionFor<typeof engineSettings>[] = optionsFor(engineSettings);

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
