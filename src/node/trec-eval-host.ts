import { statSync } from 'node:fs';
import type { FastMeans, TrecEvalHost } from '../tools/trec-eval/host.js';
import { optimiseLate } from './late-optimising.js';
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
  prepareFast: prepare,
  evaluateFast: async ({ qrels, resultsPath, measures, rules, options, comments }, prepared) =>
    await evaluateRunFile(
      { path: resultsPath, qrels, measures, rules, planOptions: options, grammar: 'c', comments, judgedOnce: true },
      (prepared as Prepared | undefined)?.team,
    ),
};

/** What is got ready for an evaluation before anything is read. */
interface Prepared extends FastMeans {
  readonly team?: WorkerTeam;
}

/** Runs below this size are evaluated before their functions could be optimised; from twice this size on, optimising pays. */
const SHORT_RUN = 6 << 20;

async function prepare(path: string): Promise<Prepared | undefined> {
  const team = await threadsFor(path);
  if (team !== undefined) return { team, close: () => team.close() };
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size < SHORT_RUN ? optimiseLate() : undefined;
}
