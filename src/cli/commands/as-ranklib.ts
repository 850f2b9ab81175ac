import { runRankLib } from '../../conventions/ranklib/run-ranklib.js';
import { trains } from '../../conventions/ranklib/training-options.js';
import { defaultRankLibVersion, rankLibVersions } from '../../conventions/ranklib/versions.js';
import { processHost } from '../tool-host.js';

/** `gradus as ranklib`: the tool's own options, output and exit status. */
export async function asRankLib(version: string, argv: readonly string[]): Promise<number> {
  const known = rankLibVersions.find(({ name }) => name === version) ?? defaultRankLibVersion;
  if (!trains(argv, known)) {
    // what only evaluates need not wait for the models
    const loads = argv.some((word) => word.toLowerCase() === '-load');
    const readModel = loads ? (await import('../ranklib-model.js')).readRankLibModel : undefined;
    return await runRankLib(argv, known, processHost, readModel);
  }
  const { trainAsRankLib } = await import('./as-ranklib-train.js');
  return await trainAsRankLib(argv, known);
}
