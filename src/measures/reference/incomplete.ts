import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;

/** The reference of `incomplete.ts`. */
export const incompleteDocs: FamilyDocs = {
  Bpref: {
    title: 'Binary preference',
    help: `How rarely a document judged not relevant stands above a relevant one. Only judged documents take part, so unjudged ones
      neither help nor harm. Of the R relevant documents each loses the share of the first R non-relevant ones above it. A topic without
      relevant documents has 0.`,
    formula: '(1/R) sum over relevant retrieved of 1 - min(non-relevant above, R) / min(N, R)',
    tools: 'This is the form of trec_eval since 8.0 and of the TREC appendix; the paper divides by R.',
    cite: [{ text: 'Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004', doi: '10.1145/1008992.1009000' }],
    examples: [{ measure: 'Bpref', ...small, worked: '(1 + (1 - 1/1)) / 3', value: 0.3333 }],
  },
  infAP: {
    title: 'Inferred average precision',
    help: `An estimate of average precision for judgements that are a random sample of the pool: documents with a negative grade are in the
      pool but were not drawn. Where everything is judged it is average precision. A topic without relevant documents has 0.`,
    formula:
      '(1/R) sum over relevant ranks i of 1/i + ((i-1)/i) (in pool above / (i-1)) ((rel above + e) / (rel above + nonrel above + 2 e))',
    cite: [
      {
        text: 'Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006',
        doi: '10.1145/1183614.1183633',
      },
    ],
    examples: [
      {
        measure: 'infAP',
        run: 'a b c',
        qrels: 'a:1 b:-1 c:1',
        worked: '(1 + 1/3 + 2/3 * 2/2 * 1.00001/1.00002) / 2',
        value: 1,
        note: 'b is in the pool and was not judged; the only judged document above c is relevant',
      },
    ],
  },
  Judged: {
    title: 'Share of judged documents',
    help: `How many of the first k documents have a judgement, divided by the number of documents there are among the first k. A ranking
      without documents has 0.`,
    formula: 'judged among the first k / min(k, n)',
    examples: [{ measure: 'Judged@4', ...small, worked: '3 / 4', value: 0.75 }],
  },
  Unjudged: {
    title: 'Share of unjudged documents',
    help: `How many of the first k documents nobody judged, divided by k. A high value says that the judgements do not fit this run
      and that its other values may be too low. Places beyond the end of a short ranking do not count as unjudged.`,
    formula: 'unjudged among the first k / k',
    tools: 'BEIR’s Hole@k, and the unj of trec_eval 10.',
    examples: [{ measure: 'Unjudged@4', ...small, worked: '1 / 4', value: 0.25 }],
  },
};
