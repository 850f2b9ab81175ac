import { atLevel } from './parse.js';

/** ranx's names, without and with a cutoff. */
const ranxNames: Readonly<Record<string, readonly [whole: string, at: string]>> = {
  hits: ["NumRelRet(agg='mean')", "NumRelRet(agg='mean')@{}"],
  hit_rate: ['Success', 'Success@{}'],
  precision: ['SetP', 'P@{}'],
  recall: ['SetR', 'R@{}'],
  f1: ['SetF', 'F@{}'],
  'r-precision': ['Rprec', 'Rprec'],
  mrr: ['RR', 'RR@{}'],
  map: ['AP', 'AP@{}'],
  dcg: ['DCG', 'DCG@{}'],
  dcg_burges: ["DCG(gain='exp')", "DCG(gain='exp')@{}"],
  ndcg: ['nDCG', 'nDCG@{}'],
  ndcg_burges: ["nDCG(gain='exp')", "nDCG(gain='exp')@{}"],
  bpref: ['Bpref', 'Bpref'],
};

/** What ranx reads: a name of its own, `@` and a cutoff that 0 leaves out, `-l` and a level. It takes a cutoff from every metric, and
 *  for r-precision and bpref it does nothing with it. */
export function fromRanx(text: string): string[] | undefined {
  const persistence = /^rbp[.@](\d+)(?:-l(\d+))?$/.exec(text);
  if (persistence !== null) {
    const [, digits, level] = persistence;
    return [`RBP(p=${Number(`0.${digits}`)}${level === undefined ? '' : `,rel=${level},level=${level}`})`];
  }
  const parts = /^([a-z][a-z0-9_-]*?)(?:@(\d+))?(?:-l(\d+))?$/.exec(text);
  if (parts === null || !Object.hasOwn(ranxNames, parts[1])) return undefined;
  const [, name, cutoff = '0', level] = parts;
  const [whole, at] = ranxNames[name];
  const ours = Number(cutoff) === 0 ? whole : at.replace('{}', cutoff);
  return [level === undefined ? ours : atLevel(ours, level)];
}
