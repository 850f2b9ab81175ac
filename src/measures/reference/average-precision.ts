import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;
const lecture = {
  run: 'd123 d84 d56 d6 d8 d9 d511 d129 d187 d25 d38 d48 d250 d113 d3',
  qrels: 'd3:1 d5:1 d9:1 d25:1 d39:1 d44:1 d56:1 d71:1 d89:1 d123:1',
} as const;

/** The reference of `average-precision.ts`. */
export const averagePrecisionDocs: FamilyDocs = {
  AP: {
    title: 'Average precision',
    help: `The mean of the precisions at the ranks of the relevant documents; a relevant document that was not retrieved counts as
      precision 0. With a cutoff only the first k documents are looked at, and the divisor stays the number of all relevant documents. A
      topic without relevant documents has 0. Averaged over topics it is called MAP; agg='geometric' gives GMAP, agg='harmonic' HMAP.`,
    formula: '(1/R) sum over relevant ranks i of hits(i) / i',
    tools: `AP@k has four divisors in use: all relevant documents (trec_eval, ir_measures, ranx), the smaller of that and k (LightGBM:
      denominator='min'), those in the whole ranking (XGBoost, RankLib: 'list'), those among the first k (ragas: 'found').`,
    cite: [
      { text: 'Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000', doi: '10.1145/345508.345543' },
      {
        text: 'McSherry and Najork, Computing information retrieval performance measures efficiently in the presence of tied scores, ECIR 2008',
        doi: '10.1007/978-3-540-78646-7_38',
      },
    ],
    params: {
      denominator:
        'what the precisions are divided by: all relevant documents (*R*), at most k (*min*), those in the ranking (*list*), those among the first k (*found*)',
    },
    examples: [
      { measure: 'AP', ...small, worked: '(1/1 + 2/3) / 3', value: 0.5556 },
      {
        measure: 'AP',
        ...lecture,
        worked: '(1/1 + 2/3 + 3/6 + 4/10 + 5/15) / 10',
        value: 0.29,
        note: 'Cut to two digits, as some lectures do, the precisions add up to 2.89 and are given as 0.28.',
      },
      {
        measure: "AP(ties='expected')",
        run: '(a b)',
        qrels: 'a:1',
        worked: '(1/1 + 1/2) / 2',
        value: 0.75,
        note: 'the mean of both orders',
      },
    ],
  },
  IPrec: {
    title: 'Interpolated precision at a recall level',
    help: `The highest precision at any rank where recall is at least the given level: the stairs of the recall-precision graph. Levels
      that the ranking never reaches have 0. An empty ranking has 0 at every level.`,
    formula: 'max of hits(i) / i over ranks i from the k-th relevant document on, k documents reaching the recall level',
    tools: `trec_eval up to 9, ranx and the TREC appendix round the number of documents up from a tenth on; trec_eval 10 rounds to the nearest
      whole number (rounding='nearest'), which raises the curve.`,
    params: { recall: 'the recall level, from 0 to 1' },
    examples: [
      { measure: 'IPrec@0.5', ...small, worked: '2 / 3', value: 0.6667 },
      {
        measure: 'IPrec@0.8',
        run: 'a b x1 c x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 d',
        qrels: 'a:1 b:1 c:1 d:1',
        worked: '4 / 15',
        value: 0.2667,
        note: "With rounding='nearest' recall 0.8 of 4 documents is 3 documents, and the value 3/4.",
      },
    ],
  },
  IAP: {
    title: 'Interpolated average precision',
    help: 'The mean of the interpolated precisions at several recall levels; at the eleven levels 0, 0.1 … 1 it is the 11-point average.',
    formula: '(1/m) sum over levels x of IPrec@x',
    params: { levels: 'the recall levels, ascending' },
    examples: [
      {
        measure: 'IAP',
        run: 'a b c',
        qrels: 'a:1 c:1',
        worked: '(6 * 1 + 5 * 2/3) / 11',
        value: 0.8485,
        note: 'levels 0 to 0.5 need one document, the others both',
      },
      {
        measure: "IAP(levels=[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1],rounding='exact')",
        run: 'x1 x2 d56 x3 x4 x5 x6 d129 x7 x8 x9 x10 x11 x12 d3',
        qrels: 'd3:1 d56:1 d129:1',
        worked: '(3 * 1/3 + 3 * 2/8 + 4 * 3/15) / 10',
        value: 0.255,
        note: 'A lecture gives 0.254, with 0.33 for 1/3, and calls it average precision; AP itself is (1/3 + 2/8 + 3/15) / 3 = 0.2611.',
      },
    ],
  },
  YAAP: {
    title: 'Yet another average precision',
    help: `The log-odds of average precision with one more relevant document added to either side, which spreads out values near 0 and 1 so
      that they are closer to a normal distribution. Negative values are ordinary.`,
    formula: 'ln((1 + s) / (1 + R - s)), s the sum of precisions at relevant documents',
    cite: [{ text: 'Robertson, On GMAP: and other transformations, CIKM 2006', doi: '10.1145/1183614.1183630' }],
    examples: [{ measure: 'YAAP', ...small, worked: 'ln((1 + 5/3) / (1 + 3 - 5/3))', value: 0.1335 }],
  },
  BinG: {
    title: 'Binary G',
    help: `Each relevant document is worth 1, divided by the logarithm of how many documents that are not relevant stand above it, so that a
      long stretch of relevant documents costs nothing. A topic without relevant documents has 0.`,
    formula: '(1/R) sum over relevant ranks i of 1 / log2(2 + i - hits(i))',
    examples: [{ measure: 'BinG', ...small, worked: '(1/log2(2) + 1/log2(3)) / 3', value: 0.5436 }],
  },
};
