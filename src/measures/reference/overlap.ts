import type { FamilyDocs } from './doc.js';

/** The reference of `overlap.ts`. */
export const overlapDocs: FamilyDocs = {
  Compat: {
    title: 'Compatibility',
    help: `Rank-biased overlap between the ranking and an ideal one: the documents of positive grade in order of grade, those of equal grade as the ranking has them. A
      topic without such documents has 0.`,
    formula: '(sum over ranks i of p^(i - 1) |shared by the first i of both| / i) / (the same of the ideal ranking with itself)',
    tools:
      'ir_measures takes a document that was not retrieved to have score 0 when it orders equal grades, which differs where scores are negative.',
    cite: [
      { text: 'Clarke, Vtyurina and Smucker, Assessing top-k preferences, TOIS 39(3), 2021', doi: '10.1145/3451161' },
      { text: 'Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 28(4), 2010', doi: '10.1145/1852102.1852106' },
    ],
    params: { normalize: 'divide by what the ideal ranking reaches, rather than by the sum of the weights' },
    examples: [{ measure: 'Compat(p=0.5)', run: 'b a', qrels: 'a:1 b:0', worked: '(0.5 * 1/2) / (1 + 0.5 * 1/2)', value: 0.2 }],
  },
};
