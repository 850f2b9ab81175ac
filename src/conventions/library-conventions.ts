import { type Convention, type ConventionRules, plainRules } from './convention.js';

/** Libraries that judge the rows of one group: the ranking holds every judged document. */
const groupRules: ConventionRules = { ...plainRules, ideal: 'list', apDenominator: 'list', topics: 'skip' };

/** ir_measures hands some measures to gdeval. */
const fiveDecimals = { within: 5.1e-6, reason: 'gdeval prints five decimals' } as const;

/** Rules of libraries that people compute numbers with. Each was compared with the real package on random data, values per
 *  query; `scripts/golden/conventions.py` made the recorded values. */
export const libraryConventions: readonly Convention[] = [
  {
    name: 'ir_measures',
    title: 'ir_measures',
    help: 'The measures of trec_eval through pytrec_eval, which keeps scores in 32 bits. All judged topics are averaged; one that the run does not answer counts as 0. Measures of its other providers keep 64 bits.',
    version: '0.4.3',
    verified: 'nDCG@k, AP, P@k, RR, values per topic, with ties, unjudged documents and a missing topic',
    unverified: 'measures that need a provider which does not install',
    deviations: [
      { measure: "nDCG(dcg='exp-log2')@10", ...fiveDecimals },
      { measure: 'ERR@10', ...fiveDecimals },
      { measure: 'ERR@20', ...fiveDecimals },
      { measure: 'NumQ', except: 'unanswered', reason: 'a topic that the run does not answer is not counted' },
      { measure: 'NumRel', except: 'unanswered', reason: 'a topic that the run does not answer has no relevant documents' },
      { measure: 'nNRBP', except: 'nothing relevant', reason: '0/0 for a topic without relevant documents' },
    ],
    rules: { ...plainRules, scorePrecision: 'float32', printed: { decimals: 4, halves: 'even' } },
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'pytrec_eval',
    aliases: ['pytrec-eval-terrier'],
    title: 'pytrec_eval',
    help: 'trec_eval as a Python library: its measures, scores in 32 bits, equal ones by document id from the highest down, topics that are both judged and answered.',
    version: '0.5.11',
    verified: 'all 93 values that it gives for a topic, and scores that are equal in 32 bits only',
    unverified: 'means, which it leaves to its users',
    deviations: [
      { measure: 'gm_map', except: 'everywhere', reason: 'for a topic it gives the logarithm that the geometric mean is made of' },
      { measure: 'gm_bpref', except: 'everywhere', reason: 'for a topic it gives the logarithm that the geometric mean is made of' },
    ],
    rules: { ...plainRules, scorePrecision: 'float32', topics: 'skip' },
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'ranx',
    title: 'ranx',
    help: 'Linear gains (ndcg) or exponential ones (ndcg_burges), ideal of all judged documents. It refuses a run that leaves a judged topic out unless told to fill it in. The order of equal scores is not specified.',
    version: '0.3.21',
    verified: 'ndcg, map, precision, mrr at cutoffs, values per topic, without ties',
    unverified: 'the order of equal scores, which the package leaves open; here it is that of the file',
    deviations: [{ measure: 'recall', ours: 'SetR', reason: 'here, recall without a cutoff is trec_eval’s list of nine cutoffs' }],
    rules: { ...plainRules, ties: 'file' },
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'beir',
    title: 'BEIR',
    help: 'The measures of trec_eval through pytrec_eval, averaged over topics that are both judged and answered. It drops a document whose id is that of the query before it scores, which no rule here does.',
    version: '2.2.0',
    verified: 'means of NDCG@k, MAP@k, Recall@k and P@k to the five decimals it prints, with ties and a missing topic',
    unverified: 'runs in which a document has the id of the query',
    rules: { ...plainRules, scorePrecision: 'float32', topics: 'skip', printed: { decimals: 5, halves: 'even' } },
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'sklearn',
    title: 'scikit-learn (ndcg_score)',
    help: 'Linear gains, ideal of the list, 0 without a relevant document; equal scores count with the mean over all their orders.',
    version: '1.9.1',
    verified: 'ndcg_score at cutoffs, values per query, with ties and empty queries',
    unverified: 'everything but ndcg_score: its average precision is one of classification',
    rules: { ...groupRules, ties: 'expected' },
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'lightgbm',
    title: 'LightGBM (ndcg, map)',
    help: 'Exponential gains (label_gain), ideal of the list, 1 without a relevant document. Average precision at a cutoff is divided by the smaller of the cutoff and the number of relevant documents. Ties keep the order of the rows.',
    version: '4.7.0',
    verified: 'ndcg and map at cutoffs, values per query, with ties and empty queries',
    unverified: 'other values of label_gain',
    rules: { ...groupRules, gain: 'exp', ties: 'file', apDenominator: 'min', empty: { nDCG: 1, AP: 1 } },
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'xgboost',
    title: 'XGBoost (ndcg, map, pre)',
    help: 'Exponential gains, ideal of the list, 1 without a relevant document (0 with names that end in a dash). Average precision at a cutoff is divided by the smaller of the cutoff and the number of relevant documents, precision by the length of a shorter list. Ties keep the order of the rows.',
    version: '3.2.0',
    verified: 'ndcg, map and pre at cutoffs, values per query, with ties and empty queries',
    unverified: 'ndcg_exp_gain=false and names that end in a dash',
    rules: { ...groupRules, gain: 'exp', ties: 'file', apDenominator: 'min', precisionDivisor: 'retrieved', empty: { nDCG: 1, AP: 1 } },
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'catboost',
    title: 'CatBoost (NDCG)',
    help: 'Linear gains (type=Base), ideal of the list, 1 without a relevant document; among equal scores the lower label comes first.',
    version: '1.2.10',
    verified: 'NDCG:type=Base at cutoffs, values per query, with ties and empty queries',
    unverified: 'type=Exp, other denominators and its other ranking metrics',
    rules: { ...groupRules, ties: 'pessimistic', empty: { nDCG: 1 } },
    missingTopicsOfAll: 'empty',
  },
];
