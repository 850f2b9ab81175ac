import { runTrecEval81 } from '../../conventions/trec-eval-81.js';
import { processHost } from '../tool-host.js';

/** `gradus as trec_eval@8.1+ndcg`: what the patched program of 2008 printed. */
export async function asTrecEval81(argv: readonly string[]): Promise<number> {
  return await runTrecEval81(argv, processHost);
}
