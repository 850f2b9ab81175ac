import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;
const robertson = {
  text: 'Robertson, Kanoulas and Yilmaz, Extending average precision to graded relevance judgments, SIGIR 2010',
  doi: '10.1145/1835449.1835550',
};
const params = { max_rel: 'the highest of the thresholds 1, 2 …; *data* takes the highest grade in the judgements' };
const users = `A user holds documents from some grade up to be relevant; g says how many users have their threshold at which grade.`;

/** The reference of `graded.ts`. */
export const gradedDocs: FamilyDocs = {
  GAP: {
    title: 'Graded average precision',
    help: `Average precision for grades. ${users} At each document the precision that users expect who find it relevant is added
      up, and divided by the number of documents that users expect to be relevant. With all users at one grade it is AP with rel at that grade; it
      is 1 for a ranking with all relevant documents in order of grade. A topic without any has 0.`,
    formula: '(sum over thresholds j of g(j) sum over ranks i with grade >= j of hits(i, j) / i) / (sum over j of g(j) R(j))',
    tools: "MATTERS gives no number for a topic without relevant documents; here it is 0, or left out with empty='skip'.",
    cite: [robertson],
    params,
    examples: [
      { measure: 'GAP', ...small, worked: '(0.5 * (1/1 + 2/3) + 0.5 * 1/3) / (0.5 * 3 + 0.5 * 1)', value: 0.5 },
      { measure: 'GAP(g=[1,0])', ...small, worked: '(1/1 + 2/3) / 3', value: 0.5556, note: 'all users at grade 1: AP' },
      { measure: 'GAP(clicks=[30,10])', ...small, worked: '(0.75 * (1/1 + 2/3) + 0.25 * 1/3) / (0.75 * 3 + 0.25 * 1)', value: 0.5333 },
    ],
  },
  GradedP: {
    title: 'Graded precision',
    help: `${users} Of those who find the document at rank k relevant, the mean precision at k. Where nobody does, or the ranking ends above, it is 0.`,
    formula: '(1/k) (sum over thresholds j <= grade(k) of g(j) hits(k, j)) / (sum of these g(j))',
    cite: [robertson],
    params: { ...params, rank: 'which document of the ranking' },
    examples: [{ measure: 'GradedP@3', ...small, worked: '(0.5 * 2 + 0.5 * 1) / (0.5 + 0.5) / 3', value: 0.5 }],
  },
  GradedIPrec: {
    title: 'Interpolated graded precision at a level of graded recall',
    help: `${users} One point of the graded recall-precision graph: the highest graded precision at this graded recall or a higher
      one, 0 if the ranking does not get there. Where all users have their threshold at one grade it is
      IPrec(rounding='exact') with rel at that grade.`,
    formula: 'max { GradedP@k : GradedR@k >= recall }',
    cite: [robertson],
    params: { ...params, recall: 'the level of graded recall' },
    examples: [
      { measure: 'GradedIPrec@0.2', ...small, worked: '1/1', value: 1, note: 'a alone has graded recall 0.5 / 2' },
      { measure: 'GradedIPrec@0.5', ...small, worked: '(0.5 * 2 + 0.5 * 1) / (0.5 + 0.5) / 3', value: 0.5, note: 'GradedR@3 is 0.75' },
    ],
  },
  GradedR: {
    title: 'Graded recall',
    help: `${users} The number of documents among the first k that users expect to be relevant, divided by that of all judged documents.`,
    formula: '(sum over thresholds j of g(j) hits(k, j)) / (sum over j of g(j) R(j))',
    cite: [robertson],
    params,
    examples: [{ measure: 'GradedR@3', ...small, worked: '(0.5 * 2 + 0.5 * 1) / (0.5 * 3 + 0.5 * 1)', value: 0.75 }],
  },
};
