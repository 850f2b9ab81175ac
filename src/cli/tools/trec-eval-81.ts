import { nodeToolHost } from '../../node/index.js';
import { runTrecEval81, runTrecEval81Released } from '../../tools/index.js';

/** `gradus as trec_eval@8.1`, and `@8.1+ndcg`: the program of 2006, and with the patch of 2008. */
export async function asTrecEval81(patched: boolean, argv: readonly string[]): Promise<number> {
  return await (patched ? runTrecEval81 : runTrecEval81Released)(argv, nodeToolHost);
}
