import { nodeTrecEvalHost } from '../../node/index.js';
import { runTrecEval } from '../../tools/index.js';

/** `gradus as trec_eval`: the tool's own arguments, output and exit status. */
export async function asTrecEval(version: string, argv: readonly string[]): Promise<number> {
  if (version.startsWith('8.1')) return (await import('./trec-eval-81.js')).asTrecEval81(version !== '8.1', argv);
  const { exitCode } = await runTrecEval(argv, version, nodeTrecEvalHost);
  return exitCode;
}
