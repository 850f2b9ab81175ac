import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;
const lecture = { run: 'd1 d2 d3 d4 d5 d6', qrels: 'd1:3 d2:2 d3:3 d4:0 d5:1 d6:2' } as const;
const jarvelin = {
  text: 'Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002',
  doi: '10.1145/582415.582418',
};
const burges = { text: 'Burges et al., Learning to rank using gradient descent, ICML 2005', doi: '10.1145/1102351.1102363' };

/** The reference of `cumulated-gain.ts`. */
export const cumulatedGainDocs: FamilyDocs = {
  nDCG: {
    title: 'Normalised discounted cumulated gain',
    help: `The discounted cumulated gain of the ranking divided by that of the best possible ranking of all judged documents, both cut at k. It
      is 1 for a perfect ranking and 0 for a topic without a document of positive gain. Unjudged documents gain nothing.`,
    formula: 'DCG@k / IDCG@k',
    tools: `trec_eval, ir_measures, ranx and scikit-learn take the grade as gain, RankLib, LightGBM, XGBoost, Yahoo and gdeval 2^grade - 1 (gain='exp').
      The LETOR scripts discount by the original formula, 1, 1, log2(3) …: discount='jk'; LETOR 4.0 and MSLR also count a
      ranking shorter than k as 0: short='zero'. Learning to rank tools take the ideal from the list itself: ideal='list'. Yahoo, LightGBM,
      XGBoost and CatBoost count a query without a relevant document as 1: empty=1. scikit-learn averages over ties: ties='expected'.
      NTCIREVAL's nDCG is discount='jk', its MSnDCG this one.`,
    cite: [jarvelin, burges],
    examples: [
      {
        measure: 'nDCG@3',
        ...small,
        worked: '(1/log2(2) + 2/log2(4)) / (2/log2(2) + 1/log2(3) + 1/log2(4))',
        value: 0.6388,
      },
      {
        measure: "nDCG(gain='exp')",
        ...lecture,
        worked:
          '(7/log2(2) + 3/log2(3) + 7/log2(4) + 0/log2(5) + 1/log2(6) + 3/log2(7)) / (7/log2(2) + 7/log2(3) + 3/log2(4) + 3/log2(5) + 1/log2(6))',
        value: 0.9488,
        note: 'A lecture has 1.286 for 3/log2(5), which is 1.292; its ideal is 14.588 where 14.595 is right, and nDCG 0.949 all the same.',
      },
      {
        measure: "nDCG(discount='jk')@3",
        ...small,
        worked: '(1 + 2/log2(3)) / (2 + 1/log2(2) + 1/log2(3))',
        value: 0.6229,
        note: 'no discount before rank 2, and log2(2) = 1 there',
      },
    ],
  },
  MeanNDCG: {
    title: 'Mean of nDCG over the ranks',
    help: `nDCG@1, nDCG@2 … nDCG@n averaged, n being the length of the ranking or the cutoff. An empty ranking, and a topic without a document of
      positive gain, has 0.`,
    formula: '(1/n) sum over ranks i of nDCG@i',
    tools: "LETOR 4.0 and MSLR print it: MeanNDCG(gain='exp',ideal='list',discount='jk').",
    cite: [jarvelin],
    examples: [
      {
        measure: 'MeanNDCG@3',
        ...small,
        worked: '(1/2 + 1/(2 + 1/log2(3)) + 2/(2 + 1/log2(3) + 1/2)) / 3',
        value: 0.5063,
      },
    ],
  },
  CG: {
    title: 'Cumulated gain',
    help: 'The gains of the first k documents added up. Their order plays no part.',
    formula: 'sum over ranks i of gain(i)',
    cite: [jarvelin],
    examples: [
      { measure: 'CG@3', ...small, worked: '1 + 0 + 2', value: 3 },
      { measure: 'CG', ...lecture, worked: '3 + 2 + 3 + 0 + 1 + 2', value: 11 },
    ],
  },
  DCG: {
    title: 'Discounted cumulated gain',
    help: `The gains of the ranked documents added up, each divided by the logarithm of its rank plus one. It has no upper bound: compare it
      only between runs on the same topics.`,
    formula: 'sum over ranks i of gain(i) / log2(i + 1)',
    cite: [jarvelin, burges],
    examples: [
      { measure: 'DCG@3', ...small, worked: '1/log2(2) + 2/log2(4)', value: 2 },
      {
        measure: "DCG(gain='exp')",
        ...lecture,
        worked: '7/log2(2) + 3/log2(3) + 7/log2(4) + 0/log2(5) + 1/log2(6) + 3/log2(7)',
        value: 13.8483,
        note: 'A lecture adds up rounded terms to 13.846.',
      },
      {
        measure: "DCG(discount='jk',base=3)@4",
        run: 'a b c d',
        qrels: 'a:1 b:1 c:1 d:1',
        worked: '1 + 1 + 1/(ln(3)/ln(3)) + 1/(ln(4)/ln(3))',
        value: 3.7925,
      },
    ],
  },
  IDCG: {
    title: 'Ideal discounted cumulated gain',
    help: `The discounted cumulated gain of the best possible ranking of all judged documents of the topic. It says nothing about the run; it
      is what nDCG divides by.`,
    formula: 'DCG of the judged documents in order of gain',
    cite: [jarvelin],
    examples: [
      { measure: 'IDCG', ...small, worked: '2/log2(2) + 1/log2(3) + 1/log2(4)', value: 3.1309 },
      {
        measure: "IDCG(gain='exp')",
        ...lecture,
        worked: '7/log2(2) + 7/log2(3) + 3/log2(4) + 3/log2(5) + 1/log2(6)',
        value: 14.5954,
        note: 'A lecture has 14.588, from 1.286 for 3/log2(5), which is 1.292.',
      },
    ],
  },
  nDCGRel: {
    title: 'nDCG averaged over relevant documents',
    help: `nDCG taken at the rank of every document with a gain and averaged over all of them, as average precision averages precision. A
      relevant document that was not retrieved contributes the value at the end of the ranking.`,
    formula: '(1/r) sum over ranks with gain of DCG(i) / IDCG(i)',
    cite: [jarvelin],
    examples: [{ measure: 'nDCGRel', ...small, worked: '(1/2 + 2 * (1 + 2/log2(4)) / (2 + 1/log2(3) + 1/log2(4))) / 3', value: 0.5925 }],
  },
  RnDCG: {
    title: 'nDCG averaged over the steps of the ideal ranking',
    help: `nDCG taken at each rank where the ideal ranking goes over to the next lower gain, and averaged, as R-precision looks at the rank
      where the relevant documents could end. A topic without relevant documents has 0.`,
    cite: [jarvelin],
    examples: [
      {
        measure: 'RnDCG',
        run: 'a b c',
        qrels: 'a:1 b:0 c:2',
        worked: '(1/2 + 1/(2 + 1/log2(3))) / 2',
        value: 0.44,
        note: 'the ideal gains are 2, 1, 0, with steps after ranks 1 and 2',
      },
    ],
  },
  G: {
    title: 'Normalised gain over cost',
    help: `Each document's gain is divided by the logarithm of what was read in vain before it: the ranks so far, at the ideal price, less
      the gain so far. Normalised by the sum of all gains of the topic.`,
    examples: [{ measure: 'G', ...small, worked: '(1/log2(2 + 2 - 1) + 2/log2(2 + 4 - 3)) / 4', value: 0.4732 }],
  },
};
