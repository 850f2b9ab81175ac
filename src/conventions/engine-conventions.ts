import { type Convention, type ConventionRules, plainRules } from './convention.js';
import { engineMeasures } from './engine-measures.js';

/** What these tools have in common: the list of results is the ranking, gains are exponential, precision is divided by what was returned,
 *  and a query counts that found nothing, or for which nothing is rated. */
const listRules: ConventionRules = {
  ...plainRules,
  gain: 'exp',
  term: 'ratio',
  precisionDivisor: 'retrieved',
  ties: 'file',
  negativeGrades: 'graded',
  repeatedDocuments: 'ranked',
  unratedTopics: 'count',
};

const rankEvalRules: ConventionRules = {
  ...listRules,
  gradeFractions: 'cut',
  idealDepth: 'retrieved',
  formulas: { nDCG: { division: 'plain' }, ERR: { beyond: 'taken' } },
};

const rankEval = {
  computes: [
    {
      measures: ['ERR'],
      writtenOut: 'max_rel',
      fits: { cutoff: 'given' },
    },
    { measures: ['P', 'R', 'RR', 'DCG', 'nDCG'], fits: { cutoff: 'given' } },
  ],
  definitions: engineMeasures,
  rules: rankEvalRules,
  missingTopicsOfAll: 'empty',
} as const;

const rankEvalHelp =
  "precision is divided by the hits returned, not by k (ignore_unlabeled: P(divisor='judged')@k); relevant_rating_threshold is rel, maximum_relevance is max_rel and has to be written out, unknown_doc_rating is unjudged. The ideal of normalised DCG is cut at the number of hits returned, so one hit out of five equally good documents has the value 1. Ratings are cut to whole numbers, and negative ones subtract. A query without ratings is averaged like any other.";

const workbenchRules: ConventionRules = {
  ...listRules,
  relevanceFloor: Number.MIN_VALUE,
  topicDecimals: { decimals: 2, halves: 'up' },
};

const workbench = { definitions: engineMeasures, missingTopicsOfAll: 'empty', unverified: 'means over queries' } as const;

const quepidRules: ConventionRules = {
  ...listRules,
  term: 'divide',
  relevanceFloor: Number.MIN_VALUE,
  gradeFractions: 'cut-in-ideal',
  idealDepth: 'all',
  lowestValue: 0,
  formulas: { nDCG: { division: 'plain' }, ERR: { beyond: 'taken', step: 'share', max_rel: 3 } },
};

/** Rules of search engines, and of the tools by which people tune them. Each was compared with recorded values of the tool, in
 *  `test/golden/foreign/metrics`. */
