import type { Params } from './measure.js';

/** What other tools call our measures. Each table maps a foreign name to a Gradus spelling; `{}` stands for the number that
 *  the foreign spelling carries. One table serves the parser, the drop-in commands and the reference. */

/** Our spelling; with `{}` for a cutoff, the cutoffs too that trec_eval prints when none are asked for. */
type TrecEvalName = string | readonly [ours: string, cutoffs: readonly number[]];

const depths: readonly number[] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
const tenths: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const fifths: readonly number[] = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2];

/** trec_eval: `map`, `ndcg_cut_10`, `ndcg_cut.10`, `P.5,10`. */
const trecEvalTable: Readonly<Record<string, TrecEvalName>> = {
  num_q: 'NumQ',
  num_ret: 'NumRet',
  num_rel: 'NumRel',
  num_rel_ret: 'NumRelRet',
  map: 'AP',
  gm_map: "AP(agg='geometric')",
  Rprec: 'Rprec',
  bpref: 'Bpref',
  recip_rank: 'RR',
  iprec_at_recall: ['IPrec@{}', tenths],
  P: ['P@{}', depths],
  recall: ['R@{}', depths],
  infAP: 'infAP',
  gm_bpref: "Bpref(agg='geometric')",
  Rprec_mult: ['RprecMult@{}', fifths],
  utility: 'Utility',
  '11pt_avg': 'IAP',
  binG: 'BinG',
  G: 'G',
  dcg: 'DCG',
  ideal_dcg: 'IDCG',
  ndcg: 'nDCG',
  ndcg_rel: 'nDCGRel',
  Rndcg: 'RnDCG',
  ndcg_cut: ['nDCG@{}', depths],
  map_cut: ['AP@{}', depths],
  relative_P: ['RelP@{}', depths],
  success: ['Success@{}', [1, 5, 10]],
  set_P: 'SetP',
  set_relative_P: 'SetRelP',
  set_recall: 'SetR',
  set_map: 'SetAP',
  set_F: 'SetF',
  num_nonrel_judged_ret: 'NumNonRelJudgedRet',
  prefs_num_prefs_poss: 'PrefsPossible',
  prefs_num_prefs_ful: 'PrefsFulfilled',
  prefs_num_prefs_ful_ret: 'PrefsFulfilledRet',
  prefs_simp: 'PrefsSimp',
  prefs_pair: 'PrefsPair',
  prefs_avgjg: 'PrefsAvg',
  prefs_avgjg_Rnonrel: 'PrefsAvgRNonRel',
  prefs_simp_ret: 'PrefsSimpRet',
  prefs_pair_ret: 'PrefsPairRet',
  prefs_avgjg_ret: 'PrefsAvgRet',
  prefs_avgjg_Rnonrel_ret: 'PrefsAvgRNonRelRet',
  prefs_simp_imp: 'PrefsSimpImp',
  prefs_pair_imp: 'PrefsPairImp',
  prefs_avgjg_imp: 'PrefsAvgImp',
  map_avgjg: "AP(groups='mean')",
  P_avgjg: ["P(groups='mean')@{}", depths],
  Rprec_mult_avgjg: ["RprecMult(groups='mean')@{}", fifths],
  yaap: 'YAAP',
  rbp: "RBP(p=0.9,gain='range')",
  rbp_resid: 'RBPResidual(p=0.9)',
  unj: ['Unjudged@{}', [5, 10, 20]],
};

/** The measures of trec_eval that have an equal here. */
export const trecEvalNames: readonly string[] = Object.keys(trecEvalTable);

/** What trec_eval means by a name; undefined if it has no such measure. */
export function trecEvalMeasure(name: string): { readonly ours: string; readonly cutoffs?: readonly number[] } | undefined {
  if (!Object.hasOwn(trecEvalTable, name)) return undefined;
  const entry = trecEvalTable[name];
  return typeof entry === 'string' ? { ours: entry } : { ours: entry[0], cutoffs: entry[1] };
}

