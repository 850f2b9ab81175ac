import { type ComputedMeasures, type Convention, type ConventionRules, plainRules } from './convention.js';
import { irMeasuresConvention } from './ir-measures.js';

/** Libraries that judge the rows of one group: the ranking holds every judged document. */
const groupRules: ConventionRules = { ...plainRules, ideal: 'list', apDenominator: 'list', topics: 'skip' };

const compared =
  'every measure it has, on cases made to hurt, by scripts/check-peers.mjs: ties, scores that are equal in 32 bits only, negative and high grades, missing and empty topics, short lists, unjudged documents';

const pytrecEvalMeasures: readonly ComputedMeasures[] = [
  { measures: ['RR', 'NumRelRet'], fits: { cutoff: 'left out' } },
  { measures: ['Success'], fits: { cutoff: 'given' } },
  {
    measures: [
      ...[
        'NumQ',
        'NumRet',
        'NumRel',
        'NumNonRelJudgedRet',
        'AP',
        'Rprec',
        'Bpref',
        'IPrec',
        'P',
        'R',
        'infAP',
        'RprecMult',
        'Utility',
        'IAP',
      ],
      ...['BinG', 'G', 'nDCG', 'nDCGRel', 'RnDCG', 'RelP', 'SetP', 'SetRelP', 'SetR', 'SetAP', 'SetF'],
    ],
  },
];

/** Rules of libraries that people compute numbers with. Each was compared with the real package, values per query, on the cases that
 *  scripts/check-peers.mjs makes; `test/golden/conventions` holds what the packages said. */
