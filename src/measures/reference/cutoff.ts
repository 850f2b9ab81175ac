import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;

/** The reference of `cutoff.ts`. */
export const cutoffDocs: FamilyDocs = {
  P: {
    title: 'Precision',
    help: `The share of the first k documents that is relevant. A ranking shorter than k is taken as if documents that are not
      relevant followed, so the divisor is always k.`,
    formula: 'hits(k) / k',
    tools: `RankLib and OpenSearch divide by the documents there are: divisor='retrieved'. LETOR 3.0 counts a ranking shorter than k as 0:
      short='zero'. MSLR calls a document relevant from grade 2 up: rel=2.`,
    params: { divisor: 'what the hits are divided by: the *cutoff*, or the number of documents *retrieved* if that is smaller' },
    examples: [{ measure: 'P@5', ...small, worked: '2 / 5', value: 0.4 }],
  },
  R: {
    title: 'Recall',
    help: `The share of the topic's relevant documents that is among the first k. Some papers call Success@k "recall@k"; this is
      not that. A topic without relevant documents has recall 0.`,
    formula: 'hits(k) / R',
    examples: [{ measure: 'R@5', ...small, worked: '2 / 3', value: 0.6667 }],
  },
  AverageRecall: {
    title: 'Average recall',
    help: 'Recall averaged over the ranks from 1 to k, or over all ranks: the area under the curve of recall against rank. A topic without relevant documents has 0.',
    formula: '(1/k) sum over ranks i up to k of hits(i) / R',
    examples: [{ measure: 'AverageRecall@3', ...small, worked: '(1/3 + 1/3 + 2/3) / 3', value: 0.4444 }],
  },
  F: {
    title: 'F measure at a cutoff',
    help: `The weighted harmonic mean of P@k and R@k. Beta above 1 favours recall, below 1 precision. No relevant document among the first
      k gives 0.`,
    formula: '(1 + beta^2) P R / (beta^2 P + R)',
    cite: [{ text: 'van Rijsbergen, Information Retrieval, 2nd edition, 1979' }],
    examples: [{ measure: 'F@5', ...small, worked: '2 * (2/5 * 2/3) / (2/5 + 2/3)', value: 0.5 }],
  },
  Success: {
    title: 'Success',
    help: '1 if at least one of the first k documents is relevant, otherwise 0. Averaged over topics it is the hit rate.',
    formula: '1 if hits(k) > 0, else 0',
    examples: [
      { measure: 'Success@5', ...small, worked: '1', value: 1 },
      {
        measure: "Success(ties='expected')@1",
        run: '(a b c)',
        qrels: 'a:1',
        worked: '1 / 3',
        value: 0.3333,
        note: 'a comes first in one of three orders',
      },
    ],
  },
  RelP: {
    title: 'Relative precision',
    help: `Precision at k divided by the best precision that was possible there: with only 3 relevant documents nothing reaches
      P@10 above 0.3, and RelP@10 is 1 for a ranking that has all three. A topic without relevant documents has 0.`,
    formula: 'hits(k) / min(k, R)',
    examples: [{ measure: 'RelP@5', ...small, worked: '2 / 3', value: 0.6667 }],
  },
  Rprec: {
    title: 'R-precision',
    help: `Precision after as many documents as the topic has relevant ones. At that rank precision and recall are equal, so it is also
      the break-even point of the two. A topic without relevant documents has 0.`,
    formula: 'hits(R) / R',
    examples: [{ measure: 'Rprec', ...small, worked: '2 / 3', value: 0.6667 }],
  },
  RprecMult: {
    title: 'Precision at a multiple of R',
    help: `Precision after x times as many documents as the topic has relevant ones; the number of documents is rounded up from a tenth on.
      RprecMult@1 is R-precision.`,
    formula: 'hits(k) / k with k = trunc(x R + 0.9)',
    params: { multiple: 'how many times R documents count' },
    examples: [{ measure: 'RprecMult@2', ...small, worked: '2 / 6', value: 0.3333 }],
  },
  Accuracy: {
    title: 'Pairs in the right order',
    help: `The share of pairs of one relevant and one other retrieved document, unjudged ones included, in which the relevant one stands higher: the
      area under the ROC curve of the ranking. Relevant documents that were not retrieved play no part. Only relevant documents give 1, and
      none at all 0.`,
    formula: 'pairs in order / (relevant retrieved x others retrieved)',
    tools: "ir_measures leaves topics without a relevant document among the first k out of the average: Accuracy(empty='skip').",
    examples: [
      { measure: 'Accuracy', ...small, worked: '(3 + 2) / (2 * 3)', value: 0.8333, note: 'a stands above b, d and e; c above d and e' },
    ],
  },
};
