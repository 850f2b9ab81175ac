import type { FamilyDocs } from './doc.js';

/** The reference of `first-answer.ts`. */
export const firstAnswerDocs: FamilyDocs = {
  RR: {
    title: 'Reciprocal rank',
    help: `1 divided by the rank of the first relevant document; 0 if there is none, or none among the first k. Averaged over topics it is
      called MRR.`,
    formula: '1 / (rank of the first relevant document)',
    tools: "RankLib holds the value as a 32-bit number, so that a third prints as 0.3333333432674408: precision='float32'.",
    cite: [{ text: 'Kantor and Voorhees, The TREC-5 confusion track, Information Retrieval 2, 2000', doi: '10.1023/A:1009902609570' }],
    params: { precision: 'keep the value as a 64-bit or a 32-bit number' },
    examples: [
      { measure: 'RR', run: 'b c a', qrels: 'a:1', worked: '1 / 3', value: 0.3333 },
      { measure: 'RR@2', run: 'b c a', qrels: 'a:1', worked: '0', value: 0 },
      {
        measure: "RR(ties='expected')",
        run: '(a b c)',
        qrels: 'a:1 b:1',
        worked: '2/3 * 1 + 1/3 * 1/2',
        value: 0.8333,
        note: 'c comes first in a third of all orders',
      },
    ],
  },
  FirstRel: {
    title: 'Rank of the first relevant document',
    help: `How far down the first relevant document stands. Where there is none, the rank after the last one looked at is taken: the length of the ranking plus
      one, or k + 1. Mind that a shorter ranking then looks better.`,
    formula: 'min of relevant ranks i',
    examples: [{ measure: 'FirstRel', run: 'b c a', qrels: 'a:1', worked: '3', value: 3 }],
  },
  ESL: {
    title: 'Expected search length',
    help: `How many documents that are not relevant a reader meets before having as many relevant ones as wanted. It is made for rankings with ties, and
      averages over all their orders unless told otherwise. A ranking without enough relevant documents counts all others it has, or what
      missing says: without it, an empty ranking looks perfect.`,
    formula:
      'j + i s / (r + 1): j others above the tie in which the search ends; i others and r relevant documents in it, s of them still wanted',
    cite: [
      {
        text: 'Cooper, Expected search length: a single measure of retrieval effectiveness based on the weak ordering action of retrieval systems, American Documentation 19(1), 1968',
        doi: '10.1002/asi.5090190108',
      },
    ],
    params: { wanted: 'how many relevant documents the reader wants', missing: 'the length of a search that does not succeed' },
    examples: [
      { measure: 'ESL', run: 'x (a b c d)', qrels: 'a:1 b:1', worked: '1 + 2 * 1 / (2 + 1)', value: 1.6667 },
      { measure: 'ESL@2', run: 'x (a b c d)', qrels: 'a:1 b:1', worked: '1 + 2 * 2 / (2 + 1)', value: 2.3333 },
    ],
  },
};
