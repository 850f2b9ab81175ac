import type { FamilyDocs } from './doc.js';

const small = { run: 'a b c d', qrels: 'a:1 b:0 c:1 e:1', known: 'a e' } as const;
const korfhage = { text: 'Korfhage, Information Storage and Retrieval, Wiley, 1997' };
const known = 'It needs a list of the documents that the reader of each topic knows already; several readers of a topic are averaged.';

/** The reference of `user-oriented.ts`. */
export const readerDocs: FamilyDocs = {
  Coverage: {
    title: 'Coverage ratio',
    help: `Of the relevant documents that the reader knows already, the share that was retrieved: a high value shows that the system finds what it should. ${known} A
      reader who knows no relevant document gives 0.`,
    formula: '|known and relevant and retrieved| / |known and relevant|',
    cite: [korfhage],
    examples: [{ measure: 'Coverage', ...small, worked: '1 / 2', value: 0.5, note: 'the reader knows a, which was found, and e' }],
  },
  Novelty: {
    title: 'Novelty ratio',
    help: `Of the relevant documents that were retrieved, the share that is new to the reader. ${known} Nothing relevant retrieved gives 0.`,
    formula: '|relevant and retrieved and not known| / |relevant and retrieved|',
    cite: [korfhage],
    examples: [{ measure: 'Novelty', ...small, worked: '1 / 2', value: 0.5, note: 'of a and c, c is new' }],
  },
  RelativeRecall: {
    title: 'Relative recall',
    help: 'The number of relevant documents found, divided by the number that the reader expected to find. It is above 1 where there were more.',
    formula: 'hits(k) / expected',
    cite: [korfhage],
    examples: [{ measure: 'RelativeRecall', ...small, expected: 4, worked: '2 / 4', value: 0.5 }],
  },
  RecallEffort: {
    title: 'Recall effort',
    help: `The number of relevant documents that the reader expected, divided by the number of documents that had to be looked at until they were all found. 0 if
      they were not all found.`,
    formula: 'expected / (rank of the expected-th relevant document)',
    cite: [korfhage],
    examples: [{ measure: 'RecallEffort', ...small, expected: 2, worked: '2 / 3', value: 0.6667 }],
  },
};
