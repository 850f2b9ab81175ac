import { runRankLib } from '../../conventions/ranklib/run-ranklib.js';
import { defaultRankLibVersion, rankLibVersions } from '../../conventions/ranklib/versions.js';
import { processHost } from '../tool-host.js';

/** `gradus as ranklib`: the tool's own options, output and exit status. */
export async function asRankLib(version: string, argv: readonly string[]): Promise<number> {
  return await runRankLib(argv, rankLibVersions.find(({ name }) => name === version) ?? defaultRankLibVersion, processHost);
}
