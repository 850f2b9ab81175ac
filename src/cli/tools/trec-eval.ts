import { readPlainFile, readStandardInput } from '../../node/plain-file.js';
import { evaluateRunFile } from '../../node/stream-evaluate.js';
import { writeFully } from '../../node/terminal.js';
import type { TrecEvalHost } from '../../tools/trec-eval/host.js';
import { runTrecEval } from '../../tools/trec-eval/run-trec-eval.js';

const host: TrecEvalHost = {
  read: readPlainFile,
  readStdin: readStandardInput,
  writeOut: (bytes) => writeFully(1, bytes, 'standard output'),
  writeErr: (bytes) => writeFully(2, bytes, 'standard error'),
  evaluateFast: async ({ qrels, resultsPath, measures, rules, options, comments }) =>
    await evaluateRunFile({ path: resultsPath, qrels, measures, rules, planOptions: options, grammar: 'c', comments }),
};

/** `gradus as trec_eval`: the tool's own arguments, output and exit status. */
export async function asTrecEval(version: string, argv: readonly string[]): Promise<number> {
  if (version.startsWith('8.1')) return (await import('./trec-eval-81.js')).asTrecEval81(version !== '8.1', argv);
  const { exitCode } = await runTrecEval(argv, version, host);
  return exitCode;
}