/** trec_eval's names for lists of measures, as far as Gradus measures stand behind them. */
export const trecEvalLists: Readonly<Record<string, readonly string[]>> = {
  official: ['num_q', 'num_ret', 'num_rel', 'num_rel_ret', 'map', 'gm_map', 'Rprec', 'bpref', 'recip_rank', 'iprec_at_recall', 'P'],
  set: ['num_q', 'num_ret', 'num_rel', 'num_rel_ret', 'utility', 'set_P', 'set_recall', 'set_relative_P', 'set_map', 'set_F'],
  all_trec: namesWhere((name) => !/^prefs_|_avgjg$|^(dcg|ideal_dcg|yaap)$/.test(name)),
  prefs: namesWhere((name) => /^prefs_(num_\w+|simp|pair|avgjg)$/.test(name)),
  all_prefs: namesWhere((name) => name.startsWith('prefs_')),
  qrels_jg: namesWhere((name) => /^(?!prefs_).*_avgjg$/.test(name)),
};

function namesWhere(belongs: (name: string) => boolean): string[] {
  return trecEvalNames.filter(belongs);
}

/** Other tools write `name@k`. ranx adds `-l2` for a relevance level; XGBoost a minus for 0 on queries without a relevant document.
 *  Names that ir_measures or Gradus use too are not repeated here. A text stands for the measure with and without a cutoff. */
const cutoffTable: Readonly<Record<string, string | readonly [whole?: string | undefined, at?: string]>> = {
  hits: "NumRelRet(agg='mean')",
  hit_rate: ['Success', 'Success@{}'],
  precision: ['SetP', 'P@{}'],
  recall: ['SetR', 'R@{}'],
  f1: ['SetF', 'F@{}'],
  'r-precision': ['Rprec'],
  r_precision: ['Rprec'],
  mrr: 'RR',
  map: 'AP',
  mean_average_precision: 'AP',
  bpref: ['Bpref'],
  ndcg: 'nDCG',
  ndcg_burges: "nDCG(gain='exp')",
  dcg: 'DCG',
  dcg_burges: "DCG(gain='exp')",
  p: [undefined, 'P@{}'],
  pre: [undefined, 'P@{}'],
  rr: 'RR',
  err: 'ERR',
  best: 'Best',
  gmap: "AP(agg='geometric')",
  hmap: "AP(agg='harmonic')",
  ncugup: ["NCU(stop='graded',beta=0)"],
  ncugubr: ["NCU(stop='graded')"],
  ncurbp: ["NCU(stop='rank-biased',beta=0)"],
  ncurbbr: ["NCU(stop='rank-biased')"],
};

/** The names that other libraries write as `name@k`. */
export const namesAtCutoff: readonly string[] = Object.keys(cutoffTable);

/** What a name means with and without a cutoff; undefined where it means nothing. */
export function measureAtCutoff(name: string): { readonly whole?: string | undefined; readonly at?: string | undefined } | undefined {
  if (!Object.hasOwn(cutoffTable, name)) return undefined;
  const entry = cutoffTable[name];
  return typeof entry === 'string' ? { whole: entry, at: `${entry}@{}` } : { whole: entry[0], at: entry[1] };
}

/** XGBoost's names with a minus, `ndcg@10-`: the ideal is the list itself, and a query without a relevant document counts 0. */
export const xgboostNames: Readonly<Record<string, string>> = {
  ndcg: "nDCG(gain='exp',ideal='list',empty=0)",
  map: "AP(denominator='list-min',empty=0)",
  pre: 'P',
};

/** Parameters under which ir_measures knows something that has a name of its own here: what `measure(param=value)` stands for. A
 *  value of `*` is any, and is kept. */
export const rewrittenParams: Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, readonly [measure: string, params: Params]>>>>>
> = {
  nDCG: { dcg: { log2: ['nDCG', {}], 'exp-log2': ['nDCG', { gain: 'exp' }] } },
  SDCG: { dcg: { log2: ['SDCG', {}] } },
  SetP: { relative: { true: ['SetRelP', {}], false: ['SetP', {}] } },
  NumRet: { rel: { '*': ['NumRelRet', {}] } },
};
