import type { Params } from './measure.js';

/** What other tools call our measures. Each table maps a foreign name to a Gradus spelling; `{}` stands for the number that
 *  the foreign spelling carries. One table serves the parser, the drop-in commands and the reference. */

/** trec_eval's measures that take cutoffs, with the cutoffs it prints when none are asked for. */
export interface ForeignMeasure {
  /** Our spelling, `{}` for the cutoff. */
  readonly ours: string;
  /** The cutoffs that the tool uses by default. */
  readonly cutoffs?: readonly number[];
}

const depths: readonly number[] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];
const tenths: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const fifths: readonly number[] = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2];

/** trec_eval: `map`, `ndcg_cut_10`, `ndcg_cut.10`, `P.5,10`. */
export const trecEvalNames: Readonly<Record<string, ForeignMeasure>> = {
  num_q: { ours: 'NumQ' },
  num_ret: { ours: 'NumRet' },
  num_rel: { ours: 'NumRel' },
  num_rel_ret: { ours: 'NumRelRet' },
  map: { ours: 'AP' },
  gm_map: { ours: "AP(agg='geometric')" },
  Rprec: { ours: 'Rprec' },
  bpref: { ours: 'Bpref' },
  recip_rank: { ours: 'RR' },
  iprec_at_recall: { ours: 'IPrec@{}', cutoffs: tenths },
  P: { ours: 'P@{}', cutoffs: depths },
  recall: { ours: 'R@{}', cutoffs: depths },
  infAP: { ours: 'infAP' },
  gm_bpref: { ours: "Bpref(agg='geometric')" },
  Rprec_mult: { ours: 'RprecMult@{}', cutoffs: fifths },
  utility: { ours: 'Utility' },
  '11pt_avg': { ours: 'IAP' },
  binG: { ours: 'BinG' },
  G: { ours: 'G' },
  dcg: { ours: 'DCG' },
  ideal_dcg: { ours: 'IDCG' },
  ndcg: { ours: 'nDCG' },
  ndcg_rel: { ours: 'nDCGRel' },
  Rndcg: { ours: 'RnDCG' },
  ndcg_cut: { ours: 'nDCG@{}', cutoffs: depths },
  map_cut: { ours: 'AP@{}', cutoffs: depths },
  relative_P: { ours: 'RelP@{}', cutoffs: depths },
  success: { ours: 'Success@{}', cutoffs: [1, 5, 10] },
  set_P: { ours: 'SetP' },
  set_relative_P: { ours: 'SetRelP' },
  set_recall: { ours: 'SetR' },
  set_map: { ours: 'SetAP' },
  set_F: { ours: 'SetF' },
  num_nonrel_judged_ret: { ours: 'NumNonRelJudgedRet' },
  prefs_num_prefs_poss: { ours: 'PrefsPossible' },
  prefs_num_prefs_ful: { ours: 'PrefsFulfilled' },
  prefs_num_prefs_ful_ret: { ours: 'PrefsFulfilledRet' },
  prefs_simp: { ours: 'PrefsSimp' },
  prefs_pair: { ours: 'PrefsPair' },
  prefs_avgjg: { ours: 'PrefsAvg' },
  prefs_avgjg_Rnonrel: { ours: 'PrefsAvgRNonRel' },
  prefs_simp_ret: { ours: 'PrefsSimpRet' },
  prefs_pair_ret: { ours: 'PrefsPairRet' },
  prefs_avgjg_ret: { ours: 'PrefsAvgRet' },
  prefs_avgjg_Rnonrel_ret: { ours: 'PrefsAvgRNonRelRet' },
  prefs_simp_imp: { ours: 'PrefsSimpImp' },
  prefs_pair_imp: { ours: 'PrefsPairImp' },
  prefs_avgjg_imp: { ours: 'PrefsAvgImp' },
  map_avgjg: { ours: "AP(groups='mean')" },
  P_avgjg: { ours: "P(groups='mean')@{}", cutoffs: depths },
  Rprec_mult_avgjg: { ours: "RprecMult(groups='mean')@{}", cutoffs: fifths },
  yaap: { ours: 'YAAP' },
  rbp: { ours: "RBP(p=0.9,gain='range')" },
  rbp_resid: { ours: 'RBPResidual(p=0.9)' },
  unj: { ours: 'Unjudged@{}', cutoffs: [5, 10, 20] },
};

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
  return Object.keys(trecEvalNames).filter(belongs);
}

/** Other tools write `name@k`. ranx adds `-l2` for a relevance level; XGBoost a minus for 0 on queries without a relevant document.
 *  Names that ir_measures or Gradus use too are not repeated here. */
export const nameAtCutoff: Readonly<Record<string, { readonly whole?: string; readonly at?: string }>> = {
  hits: { whole: "NumRelRet(agg='mean')", at: "NumRelRet(agg='mean')@{}" },
  hit_rate: { at: 'Success@{}' },
  precision: { whole: 'SetP', at: 'P@{}' },
  recall: { whole: 'SetR', at: 'R@{}' },
  f1: { whole: 'SetF', at: 'F@{}' },
  'r-precision': { whole: 'Rprec' },
  r_precision: { whole: 'Rprec' },
  mrr: { whole: 'RR', at: 'RR@{}' },
  map: { whole: 'AP', at: 'AP@{}' },
  mean_average_precision: { whole: 'AP', at: 'AP@{}' },
  bpref: { whole: 'Bpref' },
  ndcg: { whole: 'nDCG', at: 'nDCG@{}' },
  ndcg_burges: { whole: "nDCG(gain='exp')", at: "nDCG(gain='exp')@{}" },
  dcg: { whole: 'DCG', at: 'DCG@{}' },
  dcg_burges: { whole: "DCG(gain='exp')", at: "DCG(gain='exp')@{}" },
  p: { at: 'P@{}' },
  pre: { at: 'P@{}' },
  rr: { whole: 'RR', at: 'RR@{}' },
  err: { whole: 'ERR', at: 'ERR@{}' },
  best: { whole: 'Best', at: 'Best@{}' },
  gmap: { whole: "AP(agg='geometric')", at: "AP(agg='geometric')@{}" },
  hmap: { whole: "AP(agg='harmonic')", at: "AP(agg='harmonic')@{}" },
  ncugup: { whole: "NCU(stop='graded',beta=0)" },
  ncugubr: { whole: "NCU(stop='graded')" },
  ncurbp: { whole: "NCU(stop='rank-biased',beta=0)" },
  ncurbbr: { whole: "NCU(stop='rank-biased')" },
};

/** XGBoost's names with a minus, `ndcg@10-`: the ideal is the list itself, and a query without a relevant document counts 0. */
export const xgboostNames: Readonly<Record<string, string>> = {
  ndcg: "nDCG(gain='exp',ideal='list')",
  map: "AP(denominator='list')",
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
