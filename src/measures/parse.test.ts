import { describe, expect, it } from 'vitest';
import { spellingsFor } from '../../test/helpers/measure-variants.js';
import { parseMeasure, parseMeasureList, parseMeasures } from './parse.js';
import { allMeasures } from './registry.js';
import { measureAtCutoff, namesAtCutoff, trecEvalLists, trecEvalNames } from './spellings.js';

const texts = (text: string): string[] => parseMeasures(text).map((measure) => measure.text);

describe('parseMeasures(text)', () => {
  // one row per spelling: what is written, what it stands for
  it.each<[tool: string, spelling: string, ours: string | string[]]>([
    ['Gradus', 'P@5', 'P@5'],
    ['Gradus', 'P(cutoff=5)', 'P@5'],
    ['Gradus', ' P( rel = 2 , cutoff = 5 ) ', 'P(rel=2)@5'],
    ['Gradus', 'P(rel=1)@5', 'P@5'],
    ['Gradus', 'P@5,10', ['P@5', 'P@10']],
    ['Gradus', 'nDCG(gains={1:1,2:3})@10', 'nDCG(gains={1:1,2:3})@10'],
    ['Gradus', "AP(ties='expected')", "AP(ties='expected')"],
    ['Gradus', 'AP(ties=expected)', "AP(ties='expected')"],
    ['Gradus', 'AP(agg="geometric",floor=0.001)', "AP(agg='geometric',floor=0.001)"],
    ['Gradus', "AP(empty='skip')", "AP(empty='skip')"],
    ['Gradus', 'nDCG(empty=1)@10', 'nDCG(empty=1)@10'],
    ['Gradus', 'GAP(g=[0.5, 0.5])', 'GAP(g=[0.5,0.5])'],
    ['Gradus', "ERR(max_rel='data')@20", "ERR(max_rel='data')@20"],
    ['Gradus', 'BPM(max_rel=data)@10', 'BPM@10'],
    ['ir_measures', 'AP', 'AP'],
    ['ir_measures', 'MAP', 'AP'],
    ['ir_measures', 'NDCG@10', 'nDCG@10'],
    ['ir_measures', 'MRR@10', 'RR@10'],
    ['ir_measures', 'Precision@10', 'P@10'],
    ['ir_measures', 'Recall@10', 'R@10'],
    ['ir_measures', 'BPref', 'Bpref'],
    ['ir_measures', 'RPrec', 'Rprec'],
    ['ir_measures', "nDCG(dcg='log2')@10", 'nDCG@10'],
    ['ir_measures', "nDCG(dcg='exp-log2')@10", "nDCG(gain='exp')@10"],
    ['ir_measures', "nDCG(dcg='exp-log2',judged_only=True)@10", "nDCG(gain='exp',judged_only=true)@10"],
    ['ir_measures', 'P(judged_only=False)@10', 'P@10'],
    ['ir_measures', "SDCG(dcg='log2',max_rel=3)@10", 'SDCG(max_rel=3)@10'],
    ['ir_measures', 'SetP(relative=True)', 'SetRelP'],
    ['ir_measures', 'SetP(relative=False,rel=2)', 'SetP(rel=2)'],
    ['ir_measures', 'SetRelP', 'SetRelP'],
    ['ir_measures', 'SetF(beta=2.0)', 'SetF(beta=2)'],
    ['ir_measures', 'NumRet(rel=1)', 'NumRelRet'],
    ['ir_measures', 'NumRet(rel=2)', 'NumRelRet(rel=2)'],
    ['ir_measures', 'NumRelRet', 'NumRelRet'],
    ['ir_measures', 'IPrec@0.1', 'IPrec@0.1'],
    ['ir_measures', 'Success@5', 'Success@5'],
    ['ir_measures', 'Judged@10', 'Judged@10'],
    ['ir_measures', 'RBP(rel=1,p=0.8)', 'RBP'],
    ['ir_measures', 'alpha_nDCG(alpha=0.5)@20', 'alpha_nDCG@20'],
    ['ir_measures', 'α_nDCG@20', 'alpha_nDCG@20'],
    ['ir_measures', 'α_DCG@20', 'alpha_DCG@20'],
    ['ir_measures', 'ERR_IA@20', 'ERR_IA@20'],
    ['ir_measures', 'MAP_IA', 'AP_IA'],
    ['ir_measures', 'StRecall@10', 'StRecall@10'],
    ['ir_measures', 'Compat(p=0.95,normalize=True)', 'Compat'],
    ['ir_measures', 'BPM(T=1.0,min_rel=0,max_rel=4)@10', 'BPM(max_rel=4)@10'],
    ['ir_measures', 'INST(max_rel=4)', 'INST(max_rel=4)'],
    ['ir_measures', 'NERR8(max_rel=4)@10', 'NERR8(max_rel=4)@10'],
    ['trec_eval', 'map', 'AP'],
    ['trec_eval', 'gm_map', "AP(agg='geometric')"],
    ['trec_eval', 'P_5', 'P@5'],
    ['trec_eval', 'P.5,10', ['P@5', 'P@10']],
    ['trec_eval', 'ndcg_cut_10', 'nDCG@10'],
    ['trec_eval', 'ndcg_cut.10', 'nDCG@10'],
    ['trec_eval', 'ndcg.1=1,2=3', 'nDCG(gains={1:1,2:3})'],
    ['trec_eval', 'recip_rank', 'RR'],
    ['trec_eval', 'iprec_at_recall_0.20', 'IPrec@0.2'],
    ['trec_eval', 'set_F.2', 'SetF(weight=2)'],
    ['trec_eval', 'rbp', "RBP(p=0.9,gain='range')"],
    ['trec_eval', 'rbp.p=0.5', "RBP(p=0.5,gain='range')"],
    ['trec_eval', 'unj_10', 'Unjudged@10'],
    ['trec_eval', 'map_avgjg', "AP(groups='mean')"],
    ['trec_eval', 'success', ['Success@1', 'Success@5', 'Success@10']],
    ['ranx', 'ndcg@10', 'nDCG@10'],
    ['ranx', 'ndcg_burges@10', "nDCG(gain='exp')@10"],
    ['ranx', 'map@100-l2', 'AP(rel=2)@100'],
    ['ranx', 'mrr', 'RR'],
    ['ranx', 'hits@10', "NumRelRet(agg='mean')@10"],
    ['ranx', 'hit_rate@10', 'Success@10'],
    ['ranx', 'f1', 'SetF'],
    ['ranx', 'r-precision', 'Rprec'],
    ['ranx', 'rbp.95', 'RBP(p=0.95)'],
    ['ranx', 'rbp.5-l2', 'RBP(p=0.5,rel=2)'],
    ['ranx', 'precision@5-l3', 'P(rel=3)@5'],
    ['RankLib', 'NDCG@10', 'nDCG@10'],
    ['RankLib', 'DCG@10', 'DCG@10'],
    ['RankLib', 'P@10', 'P@10'],
    ['RankLib', 'RR@10', 'RR@10'],
    ['RankLib', 'ERR@10', 'ERR@10'],
    ['RankLib', 'BEST@10', 'Best@10'],
    ['RankLib', 'Best@10', 'Best@10'],
    ['RankLib', 'err@10', 'ERR@10'],
    ['RankLib', 'p@10', 'P@10'],
    ['XGBoost', 'ndcg@10-', "nDCG(gain='exp',ideal='list',empty=0)@10"],
    ['XGBoost', 'ndcg-', "nDCG(gain='exp',ideal='list',empty=0)"],
    ['XGBoost', 'map@10-', "AP(denominator='list-min',empty=0)@10"],
    ['XGBoost', 'pre@10', 'P@10'],
    ['LightGBM', 'ndcg@5', 'nDCG@5'],
    ['LightGBM', 'map@5', 'AP@5'],
    ['LightGBM', 'mean_average_precision@5', 'AP@5'],
    ['NTCIREVAL', 'MSnDCG@10', 'nDCG@10'],
    ['NTCIREVAL', 'Q-measure', 'Q'],
    ['NTCIREVAL', 'P-plus', 'PPlus'],
    ['NTCIREVAL', 'P+', 'PPlus'],
    ['NTCIREVAL', 'NCUguP', "NCU(stop='graded',beta=0)"],
    ['lectures', 'GMAP', "AP(agg='geometric')"],
    ['lectures', 'HMAP', "AP(agg='harmonic')"],
    ['lectures', 'BEP', 'Rprec'],
  ])('%s: %s', (_, spelling, ours) => {
    expect(texts(spelling)).toEqual([ours].flat());
  });

  it.each([
    ['nDCG(dcg=exp)@10', 'dcg of nDCG: expected one of log2, exp-log2, found exp'],
    ['P', 'P needs a cutoff; write it as P@10'],
    ['P@0', 'cutoff of P: expected a whole number from 1 to 2147483647, found 0'],
    ['P@', 'P@: expected a number after @, found nothing'],
    ['Rprec@5', 'Rprec@5: Rprec takes no @; write Rprec alone'],
    ['AP(k=5)', 'AP has no parameter k; it has cutoff, rel, denominator'],
    ['AP(rel)', 'AP(rel): expected parameter=value, found rel'],
    ['AP(rel=)', 'AP(rel=): nothing after rel='],
    ['AP(empty=maybe)', 'empty of AP: expected a number, or skip or error, found maybe'],
    [
      "AP(ties='best')",
      'ties of AP: expected one of docno, docno-ascending, file, rank, quicksort, optimistic, pessimistic, expected, found best',
    ],
    ['ERR(max_rel=many)', 'max_rel of ERR: expected a number, or data, found many'],
    ['nDCX@10', 'there is no measure nDCX@10; did you mean nDCG?'],
    ['', 'there is no measure with an empty name'],
    ['AP(', 'cannot read the measure AP('],
    ['RR(cutoff=10)@5', 'RR(cutoff=10)@5: cutoff was given twice: 10 and 5; give it once'],
    ['IPrec(recall=0.1)@0.5', 'IPrec(recall=0.1)@0.5: recall was given twice: 0.1 and 0.5; give it once'],
    ['P(cutoff=5)@5,10', 'P(cutoff=5)@5,10: cutoff was given twice: 5 and 5,10; give it once'],
    ['AP(rel=1,rel=2)', 'AP(rel=1,rel=2): rel was given twice; give it once'],
    ['IPrec@10', 'recall of IPrec: expected a number from 0 to 1, found 10'],
    ['IPrec@-0.1', 'recall of IPrec: expected a number from 0 to 1, found -0.1'],
    ['IAP(levels=[0,2])', 'levels of IAP: expected numbers from 0 to 1, such as [0.5,0.5], found [0,2]'],
    ['RBP(p=2)', 'p of RBP: expected a number from 0 to below 1, found 2'],
    ['RBP(p=1)', 'p of RBP: expected a number from 0 to below 1, found 1'],
    ['RBPResidual(p=1)', 'p of RBPResidual: expected a number from 0 to below 1, found 1'],
    ['NRBP(beta=1)', 'beta of NRBP: expected a number from 0 to below 1, found 1'],
    ['Utility(coefficients=[1])', 'coefficients of Utility: expected 4 numbers, found [1]'],
  ])('refuses %s', (text, message) => {
    expect(() => parseMeasures(text)).toThrow(message);
  });

  it('reports everything that is wrong with a list', () => {
    expect(() => parseMeasureList(['nDCX', 'AP', 'P'])).toThrow(/nDCX.*\n.*P needs a cutoff/);
  });
});

