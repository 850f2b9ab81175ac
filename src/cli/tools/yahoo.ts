import { nodeToolHost } from '../../node/index.js';
import { runYahoo } from '../../tools/index.js';

/** `gradus as yahoo LABELS RANKS [-k 10 | -k1,2,3]`. */
export async function asYahoo(argv: readonly string[]): Promise<number> {
  return await runYahoo(argv, nodeToolHost);
}
