import { defaultRankLibVersion, type RankLibVersion, rankLibVersions } from '../../conventions/index.js';
import { nodeToolHost, refuseOverwriting, type UsedFile } from '../../node/index.js';
import { parseRankLibOptions, type RankLibOptions, runRankLib, ToolExit, trains } from '../../tools/index.js';

/** `gradus as ranklib`: the tool's own options, output and exit status. */
export async function asRankLib(version: string, argv: readonly string[]): Promise<number> {
  const known = rankLibVersions.find(({ name }) => name === version) ?? defaultRankLibVersion;
  if (!trains(argv, known)) {
    refuseOverwriting(filesOf(argv, known));
    // what only evaluates need not wait for the models
    const loads = argv.some((word) => word.toLowerCase() === '-load');
    const readModel = loads ? (await import('../on-demand/ranklib.js')).readRankLibModel : undefined;
    return await runRankLib(argv, known, nodeToolHost, readModel);
  }
  const { nodeRankLibHost, runRankLibTraining } = await import('../on-demand/ranklib.js');
  return await runRankLibTraining(argv, known, nodeRankLibHost);
}

/** What an evaluation reads and writes; nothing if its arguments are wrong, which it says itself. */
function filesOf(argv: readonly string[], version: RankLibVersion): UsedFile[] {
  let options: RankLibOptions;
  try {
    options = parseRankLibOptions(argv, version);
  } catch (error) {
    if (error instanceof ToolExit) return [];
    throw error;
  }
  const { test, rank, score, indri, idv, qrel, models } = options;
  const named = (use: UsedFile['use'], label: string, path: string | undefined): UsedFile[] =>
    path === undefined || path === '' ? [] : [{ use, label, path }];
  return [
    ...named('input', '-test', test),
    ...named('input', '-rank', rank),
    ...named('input', '-qrel', qrel),
    ...models.flatMap((path) => named('input', '-load', path)),
    ...named(rank === undefined ? 'input' : 'output', '-score', score),
    ...named('output', '-indri', rank === undefined || score !== undefined ? undefined : indri),
    ...named('output', '-idv', rank === undefined ? idv : undefined),
  ];
}
