import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;
const withMore = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1 g:0' } as const;
const rijsbergen = { text: 'van Rijsbergen, Information Retrieval, 2nd edition, 1979' };

/** The reference of `sets.ts`. */
export const setDocs: FamilyDocs = {
  SetP: {
    title: 'Precision of the retrieved set',
    help: 'The share of all retrieved documents that is relevant, however long the ranking is. Nothing retrieved gives 0.',
    formula: 'relevant retrieved / n',
    examples: [{ measure: 'SetP', ...small, worked: '2 / 5', value: 0.4 }],
  },
  SetR: {
    title: 'Recall of the retrieved set',
    help: 'The share of the relevant documents that was retrieved at all. A topic without relevant documents has 0.',
    formula: 'relevant retrieved / R',
    examples: [{ measure: 'SetR', ...small, worked: '2 / 3', value: 0.6667 }],
  },
  SetF: {
    title: 'F measure of the retrieved set',
    help: `The weighted harmonic mean of precision and recall of the retrieved set. Beta above 1 favours recall, below 1 precision; what
      enters the formula is its square, which may be given directly as weight. Nothing relevant retrieved gives 0.`,
    formula: '(1 + beta^2) P R / (beta^2 P + R)',
    tools: 'The parameter of trec_eval’s set_F is the square of beta: set_F.2 is SetF(weight=2).',
    cite: [rijsbergen],
    params: { weight: 'the square of beta, in its place' },
    examples: [
      { measure: 'SetF', ...small, worked: '2 * (2/5 * 2/3) / (2/5 + 2/3)', value: 0.5 },
      {
        measure: 'SetF(beta=0.5)',
        ...small,
        worked: '1.25 * (2/5 * 2/3) / (0.25 * 2/5 + 2/3)',
        value: 0.4348,
        note: 'Some lectures write 0.5 P where the square of beta, 0.25 P, belongs; that would give 0.3846.',
      },
    ],
  },
  SetAP: {
    title: 'Unranked average precision',
    help: 'Precision of the retrieved set times its recall: average precision for a set without order.',
    formula: '(relevant retrieved)^2 / (n R)',
    examples: [{ measure: 'SetAP', ...small, worked: '2/5 * 2/3', value: 0.2667 }],
  },
  SetRelP: {
    title: 'Relative precision of the retrieved set',
    help: 'Precision of the retrieved set divided by the best that a set of its size could have had.',
    formula: 'relevant retrieved / min(n, R)',
    examples: [{ measure: 'SetRelP', ...small, worked: '2 / 3', value: 0.6667 }],
  },
  SetAccuracy: {
    title: 'Accuracy of the retrieved set',
    help: `The share of documents that were treated rightly: relevant and retrieved, or neither. Without the size of the collection only judged
      documents are counted. As nearly everything in a large collection is rightly left alone, it says little about search.`,
    formula: '(relevant retrieved + non-relevant not retrieved) / documents',
    tools: 'The Accuracy of ir_measures is something else: the share of pairs in the right order.',
    examples: [{ measure: 'SetAccuracy', ...withMore, worked: '(2 + 1) / 5', value: 0.6, note: 'a and c are found, g is left alone' }],
  },
  Fallout: {
    title: 'Fallout',
    help: `The share of the non-relevant documents that was retrieved all the same. Without the size of the collection only judged documents
      are counted. A topic without non-relevant documents has 0.`,
    formula: 'non-relevant retrieved / non-relevant',
    cite: [rijsbergen],
    examples: [{ measure: 'Fallout', ...withMore, worked: '1 / 2', value: 0.5 }],
  },
  Satisfaction: {
    title: 'Satisfaction',
    help: 'The share of the documents that the reader is shown, or of the first k of them, which is relevant. Nothing shown gives 0.',
    formula: 'hits(k) / min(k, n)',
    examples: [{ measure: 'Satisfaction', ...small, worked: '2 / 5', value: 0.4 }],
  },
  Frustration: {
    title: 'Frustration',
    help: 'The share of the documents that the reader is shown, or of the first k of them, which is not relevant. Nothing shown gives 0.',
    formula: '(min(k, n) - hits(k)) / min(k, n)',
    examples: [{ measure: 'Frustration', ...small, worked: '3 / 5', value: 0.6 }],
  },
  Utility: {
    title: 'Utility of the retrieved set',
    help: `A sum of the four cells of the table retrieved / relevant, each with a coefficient: relevant retrieved, not relevant retrieved,
      relevant missed, not relevant and left alone. The last cell needs the size of the collection.`,
    formula: 'a (rel. ret.) + b (nonrel. ret.) + c (rel. not ret.) + d (nonrel. not ret.)',
    params: { coefficients: 'what each document of the four cells is worth', collection: 'number of documents in the collection' },
    examples: [{ measure: 'Utility', ...small, worked: '2 - 3', value: -1 }],
  },
};
