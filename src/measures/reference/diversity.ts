import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c', qrels: { one: 'a:1 c:1', two: 'c:1 d:1' } } as const;
const clarke = {
  text: 'Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon, Novelty and diversity in information retrieval evaluation, SIGIR 2008',
  doi: '10.1145/1390334.1390446',
};
const cascades = {
  text: 'Clarke, Craswell, Soboroff and Ashkan, A comparative analysis of cascade measures for novelty and diversity, WSDM 2011',
  doi: '10.1145/1935826.1935847',
};
const agrawal = { text: 'Agrawal, Gollapudi, Halverson and Ieong, Diversifying search results, WSDM 2009', doi: '10.1145/1498759.1498766' };
const chapelle = {
  text: 'Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009',
  doi: '10.1145/1645953.1646033',
};
const nrbp = {
  text: 'Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR 2009',
  doi: '10.1007/978-3-642-04417-5_17',
};
const subtopics = `Judgements are per subtopic (second column of the judgements); subtopics without a relevant document are left aside, and a topic without
      any has 0.`;
const independent = 'It is divided by the value of a ranking whose every document is relevant to every subtopic.';
const ideal = `It is divided by the value of the best order of the judged documents, which is found by taking the document with the highest gain time and
      again.`;
const first = 'ndeval and pyndeval forget this division at cutoff 1.';

/** The reference of `diversity.ts`. */
export const diversityDocs: FamilyDocs = {
  alpha_nDCG: {
    title: 'Alpha-nDCG',
    help: `Discounted cumulated gain in which each further document on a subtopic gains (1 - alpha) times what the one before did. ${ideal} ${subtopics}`,
    formula: 'alpha_DCG@k / ideal alpha_DCG@k',
    tools: 'ndeval, pyndeval and ir_measures agree.',
    cite: [clarke, cascades],
    examples: [
      {
        measure: 'alpha_nDCG@3',
        ...small,
        worked: '(1/log2(2) + 0.5/log2(4) + 1/log2(4)) / (2/log2(2) + 0.5/log2(3) + 0.5/log2(4))',
        value: 0.6821,
        note: 'c is best first, then d and a with half a gain each',
      },
    ],
  },
  alpha_DCG: {
    title: 'Alpha-DCG',
    help: `Discounted cumulated gain in which each further document on a subtopic gains (1 - alpha) times what the one before did. ${independent} ${subtopics}`,
    formula: '(1/S) sum over subtopics and ranks i of (1 - alpha)^(relevant above) / log2(i + 1), over the same for all relevant',
    tools: first,
    cite: [clarke, cascades],
    examples: [
      {
        measure: 'alpha_DCG@3',
        ...small,
        worked: '(1/log2(2) + 0.5/log2(4) + 1/log2(4)) / 2 / (1/log2(2) + 0.5/log2(3) + 0.25/log2(4))',
        value: 0.6074,
      },
    ],
  },
  ERR_IA: {
    title: 'Intent-aware expected reciprocal rank',
    help: `Expected reciprocal rank for a reader of each subtopic, who stops at a relevant document with probability alpha, averaged over the subtopics. ${independent} ${subtopics}`,
    formula: '(1/S) sum over subtopics and ranks i of (1 - alpha)^(relevant above) / i, over the same for all relevant',
    tools: first,
    cite: [chapelle, cascades],
    examples: [{ measure: 'ERR_IA@3', ...small, worked: '(1 + 0.5/3 + 1/3) / 2 / (1 + 0.5/2 + 0.25/3)', value: 0.5625 }],
  },
  nERR_IA: {
    title: 'Normalised intent-aware expected reciprocal rank',
    help: `Expected reciprocal rank for a reader of each subtopic, who stops at a relevant document with probability alpha. ${ideal} ${subtopics}`,
    formula: 'ERR_IA@k / ideal ERR_IA@k',
    cite: [chapelle, cascades],
    examples: [{ measure: 'nERR_IA@3', ...small, worked: '(1 + 0.5/3 + 1/3) / (2 + 0.5/2 + 0.5/3)', value: 0.6207 }],
  },
  NRBP: {
    title: 'Novelty- and rank-biased precision',
    help: `Rank-biased precision with patience beta, in which each further document on a subtopic gains (1 - alpha) times what the one before did. ${independent} ${subtopics}`,
    formula: '((1 - (1 - alpha) beta) / S) sum over subtopics and ranks i of (1 - alpha)^(relevant above) beta^(i - 1)',
    cite: [nrbp, cascades],
    params: { beta: 'probability that the reader goes on to the next document' },
    examples: [{ measure: 'NRBP', ...small, worked: '(1 - 0.5 * 0.5) / 2 * (1 + 0.5 * 0.5 ** 2 + 0.5 ** 2)', value: 0.5156 }],
  },
  nNRBP: {
    title: 'Normalised novelty- and rank-biased precision',
    help: `Rank-biased precision with patience beta, in which each further document on a subtopic gains (1 - alpha) times what the one before did. ${ideal} ${subtopics}`,
    formula: 'NRBP / ideal NRBP',
    cite: [nrbp, cascades],
    params: { beta: 'probability that the reader goes on to the next document' },
    examples: [{ measure: 'nNRBP', ...small, worked: '(1 + 0.5 * 0.5 ** 2 + 0.5 ** 2) / (2 + 0.5 * 0.5 + 0.5 * 0.5 ** 2)', value: 0.5789 }],
  },
  AP_IA: {
    title: 'Intent-aware average precision',
    help: `Average precision for each subtopic, averaged over the subtopics. ${subtopics}`,
    formula: '(1/S) sum over subtopics of AP',
    cite: [agrawal],
    examples: [{ measure: 'AP_IA', ...small, worked: '((1/1 + 2/3) / 2 + (1/3) / 2) / 2', value: 0.5 }],
  },
  P_IA: {
    title: 'Intent-aware precision',
    help: `Precision at k for each subtopic, averaged over the subtopics; without a cutoff, that of the whole ranking. ${subtopics}`,
    formula: '(1/S) sum over subtopics of hits(k) / k',
    cite: [agrawal],
    examples: [{ measure: 'P_IA@3', ...small, worked: '(2/3 + 1/3) / 2', value: 0.5 }],
  },
  StRecall: {
    title: 'Subtopic recall',
    help: `The share of the subtopics that have a relevant document among the first k. ${subtopics}`,
    formula: 'subtopics with hits(k) > 0 / S',
    cite: [
      {
        text: 'Zhai, Cohen and Lafferty, Beyond independent relevance: methods and evaluation metrics for subtopic retrieval, SIGIR 2003',
        doi: '10.1145/860435.860440',
      },
    ],
    examples: [{ measure: 'StRecall@2', ...small, worked: '1 / 2', value: 0.5 }],
  },
};
