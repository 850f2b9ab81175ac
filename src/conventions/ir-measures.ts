import { type ComputedMeasures, type Convention, type ConventionRules, plainRules } from './convention.js';

/** ir_measures is several programs behind one grammar. pytrec_eval is asked first; what it cannot do goes to the next in line, and each
 *  sorts and counts in its own way. Read in the source of 0.4.3, and compared with it measure by measure. */

/** Its providers in Python keep scores as they are. */
const inPython: Partial<ConventionRules> = { scorePrecision: 'double', ties: 'docno-ascending' };
/** Those that sort by score alone leave equal scores as they stand. */
const inFileOrder: Partial<ConventionRules> = { scorePrecision: 'double', ties: 'file' };
/** gdeval prints five decimals, and that is what is averaged. */
const byGdeval: Pick<ComputedMeasures, 'by' | 'rules' | 'grades' | 'topics'> = {
  by: 'gdeval',
  rules: { scorePrecision: 'double', discount: 'ln', topicDecimals: 5 },
  grades: { most: 4, whole: true },
  topics: 'numbers',
};
const notJudgedOnly = 'no provider of ir_measures computes it with judged_only';

const computes: readonly ComputedMeasures[] = [
  { measures: ['nDCG'], fits: { gain: 'given', judged_only: 'given' }, refused: notJudgedOnly },
  { measures: ['nDCG'], fits: { gain: 'given', cutoff: 'given' }, ...byGdeval },
  {
    measures: ['nDCG'],
    fits: { gain: 'given', cutoff: 'left out' },
    refused: 'ir_measures hands it to ranx where that is installed, and refuses it otherwise',
  },
  { measures: ['ERR'], fits: { cutoff: 'given', judged_only: 'left out' }, ...byGdeval },
  { measures: ['RR'], fits: { cutoff: 'given', judged_only: 'given' }, refused: notJudgedOnly },
  { measures: ['RR'], fits: { cutoff: 'given' }, by: 'msmarco', rules: inPython },
  { measures: ['Judged'], by: 'judged', rules: { ...inPython, negativeGrades: 'judged' } },
  { measures: ['Compat'], by: 'compat', rules: { ...inPython, formulas: { Compat: { ideal_by: 'score' } } } },
  {
    measures: ['Accuracy'],
    by: 'accuracy',
    rules: { ...inFileOrder, empty: { Accuracy: 'skip' }, formulas: { Accuracy: { no_pairs: 'error' } } },
  },
  {
    measures: ['RBP'],
    fits: { cutoff: 'left out' },
    by: 'cwl_eval',
    rules: { ...inFileOrder, formulas: { RBP: { cwl: 'EU' } } },
    writtenOut: 'rel',
  },
  {
    measures: ['BPM', 'SDCG', 'NERR8', 'NERR9', 'NERR10', 'NERR11', 'INST', 'INSQ'],
    fits: { max_rel: 'given' },
    by: 'cwl_eval',
    rules: inFileOrder,
  },
  {
    measures: ['alpha_nDCG', 'alpha_DCG', 'ERR_IA', 'nERR_IA', 'P_IA', 'StRecall'],
    fits: { cutoff: 'given' },
    by: 'pyndeval',
    rules: inPython,
  },
  // its quotient of two zeros is no number, and then the mean is none
  { measures: ['NRBP', 'nNRBP', 'AP_IA'], by: 'pyndeval', rules: { ...inPython, empty: { nNRBP: 'error' } } },
  { measures: ['NumQ'], by: 'pytrec_eval', rules: { unanswered: 0 } },
  { measures: ['NumRel'], fits: { rel: 'left out' }, by: 'pytrec_eval', rules: { unanswered: 0 } },
  { measures: ['NumRelRet'], fits: { cutoff: 'left out' }, by: 'pytrec_eval' },
  { measures: ['Success'], fits: { cutoff: 'given' }, by: 'pytrec_eval' },
  { measures: ['IPrec'], by: 'pytrec_eval', decimals: { recall: 2 } },
  {
    measures: ['P', 'RR', 'Rprec', 'AP', 'nDCG', 'R', 'Bpref', 'NumRet', 'SetAP', 'SetF', 'SetP', 'SetRelP', 'SetR', 'infAP'],
    by: 'pytrec_eval',
  },
];

/** The rules of ir_measures, which hands measures on to several programs with rules of their own. */
export const irMeasuresConvention: Convention = {
  name: 'ir_measures',
  title: 'ir_measures',
  help: `Most measures come from trec_eval through pytrec_eval, which keeps scores in 32 bits. RR with a cutoff, Judged, Compat, Accuracy, RBP
    and its relatives, ERR, nDCG with exponential gains and the diversity measures come from other programs, which keep 64 bits and order equal
    scores each in its own way. All judged topics are averaged; one that the run does not answer counts as 0, except in Accuracy, which leaves out
    topics without a relevant document in the ranking. SetF takes beta for its square.`,
  version: '0.4.3',
  verified:
    'every measure it has, on cases made to hurt, by scripts/check-peers.mjs: ties, scores that are equal in 32 bits only, negative and high grades, missing and empty topics, short lists, unjudged documents',
  unverified:
    'several diversity measures of different parameters asked for at once, of which it computes one; runs whose topics are not in one piece',
  rules: {
    ...plainRules,
    scorePrecision: 'float32',
    recallRounding: 'up',
    formulas: { SetF: { weighting: 'plain' } },
    printed: { decimals: 4, halves: 'even' },
  },
  computes,
  missingTopicsOfAll: 'empty',
};
