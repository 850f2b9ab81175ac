import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d e', qrels: 'a:1 b:0 c:2 f:1' } as const;

/** The reference of `counts.ts`. */
export const countDocs: FamilyDocs = {
  NumQ: {
    title: 'Number of topics',
    help: 'How many topics the other values are taken over. A topic counts 1, and the values of all topics are added up.',
    examples: [{ measure: 'NumQ', ...small, worked: '1', value: 1 }],
  },
  NumRet: {
    title: 'Number of documents retrieved',
    help: 'How many documents the ranking holds after depth and judged-only rules were applied. Topics are added up.',
    tools: 'The NumRet(rel=1) of ir_measures is NumRelRet.',
    examples: [{ measure: 'NumRet', ...small, worked: '5', value: 5 }],
  },
  NumRel: {
    title: 'Number of relevant documents',
    help: 'How many documents of the topic were judged relevant, whether they were retrieved or not. Topics are added up.',
    examples: [{ measure: 'NumRel', ...small, worked: '3', value: 3 }],
  },
  NumRelRet: {
    title: 'Number of relevant documents retrieved',
    help: 'How many relevant documents the ranking holds, or its first k documents. Topics are added up.',
    examples: [{ measure: 'NumRelRet', ...small, worked: '2', value: 2 }],
  },
  NumNonRelJudgedRet: {
    title: 'Number of non-relevant documents retrieved',
    help: 'How many documents of the ranking were judged and found not relevant. Unjudged documents do not count. Topics are added up.',
    examples: [{ measure: 'NumNonRelJudgedRet', ...small, worked: '1', value: 1, note: 'd and e are unjudged' }],
  },
  Grade: {
    title: 'Grade at a rank',
    help: `The grade of the document at rank k: a look into the ranking rather than a judgement of it. -1 stands for a document outside the
      pool, -2 for one in the pool that nobody judged, -3 for a ranking that ends above.`,
    formula: 'grade(k)',
    params: { rank: 'which document of the ranking' },
    examples: [{ measure: 'Grade@3', ...small, worked: '2', value: 2 }],
  },
  Best: {
    title: 'Highest grade',
    help: 'The highest grade among the first k documents; 0 if none of them has one above 0.',
    formula: 'max of grade(i) over ranks i up to k',
    tools: 'RankLib prints it as Best@k.',
    examples: [{ measure: 'Best@2', ...small, worked: '1', value: 1 }],
  },
};