export const libraryConventions: readonly Convention[] = [
  irMeasuresConvention,
  {
    name: 'pytrec_eval',
    aliases: ['pytrec-eval-terrier'],
    title: 'pytrec_eval',
    help: 'trec_eval as a Python library: its measures, scores in 32 bits, equal ones by document id from the highest down, topics that are both judged and answered.',
    version: '0.5.11',
    verified: compared,
    deviations: [
      { measure: 'gm_map', reason: 'for a topic it gives the logarithm that the geometric mean is made of' },
      { measure: 'gm_bpref', reason: 'for a topic it gives the logarithm that the geometric mean is made of' },
    ],
    rules: {
      ...plainRules,
      scorePrecision: 'float32',
      topics: 'skip',
      recallRounding: 'up',
      formulas: { RprecMult: { depth_rounding: 'up' } },
    },
    computes: pytrecEvalMeasures,
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'ranx',
    title: 'ranx',
    help: 'Linear gains (ndcg) or exponential ones (ndcg_burges), ideal of all judged documents. It refuses a run that leaves a judged topic out unless told to fill it in. Equal scores come out as its quicksort leaves them: in the order of the file up to 15 documents, in an order of its own beyond. RBP adds up grades instead of relevant documents, and a negative grade is a judgement. bpref has no value where nothing is judged irrelevant, and then the mean has none either.',
    version: '0.3.21',
    verified: compared,
    unverified: 'runs of judged topics only that it was told to make comparable all the same, which sorts equal scores once more',
    names: 'ranx',
    rules: {
      ...plainRules,
      ties: 'quicksort',
      negativeGrades: 'judged',
      formulas: { RBP: { gain: 'grade' }, Bpref: { division: 'plain' }, NumRelRet: { agg: 'mean' } },
    },
    computes: [
      { measures: ['Bpref'], needsRelevant: true },
      { measures: ['RBP'], fits: { cutoff: 'left out' } },
      { measures: ['NumRelRet', 'Success', 'SetP', 'P', 'SetR', 'R', 'SetF', 'F', 'Rprec', 'RR', 'AP', 'DCG', 'nDCG'] },
    ],
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'beir',
    title: 'BEIR',
    help: 'The measures of trec_eval through pytrec_eval at cutoffs, averaged over topics that are both judged and answered. A document whose id is that of the query is taken out of the ranking (ignore_identical_ids).',
    version: '2.2.0',
    verified: 'means of NDCG@k, MAP@k, Recall@k and P@k to the five decimals it prints, on the cases of scripts/check-peers.mjs',
    unverified: 'ignore_identical_ids=False',
    rules: { ...plainRules, scorePrecision: 'float32', topics: 'skip', ownDocument: 'dropped', printed: { decimals: 5, halves: 'even' } },
    computes: [
      { measures: ['nDCG', 'AP', 'R', 'P'], fits: { cutoff: 'given' } },
      {
        measures: ['RR', 'RelP', 'Success', 'Unjudged'],
        refused:
          'BEIR computes it apart from the others (evaluate_custom), over other topics and with equal scores in the order of the file, and fails on topics that are not judged; that is not modelled',
      },
    ],
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'sklearn',
    title: 'scikit-learn (ndcg_score)',
    help: 'Linear gains, ideal of the list, 0 without a relevant document; equal scores count with the mean over all their orders. A list of one document is refused.',
    version: '1.9.1',
    verified: 'ndcg_score and dcg_score with and without cutoffs, values per query, on the cases of scripts/check-peers.mjs',
    unverified: 'ignore_ties=True',
    rules: { ...groupRules, ties: 'expected', formulas: { nDCG: { least: 2 }, DCG: { least: 2 } } },
    computes: [{ measures: ['nDCG', 'DCG'], grades: { least: 0 } }],
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'lightgbm',
    title: 'LightGBM (ndcg, map)',
    help: 'Exponential gains (label_gain), ideal of the list, 1 without a relevant document. Average precision at a cutoff is divided by the smaller of the cutoff and the number of relevant documents. Ties keep the order of the rows.',
    version: '4.7.0',
    verified: 'ndcg and map at cutoffs, values per query, on the cases of scripts/check-peers.mjs',
    unverified: 'other values of label_gain',
    rules: { ...groupRules, gain: 'exp', ties: 'file', apDenominator: 'list-min', empty: { nDCG: 1, AP: 1 } },
    computes: [{ measures: ['nDCG', 'AP'], fits: { cutoff: 'given' }, grades: { least: 0, most: 30, whole: true } }],
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'xgboost',
    title: 'XGBoost (ndcg, map, pre)',
    help: 'Exponential gains, ideal of the list, 1 without a relevant document (0 with names that end in a dash). Average precision at a cutoff is divided by the smaller of the cutoff and the number of relevant documents, precision by the length of a shorter list. Scores have 32 bits, and ties keep the order of the rows. map and pre take grades 0 and 1 only.',
    version: '3.2.0',
    verified: 'ndcg, map and pre at cutoffs, with and without a dash, values per query, on the cases of scripts/check-peers.mjs',
    unverified: 'ndcg_exp_gain=false',
    rules: {
      ...groupRules,
      gain: 'exp',
      ties: 'file',
      scorePrecision: 'float32',
      apDenominator: 'list-min',
      precisionDivisor: 'retrieved',
      empty: { nDCG: 1, AP: 1 },
    },
    computes: [
      {
        measures: ['nDCG', 'AP'],
        fits: { cutoff: 'left out' },
        refused: 'XGBoost without a cutoff takes one from the parameters of training',
      },
      { measures: ['nDCG'], grades: { least: 0, most: 31, whole: true } },
      { measures: ['AP', 'P'], grades: { least: 0, most: 1, whole: true } },
    ],
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'catboost',
    title: 'CatBoost (NDCG)',
    help: 'Linear gains (type=Base), ideal of the list, 1 without a relevant document; among equal scores the lower label comes first.',
    version: '1.2.10',
    verified: 'NDCG:type=Base and type=Exp at cutoffs, values per query, on the cases of scripts/check-peers.mjs',
    unverified: 'other denominators and its other ranking metrics, which are refused',
    rules: { ...groupRules, ties: 'pessimistic', empty: { nDCG: 1 } },
    computes: [{ measures: ['nDCG'], grades: { least: 0 } }],
    missingTopicsOfAll: 'empty',
  },
];
