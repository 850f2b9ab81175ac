import type { TrecEvalHost } from '../tools/trec-eval/host.js';
import { readPlainFile, readStandardInput } from './output/plain-file.js';
import { evaluateRunFile, threadsFor } from './streams/stream-evaluate.js';
import { writeFully } from './terminal.js';
import type { WorkerTeam } from './threads/team.js';

/** The files and streams of this process for `runTrecEval`; large plain files are evaluated on all cores, without being held in memory. */
export const nodeTrecEvalHost: TrecEvalHost = {
  read: readPlainFile,
  readStdin: readStandardInput,
  writeOut: (bytes) => writeFully(1, bytes, 'standard output'),
  writeErr: (bytes) => writeFully(2, bytes, 'standard error'),
  prepareFast: threadsFor,
  evaluateFast: async ({ qrels, resultsPath, measures, rules, options, comments }, team) =>
    await evaluateRunFile(
      { path: resultsPath, qrels, measures, rules, planOptions: options, grammar: 'c', comments },
      team as WorkerTeam | undefined,
    ),
};
