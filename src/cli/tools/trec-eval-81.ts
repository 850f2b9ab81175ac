import { runTrecEval81, runTrecEval81Released } from '../../tools/trec-eval-81/run-trec-eval-81.js';
import { processHost } from './tool-host.js';

/** `gradus as trec_eval@8.1`, and `@8.1+ndcg`: the program of 2006, and with the patch of 2008. */
export async function asTrecEval81(patched: boolean, argv: readonly string[]): Promise<number> {
  return await (patched ? runTrecEval81 : runTrecEval81Released)(argv, processHost);
}