describe('the canonical spelling', () => {
  const all = (['ranking', 'preferences', 'subtopics', 'users'] as const).flatMap((needs) => spellingsFor(needs));

  it.each(all)('%s parses, and its canonical form parses back to itself', (spelling) => {
    const measure = parseMeasure(spelling);
    const again = parseMeasure(measure.text);
    expect(again.text).toBe(measure.text);
    expect(again.params).toEqual(measure.params);
    expect(again.def).toBe(measure.def);
  });

  it("writes rel='>0' for every grade above 0", () => {
    for (const spelling of ["P(rel='>0')@5", 'P(rel=">0")@5', 'P(rel=5e-324)@5']) {
      const measure = parseMeasure(spelling);
      expect(measure.text).toBe("P(rel='>0')@5");
      expect(measure.params.rel).toBe(5e-324);
    }
  });

  it('leaves out every default, and shows every other value', () => {
    for (const def of allMeasures) {
      const required = Object.values(def.params).some((spec) => spec.required);
      if (!required) expect(parseMeasure(def.name).text).toBe(def.name);
      for (const alias of def.aliases ?? []) if (!required) expect(parseMeasure(alias).text).toBe(def.name);
    }
  });

  it('no name or alias stands for two measures', () => {
    const names = allMeasures.flatMap((def) => [def.name, ...(def.aliases ?? [])]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('every spelling of another tool', () => {
  // the names that ir_measures 0.4.3 registers
  const irMeasures =
    `AP AP_IA Accuracy BPM BPref Bpref Compat ERR ERR_IA INSQ INST IPrec Judged MAP MAP_IA MRR NDCG NERR10 NERR11 NERR8 NERR9 NRBP
    NumQ NumRel NumRelRet NumRet P P_IA Precision R RBP RPrec RR Recall Rprec SDCG SetAP SetF SetP SetR SetRelP StRecall Success alpha_DCG
    alpha_nDCG infAP nDCG nERR_IA nNRBP α_DCG α_nDCG`.split(/\s+/);

  it.each(irMeasures)('ir_measures: %s', (name) => {
    const required = allMeasures.some(
      (def) => [def.name, ...(def.aliases ?? [])].includes(name) && def.at !== undefined && def.params[def.at].required,
    );
    expect(parseMeasures(required ? `${name}@1` : name)).toHaveLength(1);
  });

  // P alone is a Gradus measure that wants its cutoff
  it.each(trecEvalNames.filter((name) => name !== 'P'))('trec_eval: %s', (name) => {
    for (const measure of parseMeasures(name)) expect(parseMeasure(measure.text).text).toBe(measure.text);
  });

  it.each(Object.keys(trecEvalLists))('trec_eval: %s, a list', (name) => {
    expect(parseMeasures(name).length).toBeGreaterThan(5);
  });

  it('trec_eval: its lists hold what its own do', () => {
    expect(trecEvalLists.prefs).toEqual([
      'prefs_num_prefs_poss',
      'prefs_num_prefs_ful',
      'prefs_num_prefs_ful_ret',
      'prefs_simp',
      'prefs_pair',
      'prefs_avgjg',
    ]);
    expect(trecEvalLists.all_prefs).toHaveLength(14);
    expect(trecEvalLists.qrels_jg).toEqual(['map_avgjg', 'P_avgjg', 'Rprec_mult_avgjg']);
    // the 11 official ones without the run's name, 21 more without the string of grades, and 3 of version 10
    expect(trecEvalLists.all_trec).toHaveLength(11 + 21 + 3);
  });

  it.each(namesAtCutoff)('%s', (name) => {
    const { whole, at } = measureAtCutoff(name) ?? {};
    expect(whole ?? at).toBeDefined();
    // names that trec_eval has too mean its measure when they stand alone
    if (whole !== undefined && !trecEvalNames.includes(name)) expect(texts(name)).toEqual([parseMeasure(whole).text]);
    if (at !== undefined) expect(texts(`${name}@7`)).toEqual([parseMeasure(at.replace('{}', '7')).text]);
  });

  it('names a cutoff that is no number as it was written', () => {
    expect(() => parseMeasure('P..')).toThrow('expected a number after @, found .');
    expect(() => parseMeasure('P.0x10')).toThrow('expected a number after @, found 0x10');
    expect(parseMeasure('P.010').text).toBe('P@10');
  });
});