export const engineConventions: readonly Convention[] = [
  {
    ...rankEval,
    name: 'elasticsearch',
    title: 'Elasticsearch (_rank_eval)',
    help: `Ranking evaluation of Elasticsearch: ${rankEvalHelp}`,
    version: '7.17.27',
    verified:
      'precision, recall, mean_reciprocal_rank, dcg with and without normalize, and expected_reciprocal_rank, values per query, to the last bit',
    unverified: 'Elasticsearch 8 and 9; means over queries, which follow its documentation',
  },
  {
    ...rankEval,
    name: 'opensearch',
    title: 'OpenSearch (_rank_eval)',
    help: `Ranking evaluation of OpenSearch, which computes as Elasticsearch does: ${rankEvalHelp} Its search relevance workbench has rules of its own: opensearch-workbench.`,
    version: '2.19.1',
    verified: 'the same values as Elasticsearch 7.17.27',
    unverified: 'means over queries',
  },
  {
    ...workbench,
    name: 'opensearch-workbench@2026',
    title: 'OpenSearch search relevance workbench, 2026',
    help: 'As opensearch-workbench@3.1, with a relevance threshold for each query: a document is relevant from half of the highest rating of the query, or from the 90th percentile of its ratings, whichever is higher. Below ten ratings only those with the highest rating are relevant. It has Recall, MRR and DCG in addition.',
    version: 'git 0b75cf8',
    verified: 'all its metrics at two cutoffs, values per query, against a copy of its formulas that was retyped by hand',
    rules: { ...workbenchRules, threshold: 'upper' },
    computes: [{ measures: ['P', 'R', 'RR', 'AP', 'DCG', 'nDCG'], fits: { cutoff: 'given' } }, { measures: ['Judged'] }],
  },
  {
    ...workbench,
    name: 'opensearch-workbench@3.1',
    aliases: ['opensearch-workbench'],
    title: 'OpenSearch search relevance workbench, from June 2025 on',
    help: 'A document is relevant if its rating is above 0. MAP is divided by all relevant documents, the ideal of NDCG is cut at k, precision is divided by the documents returned, and Coverage is Judged. The value of each query is rounded to two decimals before queries are averaged.',
    version: 'git d8be5d1',
    verified: 'Precision, MAP and NDCG at two cutoffs and Coverage, values per query',
    rules: workbenchRules,
    computes: [{ measures: ['P', 'AP', 'nDCG'], fits: { cutoff: 'given' } }, { measures: ['Judged'] }],
  },
  {
    ...workbench,
    name: 'opensearch-workbench@3.0',
    title: 'OpenSearch search relevance workbench, before June 2025',
    help: 'The ideal of ndcg is made of the returned documents only, so missed ones cost nothing; MAP is divided by the relevant documents found; neither has a cutoff. Otherwise as opensearch-workbench@3.1.',
    version: 'git b3230ab',
    verified: 'precision@5, precision@10, MAP and ndcg, values per query',
    rules: { ...workbenchRules, ideal: 'list', apDenominator: 'found' },
    computes: [
      { measures: ['P'], fits: { cutoff: 'given' } },
      { measures: ['AP', 'nDCG'], fits: { cutoff: 'left out' } },
      { measures: ['Judged'] },
    ],
  },
  {
    name: 'quepid',
    title: 'Quepid (scorers in the browser)',
    help: "The communal scorers, whose cutoff is 10. An unrated document counts as 0, and precision is divided by the documents shown. The ideal of NDCG@10 holds all rated documents and is not cut at 10; that of the scorer nDCG cut is: nDCG(ideal_depth='cutoff')@10. ERR takes 3 for the top of the scale; another one is max_rel. Ratings are cut to whole numbers in the ideal only. Negative values become 0, and so does AP where nothing is relevant, which its scorer calls NaN.",
    version: '8.6.0',
    verified: 'the scorers P, RR, AP, CG, DCG, NDCG, nDCG cut and ERR, values per query, to the last bit',
    unverified:
      'scorers that were changed, and other cutoffs, which are changed scorers; means over queries, which were read in the source and not run',
    definitions: engineMeasures,
    rules: quepidRules,
    computes: [
      { measures: ['AP'], fits: { cutoff: 'given' }, grades: { whole: true } },
      { measures: ['P', 'RR', 'CG', 'DCG', 'nDCG', 'ERR'], fits: { cutoff: 'given' } },
    ],
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'quepid@server',
    title: 'Quepid (background runs on the server)',
    help: 'The scorers as the server runs them: ratings are not cut, negative values stay, and the list of best ratings begins with the worst, which turns nDCG cut around. ERR fails there. The value of a query is rounded to two decimals before queries are averaged.',
    version: '8.6.0',
    verified: 'the scorers P, RR, AP, CG, DCG, NDCG and nDCG cut, values per query, before they are rounded',
    unverified: 'the rounding and means over queries, which were read in the source and not run',
    definitions: engineMeasures,
    rules: {
      ...quepidRules,
      gradeFractions: 'kept',
      lowestValue: undefined,
      formulas: { nDCG: { division: 'plain', ideal_best: 'last' }, ERR: { beyond: 'all-refused', max_rel: 3 } },
      topicDecimals: { decimals: 2, halves: 'up' },
    },
    computes: [{ measures: ['P', 'RR', 'AP', 'CG', 'DCG', 'nDCG', 'ERR'], fits: { cutoff: 'given' } }],
    missingTopicsOfAll: 'empty',
  },
  {
    name: 'rre',
    aliases: ['rated-ranking-evaluator'],
    title: 'Rated Ranking Evaluator',
    help: 'It calculates in decimal numbers and rounds after each step. A listed document is relevant whatever its gain, even 0. Reciprocal rank is that of the best document, not of the first relevant one. In ERR a document that is not listed counts as grade 2 of 3 (unjudged and max_rel change that). A query that found nothing where nothing was listed has the value 1. Its P and R are SetP and SetR, its F1, F0.5 and F2 SetF(beta=…). NDCG fails where all gains of a query are 0.',
    version: 'git e478aa7',
    verified: 'P, R, AP, F, RR, NDCG, ERR and their forms at cutoffs, values per query, with as many hits in total as documents returned',
    unverified: 'totals of hits above the number of documents returned, which a run does not tell, and by which it divides precision',
    definitions: engineMeasures,
    rules: {
      ...listRules,
      relevanceFloor: 0,
      arithmetic: 'decimal',
      printed: { decimals: 4, halves: 'all-up' },
      formulas: { ERR: { max_rel: 3, unjudged: 2 } },
    },
    computes: [
      { measures: ['P', 'R', 'F', 'RR', 'nDCG', 'ERR'], fits: { cutoff: 'given' } },
      { measures: ['AP'], fits: { cutoff: 'left out' } },
      { measures: ['SetP', 'SetR', 'SetF'] },
    ],
    missingTopicsOfAll: 'empty',
  },
];
