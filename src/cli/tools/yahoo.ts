import { runYahoo } from '../../tools/yahoo/run-yahoo.js';
import { processHost } from './tool-host.js';

/** `gradus as yahoo LABELS RANKS [-k 10 | -k1,2,3]`. */
export async function asYahoo(argv: readonly string[]): Promise<number> {
  return await runYahoo(argv, processHost);
}
