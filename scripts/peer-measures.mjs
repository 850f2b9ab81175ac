// What each tool is asked for, in its own spelling; ours beside it where the tool's is not one that Gradus reads.

const cutoffs = [1, 3, 5, 20];
const at = (names, ks = cutoffs) => names.flatMap((name) => ks.map((k) => `${name}@${k}`));

const irMeasures =
  `P@1 P@5 P@30 P(rel=2)@5 P(judged_only=True)@5 Precision@5 RR RR(rel=2) RR(judged_only=True) MRR RR@1 RR@3 RR@10 RR(rel=2)@10 Rprec
  Rprec(rel=2) RPrec AP AP@5 AP@100 AP(rel=2) AP(judged_only=True) MAP nDCG nDCG@3 nDCG@20 NDCG@5 nDCG(judged_only=True)@5
  nDCG(dcg='exp-log2')@3 nDCG(dcg='exp-log2')@10 nDCG(gains={1:5,2:6,3:7})@10 nDCG(gains={0:1,1:0})@5 R@5 R(rel=2)@5 R@100 Recall@10 Bpref
  Bpref(rel=2) BPref NumRet NumRet(rel=1) NumRet(rel=2) NumRelRet NumQ NumRel SetAP SetAP(rel=2) SetF SetF(beta=0.5) SetF(beta=2.0)
  SetF(rel=2) SetP SetP(rel=2) SetP(relative=True) SetRelP SetR SetR(rel=2) Success@1 Success@5 Success(rel=3)@5 IPrec@0.0 IPrec@0.1 IPrec@0.25
  IPrec@0.7 IPrec@0.8 IPrec@1.0 IPrec(rel=2)@0.3 infAP infAP(rel=2) ERR@1 ERR@5 ERR@20 Judged Judged@1 Judged@5 Judged@50 Compat Compat(p=0.8)
  Compat(normalize=False) Accuracy Accuracy@5 Accuracy(rel=2) Accuracy(rel=2)@10 RBP(rel=1) RBP(rel=2) RBP(p=0.5,rel=1) RBP(p=0.999,rel=1)
  BPM(max_rel=3)@10 BPM(T=2.0,max_rel=3)@5 BPM(min_rel=1,max_rel=2)@5 SDCG(max_rel=3)@5 SDCG(min_rel=1,max_rel=3)@10 NERR8(max_rel=3)@10
  NERR9(max_rel=3)@10 NERR10(max_rel=3) NERR10(p=0.5,max_rel=4) NERR11(max_rel=3) NERR11(T=2.0,max_rel=3) INST(max_rel=3) INST(T=2.0,max_rel=3)
  INSQ(max_rel=3) INSQ(T=2.0,max_rel=3)
  ERR nDCG(dcg='exp-log2') nDCG(dcg='exp-log2',judged_only=True)@5 RR(judged_only=True)@5 RBP(rel=1)@5 NumRel(rel=2) IPrec@0.125`.split(
    /\s+/,
  );
const irDiversity = `alpha_nDCG@1 alpha_nDCG@5 alpha_nDCG@10 alpha_nDCG(alpha=0.2)@10 alpha_nDCG(rel=2)@10 alpha_DCG@5 alpha_DCG@20 ERR_IA@5
  ERR_IA@20 nERR_IA@5 nERR_IA@10 NRBP NRBP(alpha=0.2,beta=0.8) nNRBP AP_IA AP_IA(rel=2) MAP_IA P_IA@5 P_IA@20 StRecall@5 StRecall@20`.split(
  /\s+/,
);
const pytrecEval =
  `num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall_0.00 iprec_at_recall_0.10 iprec_at_recall_0.25
  iprec_at_recall_0.70 iprec_at_recall_1.00 P_1 P_5 P_30 recall_5 recall_100 infAP gm_bpref Rprec_mult_0.20 Rprec_mult_0.70 Rprec_mult_1.00
  Rprec_mult_2.00 utility 11pt_avg binG G ndcg ndcg_rel Rndcg ndcg_cut_3 ndcg_cut_20 map_cut_5 map_cut_100 relative_P_5 relative_P_30 success_1 success_5
  set_P set_relative_P set_recall set_map set_F set_F_0.5 num_nonrel_judged_ret`.split(/\s+/);
const ranxNames = 'hits hit_rate precision recall f1 mrr map dcg dcg_burges ndcg ndcg_burges'.split(' ');
const ranx = [
  ...ranxNames.flatMap((name) => ['', '@1', '@3', '@20', '-l2', '@3-l2', '@20-l3'].map((suffix) => name + suffix)),
  ...'r-precision r-precision-l2 r-precision@3 bpref bpref-l2 bpref@3 rbp.95 rbp.5 rbp@80 rbp.95-l2 rbp.8-l3'.split(' '),
];

/** Tool → pairs of its spelling and ours. @type {Record<string, { cases: (name: string) => boolean, measures: [string, string][] }>} */
export const peerMeasures = {
  ir_measures: same(irMeasures, (name) => !name.startsWith('diverse')),
  'ir_measures (diversity)': same(irDiversity, (name) => name.startsWith('diverse')),
  pytrec_eval: same(pytrecEval, (name) => !name.startsWith('diverse')),
  ranx: same(ranx, (name) => !name.startsWith('diverse')),
  beir: same(at(['NDCG', 'MAP', 'Recall', 'P', 'MRR', 'R_cap', 'Hole', 'Accuracy']), (name) => !name.startsWith('diverse')),
  sklearn: pairs([
    ...cutoffs.flatMap((k) => [
      [`ndcg_score@${k}`, `nDCG@${k}`],
      [`dcg_score@${k}`, `DCG@${k}`],
    ]),
    ['ndcg_score', 'nDCG'],
    ['dcg_score', 'DCG'],
  ]),
  lightgbm: same(at(['ndcg', 'map']), (name) => !name.startsWith('diverse')),
  xgboost: same(
    [...at(['ndcg', 'map', 'pre']), 'ndcg', 'map', 'pre', ...at(['ndcg', 'map', 'pre'], [3]).map((name) => `${name}-`), 'ndcg-', 'map-'],
    (name) => !name.startsWith('diverse'),
  ),
  catboost: pairs([
    ...cutoffs.map((k) => [`NDCG:top=${k};type=Base`, `nDCG@${k}`]),
    ...cutoffs.map((k) => [`NDCG:top=${k};type=Exp`, `nDCG(gain='exp')@${k}`]),
    ['NDCG:type=Base', 'nDCG'],
    ['MAP:top=3', 'AP@3'],
    ['MRR', 'RR'],
    ['PrecisionAt:top=3', 'P@3'],
    ['DCG:top=3', 'DCG@3'],
  ]),
};

function same(names, cases) {
  return { cases, measures: names.map((name) => [name, name]) };
}

function pairs(measures) {
  return { cases: (name) => !name.startsWith('diverse'), measures };
}
