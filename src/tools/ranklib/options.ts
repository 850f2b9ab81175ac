import type { RankLibVersion } from '../../conventions/ranklib-versions.js';
import { ToolExit } from '../host.js';

/** The part of RankLib's command line that evaluates and ranks. */
export interface RankLibOptions {
  readonly test: string | undefined;
  readonly rank: string | undefined;
  readonly metric: string;
  readonly score: string | undefined;
  readonly indri: string | undefined;
  /** The file of `-idv`; empty where it is a switch. */
  readonly idv: string | undefined;
  readonly qrel: string | undefined;
  /** The highest label that ERR reckons with. */
  readonly gmax: number;
  readonly dropsHopeless: boolean;
  readonly models: readonly string[];
  readonly norm: Normalization | undefined;
}

/** How RankLib scales features within a query. */
export type Normalization = 'sum' | 'zscore' | 'linear';

const normalizations: readonly Normalization[] = ['sum', 'zscore', 'linear'];
const valued = ['-test', '-rank', '-metric2T', '-score', '-indri', '-idv', '-qrel', '-gmax', '-load', '-norm'] as const;
const switches = ['-hr', '-silent', '-keep'] as const;

/** Reads RankLib's command line; refuses what the stand-in does not do. */
export function parseRankLibOptions(argv: readonly string[], version: RankLibVersion): RankLibOptions {
  const values = new Map<string, string[]>();
  for (let i = 0; i < argv.length; i++) {
    const known = knownName(argv[i], version);
    if (known === undefined) refuse(`Unknown command-line parameter: ${argv[i]}`);
    const isSwitch = (switches as readonly string[]).includes(known) || (known === '-idv' && !version.idvFile);
    if (!isSwitch && i + 1 >= argv.length) refuse(`${argv[i]} needs a value`);
    const list = values.get(known) ?? [];
    list.push(isSwitch ? '' : argv[++i]);
    values.set(known, list);
  }
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const norm = last('-norm');
  const known = normalizations.find((name) => name === norm);
  if (norm !== undefined && known === undefined) refuse(`Unknown normalizor: ${norm}`);
  const gmax = Number(last('-gmax') ?? 4);
  if (!Number.isFinite(gmax)) refuse(`-gmax needs a number, found ${last('-gmax')}`);
  const options: RankLibOptions = {
    test: last('-test'),
    rank: last('-rank'),
    metric: last('-metric2T') ?? 'ERR@10',
    score: last('-score'),
    indri: last('-indri'),
    idv: last('-idv'),
    qrel: last('-qrel'),
    gmax: Math.trunc(gmax),
    dropsHopeless: values.has('-hr'),
    models: values.get('-load') ?? [],
    norm: known,
  };
  if (options.test === undefined && options.rank === undefined)
    refuse('neither -test nor -rank was given; this stands in for the evaluating part of RankLib');
  return options;
}

/** The option under the name used here. `-metric2t`, which names what is trained for, is the same as `-metric2T` where case
 *  is folded; elsewhere it has no effect on an evaluation. */
function knownName(argument: string, version: RankLibVersion): string | undefined {
  const all: readonly string[] = [...valued, ...switches];
  if (version.foldsOptions) return all.find((name) => name.toLowerCase() === argument.toLowerCase());
  if (argument === '-metric2t') return argument;
  return all.find((name) => name === argument);
}

function refuse(message: string): never {
  throw new ToolExit(1, { out: `${message}\nSystem will now exit.\n` });
}
